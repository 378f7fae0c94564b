/**
 * Runs one check and tells what was seen of it. The command is started as it stands, without a shell's reading of it, in a
 * group of processes of its own. When it has ended, in whatever way, so has all that it started.
 *
 * Who ends it when this process is killed? A guard in the check's own group, a shell that does nothing but wait for the end
 * of a pipe which this process holds. A process that left the group is known by its environment, where the system shows
 * that (`/proc`): {@link endChecks}.
 *
 * What it doesn't promise: on Windows there is neither group nor guard, and only the command itself is ended.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { accessSync, constants, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { LONGEST_TIMER_MS } from "../kernel/clock.js";

/**
 * @typedef {object} Check
 * @property {string[]} argv the program and its arguments
 * @property {string} cwd absolute
 * @property {number} timeout_ms
 * @property {Record<string, string>} env see environment.js
 * @property {string} mark tells its processes from all others, and begins with its session's mark
 *
 * @typedef {Pick<import("node:fs/promises").FileHandle, "appendFile">} Log
 *
 * @typedef {object} Observed
 * @property {string | null} not_started why there was no process: the system's word; null where there was one
 * @property {number | null} exit its exit code; null where it had none
 * @property {string | null} signal that ended it
 * @property {"itself" | "timeout" | "abort"} ended_by
 * @property {number} duration_ms
 * @property {number} bytes of all its output
 * @property {string} sha256 of all its output
 * @property {number} kept bytes of its output that are in the log
 */

/** The variable that has a check's mark. */
const MARK = "OPENCODE_FLOW_CHECK";

/** How long a check may take to end after it was asked to. */
const GRACE_MS = 2_000;

/** How long output may still come when everything that could write is gone. */
const DRAIN_MS = 1_000;

/** How often what is left of checks is looked for, and how long it gets to be gone in between. */
const MOST_LOOKS = 100;
const LOOK_MS = 10;

/** What is kept of the beginning of the output and of its end, in bytes each. */
const KEPT = 1 << 20;

/**
 * Output goes to one pipe, in the order in which it was written. The guard is nobody's child: a check that waits for its
 * children waits for its own alone. It reads nothing until the pipe ends with the process that holds it.
 */
const GUARDED = `exec 3<&0 </dev/null 2>&1
( (trap '' HUP INT QUIT TERM; exec >/dev/null 2>&1; read -r never <&3; kill -KILL 0) & )
exec 3<&-
exec "$@"`;

/**
 * @param {Check} check
 * @param {Log} log gets the output
 * @param {AbortSignal} [signal] ends the check
 * @param {number} [grace] in ms
 * @returns {Promise<Observed>} rejects only where the log can't be written: then, too, nothing of the check is left
 */
export async function runCheck(check, log, signal, grace = GRACE_MS) {
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
  const missing = obstacle(check);
  if (missing) return ended({ not_started: missing });

  const child = start(check);
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
  const timer = setTimeout(() => stop("timeout"), Math.min(check.timeout_ms, LONGEST_TIMER_MS));
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
  const reading = Promise.all(streams.map((stream) => output.take(stream)));
  // A log that can't be written ends the check.
  reading.catch(abort);
  try {
    const seen = await gone(child);
    // What it left running in its group, the guard among it; then what left the group.
    strike(child, "SIGKILL");
    await endChecks(check.mark);
    // Somebody who is out of reach may still hold the pipe.
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
 * Ends what is left of checks whose mark is this, or begins with it.
 * @param {string} mark
 */
export async function endChecks(mark) {
  for (let left = MOST_LOOKS; left > 0; left -= 1) {
    const found = marked(mark);
    if (found.length === 0) return;
    for (const pid of found) kill(pid, "SIGKILL");
    await pause(LOOK_MS);
  }
}

/**
 * The processes that have this mark; none where the system doesn't show it. A mark goes on with a `~` or ends.
 * @param {string} mark
 */
export function marked(mark) {
  if (process.platform !== "linux") return [];
  const sought = [`${MARK}=${mark}\0`, `${MARK}=${mark}~`];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => {
      const environment = environmentOf(name);
      return sought.some((text) => environment.startsWith(text) || environment.includes(`\0${text}`));
    })
    .map(Number);
}

/** What a process was started with; empty where it is gone, or another user's. @param {string} pid */
function environmentOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1");
  } catch {
    return "";
  }
}

/** @param {Check} check */
function start({ argv: [program = "", ...args], cwd, env, mark }) {
  const options = { cwd, env: { ...env, PWD: cwd, [MARK]: mark } };
  if (process.platform === "win32")
    return spawn(program, args, { ...options, windowsHide: true, stdio: ["ignore", "pipe", "pipe"] });
  return spawn("/bin/sh", ["-c", GUARDED, "check", program, ...args], {
    ...options,
    detached: true,
    stdio: ["pipe", "pipe", "ignore"],
  });
}

/**
 * Waits until the check itself is gone.
 * @param {import("node:child_process").ChildProcess} child
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

/**
 * Sends a signal to the check and to all that is in its group.
 * @param {import("node:child_process").ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function strike(child, signal) {
  if (!child.pid) return;
  if (process.platform === "win32") child.kill(signal);
  else kill(-child.pid, signal);
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals} signal
 */
function kill(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // Gone already, or no longer ours to end.
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code !== "ESRCH" && code !== "EPERM") throw error;
  }
}

/**
 * Why a check can't be started, in the system's words: behind a shell it would look like a check that failed.
 * @param {Check} check
 * @returns {string | undefined}
 */
function obstacle({ argv: [program = ""], cwd, env }) {
  try {
    if (!statSync(cwd).isDirectory()) return "ENOTDIR";
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code;
  }
  if (program === "") return "ENOENT";
  // Windows finds programs by rules of its own.
  if (process.platform === "win32") return undefined;
  const places = program.includes("/") ? [cwd] : (env.PATH ?? "").split(":");
  const files = places.map((place) => path.resolve(cwd, place, program));
  if (files.some(isProgram)) return undefined;
  return files.some(isThere) ? "EACCES" : "ENOENT";
}

/** @param {string} file */
function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** @param {string} file */
function isThere(file) {
  return statSync(file, { throwIfNoEntry: false }) !== undefined;
}

/** The output of a check: all of it is counted, its beginning and its end are kept. */
class Output {
  #log;
  #hash = createHash("sha256");
  #digest = "";
  #bytes = 0;
  #kept = 0;
  /** What may be the end. @type {Buffer[]} */
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
      // The stream was given up.
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
