/**
 * A run's files. Everything but the journal is written atomically, the journal is only ever appended to, and a
 * run directory belongs to one run, and to one process at a time.
 */
import { lstat, mkdir, mkdtemp, open, readdir, readFile, rename, rm, stat, unlink } from "node:fs/promises";
import path from "node:path";
import { LockedError, lock } from "./lock.js";
import { keepOutOfGit } from "./out-of-git.js";

/** A file that could not be written, named as the user would recognise it. */
export class StoreError extends Error {
  /**
   * @param {string} file
   * @param {unknown} cause
   */
  constructor(file, cause) {
    const code = /** @type {NodeJS.ErrnoException} */ (cause)?.code ?? "UNKNOWN";
    super(`${file}: ${code}`, { cause });
    this.name = "StoreError";
    this.file = file;
    this.code = code;
  }
}

/** How the directories of runs begin that have no name yet. */
const STAGING = ".starting-";
const JOURNAL = "journal.jsonl";
/** A run that has not even begun after so long never will. */
const ABANDONED_MS = 3_600_000;

export class Store {
  /** @type {import("node:fs/promises").FileHandle | undefined} */
  #journal;
  #directory;
  #outputDirectory;
  #release;
  #temporaries = 0;
  /** Lines in the journal, as far as this store knows: whether there is anything to keep. */
  #lines = 0;
  /** Writes keep their order: a later version of a file never loses against an earlier one. */
  #writes = Promise.resolve();

  /**
   * @param {string} outputDirectory absolute
   * @param {string} directory absolute: the run directory, or the staging directory before there is one
   * @param {(directory: string) => Promise<void>} release lets go of the lock on it
   */
  constructor(outputDirectory, directory, release) {
    this.#outputDirectory = outputDirectory;
    this.#directory = directory;
    this.#release = release;
  }

  /**
   * Begins a run that has no name yet: its journal lives in a staging directory until {@link claim}.
   * @param {string} outputDirectory absolute
   */
  static async stage(outputDirectory) {
    return guard(outputDirectory, async () => {
      await mkdir(outputDirectory, { recursive: true });
      await sweep(outputDirectory);
      const directory = await mkdtemp(path.join(outputDirectory, STAGING));
      await keepOutOfGit(directory);
      const store = new Store(outputDirectory, directory, await lock(directory));
      await store.#open("ax");
      return store;
    });
  }

  /**
   * Takes over a run that nobody carries on; rejects with a {@link LockedError} where somebody does. The journal is
   * read once the directory is ours, so nobody appends to it any more.
   * @param {string} outputDirectory absolute
   * @param {string} directory absolute
   * @returns {Promise<{store: Store, journal: Buffer}>}
   */
  static async reopen(outputDirectory, directory) {
    return guard(path.join(directory, JOURNAL), async () => {
      const store = new Store(outputDirectory, directory, await lock(directory));
      try {
        const journal = await readFile(store.file(JOURNAL));
        await store.#open("a");
        await store.#removeTemporaries();
        return { store, journal };
      } catch (error) {
        await store.close();
        throw error;
      }
    });
  }

  /** The names of everything in an output directory that may be a run. @param {string} outputDirectory */
  static async list(outputDirectory) {
    const entries = await readdir(outputDirectory, { withFileTypes: true }).catch((error) => {
      if (error.code === "ENOENT") return [];
      throw new StoreError(outputDirectory, error);
    });
    const directories = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
    const journals = await Promise.all(
      directories.map((name) => stat(path.join(outputDirectory, name, JOURNAL)).catch(() => undefined)),
    );
    return directories.filter((_, index) => journals[index]?.isFile());
  }

  /** The journal of a run as it is at this moment. @param {string} directory absolute */
  static async journal(directory) {
    const file = path.join(directory, JOURNAL);
    return guard(file, () => readFile(file));
  }

  /** Absolute path of the run directory, or of the staging directory before {@link claim}. */
  get directory() {
    return this.#directory;
  }

  /** @param {string} name below the run directory, `/` between segments */
  file(name) {
    return path.join(this.#directory, ...name.split("/"));
  }

  /** @param {"ax" | "a"} flags `ax` for a new journal, `a` for one that is there */
  async #open(flags) {
    this.#journal = await open(this.file(JOURNAL), flags);
  }

  /**
   * Cuts a torn tail off the journal.
   * @param {number} length bytes that are whole
   */
  async cut(length) {
    await guard(this.file(JOURNAL), async () => {
      await this.#journal?.truncate(length);
      await this.#journal?.sync();
      this.#lines += 1;
    });
  }

