/**
 * A run's files. Everything but the journal is written atomically, the journal is only ever appended to, and a run directory
 * belongs to one run, and to one process at a time. Other processes can still write there, so this process keeps the journal in
 * memory and never takes its content back from disk.
 */
import { fstatSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { Folder, StoreError } from "./door.js";
import { readKept } from "./kept-file.js";
import { LockedError, lock } from "./lock.js";
import { keepOutOfGit, narrowSearches } from "./out-of-git.js";
import { savedText } from "./saved-text.js";
import { TEMPORARY } from "./whole-file.js";

/** The prefix of the directories of runs that have no name yet. */
const STAGING = ".starting-";
const JOURNAL = "journal.jsonl";
/** A run that hasn't begun after this time never will. */
const ABANDONED_MS = 3_600_000;

export class Store {
  /** @type {import("node:fs/promises").FileHandle | undefined} */
  #journal;
  #folder;
  #output;
  #lock;
  /** The journal as this store left it. */
  #text = "";
  /** The stamp of the journal's file at that time. @type {string | undefined} */
  #left;
  /** Whether another process has taken the run, so that what is in its directory is no longer this one's. */
  isLost = false;
  /** Writes keep their order: an earlier version of a file never overwrites a later one. */
  #writes = Promise.resolve();
  /** Operations on the journal run one at a time: it is closed briefly while the run gets its directory. */
  #turns = Promise.resolve();

  /**
   * @param {Folder} output the output directory
   * @param {Folder} folder the run directory, or the staging directory before there is one
   * @param {import("./lock.js").Lock} lock on it
   */
  constructor(output, folder, lock) {
    this.#output = output;
    this.#folder = folder;
    this.#lock = lock;
  }

  /**
   * Begins a run that has no name yet: its journal lives in a staging directory until {@link claim}.
   * @param {string} outputDirectory absolute
   */
  static async stage(outputDirectory) {
    try {
      await mkdir(outputDirectory, { recursive: true });
    } catch (error) {
      throw new StoreError(outputDirectory, error);
    }
    const output = new Folder(outputDirectory);
    await sweep(output);
    const folder = await output.makeUnique(STAGING);
    let store;
    try {
      await keepOutOfGit(folder);
      store = new Store(output, folder, await lock(folder));
      await store.#open("begin");
      return store;
    } catch (error) {
      // Nothing is left half done: what was created is removed, if possible.
      await (store ? store.close(false) : folder.removeAll()).catch(() => {});
      throw error;
    }
  }

  /**
   * Takes over a run that no process is running; rejects with a `LockedError` if another process is. The journal is read after
   * the lock is taken, so no other process is still appending to it.
   * @param {string} outputDirectory absolute
   * @param {string} name of the run directory
   * @returns {Promise<{store: Store, journal: Buffer}>}
   */
  static async reopen(outputDirectory, name) {
    const output = new Folder(outputDirectory);
    const folder = output.folder(name);
    const store = new Store(output, folder, await lock(folder));
    try {
      const journal = await folder.read(JOURNAL);
      await store.#open("append");
      store.#text = journal.toString("utf8");
      await removeTemporaries(folder);
      await narrowSearches(folder);
      return { store, journal };
    } catch (error) {
      await store.close();
      throw error;
    }
  }

  /**
   * The names of everything in an output directory that may be a run, sorted. A link is never a run: its target isn't ours to
   * write to. A directory that can't be read is included, and doesn't prevent the others from being listed.
   * @param {string} outputDirectory
   */
  static async list(outputDirectory) {
    const output = new Folder(outputDirectory);
    const names = (await output.entries()).filter((entry) => entry.isDirectory()).map((entry) => entry.name);
    // A run whose journal is a link or a pipe is unreadable; opening it reports the problem.
    const holdsJournal = (/** @type {string} */ name) =>
      output
        .folder(name)
        .status(JOURNAL)
        .then(Boolean, () => true);
    const journals = await Promise.all(names.map(holdsJournal));
    return names.filter((_, index) => journals[index]);
  }

  /** The journal of a run as it is now. @param {Folder} run */
  static journal(run) {
    return run.read(JOURNAL);
  }

  /**
   * The stamp of a run's journal, which changes whenever the journal changes; and the time of its last change, in ms.
   * @param {Folder} run
   */
  static async stamp(run) {
    const status = await run.status(JOURNAL);
    if (!status) return { stamp: "", changed: Number.POSITIVE_INFINITY };
    const { dev, ino, size, mtimeMs, ctimeMs } = status;
    return { stamp: [dev, ino, size, mtimeMs, ctimeMs].join(" "), changed: Math.max(mtimeMs, ctimeMs) };
  }

  /** The run directory, or the staging directory before {@link claim}. */
  get folder() {
    return this.#folder;
  }

  /** Its absolute path. */
  get directory() {
    return this.#folder.path;
  }

  /** @param {"begin" | "append"} how `begin` for a new journal, `append` for an existing one */
  async #open(how) {
    this.#journal = await this.#folder.open(JOURNAL, how);
  }

  /**
   * Cuts a torn tail off the journal.
   * @param {number} length the number of bytes that are whole
   */
  async cut(length) {
    await this.#journaling(async () => {
      await this.#journal?.truncate(length);
      await this.#journal?.sync();
      this.#text = Buffer.from(this.#text).subarray(0, length).toString("utf8");
      this.#left = await this.#looks();
    });
  }

  /**
   * Gives the run its directory: the staging directory is renamed with everything in it. Returns false if the name is taken;
   * nothing has changed then.
   * @param {string} name below the output directory
   */
  claim(name) {
    // A write in progress would lose its folder.
    const result = this.#writes.then(() => this.#inTurn(() => this.#claim(name)));
    this.#writes = result.then(ignored, ignored);
    return result;
  }

  /** @param {string} name */
  async #claim(name) {
    const target = this.#output.folder(name);
    // An earlier process may have ended between the rename and its entry in the journal.
    if (this.#folder.path === target.path) return true;
    // Windows can't rename a directory with an open file in it.
    await this.#journal?.close();
    const failure = await this.#folder.moveTo(target).then(
      () => undefined,
      (error) => error,
    );
    if (!failure) this.#folder = target;
    await this.#open("append");
    if (!failure) await this.#output.sync();
    else if (!TAKEN.has(failure.code)) throw failure;
    return !failure;
  }

  /**
   * Appends a line to the journal; it is on disk when this resolves.
   * @param {string} line with its newline
   */
  async append(line) {
    await this.#journaling(async () => {
      if (!this.#journal) throw new Error("the journal is closed");
      await this.#journal.appendFile(line, "utf8");
      await this.#journal.datasync();
      // A deleted file can still be written to, but nothing would ever read it.
      if (fstatSync(this.#journal.fd).nlink === 0)
        throw Object.assign(new Error("deleted"), { code: "ENOENT" });
      if (this.#text === "") await this.#folder.sync();
      this.#text += line;
      this.#left = await this.#looks();
    });
  }

  /**
   * Rewrites the journal if it differs from what this store left. Returns true if another process had changed it; rejects with a
   * `LockedError` if another process drives the run by now, because somebody removed the lock.
   * @returns {Promise<boolean>}
   */
  async restore() {
    const isHeld = await this.#holds();
    if (this.#text === "" || (await this.#looks()) === this.#left) return false;
    const there = (await this.#folder.read(JOURNAL).catch(() => undefined))?.toString("utf8");
    const restored = there !== this.#text;
    // Whoever had the run meanwhile may have ended by now. What it recorded stays.
    if (restored && !isHeld) throw this.#gone(new LockedError(this.#folder, "another process"));
    await this.#journaling(async () => {
      if (restored) await this.#folder.write(JOURNAL, this.#text);
      // Later lines must go to the file that has this name now.
      await this.#journal?.close();
      await this.#open("append");
      this.#left = await this.#looks();
    });
    return restored;
  }

  /** Whether the run was this process's all the time. Rejects with a `LockedError` if another process has it. */
  async #holds() {
    try {
      return await this.#inTurn(() => this.#lock.keep(this.#folder));
    } catch (error) {
      throw error instanceof LockedError ? this.#gone(error) : error;
    }
  }

  /** @param {LockedError} error */
  #gone(error) {
    this.isLost = true;
    return error;
  }

  /** The stamp that shows whether another process changed the journal. */
  async #looks() {
    const status = await this.#folder.status(JOURNAL);
    return status && [status.ino, status.size, status.mtimeMs, status.ctimeMs].join(" ");
  }

  /**
   * Writes a file whole or not at all.
   * @param {string} name below the run directory, with `/` between segments
   * @param {string | Uint8Array} text
   */
  write(name, text) {
    const result = this.#writes.then(() => this.#folder.write(name, text));
    this.#writes = result.then(ignored, ignored);
    return result;
  }

  /**
   * Writes a file unless something of that name exists. Returns true if it was written.
   * @param {string} name below the run directory, with `/` between segments
   * @param {string} text
   */
  create(name, text) {
    const result = this.#writes.then(() => this.#folder.create(name, text));
    this.#writes = result.then(ignored, ignored);
    return result;
  }

  /**
   * Reads a kept file as it was when the run began. It is queued with the writes, because the run may get its directory
   * meanwhile.
   * @param {import("../core/types.js").KeptFile} file
   */
  kept(file) {
    const result = this.#writes.then(() => readKept(this.#folder, file));
    this.#writes = result.then(ignored, ignored);
    return result;
  }

  /**
   * The tables that people saved in a folder, by path below the run directory, sorted; hidden files are left out.
   * @param {string} folder below the run directory
   * @param {string} extension with its dot
   * @returns {Promise<import("../core/types.js").NamedText[]>}
   */
  async texts(folder, extension) {
    const names = (await this.#folder.folder(folder).entries()).map((entry) => entry.name);
    const wanted = names.filter((name) => name.endsWith(extension) && !name.startsWith("."));
    return Promise.all(
      wanted.map(async (file) => {
        const name = `${folder}/${file}`;
        return { name, text: savedText(await this.#folder.read(name)) };
      }),
    );
  }

  /**
   * A file as a person saved it; null if there is none.
   * @param {string} name below the run directory
   */
  async text(name) {
    return (await this.#folder.status(name)) ? savedText(await this.#folder.read(name)) : null;
  }

  /**
   * Removes a file, queued with the writes.
   * @param {string} name below the run directory, with `/` between segments
   */
  discard(name) {
    const result = this.#writes.then(() => this.#folder.remove(name));
    this.#writes = result.then(ignored, ignored);
    return result;
  }

  /**
   * Writes a file if it is missing or its content differs.
   * @param {string} name
   * @param {string} text
   */
  async ensure(name, text) {
    const there = await this.#folder.read(name).catch(() => undefined);
    if (there?.toString("utf8") !== text) await this.write(name, text);
  }

  /**
   * @template T
   * @param {() => Promise<T>} action on the journal's file
   * @returns {Promise<T>}
   */
  #inTurn(action) {
    const result = this.#turns.then(action);
    this.#turns = result.then(ignored, ignored);
    return result;
  }

  /** @param {() => Promise<void>} action on the open journal */
  async #journaling(action) {
    try {
      await this.#inTurn(action);
    } catch (error) {
      throw new StoreError(this.#folder.file(JOURNAL), error);
    }
  }

  /**
   * Releases the run.
   * @param {boolean} [keep] whether a run that never got its directory may be continued
   */
  async close(keep = true) {
    await this.#writes;
    await this.#turns;
    await this.#journal?.close().catch(() => {});
    this.#journal = undefined;
    await this.#lock.release(this.#folder);
    if (this.#folder.name.startsWith(STAGING) && !(keep && this.#text !== "")) await this.#folder.removeAll();
  }
}

/** The error codes of a rename onto something that exists. */
const TAKEN = new Set(["EEXIST", "ENOTEMPTY", "ENOTDIR", "EISDIR", "EPERM"]);

function ignored() {}

/**
 * Removes the temporary files of a process that died in the middle of a write.
 * @param {Folder} folder
 */
async function removeTemporaries(folder) {
  for (const entry of await folder.entries()) {
    if (entry.isDirectory()) await removeTemporaries(folder.folder(entry.name));
    else if (entry.isFile() && TEMPORARY.test(entry.name)) await folder.remove(entry.name);
  }
}

/**
 * Removes old staging directories of runs that never began. A directory that doesn't look like ours is kept.
 * @param {Folder} output
 */
async function sweep(output) {
  for (const entry of await output.entries()) {
    if (!entry.name.startsWith(STAGING) || !entry.isDirectory()) continue;
    await sweepOne(output.folder(entry.name)).catch(() => {});
  }
}

/** @param {Folder} folder */
async function sweepOne(folder) {
  const changed = await folder.changed();
  if (changed === undefined || Date.now() - changed < ABANDONED_MS) return;
  if ((await folder.status(JOURNAL)) && (await folder.read(JOURNAL)).includes("\n")) return;
  await lock(folder);
  await folder.removeAll();
}
