/**
 * The one door to everything below an output directory.
 *
 * Its one rule: nothing below the output directory is reached through a link. A run may come from elsewhere (a clone, an
 * archive, a colleague), and a link in it could direct our reads, writes and deletions to any of the user's files. So every
 * operation checks each part of the path from the output directory down (`lstat`), opens with `O_NOFOLLOW`, and accepts only
 * plain files as files. A name consists of parts separated by `/`; no part may be empty, `.` or `..`, or contain another
 * separator.
 *
 * The checks are synchronous: they take microseconds, while waiting for a turn takes 10 ms or more in a busy process.
 *
 * Limit: if a process of the user creates a link between the check and the operation, it isn't noticed.
 */
import { lstatSync } from "node:fs";
import { constants, mkdir, mkdtemp, open, readdir, rename, rm, rmdir, unlink } from "node:fs/promises";
import path from "node:path";
import { createFile, replaceFile, syncFolder } from "./whole-file.js";

/** @typedef {import("../core/types.js").DiskDeed} Deed what was attempted when it failed */

/** A file that could not be read or written, named so that the user recognises it. */
export class StoreError extends Error {
  /**
   * @param {string} file
   * @param {unknown} cause
   * @param {Deed} [deed]
   */
  constructor(file, cause, deed = "write") {
    const code = /** @type {NodeJS.ErrnoException} */ (cause)?.code ?? "UNKNOWN";
    super(`${file}: ${code}`, { cause });
    this.name = "StoreError";
    this.file = file;
    this.code = code;
    this.deed = deed;
  }
}

/** Our own codes, in addition to the system's; the core has a sentence for each (src/shared/disk.rs). */
const LINK = "LINK";
const NOT_A_FILE = "NOT_A_FILE";
const OUTSIDE = "OUTSIDE";
const TOO_LARGE = "TOO_LARGE";

/** Larger than any file that a run keeps, in bytes; no string is as long as twice this. */
const LONGEST = 256 << 20;

/** Windows has neither flag: there, only the check of the path protects. */
const NO_LINK = constants.O_NOFOLLOW ?? 0;
/** Opens a pipe immediately instead of waiting for a writer. */
const NO_WAIT = constants.O_NONBLOCK ?? 0;

const FLAGS = {
  read: constants.O_RDONLY,
  append: constants.O_WRONLY | constants.O_APPEND,
  begin: constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL,
};

/** A folder at or below an output directory. Every failure is a {@link StoreError} that names the file. */
export class Folder {
  #output;
  /** @type {readonly string[]} */
  #parts;

  /**
   * @param {string} output absolute: the output directory, which the user has chosen
   * @param {string} [name] of the folder, below the output directory
   */
  constructor(output, name) {
    this.#output = output;
    this.#parts = name === undefined ? [] : parts(output, name);
  }

  /** Absolute. */
  get path() {
    return path.join(this.#output, ...this.#parts);
  }

  get name() {
    return path.basename(this.path);
  }

  /** @param {string} name */
  folder(name) {
    return new Folder(this.#output, [...this.#parts, name].join("/"));
  }

  /** The absolute path of an entry of this folder, for display. @param {string} name */
  file(name) {
    return path.join(this.path, ...parts(this.path, name));
  }

  /** The entries of this folder, sorted by name; empty if it doesn't exist. */
  async entries() {
    return named(this.path, "read", async () => {
      try {
        this.#look(this.#parts);
        const entries = await readdir(this.path, { withFileTypes: true });
        return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
      } catch (error) {
        if (/** @type {NodeJS.ErrnoException} */ (error).code === "ENOENT") return [];
        throw error;
      }
    });
  }

  /** The status of an entry, without following links; undefined if it doesn't exist. @param {string} name */
  async status(name) {
    return this.#with(name, "read", async (file) => statusOf(file));
  }

  /** When this folder last changed, in ms; undefined unless it is a folder. */
  async changed() {
    return named(this.path, "read", async () => {
      const status = statusOf(this.path);
      return status?.isDirectory() ? status.mtimeMs : undefined;
    });
  }

  /** @param {string} name @returns {Promise<Buffer>} */
  async read(name) {
    return named(this.file(name), "read", async () => {
      const handle = await this.open(name, "read");
      try {
        if ((await handle.stat()).size > LONGEST) throw refused(this.file(name), TOO_LARGE);
        return await handle.readFile();
      } finally {
        await handle.close();
      }
    });
  }

  /**
   * Opens a plain file.
   * @param {string} name
   * @param {keyof typeof FLAGS} how `append` for an existing file, `begin` for a new one
   */
  async open(name, how) {
    return this.#with(name, how === "read" ? "read" : "write", async (file) => {
      isPlain(file, statusOf(file));
      const handle = await open(file, FLAGS[how] | NO_LINK | NO_WAIT);
      try {
        isPlain(file, await handle.stat());
      } catch (error) {
        await handle.close();
        throw error;
      }
      return handle;
    });
  }

