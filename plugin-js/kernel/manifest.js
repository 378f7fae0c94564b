/**
 * The tree id of a project without git: the digest of a list of its files, each with its mode and its content. Nothing
 * separates generated from hand-written files there, so all files count except git's, installed packages and our own.
 */
import { createHash } from "node:crypto";
import { copyFile, lstat, mkdir, readdir, readFile, readlink, rm, symlink } from "node:fs/promises";
import path from "node:path";
import { digestOf, FileDigests } from "./file-digests.js";
import { createFile } from "./whole-file.js";

/** @typedef {{mode: string, content: string}} Entry of a file */

/** Directories that are left out of a project without git, wherever they are. */
export const NEVER = new Set([".git", "node_modules"]);

/** A tree can't be copied. */
export class CopyError extends Error {
  name = "CopyError";
}

export class Manifests {
  kind = /** @type {const} */ ("manifest");
  #project;
  #leftOut;
  #digests = new FileDigests();

  /**
   * @param {string} project absolute
   * @param {string[]} leftOut absolute
   */
  constructor(project, leftOut) {
    this.#project = project;
    this.#leftOut = leftOut;
  }

  /**
   * @param {string} folder absolute: where manifests are kept
   * @returns {Promise<string>}
   */
  async take(folder) {
    /** @type {[string, Entry][]} */
    const entries = [];
    await this.#list(this.#project, "", entries);
    entries.sort(([one], [other]) => (one < other ? -1 : 1));
    const text = JSON.stringify(entries);
    const id = createHash("sha256").update(text).digest("hex");
    await createFile(path.join(folder, `${id}.json`), text);
    return id;
  }

  /**
   * @param {string} folder absolute
   * @param {string} before
   * @param {string} after
   * @returns {Promise<import("./tree.js").Change[] | null>}
   */
  async changed(folder, before, after) {
    const [then, now] = await Promise.all([read(folder, before), read(folder, after)]);
    if (!then || !now) return null;
    const paths = [...new Set([...then.keys(), ...now.keys()])].sort();
    return paths.flatMap((at) => {
      const status = statusOf(then.get(at), now.get(at));
      return status ? [{ path: at, status }] : [];
    });
  }

  /** Absolute: the root of its trees. */
  get top() {
    return this.#project;
  }

  /**
   * Writes the files of a tree into a directory. Earlier content isn't kept, so only the current state can be copied.
   * @param {string} folder absolute
   * @param {string} tree
   * @param {string} root absolute: empty
   * @param {(untracked: string[]) => string[]} keptBack returns which files are left out
   * @returns {Promise<Set<string>>} the files left out
   */
  async lay(folder, tree, root, keptBack) {
    const entries = await read(folder, tree);
    if (!entries) throw new CopyError("the earlier content of the files is unknown");
    const out = new Set(keptBack([...entries.keys()]));
    for (const [file, entry] of entries) if (!out.has(file)) await this.#copy(file, entry, root);
    return out;
  }

  /**
   * @param {string} folder absolute
   * @param {string} tree
   * @param {string[]} paths
   * @param {string} root absolute
   */
  async layPaths(folder, tree, paths, root) {
    const entries = await read(folder, tree);
    for (const file of paths) {
      await rm(path.join(root, file), { recursive: true, force: true });
      const entry = entries?.get(file);
      if (entry) await this.#copy(file, entry, root);
    }
  }

  /**
   * @param {string} folder absolute
   * @param {string} tree
   * @returns {Promise<import("./tree.js").Listed[]>}
   */
  async files(folder, tree) {
    const entries = [...((await read(folder, tree))?.entries() ?? [])];
    return entries.map(([file, { mode }]) => ({ path: file, isLink: mode === "link" }));
  }

  /**
   * Returns the files in a directory that differ from a tree.
   * @param {string} folder absolute
   * @param {string} tree
   * @param {string[]} files
   * @param {string} root absolute
   */
  async unlike(folder, tree, files, root) {
    const entries = await read(folder, tree);
    const differ = [];
    for (const file of files) {
      const wanted = entries?.get(file);
      const found = await entryOf(path.join(root, file));
      if (wanted?.mode !== found?.mode || wanted?.content !== found?.content) differ.push(file);
    }
    return differ;
  }

