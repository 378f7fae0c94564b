/**
 * What git has on record beside the files of a project. Only looked at: the core tells what changed (src/flow/git_record.rs).
 */
import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { GitError, git } from "./git.js";
import { readPlainBytes } from "./plain-file.js";

const CONFIG = "config";
/** What lies in git's own directory and decides how git works here. */
const SETTINGS = [CONFIG, "info/exclude", "info/attributes", "hooks"];
/** The same, of one of several worktrees. */
const OF_WORKTREE = `${CONFIG}.worktree`;

/**
 * @param {string} directory absolute: in a repository
 * @returns {Promise<import("../core/types.js").FlowGitRecord>} rejects with a `GitError` where it can't be told
 */
export async function gitRecord(directory) {
  const ask = async (/** @type {string[]} */ args) => (await git(directory, args)).toString("utf8");
  // Where there is no such thing git says so by its exit code.
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

/** What it holds; in the place of what can't be read, why. @param {string} file absolute */
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
