/**
 * What the runs of a directory were when they were looked at last, so that a command replays only the journals that have changed since.
 *
 * It lies with the user's own state, never in the project: a clone could bring it along. A mark by this machine's key shows that it was
 * written here. What is done with a run is decided again by its journal, once the run is taken over.
 */
import { createHash, createHmac } from "node:crypto";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { packageVersion } from "../core/load.js";
import { readPlain } from "./plain-file.js";
import { stateDirectory } from "./state-directory.js";
import { replaceFile } from "./whole-file.js";

/** The version of a summary: raised when the core adds to it, so that older summaries are read from the journals again. */
const FORM = 2;

/** More than the summaries of 100,000 runs have, in bytes. */
const LONGEST = 256 << 20;

/** A journal that was changed so lately may be changed again without looking different. */
const LATELY_MS = 2_000;

/** @typedef {{stamp: string, summary: import("../core/types.js").Summary<any> | null, problem: import("../core/types.js").Problem | null}} Kept */

export class Summaries {
  #file;
  #key;
  #clock;
  /** By the name of the run. @type {Map<string, Kept>} */
  #before;
  /** @type {Map<string, Kept>} */
  #now = new Map();
  #changed = false;

  /**
   * @param {string} output absolute
   * @param {string} key of this machine; without one nothing is kept
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
   * What is known of a run, if its journal looks as it did.
   * @param {string} name
   * @param {string} stamp the system's stamp of its journal
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
   * @param {number} changed when its journal was, in ms
   */
  keep(name, kept, changed) {
    if (this.#clock - changed < LATELY_MS) return;
    this.#now.set(name, kept);
    this.#changed = true;
  }

  /** Writes down what is known now. Should that fail, the next command replays a little more. */
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

  /** What another version of this package has written, or in another form, is none of ours. @param {string} text */
  #mark(text) {
    return createHmac("sha256", Buffer.from(this.#key, "hex"))
      .update(`summaries ${FORM} ${packageVersion()}\0${this.#file}\0${text}`)
      .digest("hex");
  }
}
