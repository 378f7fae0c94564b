/**
 * Replaces files of the project by those of another tree: all of them or none. Both versions of each file are laid out first, every
 * place is looked at before anything is written and again just before it is written, and a fault restores what was written.
 *
 * Nothing is overwritten that isn't in the earlier tree, such as a file that git ignores, and nothing is written through a link.
 */
import { chmodSync, lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { mkdir, rename, rm, rmdir } from "node:fs/promises";
import path from "node:path";
import { CopyError } from "../kernel/manifest.js";
import { stampOf } from "../kernel/stamps.js";

/** The prefix of the directories with both versions, in the session's directory. */
const STAGED = "taking-";

/** The permissions of a file, and those that make it a program. */
const [PERMISSIONS, EXECUTE] = [0o777, 0o111];

/**
 * @typedef {{path: string, inFrom: boolean, inTo: boolean}} Difference a file that differs, from the root of the trees
 * @typedef {{differences: Difference[], others: string[]}} Compared `others`: what differs and is no file, such as the commit of
 *   another repository
 */

/**
 * The files in which two trees differ. Rejects with a `CopyError` if one of the trees is no longer known.
 * @param {import("../kernel/tree.js").Trees} trees
 * @param {string} from
 * @param {string} to
 * @returns {Promise<Compared>}
 */
export async function compare(trees, from, to) {
  const changes = await trees.changed(from, to);
  if (!changes) throw new CopyError("git no longer has the files that would be compared");
  if (changes.length === 0) return { differences: [], others: [] };
  const [before, after] = [new Set(await trees.files(from)), new Set(await trees.files(to))];
  const all = changes.map(({ path: name, status }) => ({
    ...{ path: name, inFrom: before.has(name), inTo: after.has(name) },
    isFile: before.has(name) === (status !== "A") && after.has(name) === (status !== "D"),
  }));
  const differences = all.filter(({ isFile }) => isFile).map(({ isFile, ...difference }) => difference);
  return { differences, others: all.filter(({ isFile }) => !isFile).map((one) => one.path) };
}

/**
 * The places where a file that isn't in the earlier tree, or a link, is in the way.
 * @param {string} top absolute: the root of the project's tree, which matches the earlier one
 * @param {Compared} compared
 * @returns {string[]} from the root of the tree, sorted
 */
export function obstacles(top, { differences, others }) {
  const places = new Places(top, differences);
  const isInTheWay = (/** @type {Difference} */ { path: name, inFrom, inTo }) => {
    const there = places.look(name);
    if (there === "blocked") return true;
    if (!inTo || there === "nothing") return false;
    return there.isDirectory() ? !places.isClearedAway(name) : !inFrom;
  };
  const found = differences.filter(isInTheWay).map(({ path: name }) => name);
  return [...found, ...others].sort();
}

/** The project's files at the places that change. */
class Places {
  #top;
  #differences;

  /** @param {string} top absolute @param {Difference[]} differences */
  constructor(top, differences) {
    this.#top = top;
    this.#differences = new Map(differences.map((one) => [one.path, one]));
  }

  /**
   * What is at a place; "blocked" if it can't be reached without following a link or passing through a file that stays.
   * @param {string} name
   * @returns {import("node:fs").Stats | "nothing" | "blocked"}
   */
  look(name) {
    const parts = name.split("/");
    for (const index of parts.slice(1).keys()) {
      const above = parts.slice(0, index + 1).join("/");
      const parent = statusOf(path.join(this.#top, above));
      if (parent === undefined) return "nothing";
      // A file or a link that is replaced by a directory, or that has already replaced one.
      if (!parent.isDirectory()) return this.#differences.has(above) ? "nothing" : "blocked";
    }
    return statusOf(path.join(this.#top, name)) ?? "nothing";
  }

  /**
   * Whether a directory holds only files that are removed.
   * @param {string} name
   * @returns {boolean}
   */
  isClearedAway(name) {
    const entries = readdirSync(path.join(this.#top, name), { withFileTypes: true });
    return entries.every((entry) => {
      const file = `${name}/${entry.name}`;
      if (entry.isDirectory()) return this.isClearedAway(file);
      const difference = this.#differences.get(file);
      return difference?.inFrom && !difference.inTo;
    });
  }
}

/** Two versions of the files that differ, and how to get from the first to the second. */
export class Replacement {
  #top;
  #staged;
  #compared;
  #places;
  /** What was seen at the places that are still to be changed, by path. @type {Map<string, string>} */
  #seen = new Map();

  /**
   * @param {string} top absolute
   * @param {import("../kernel/door.js").Folder} staged
   * @param {Compared} compared
   */
  constructor(top, staged, compared) {
    this.#top = top;
    this.#staged = staged;
    this.#compared = compared;
    this.#places = new Places(top, compared.differences);
  }

  /**
   * Lays out both versions.
   * @template T
   * @param {object} wanted
   * @param {import("../kernel/door.js").Folder} wanted.session where they are laid out
   * @param {import("../kernel/tree.js").Trees} wanted.trees
   * @param {string} wanted.from
   * @param {string} wanted.to
   * @param {(replacement: Replacement) => Promise<T>} use
   * @returns {Promise<T>}
   */
  static async with({ session, trees, from, to }, use) {
    const compared = await compare(trees, from, to);
    for (const entry of await session.entries())
      if (entry.name.startsWith(STAGED) && entry.isDirectory()) await session.folder(entry.name).removeAll();
    const staged = await session.makeUnique(STAGED);
    try {
      for (const [tree, side] of /** @type {const} */ ([
        [from, "from"],
        [to, "to"],
      ])) {
        await staged.makeFolder(side);
        const names = compared.differences.filter((one) => (side === "to" ? one.inTo : one.inFrom));
        const paths = names.map((one) => one.path);
        await trees.layPaths(tree, paths, staged.file(side));
        const missing = paths.find((name) => statusOf(path.join(staged.file(side), name)) === undefined);
        if (missing !== undefined) throw new CopyError(`git could not write a copy of ${missing}`);
      }
      return await use(new Replacement(await trees.top(), staged, compared));
    } finally {
      await staged.removeAll();
    }
  }

  /** Whether the trees differ at all. */
  get isEmpty() {
    return this.#compared.differences.length + this.#compared.others.length === 0;
  }

  /**
   * Looks at all places. After a crash, some are already as they will be.
   * @returns {string[]} the paths that something else has changed, sorted; if there is one, nothing may be written
   */
  look() {
    this.#seen.clear();
    /** @type {string[]} */
    const refused = [...this.#compared.others];
    for (const difference of this.#compared.differences) {
      const { path: name } = difference;
      const state = this.#stateOf(difference);
      if (state === "refused") refused.push(name);
      if (state !== "before") continue;
      this.#seen.set(name, this.#stampOf(name));
      keepPermissions(path.join(this.#top, name), path.join(this.#staged.file("from"), name));
      keepPermissions(path.join(this.#top, name), path.join(this.#staged.file("to"), name));
    }
    return refused.sort();
  }

  /**
   * Writes what `look` found unwritten. If that isn't possible, restores the earlier files and rejects with a `CopyError` or the
   * system's error; the error names what could not be restored.
   * @returns {Promise<string[]>} the path that something else has changed meanwhile: then nothing was written; otherwise empty
   */
  async write() {
    const changed = this.#compared.differences.filter(({ path: name }) => this.#seen.has(name));
    /** @type {{difference: Difference, stamp: string}[]} */
    const done = [];
    try {
      // Files are removed first: a directory may become a file.
      for (const difference of [...changed].sort((one, other) => Number(one.inTo) - Number(other.inTo))) {
        const { path: name, inTo } = difference;
        if (this.#stampOf(name) !== this.#seen.get(name)) throw new Changed(name);
        if (inTo) await this.#put(name, "to");
        else await this.#remove(name);
        done.push({ difference, stamp: this.#stampOf(name) });
      }
      return [];
    } catch (error) {
      const lost = await this.#restore(done);
      if (lost.length > 0)
        throw new CopyError(
          `${messageOf(error)}. The earlier version of these was not restored: ${lost.join(", ")}`,
        );
      if (error instanceof Changed) return [error.message];
      throw error;
    }
  }

  /**
   * @param {Difference} difference
   * @returns {"before" | "after" | "refused"}
   */
  #stateOf({ path: name, inFrom, inTo }) {
    const there = this.#places.look(name);
    if (there === "blocked") return "refused";
    if (there === "nothing") return inTo ? "before" : "after";
    if (there.isDirectory()) {
      if (!inTo) return inFrom && this.#isLaidBelow(name) ? "after" : "refused";
      return this.#places.isClearedAway(name) ? "before" : "refused";
    }
    if (inTo && this.#isAs(name, "to")) return "after";
    return inFrom && this.#isAs(name, "from") ? "before" : "refused";
  }

  /** Whether a file has become a directory in the later version. @param {string} name */
  #isLaidBelow(name) {
    return statusOf(path.join(this.#staged.file("to"), name))?.isDirectory() ?? false;
  }

  /** Whether the project's file is that of a version. @param {string} name @param {"from" | "to"} side */
  #isAs(name, side) {
    return isSame(path.join(this.#top, name), path.join(this.#staged.file(side), name));
  }

  /**
   * What is at a place, so that a change shows. A directory is none: it may hold only files that are removed.
   * @param {string} name
   */
  #stampOf(name) {
    const there = this.#places.look(name);
    if (typeof there === "string") return there;
    return there.isDirectory() ? "nothing" : stampOf(path.join(this.#top, name));
  }

  /**
   * Puts a version's file at its place.
   * @param {string} name
   * @param {"from" | "to"} side
   */
  async #put(name, side) {
    const [staged, target] = [path.join(this.#staged.file(side), name), path.join(this.#top, name)];
    if (statusOf(target)?.isDirectory()) await removeEmpty(target);
    try {
      await mkdir(path.dirname(target), { recursive: true });
      await rename(staged, target);
    } catch (error) {
      await this.#removeEmptyAbove(name);
      throw error;
    }
  }

  /** Removes a file, and the directories that are empty then. @param {string} name */
  async #remove(name) {
    await rm(path.join(this.#top, name), { force: true });
    await this.#removeEmptyAbove(name);
  }

  /** @param {string} name */
  async #removeEmptyAbove(name) {
    for (let above = path.dirname(name); above !== "."; above = path.dirname(above)) {
      try {
        await rmdir(path.join(this.#top, above));
      } catch {
        return;
      }
    }
  }

  /**
   * Restores the earlier version of what was changed, as far as nobody has changed it since.
   * @param {{difference: Difference, stamp: string}[]} done in the order in which it was changed
   * @returns {Promise<string[]>} the paths that could not be restored
   */
  async #restore(done) {
    const lost = [];
    for (const { difference, stamp } of [...done].reverse()) {
      const { path: name, inFrom } = difference;
      try {
        if (this.#stampOf(name) !== stamp) throw new Changed(name);
        if (inFrom) await this.#put(name, "from");
        else await this.#remove(name);
      } catch {
        lost.push(name);
      }
    }
    return lost.sort();
  }
}

/** A file was changed meanwhile; the message is its path. */
class Changed extends CopyError {}

/** @param {string} file absolute @returns {import("node:fs").Stats | undefined} */
function statusOf(file) {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch (error) {
    // A file has the name of its directory.
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "ENOTDIR") return undefined;
    throw error;
  }
}

/**
 * Whether two files have the same type, content and, if they are programs, both are.
 * @param {string} one absolute
 * @param {string} other absolute
 */
function isSame(one, other) {
  const [first, second] = [statusOf(one), statusOf(other)];
  if (!first || !second) return false;
  if (first.isSymbolicLink() && second.isSymbolicLink()) return readlinkSync(one) === readlinkSync(other);
  if (!first.isFile() || !second.isFile() || first.size !== second.size) return false;
  const isProgram = (/** @type {import("node:fs").Stats} */ { mode }) => (mode & 0o100) !== 0;
  return isProgram(first) === isProgram(second) && readFileSync(one).equals(readFileSync(other));
}

/**
 * Gives a staged file the permissions of the one that it replaces, except that only programs can be run.
 * @param {string} replaced absolute
 * @param {string} staged absolute
 */
function keepPermissions(replaced, staged) {
  const [before, after] = [statusOf(replaced), statusOf(staged)];
  if (!before?.isFile() || !after?.isFile()) return;
  const kept = before.mode & PERMISSIONS;
  // Who may read a program may run it.
  const run = after.mode & 0o100 ? (kept & 0o444) >> 2 : 0;
  chmodSync(staged, (kept & ~EXECUTE) | run);
}

/** Removes a directory that holds nothing but empty directories. @param {string} directory absolute */
async function removeEmpty(directory) {
  for (const entry of readdirSync(directory, { withFileTypes: true }))
    if (entry.isDirectory()) await removeEmpty(path.join(directory, entry.name));
  await rmdir(directory);
}

/** @param {unknown} error */
function messageOf(error) {
  if (error instanceof Changed) return `${error.message} was changed meanwhile`;
  return error instanceof Error ? error.message : String(error);
}
