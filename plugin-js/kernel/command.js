/**
 * Runs one command and records how it ended. When it has ended, however that happens, everything that it started has ended too
 * (group.js).
 */
import { createHash } from "node:crypto";
import { LONGEST_TIMER_MS } from "./clock.js";
import { endMarked, obstacle, startGroup, strike } from "./group.js";

/**
 * @typedef {import("./group.js").Program & {timeout_ms: number}} Command
 *
 * @typedef {Pick<import("node:fs/promises").FileHandle, "appendFile">} Log
 *
 * @typedef {object} Observed
 * @property {string | null} not_started the system's code for why no process was started; null if one was
 * @property {number | null} exit its exit code; null if it has none
 * @property {string | null} signal that ended it
 * @property {"itself" | "timeout" | "abort"} ended_by
 * @property {number} duration_ms
 * @property {number} bytes of all its output
 * @property {string} sha256 of all its output
 * @property {number} kept bytes of its output that are in the log
 */

/** How long a command may take to end after the signal to end. */
const GRACE_MS = 2_000;

/** How long to wait for more output once every process that could write is gone. */
const DRAIN_MS = 1_000;

/** How much is kept of the beginning of the output and of its end, in bytes each. */
const KEPT = 1 << 20;

/**
 * @param {Command} command
 * @param {Log} log receives the output
 * @param {AbortSignal} [signal] ends the command
 * @param {number} [grace] in ms
 * @returns {Promise<Observed>} rejects only if the log can't be written: then, too, nothing of the command is left running
 */
export async function runCommand(command, log, signal, grace = GRACE_MS) {
  const began = performance.now();
  const output = new Output(log);
  const ended = (/** @type {Partial<Observed>} */ seen) => ({
    not_started: null,
    exit: null,
    signal: null,
    ended_by: /** @type {const} */ ("itself"),
    ...seen,
    duration_ms: Math.round(performance.now() - began),
    ...output.summary(),
  });
  if (signal?.aborted) return ended({ not_started: "ABORTED", ended_by: "abort" });
  const missing = obstacle(command);
  if (missing) return ended({ not_started: missing });

  const child = startGroup(command);
  /** @type {Observed["ended_by"]} */
  let endedBy = "itself";
  /** @type {NodeJS.Timeout | undefined} */
  let killing;
  const stop = (/** @type {"timeout" | "abort"} */ why) => {
    if (killing) return;
    endedBy = why;
    strike(child, "SIGTERM");
    killing = setTimeout(() => strike(child, "SIGKILL"), grace);
  };
  const abort = () => stop("abort");
  signal?.addEventListener("abort", abort);
  const timer = setTimeout(() => stop("timeout"), Math.min(command.timeout_ms, LONGEST_TIMER_MS));
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
  const reading = Promise.all(streams.map((stream) => output.take(stream)));
  // If the log can't be written, the command is ended.
  reading.catch(abort);
  try {
    const seen = await gone(child);
    // First the remaining processes in its group, including the guard; then those that left the group.
    strike(child, "SIGKILL");
    await endMarked(command.mark);
    // A process that is out of reach may still hold the pipe.
    const late = setTimeout(() => streams.map((stream) => stream.destroy()), DRAIN_MS);
    if (!seen.not_started) await reading.finally(() => clearTimeout(late));
    await output.close();
    return ended({ ...seen, ended_by: endedBy });
  } finally {
    clearTimeout(timer);
    clearTimeout(killing);
    signal?.removeEventListener("abort", abort);
    child.stdin?.destroy();
  }
}

/**
 * Waits until the command's own process has ended.
 * @param {import("./group.js").ChildProcess} child
 * @returns {Promise<Partial<Observed>>}
 */
function gone(child) {
  return new Promise((resolve) => {
    child.on("error", (error) => {
      resolve({ not_started: /** @type {NodeJS.ErrnoException} */ (error).code ?? "UNKNOWN" });
    });
    child.on("exit", (exit, signal) => resolve({ exit, signal }));
  });
}

/** The output of a command: all of it is counted, and its beginning and its end are kept. */
class Output {
  #log;
  #hash = createHash("sha256");
  #digest = "";
  #bytes = 0;
  #kept = 0;
  /** The chunks that may form the end. @type {Buffer[]} */
  #end = [];
  #held = 0;

  /** @param {Log} log */
  constructor(log) {
    this.#log = log;
  }

  /** @param {import("node:stream").Readable} stream */
  async take(stream) {
    try {
      for await (const chunk of stream) await this.#add(chunk);
    } catch (error) {
      // The stream was destroyed.
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
    }
  }

  /** @param {Buffer} chunk */
  async #add(chunk) {
    this.#hash.update(chunk);
    const first = chunk.subarray(0, Math.max(0, KEPT - this.#bytes));
    this.#bytes += chunk.length;
    this.#kept += first.length;
    this.#end.push(chunk);
    this.#held += chunk.length;
    while (this.#end[0] && this.#held - this.#end[0].length >= KEPT) {
      this.#held -= this.#end[0].length;
      this.#end.shift();
    }
    if (first.length > 0) await this.#log.appendFile(first);
  }

  /** Adds the end to the log. */
  async close() {
    const held = Buffer.concat(this.#end);
    const end = held.subarray(held.length - Math.min(KEPT, this.#bytes - this.#kept));
    const between = this.#bytes - this.#kept - end.length;
    if (between > 0) await this.#log.appendFile(`\n[${between} bytes left out]\n`);
    await this.#log.appendFile(end);
    this.#kept += end.length;
  }

  summary() {
    this.#digest ||= this.#hash.digest("hex");
    return { bytes: this.#bytes, sha256: this.#digest, kept: this.#kept };
  }
}
