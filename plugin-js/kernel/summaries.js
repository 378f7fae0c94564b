/**
 * The summaries of a directory's runs from the last time they were read, so that a command replays only journals that have
 * changed since.
 *
 * The file is kept with the user's own state, never in the project, because a clone could bring it along. A mark made with this
 * machine's key shows that it was written here. Once a run is taken over, its journal decides again what is done with it.
 */
import { createHash, createHmac } from "node:crypto";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { packageVersion } from "../core/load.js";
import { readPlain } from "./plain-file.js";
import { stateDirectory } from "./state-directory.js";
import { replaceFile } from "./whole-file.js";

/** The version of a summary: raised when the core extends it, so that older summaries are rebuilt from the journals. */
const FORM = 4;

/** Larger than the summaries of 100,000 runs, in bytes. */
const LONGEST = 256 << 20;

/** A journal changed within this time may change again without a different stamp, in ms. */
const LATELY_MS = 2_000;

/** @typedef {{stamp: string, summary: import("../core/types.js").Summary<any> | null, problem: import("../core/types.js").Problem | null}} Kept */

export class Summaries {
  #file;
  #key;
  #clock;
  /** By run name. @type {Map<string, Kept>} */
  #before;
  /** @type {Map<string, Kept>} */
  #now = new Map();
  #changed = false;

  /**
   * @param {string} output absolute
   * @param {string} key of this machine; if empty, nothing is kept
   * @param {number} now in ms
   */
  constructor(output, key, now) {
    const name = createHash("sha256").update(output).digest("hex").slice(0, 32);
    this.#file = path.join(stateDirectory(), "summaries", `${name}.json`);
    this.#key = key;
    this.#clock = now;
    this.#before = new Map(key === "" ? [] : this.#read());
  }

  /**
   * The kept summary of a run, if its journal hasn't changed.
   * @param {string} name
   * @param {string} stamp the stamp of its journal
   */
  of(name, stamp) {
    const kept = this.#before.get(name);
    if (kept?.stamp !== stamp) return undefined;
    this.#now.set(name, kept);
    return kept;
  }

  /**
   * Remembers a run.
   * @param {string} name
   * @param {Kept} kept
   * @param {number} changed when its journal last changed, in ms
   */
  keep(name, kept, changed) {
    if (this.#clock - changed < LATELY_MS) return;
    this.#now.set(name, kept);
    this.#changed = true;
  }

  /** Writes the current summaries. If that fails, the next command replays a little more. */
  async write() {
    if (this.#key === "" || !(this.#changed || this.#now.size < this.#before.size)) return;
    const text = JSON.stringify([...this.#now]);
    try {
      await mkdir(path.dirname(this.#file), { recursive: true, mode: 0o700 });
      await replaceFile(this.#file, `${this.#mark(text)}\n${text}`);
    } catch {
      // Nothing depends on it.
    }
  }

  /** @returns {[string, Kept][]} */
  #read() {
    try {
      const all = readPlain(this.#file, LONGEST);
      const end = all.indexOf("\n");
      const text = all.slice(end + 1);
      return this.#mark(text) === all.slice(0, end) ? JSON.parse(text) : [];
    } catch {
      return [];
    }
  }

  /**
   * The mark of a text: it differs for other versions of this package and other forms, whose files are ignored.
   * @param {string} text
   */
  #mark(text) {
    return createHmac("sha256", Buffer.from(this.#key, "hex"))
      .update(`summaries ${FORM} ${packageVersion()}\0${this.#file}\0${text}`)
      .digest("hex");
  }
}
