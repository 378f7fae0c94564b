/**
 * The paths that copies have as links, such as `node_modules`: which these are, and one digest of everything in each. The core
 * decides what a change means (src/flow/links.rs).
 */
import { createHmac } from "node:crypto";
import { statSync } from "node:fs";
import { lstat, readdir, readlink, symlink } from "node:fs/promises";
import path from "node:path";
import { FileDigests } from "../kernel/file-digests.js";
import { stampOf } from "../kernel/stamps.js";

/** How many files are read at once. */
const AT_ONCE = 8;
/** The largest file that is read, in bytes, so that a link can't cause a whole disk to be read. */
const LONGEST = 1n << 28n;

/** @typedef {import("../core/types.js").FlowLink} Link */
/**
 * The content of a link: the type and content of each file, by its path below the link, which is empty if the link is to a
 * file.
 * @typedef {Map<string, string>} Contents
 */

/** Whether OpenCode installed it next to its configuration; that isn't the project's. @param {string} directory */
const isOpenCodes = (directory) => directory.split("/").includes(".opencode");

/**
 * @param {string[]} ignored the paths that git ignores, relative to the root of the tree
 * @param {string[]} wanted by name or path
 * @returns {string[]} those that copies get as links, sorted
 */
export function linkable(ignored, wanted) {
  return ignored
    .filter((name) => wanted.includes(name) || (wanted.includes(path.basename(name)) && !isOpenCodes(name)))
    .sort();
}

/**
 * Makes a link.
 * @param {string} target absolute
 * @param {string} link absolute: in a directory that exists
 */
export async function linkTo(target, link) {
  await symlink(target, link, statSync(target).isDirectory() ? "junction" : "file");
}

/** The links of a project, as one process sees them. */
export class Links {
  #key;
  #leftOut;
  #digests = new FileDigests();
  /** The contents of links that this process has seen, by their digests. @type {Map<string, Contents>} */
  #seen = new Map();

  /**
   * @param {string} key of the machine: linked files may contain secrets, and their digests must not reveal anything
   * @param {string[]} leftOut names of files and directories that are skipped
   */
  constructor(key, leftOut) {
    this.#key = key;
    this.#leftOut = new Set(leftOut);
  }

  /**
   * The current links, with their changes.
   * @param {string} top absolute: the root of the tree
   * @param {string[]} names relative to the root
   * @param {Record<string, string>} [before] earlier digests, by path
   * @returns {Promise<Link[]>}
   */
  async look(top, names, before = {}) {
    const links = [];
    for (const name of names) {
      const contents = await this.#contents(path.join(top, name));
      const digest = this.#digest(contents);
      const then = this.#seen.get(before[name] ?? "");
      this.#seen.set(digest, contents);
      const changed = then === undefined ? [] : differences(then, contents);
      links.push({ path: name, digest, ...(changed.length > 0 && { changed }) });
    }
    return links;
  }

  /** @param {string} place absolute @returns {Promise<Contents>} */
  async #contents(place) {
    /** @type {string[]} */
    const files = [];
    await this.#list(place, "", files);
    files.sort();
    /** @type {Contents} */
    const contents = new Map(files.map((file) => [file, ""]));
    const reading = files.values();
    const read = async () => {
      for (const file of reading) contents.set(file, await this.#file(path.join(place, file)));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, read));
    return contents;
  }

  /**
   * @param {string} place absolute
   * @param {string} inside
   * @param {string[]} files receives the files found
   */
  async #list(place, inside, files) {
    const entries = await readdir(path.join(place, inside), { withFileTypes: true }).catch(() => null);
    // Not a directory, or an unreadable one: it is listed itself.
    if (entries === null) files.push(inside);
    for (const entry of entries ?? []) {
      if (this.#leftOut.has(entry.name)) continue;
      const file = path.posix.join(inside, entry.name);
      if (entry.isDirectory()) await this.#list(place, file, files);
      else files.push(file);
    }
  }

  /**
   * The type and content of a file, or the error code if it can't be read. For a very large file, its metadata counts.
   * @param {string} file absolute
   */
  async #file(file) {
    try {
      const status = await lstat(file, { bigint: true });
      if (status.isSymbolicLink()) return `link ${await readlink(file)}`;
      if (!status.isFile() || status.size > LONGEST) return stampOf(file);
      return `${status.mode} ${await this.#digests.of(file, status)}`;
    } catch (error) {
      return String(/** @type {NodeJS.ErrnoException} */ (error).code);
    }
  }

  /** @param {Contents} contents */
  #digest(contents) {
    const hash = createHmac("sha256", this.#key);
    for (const [file, held] of contents) hash.update(`${file.length}\0${file}${held.length}\0${held}`);
    return hash.digest("hex");
  }
}

/**
 * @param {Contents} before
 * @param {Contents} now
 * @returns {string[]} the files that differ, sorted
 */
function differences(before, now) {
  const files = new Set([...before.keys(), ...now.keys()]);
  return [...files].filter((file) => before.get(file) !== now.get(file)).sort();
}