  /**
   * Gives the run its directory: the staging directory is renamed, with all that it holds. False when that name is
   * taken: nothing has changed then.
   * @param {string} name below the output directory
   */
  async claim(name) {
    const target = path.join(this.#outputDirectory, name);
    // A process before this one may have ended between the renaming and its entry in the journal.
    if (this.#directory === target) return true;
    return guard(target, async () => {
      // Windows renames no directory with an open file in it.
      await this.#journal?.close();
      const renamed = await rename(this.#directory, target).then(
        () => true,
        (error) => {
          if (!TAKEN.has(error.code)) throw error;
          return false;
        },
      );
      if (renamed) this.#directory = target;
      await this.#open("a");
      if (renamed) await syncDirectory(this.#outputDirectory);
      return renamed;
    });
  }

  /**
   * Appends a line to the journal; it is on disk when this resolves.
   * @param {string} line with its newline
   */
  async append(line) {
    await guard(this.file(JOURNAL), async () => {
      if (!this.#journal) throw new Error("the journal is closed");
      await this.#journal.appendFile(line, "utf8");
      await this.#journal.datasync();
      // A file that was deleted can still be written to, and nobody will ever read it.
      if ((await this.#journal.stat()).nlink === 0)
        throw Object.assign(new Error("deleted"), { code: "ENOENT" });
      if (this.#lines === 0) await syncDirectory(this.#directory);
      this.#lines += 1;
    });
  }

  /**
   * Writes a file whole or not at all.
   * @param {string} name below the run directory, `/` between segments
   * @param {string} text
   */
  write(name, text) {
    const result = this.#writes.then(() => guard(this.file(name), () => this.#replace(name, text)));
    this.#writes = result.catch(() => {});
    return result;
  }

  /**
   * Writes a file unless something of that name is there. True where it was written.
   * @param {string} name below the run directory, `/` between segments
   * @param {string} text
   */
  async create(name, text) {
    const there = await guard(this.file(name), () => lstat(this.file(name)).then(() => true, unlessMissing));
    if (!there) await this.write(name, text);
    return !there;
  }

  /**
   * The texts of a folder, by path below the run directory, sorted; hidden files are left out.
   * @param {string} folder below the run directory
   * @param {string} extension with its dot
   * @returns {Promise<import("../types.js").NamedText[]>}
   */
  async texts(folder, extension) {
    return guard(this.file(folder), async () => {
      const names = (await readdir(this.file(folder)).catch(unlessMissing)) || [];
      const wanted = names.filter((name) => name.endsWith(extension) && !name.startsWith(".")).sort();
      return Promise.all(
        wanted.map(async (file) => {
          const name = `${folder}/${file}`;
          return { name, text: await guard(this.file(name), () => readFile(this.file(name), "utf8")) };
        }),
      );
    });
  }

  /**
   * Takes a file away, in its turn among the writes.
   * @param {string} name below the run directory, `/` between segments
   */
  discard(name) {
    const result = this.#writes.then(() =>
      guard(this.file(name), () => rm(this.file(name), { force: true })),
    );
    this.#writes = result.catch(() => {});
    return result;
  }

  /**
   * Writes a file if it is missing or says something else.
   * @param {string} name
   * @param {string} text
   */
  async mend(name, text) {
    const there = await readFile(this.file(name), "utf8").catch(() => undefined);
    if (there !== text) await this.write(name, text);
  }

  /**
   * @param {string} name
   * @param {string} text
   */
  async #replace(name, text) {
    const target = this.file(name);
    const folder = path.dirname(target);
    // Not the run directory itself: should somebody have taken it away, it stays away.
    if (folder !== this.#directory) await this.#makeFolder(folder);
    this.#temporaries += 1;
    const temporary = path.join(folder, `.${path.basename(target)}.${process.pid}-${this.#temporaries}.tmp`);
    try {
      const handle = await open(temporary, "wx");
      try {
        await handle.writeFile(text, "utf8");
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(temporary, target);
    } catch (error) {
      await unlink(temporary).catch(() => {});
      throw error;
    }
    await syncDirectory(folder);
  }

  /** Makes a folder below the run directory. @param {string} folder absolute */
  async #makeFolder(folder) {
    const parent = path.dirname(folder);
    if (parent !== this.#directory) await this.#makeFolder(parent);
    await mkdir(folder).catch(unlessThere);
  }

  /** Takes away what a process that died in the middle of a write left. */
  async #removeTemporaries() {
    const entries = await readdir(this.#directory, { recursive: true, withFileTypes: true });
    const left = entries.filter((entry) => entry.isFile() && /^\..*\.\d+-\d+\.tmp$/.test(entry.name));
    await Promise.all(left.map((entry) => rm(path.join(entry.parentPath, entry.name), { force: true })));
  }

  /**
   * Lets go of the run.
   * @param {boolean} [keep] whether a run that never got its directory may be gone on with
   */
  async close(keep = true) {
    await this.#writes;
    await this.#journal?.close().catch(() => {});
    this.#journal = undefined;
    await this.#release(this.#directory);
    if (path.basename(this.#directory).startsWith(STAGING) && !(keep && this.#lines > 0)) {
      await rm(this.#directory, { recursive: true, force: true });
    }
  }
}

/** What the systems say of a rename onto something that is there. */
const TAKEN = new Set(["EEXIST", "ENOTEMPTY", "ENOTDIR", "EISDIR", "EPERM"]);

/** @param {NodeJS.ErrnoException} error */
function unlessThere(error) {
  if (error.code !== "EEXIST") throw error;
}

/** @param {NodeJS.ErrnoException} error @returns {false} */
function unlessMissing(error) {
  if (error.code !== "ENOENT") throw error;
  return false;
}

/**
 * Takes away old staging directories in which nothing ever began.
 * @param {string} outputDirectory
 */
async function sweep(outputDirectory) {
  for (const name of await readdir(outputDirectory)) {
    if (!name.startsWith(STAGING)) continue;
    const directory = path.join(outputDirectory, name);
    const status = await stat(directory).catch(() => undefined);
    if (!status || Date.now() - status.mtimeMs < ABANDONED_MS) continue;
    const journal = await readFile(path.join(directory, JOURNAL)).catch(() => Buffer.alloc(0));
    if (journal.includes("\n")) continue;
    const release = await lock(directory).catch(() => undefined);
    if (release) await rm(directory, { recursive: true, force: true }).catch(() => {});
  }
}

/**
 * @template T
 * @param {string} file what the error names
 * @param {() => Promise<T>} action
 * @returns {Promise<T>}
 */
async function guard(file, action) {
  try {
    return await action();
  } catch (error) {
    throw error instanceof StoreError || error instanceof LockedError ? error : new StoreError(file, error);
  }
}

/** Makes a rename or a new file in this folder last. Windows can't open folders and needs no such thing. */
async function syncDirectory(/** @type {string} */ folder) {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
