/**
 * A run's files. Everything but the journal is written atomically, the journal is only ever appended to, and a
 * run directory belongs to one run, and to one process at a time. Others can write there all the same: what this process knows
 * of the journal it never reads back.
 */
import { fstatSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { Folder, StoreError } from "./door.js";
import { readKept } from "./kept-file.js";
import { lock } from "./lock.js";
import { keepOutOfGit, narrowSearches } from "./out-of-git.js";
import { savedText } from "./saved-text.js";
import { TEMPORARY } from "./whole-file.js";

/** How the directories of runs begin that have no name yet. */
const STAGING = ".starting-";
const JOURNAL = "journal.jsonl";
/** A run that has not even begun after so long never will. */
const ABANDONED_MS = 3_600_000;

export class Store {
  /** @type {import("node:fs/promises").FileHandle | undefined} */
  #journal;
  #folder;
  #output;
  #release;
  /** The journal as this store has left it. */
  #text = "";
  /** The system's stamp of its file then. @type {string | undefined} */
  #left;
  /** Writes keep their order: a later version of a file never loses against an earlier one. */
  #writes = Promise.resolve();
  /** What touches the journal goes one after another: it is closed for a moment while the run gets its directory. */
  #turns = Promise.resolve();

  /**
   * @param {Folder} output the output directory
   * @param {Folder} folder the run directory, or the staging directory before there is one
   * @param {(folder: Folder) => Promise<void>} release lets go of the lock on it
   */
  constructor(output, folder, release) {
    this.#output = output;
    this.#folder = folder;
    this.#release = release;
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
      // Nothing is half begun: what was made goes again, as far as it can.
      await (store ? store.close(false) : folder.removeAll()).catch(() => {});
      throw error;
    }
  }

  /**
   * Takes over a run that no process is driving; rejects with a `LockedError` where somebody does. The journal is
   * read once the directory is ours, so nobody appends to it any more.
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
   * The names of everything in an output directory that may be a run, sorted. A link isn't one: what lies behind it
   * isn't ours to write to. A directory that can't be looked into may be one, and keeps none of the others from being listed.
   * @param {string} outputDirectory
   */
  static async list(outputDirectory) {
    const output = new Folder(outputDirectory);
    const names = (await output.entries()).filter((entry) => entry.isDirectory()).map((entry) => entry.name);
    // A journal that is a link or a pipe makes it a run that can't be read; whoever opens it reports that.
    const holdsJournal = (/** @type {string} */ name) =>
      output
        .folder(name)
        .status(JOURNAL)
        .then(Boolean, () => true);
    const journals = await Promise.all(names.map(holdsJournal));
    return names.filter((_, index) => journals[index]);
  }

  /** The journal of a run as it is at this moment. @param {Folder} run */
  static journal(run) {
    return run.read(JOURNAL);
  }

  /**
   * The system's stamp of a run's journal, which changes whenever anything in it has changed; and when that was, in ms.
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

  /** @param {"begin" | "append"} how a new journal, or one that is there */
  async #open(how) {
    this.#journal = await this.#folder.open(JOURNAL, how);
  }

  /**
   * Cuts a torn tail off the journal.
   * @param {number} length bytes that are whole
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
   * Gives the run its directory: the staging directory is renamed, with all that it holds. False when that name is
   * taken: nothing has changed then.
   * @param {string} name below the output directory
   */
  claim(name) {
    // A write under way would lose its folder.
    const result = this.#writes.then(() => this.#inTurn(() => this.#claim(name)));
    this.#writes = result.then(ignored, ignored);
    return result;
  }

  /** @param {string} name */
  async #claim(name) {
    const target = this.#output.folder(name);
    // A process before this one may have ended between the renaming and its entry in the journal.
    if (this.#folder.path === target.path) return true;
    // Windows renames no directory with an open file in it.
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
      // A file that was deleted can still be written to, and nobody will ever read it.
      if (fstatSync(this.#journal.fd).nlink === 0)
        throw Object.assign(new Error("deleted"), { code: "ENOENT" });
      if (this.#text === "") await this.#folder.sync();
      this.#text += line;
      this.#left = await this.#looks();
    });
  }

  /**
   * Writes the journal again where it isn't what this store has left: true where somebody has changed it.
   * @returns {Promise<boolean>}
   */
  async restore() {
    if (this.#text === "" || (await this.#looks()) === this.#left) return false;
    let restored = false;
    await this.#journaling(async () => {
      const there = await this.#folder.read(JOURNAL).catch(() => undefined);
      restored = there?.toString("utf8") !== this.#text;
      if (restored) await this.#folder.write(JOURNAL, this.#text);
      // What is appended to has to be the file of that name.
      await this.#journal?.close();
      await this.#open("append");
      this.#left = await this.#looks();
    });
    return restored;
  }

  /** By what a change of the journal by somebody else can be seen. */
  async #looks() {
    const status = await this.#folder.status(JOURNAL);
    return status && [status.ino, status.size, status.mtimeMs, status.ctimeMs].join(" ");
  }

  /**
   * Writes a file whole or not at all.
   * @param {string} name below the run directory, `/` between segments
   * @param {string | Uint8Array} text
   */
  write(name, text) {
    const result = this.#writes.then(() => this.#folder.write(name, text));
    this.#writes = result.then(ignored, ignored);
    return result;
  }

  /**
   * Writes a file unless something of that name is there. True where it was written.
   * @param {string} name below the run directory, `/` between segments
   * @param {string} text
   */
  create(name, text) {
    const result = this.#writes.then(() => this.#folder.create(name, text));
    this.#writes = result.then(ignored, ignored);
    return result;
  }

  /**
   * A file that the run keeps, as it was when the run began. In its turn among the writes: the run may get its directory meanwhile.
   * @param {import("../core/types.js").KeptFile} file
   */
  kept(file) {
    const result = this.#writes.then(() => readKept(this.#folder, file));
    this.#writes = result.then(ignored, ignored);
    return result;
  }

  /**
   * The tables that people have saved in a folder, by path below the run directory, sorted; hidden files are left out.
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
   * Takes a file away, in its turn among the writes.
   * @param {string} name below the run directory, `/` between segments
   */
  discard(name) {
    const result = this.#writes.then(() => this.#folder.remove(name));
    this.#writes = result.then(ignored, ignored);
    return result;
  }

  /**
   * Writes a file if it is missing or says something else.
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
   * Lets go of the run.
   * @param {boolean} [keep] whether a run that never got its directory may be continued
   */
  async close(keep = true) {
    await this.#writes;
    await this.#turns;
    await this.#journal?.close().catch(() => {});
    this.#journal = undefined;
    await this.#release(this.#folder);
    if (this.#folder.name.startsWith(STAGING) && !(keep && this.#text !== "")) await this.#folder.removeAll();
  }
}

/** The error codes of a rename onto something that exists. */
const TAKEN = new Set(["EEXIST", "ENOTEMPTY", "ENOTDIR", "EISDIR", "EPERM"]);

function ignored() {}

/**
 * Takes away what a process that died in the middle of a write left.
 * @param {Folder} folder
 */
async function removeTemporaries(folder) {
  for (const entry of await folder.entries()) {
    if (entry.isDirectory()) await removeTemporaries(folder.folder(entry.name));
    else if (entry.isFile() && TEMPORARY.test(entry.name)) await folder.remove(entry.name);
  }
}

/**
 * Takes away old staging directories in which nothing ever began. What looks otherwise than we leave it stays.
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