  /**
   * Writes a file whole or not at all. Folders in between are created; this folder must exist.
   * @param {string} name
   * @param {string | Uint8Array} text
   */
  async write(name, text) {
    await this.#with(name, "write", async (file) => {
      await this.#makeFolders(name);
      isPlain(file, statusOf(file));
      await replaceFile(file, text);
    });
  }

  /**
   * Writes a file unless one of that name exists. Returns true if it was written.
   * @param {string} name
   * @param {string} text
   */
  async create(name, text) {
    return this.#with(name, "write", async (file) => {
      await this.#makeFolders(name);
      const status = statusOf(file);
      isPlain(file, status);
      return status === undefined && createFile(file, text);
    });
  }

  /** Creates an empty file. Returns false if it already exists. @param {string} name */
  async mark(name) {
    return this.#with(name, "write", async (file) => {
      isPlain(file, statusOf(file));
      try {
        await (await open(file, FLAGS.begin)).close();
        return true;
      } catch (error) {
        if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EEXIST") throw error;
        return false;
      }
    });
  }

  /** Removes a file, or a link itself. Returns false if nothing was there. @param {string} name */
  async remove(name) {
    return this.#with(name, "write", async (file) => {
      try {
        await unlink(file);
        return true;
      } catch (error) {
        if (/** @type {NodeJS.ErrnoException} */ (error).code !== "ENOENT") throw error;
        return false;
      }
    });
  }

  /** Creates a folder in this one; does nothing if it exists. @param {string} name */
  async makeFolder(name) {
    await this.#with(name, "write", async (folder) => makeFolder(folder));
  }

  /** Creates a folder with a unique name. @param {string} prefix of the name */
  async makeUnique(prefix) {
    return named(this.path, "write", async () => {
      this.#look(this.#parts);
      return this.folder(path.basename(await mkdtemp(path.join(this.path, prefix))));
    });
  }

  /** Removes an empty folder. @param {string} name */
  async removeFolder(name) {
    await this.#with(name, "write", (folder) => rmdir(folder));
  }

  /** Removes this folder with everything in it; links in it are removed, not followed. */
  async removeAll() {
    await named(this.path, "write", async () => {
      this.#look(this.#parts);
      await rm(this.path, { recursive: true, force: true });
    });
  }

  /** Renames this folder. @param {Folder} target */
  async moveTo(target) {
    await named(target.path, "write", async () => {
      this.#look(this.#parts);
      await rename(this.path, target.path);
    });
  }

  /** Makes renamed and new entries of this folder durable. */
  async sync() {
    await named(this.path, "write", () => syncFolder(this.path));
  }

  /**
   * @template T
   * @param {string} name
   * @param {Deed} deed
   * @param {(file: string) => Promise<T>} action on the absolute path, after its folders have been checked
   * @returns {Promise<T>}
   */
  async #with(name, deed, action) {
    const file = this.file(name);
    return named(file, deed, async () => {
      this.#look([...this.#parts, ...parts(this.path, name).slice(0, -1)]);
      return action(file);
    });
  }

  /** Checks each existing folder from the output directory down. @param {readonly string[]} names */
  #look(names) {
    let folder = this.#output;
    for (const name of names) {
      folder = path.join(folder, name);
      const status = statusOf(folder);
      if (!status) return;
      isFolder(folder, status);
    }
  }

  /** Creates the folders between this one and a file below it. @param {string} name */
  async #makeFolders(name) {
    let folder = this.path;
    for (const part of parts(folder, name).slice(0, -1)) {
      folder = path.join(folder, part);
      if (!statusOf(folder)) await makeFolder(folder);
    }
  }
}

/**
 * The parts of a name; throws if a part could lead outside the folder.
 * @param {string} at the folder that it is relative to
 * @param {string} name
 */
function parts(at, name) {
  const parts = name.split("/");
  const divides = process.platform === "win32" ? /[\\:\0]/ : /\0/;
  if (parts.some((part) => part === "" || part === "." || part === ".." || divides.test(part)))
    throw refused(path.join(at, JSON.stringify(name)), OUTSIDE);
  return parts;
}

/** @param {string} folder */
async function makeFolder(folder) {
  try {
    await mkdir(folder);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EEXIST") throw error;
    const status = statusOf(folder);
    if (status) isFolder(folder, status);
  }
}

/** @param {string} file */
function statusOf(file) {
  try {
    return lstatSync(file);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "ENOENT") throw error;
    return undefined;
  }
}

/**
 * @param {string} folder
 * @param {import("node:fs").Stats} status
 */
function isFolder(folder, status) {
  if (status.isSymbolicLink()) throw refused(folder, LINK);
  if (!status.isDirectory()) throw refused(folder, "ENOTDIR");
}

/**
 * @param {string} file
 * @param {import("node:fs").Stats | undefined} status undefined if nothing is there
 */
function isPlain(file, status) {
  if (status?.isSymbolicLink()) throw refused(file, LINK);
  if (status?.isDirectory()) throw refused(file, "EISDIR");
  if (status && !status.isFile()) throw refused(file, NOT_A_FILE);
}

/**
 * @param {string} file
 * @param {string} code
 */
function refused(file, code) {
  return new StoreError(file, Object.assign(new Error(code), { code }));
}

/**
 * @template T
 * @param {string} file the file that the error names if it names none yet
 * @param {Deed} deed
 * @param {() => Promise<T>} action
 * @returns {Promise<T>}
 */
async function named(file, deed, action) {
  try {
    return await action();
  } catch (error) {
    throw error instanceof StoreError ? error : new StoreError(file, error, deed);
  }
}
