/**
 * A run's files. Everything but the journal is written atomically, the journal is only ever appended to, and a
 * run directory belongs to one run: it is created, never entered.
 */
import { mkdir, mkdtemp, open, rename, rm, rmdir, unlink } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";

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

export class Store {
  /** @type {import("node:fs/promises").FileHandle | undefined} */
  #journal;
  #directory;
  #outputDirectory;
  #temporaries = 0;
  /** Writes keep their order: a later version of a file never loses against an earlier one. */
  #writes = Promise.resolve();

  /**
   * @param {string} outputDirectory absolute
   * @param {string} directory absolute: the run directory, or the staging directory before there is one
   */
  constructor(outputDirectory, directory) {
    this.#outputDirectory = outputDirectory;
    this.#directory = directory;
  }

  /**
   * Begins a run that has no name yet: its journal lives in a staging directory until {@link claim}.
   * @param {string} outputDirectory absolute
   */
  static async stage(outputDirectory) {
    return guard(outputDirectory, async () => {
      await mkdir(outputDirectory, { recursive: true });
      const store = new Store(outputDirectory, await mkdtemp(path.join(outputDirectory, ".starting-")));
      await store.#open("ax");
      return store;
    });
  }

  /**
   * Goes on with the run in this directory.
   * @param {string} outputDirectory absolute
   * @param {string} directory absolute
   * @param {number} length bytes of the journal that are whole: a torn tail beyond them is cut off
   */
  static async reopen(outputDirectory, directory, length) {
    const store = new Store(outputDirectory, directory);
    await store.#open("a");
    return guard(store.file("journal.jsonl"), async () => {
      await store.#journal?.truncate(length);
      await store.#journal?.sync();
      return store;
    });
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
    const file = this.file("journal.jsonl");
    await guard(file, async () => {
      this.#journal = await open(file, flags);
      await this.#lock();
    });
  }

  /** Leaves word of who writes here. */
  async #lock() {
    const owner = { pid: process.pid, host: hostname(), since: new Date().toISOString() };
    await this.#replace("run.lock", `${JSON.stringify(owner)}\n`);
  }

  /**
   * Gives the run its directory. False when that name is taken: nothing has changed then.
   * @param {string} name below the output directory
   */
  async claim(name) {
    const target = path.join(this.#outputDirectory, name);
    return guard(target, async () => {
      try {
        await mkdir(target);
      } catch (error) {
        if (/** @type {NodeJS.ErrnoException} */ (error).code === "EEXIST") return false;
        throw error;
      }
      const staging = this.#directory;
      for (const file of ["run.lock", "journal.jsonl"]) {
        await rename(path.join(staging, file), path.join(target, file));
      }
      this.#directory = target;
      await rmdir(staging);
      await syncDirectory(target);
      await syncDirectory(this.#outputDirectory);
      return true;
    });
  }

  /**
   * Appends a line to the journal; it is on disk when this resolves.
   * @param {string} line with its newline
   */
  async append(line) {
    await guard(this.file("journal.jsonl"), async () => {
      if (!this.#journal) throw new Error("the journal is closed");
      await this.#journal.appendFile(line, "utf8");
      await this.#journal.datasync();
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
   * @param {string} name
   * @param {string} text
   */
  async #replace(name, text) {
    const target = this.file(name);
    const folder = path.dirname(target);
    await mkdir(folder, { recursive: true });
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

  /** Lets go of the run. A run that never got its directory leaves nothing behind. */
  async close() {
    await this.#writes;
    await this.#journal?.close();
    this.#journal = undefined;
    await rm(this.file("run.lock"), { force: true });
    if (path.basename(this.#directory).startsWith(".starting-")) {
      await rm(this.#directory, { recursive: true, force: true });
    }
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
    throw error instanceof StoreError ? error : new StoreError(file, error);
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
