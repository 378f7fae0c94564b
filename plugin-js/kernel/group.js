/**
 * Programs in a group of processes of their own, which ends with the process that holds its pipe, whatever ends that. The
 * program is started as it stands, without a shell's reading of it.
 *
 * Who ends the group when this process is killed? A guard in it, a shell that does nothing but wait for the end of the pipe.
 * A process that left the group is known by a mark in its environment, where the system shows that (proc.js).
 *
 * Node closes that pipe, too, when the program itself has ended: what it left in its group ends with it.
 *
 * What it doesn't promise: on Windows there is neither group nor guard, and only the program itself is ended.
 */
import { spawn } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { commandOf, marked } from "./proc.js";

/**
 * @typedef {object} Program
 * @property {string[]} argv the program and its arguments
 * @property {string} cwd absolute
 * @property {Record<string, string>} env see environment.js
 * @property {string} mark `NAME=value`: tells its processes from all others
 *
 * @typedef {import("node:child_process").ChildProcess} ChildProcess
 */

/** How often what is left of marked processes is looked for, and how long it gets to be gone in between. */
const MOST_LOOKS = 100;
const LOOK_MS = 10;

/** What a guard does when the pipe has ended: at once, or with a second for what wants to end in order. */
const FAREWELLS = { abrupt: "kill -KILL 0", polite: "kill -TERM 0; sleep 1; kill -KILL 0" };

/**
 * All output goes one way, in the order in which it was written. The guard is nobody's child: a program that waits for its
 * children waits for its own alone. It reads nothing until the pipe ends with the process that holds it.
 */
const guarded = (/** @type {string} */ farewell) => `exec 3<&0 </dev/null 2>&1
( (trap '' HUP INT QUIT TERM; exec >/dev/null 2>&1; read -r never <&3; ${farewell}) & )
exec 3<&-
exec "$@"`;

/** What a guard's command holds, and its program's until that has begun. */
const SCRIPTS = new Set(Object.values(FAREWELLS).map(guarded));

/**
 * Starts a program. Its pipe is its standard input as seen from here.
 * @param {Program} program for which there is no {@link obstacle}
 * @param {object} [how]
 * @param {keyof typeof FAREWELLS} [how.farewell] what happens to it when this process is gone
 * @param {number | "pipe"} [how.output] a file's descriptor, or a pipe to this process
 * @returns {ChildProcess}
 */
export function startGroup({ argv, cwd, env, mark }, { farewell = "abrupt", output = "pipe" } = {}) {
  const [program = "", ...args] = argv;
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

/** Whether a process is the guard of a group, or has not yet become its program. @param {number} pid */
export function isGuard(pid) {
  return SCRIPTS.has(commandOf(pid)[2] ?? "");
}

/**
 * Sends a signal to a program and to all that is in its group.
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
    // Gone already, or no longer ours to end.
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code !== "ESRCH" && code !== "EPERM") throw error;
  }
}

/**
 * Ends what is left of processes with this mark.
 * @param {string} mark see {@link marked}
 * @returns {Promise<{pid: number, command: string[]}[]>} what was running, each with its program and its arguments
 */
export async function endMarked(mark) {
  const ended = new Map();
  for (let left = MOST_LOOKS; left > 0; left -= 1) {
    // One that only waits to be reaped shows no environment, and isn't found.
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
 * Why a program can't be started, in the system's words: behind a shell it would look like one that failed.
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
  // Windows finds programs by rules of its own.
  if (process.platform === "win32") return undefined;
  const files = candidates(program, cwd, env.PATH ?? "");
  if (files.some(isProgram)) return undefined;
  return files.some(isThere) ? "EACCES" : "ENOENT";
}

/**
 * Where a program is that is called by its name.
 * @param {string} program
 * @param {string} places as `PATH` has them
 * @returns {string | undefined} absolute
 */
export function find(program, places) {
  return candidates(program, "/", places).find(isProgram);
}

/**
 * @param {string} program
 * @param {string} cwd
 * @param {string} places as `PATH` has them
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
