/**
 * Programs in a process group of their own, which ends together with the process that holds its pipe, however that ends. The
 * program is started directly; no shell interprets its arguments.
 *
 * If this process is killed, a guard in the group ends it: a shell that only waits for the end of the pipe. A process that left
 * the group is recognised by a mark in its environment, if the system exposes that (proc.js).
 *
 * Node also closes the pipe when the program itself has ended, so whatever it left in its group ends with it.
 *
 * Limit: Windows has neither groups nor a guard; only the program itself is ended.
 */
import { spawn } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { commandOf, marked } from "./proc.js";

/**
 * @typedef {object} Program
 * @property {string[]} argv the program and its arguments
 * @property {string[]} [through] what starts it, with the arguments before its own; by default it is started directly
 * @property {string} cwd absolute
 * @property {Record<string, string>} env see environment.js
 * @property {string} mark `NAME=value`: distinguishes its processes from all others
 *
 * @typedef {import("node:child_process").ChildProcess} ChildProcess
 */

/** The maximum number of searches for remaining marked processes, and the pause after each, in ms. */
const MOST_LOOKS = 100;
const LOOK_MS = 10;

/** What a guard does when the pipe has ended: kills at once, or first allows one second to end in order. */
const FAREWELLS = { abrupt: "kill -KILL 0", polite: "kill -TERM 0; sleep 1; kill -KILL 0" };

/**
 * All output goes to one stream, in the order in which it was written. The guard isn't a child of the program: a program that
 * waits for its children waits only for its own. The guard reads nothing until the pipe ends with the process that holds it.
 */
const guarded = (/** @type {string} */ farewell) => `exec 3<&0 </dev/null 2>&1
( (trap '' HUP INT QUIT TERM; exec >/dev/null 2>&1; read -r never <&3; ${farewell}) & )
exec 3<&-
exec "$@"`;

/** The scripts in the command line of a guard, and in a program's until it has started. */
const SCRIPTS = new Set(Object.values(FAREWELLS).map(guarded));

/**
 * Starts a program. Its standard input is the pipe to this process.
 * @param {Program} program one without an {@link obstacle}
 * @param {object} [how]
 * @param {keyof typeof FAREWELLS} [how.farewell] what happens to it when this process has ended
 * @param {number | "pipe"} [how.output] a file's descriptor, or a pipe to this process
 * @returns {ChildProcess}
 */
export function startGroup(
  { argv, through = [], cwd, env, mark },
  { farewell = "abrupt", output = "pipe" } = {},
) {
  const [program = "", ...args] = [...through, ...argv];
  const at = mark.indexOf("=");
  const options = { cwd, env: { ...env, PWD: cwd, [mark.slice(0, at)]: mark.slice(at + 1) } };
  if (process.platform === "win32")
    return spawn(program, args, { ...options, windowsHide: true, stdio: ["ignore", output, output] });
  return spawn("/bin/sh", ["-c", guarded(FAREWELLS[farewell]), "guarded", program, ...args], {
    ...options,
    detached: true,
    stdio: ["pipe", output, "ignore"],
  });
}

/** Whether a process is the guard of a group, or hasn't become its program yet. @param {number} pid */
export function isGuard(pid) {
  return SCRIPTS.has(commandOf(pid)[2] ?? "");
}

/**
 * Sends a signal to a program and to everything in its group.
 * @param {ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
export function strike(child, signal) {
  if (!child.pid) return;
  if (process.platform === "win32") child.kill(signal);
  else kill(-child.pid, signal);
}

/**
 * @param {number} pid a process, or a group where negative
 * @param {NodeJS.Signals} signal
 */
export function kill(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // Already gone, or no longer ours to end.
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code !== "ESRCH" && code !== "EPERM") throw error;
  }
}

/**
 * Ends the remaining processes with this mark.
 * @param {string} mark see {@link marked}
 * @returns {Promise<{pid: number, command: string[]}[]>} the processes that were running, each with its program and arguments
 */
export async function endMarked(mark) {
  const ended = new Map();
  for (let left = MOST_LOOKS; left > 0; left -= 1) {
    // A process that only waits to be reaped shows no environment, and isn't found.
    const found = marked(mark);
    if (found.length === 0) break;
    for (const pid of found) {
      if (!ended.has(pid)) ended.set(pid, { pid, command: commandOf(pid) });
      kill(pid, "SIGKILL");
    }
    await pause(LOOK_MS);
  }
  return [...ended.values()];
}

/**
 * Why a program can't be started, as the system's error code: started through a shell, it would look like a program that
 * failed.
 * @param {Pick<Program, "argv" | "cwd" | "env">} program
 * @returns {string | undefined}
 */
export function obstacle({ argv: [program = ""], cwd, env }) {
  try {
    if (!statSync(cwd).isDirectory()) return "ENOTDIR";
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code;
  }
  if (program === "") return "ENOENT";
  // Windows has its own rules for finding programs.
  if (process.platform === "win32") return undefined;
  const files = candidates(program, cwd, env.PATH ?? "");
  if (files.some(isProgram)) return undefined;
  return files.some(isThere) ? "EACCES" : "ENOENT";
}

/**
 * Finds a program by its name.
 * @param {string} program
 * @param {string} places in the format of `PATH`
 * @returns {string | undefined} absolute
 */
export function find(program, places) {
  return candidates(program, "/", places).find(isProgram);
}

/**
 * @param {string} program
 * @param {string} cwd
 * @param {string} places in the format of `PATH`
 */
function candidates(program, cwd, places) {
  const folders = program.includes("/") ? [cwd] : places.split(path.delimiter);
  return folders.map((folder) => path.resolve(cwd, folder, program));
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
