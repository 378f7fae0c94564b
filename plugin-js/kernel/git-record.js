/**
 * Git's records about a project, apart from its files. They are only read here: the core decides what changed
 * (src/flow/git_record.rs).
 */
import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { GitError, git } from "./git.js";
import { readPlainBytes } from "./plain-file.js";

const CONFIG = "config";
/** The entries of git's own directory that determine how git works here. */
const SETTINGS = [CONFIG, "info/exclude", "info/attributes", "hooks"];
/** The same for one of several worktrees. */
const OF_WORKTREE = `${CONFIG}.worktree`;

/**
 * @param {string} directory absolute: in a repository
 * @returns {Promise<import("../core/types.js").FlowGitRecord>} rejects with a `GitError` if it can't be read
 */
export async function gitRecord(directory) {
  const ask = async (/** @type {string[]} */ args) => (await git(directory, args)).toString("utf8");
  // If there is no such thing, git exits with an error code.
  const orNull = (/** @type {string[]} */ args) =>
    ask(args).then(
      (output) => output.trim(),
      (error) => {
        if (error instanceof GitError) return null;
        throw error;
      },
    );
  const [branch, commit, refs, staged, places] = await Promise.all([
    orNull(["symbolic-ref", "-q", "HEAD"]),
    orNull(["rev-parse", "-q", "--verify", "HEAD"]),
    ask(["for-each-ref", "--format=%(refname) %(objectname) %(symref)"]),
    ask(["ls-files", "--stage", "--full-name", "-z", ":/"]),
    ask(["rev-parse", "--path-format=absolute", "--git-common-dir", "--git-dir"]),
  ]);
  const [common = "", own = ""] = places.trim().split("\n");
  const settings = [...SETTINGS.map((name) => path.join(common, name)), path.join(own, OF_WORKTREE)];
  const files = await Promise.all(settings.map(filesAt));
  return {
    branch: branch ?? "HEAD",
    commit,
    refs: sha256([refs]),
    staged: sha256([staged]),
    settings: sha256(files.flat()),
  };
}

/**
 * A file, or those of a directory, by name and content.
 * @param {string} place absolute
 * @returns {Promise<string[]>}
 */
async function filesAt(place) {
  const names = await readdir(place).catch(() => null);
  const files = names === null ? [place] : names.sort().map((name) => path.join(place, name));
  return files.map((file) => `${file}\0${textOf(file)}`);
}

/** The file's content, or the error code if it can't be read. @param {string} file absolute */
function textOf(file) {
  try {
    return readPlainBytes(file).toString("latin1");
  } catch (error) {
    return String(/** @type {NodeJS.ErrnoException} */ (error).code);
  }
}

/** @param {string[]} parts */
function sha256(parts) {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(`${part.length}\0${part}`);
  return hash.digest("hex");
}