  /** Always undefined: earlier content isn't kept. @returns {Promise<undefined>} */
  async text() {
    return undefined;
  }

  /** Always empty: without git no patch can be applied. @returns {Promise<Buffer>} */
  async patch() {
    return Buffer.of();
  }

  /** Without git's ignore rules, only the installed packages, which trees leave out. @returns {Promise<string[]>} */
  async ignored() {
    const found = await readdir(this.#project, { withFileTypes: true });
    return found
      .filter((entry) => entry.isDirectory() && entry.name === "node_modules")
      .map(({ name }) => name);
  }

  /**
   * @param {string} file
   * @param {Entry} entry
   * @param {string} root absolute
   */
  async #copy(file, entry, root) {
    const target = path.join(root, file);
    await mkdir(path.dirname(target), { recursive: true });
    const now = await this.#entry(path.join(this.#project, file));
    if (now?.content !== entry.content || now.mode !== entry.mode)
      throw new CopyError(`without git, the earlier content of ${file} isn't kept`);
    if (entry.mode === "link") await symlink(entry.content, target);
    else await copyFile(path.join(this.#project, file), target);
  }

  /**
   * @param {string} directory absolute
   * @param {string} prefix of the paths in it
   * @param {[string, Entry][]} entries receives its content
   */
  async #list(directory, prefix, entries) {
    for (const entry of await readdir(directory, { withFileTypes: true })) {
      const file = path.join(directory, entry.name);
      const at = `${prefix}${entry.name}`;
      if (this.#leftOut.includes(file)) continue;
      if (entry.isDirectory()) {
        if (!NEVER.has(entry.name)) await this.#list(file, `${at}/`, entries);
      } else {
        const found = await this.#entry(file);
        if (found) entries.push([at, found]);
      }
    }
  }

  /**
   * @param {string} file absolute
   * @returns {Promise<Entry | undefined>} undefined if it is gone or isn't a file
   */
  async #entry(file) {
    const status = await lstat(file, { bigint: true }).catch(ifGone);
    if (!status) return undefined;
    if (status.isSymbolicLink()) {
      const target = await readlink(file).catch(ifGone);
      return target === undefined ? undefined : { mode: "link", content: target };
    }
    if (!status.isFile()) return undefined;
    const mode = status.mode & 0o111n ? "executable" : "file";
    return { mode, content: await this.#digests.of(file, status) };
  }
}

/**
 * @param {string} file absolute
 * @returns {Promise<Entry | undefined>} undefined if there is none
 */
async function entryOf(file) {
  const status = await lstat(file).catch(ifGone);
  if (status?.isSymbolicLink()) return { mode: "link", content: await readlink(file) };
  if (!status?.isFile()) return undefined;
  return { mode: status.mode & 0o111 ? "executable" : "file", content: await digestOf(file) };
}

/**
 * @param {string} folder
 * @param {string} id
 * @returns {Promise<Map<string, Entry> | undefined>} undefined if it doesn't exist or was changed since it was written
 */
async function read(folder, id) {
  const text = await readFile(path.join(folder, `${id}.json`), "utf8").catch(ifGone);
  if (text === undefined || createHash("sha256").update(text).digest("hex") !== id) return undefined;
  return new Map(JSON.parse(text));
}

/**
 * @param {Entry | undefined} then
 * @param {Entry | undefined} now
 */
function statusOf(then, now) {
  if (!then) return "A";
  if (!now) return "D";
  if ((then.mode === "link") !== (now.mode === "link")) return "T";
  return then.mode === now.mode && then.content === now.content ? undefined : "M";
}

/** @param {NodeJS.ErrnoException} error @returns {undefined} */
function ifGone(error) {
  if (error.code !== "ENOENT") throw error;
  return undefined;
}
