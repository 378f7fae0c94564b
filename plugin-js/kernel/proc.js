/**
 * What Linux reports about processes (proc(5)). A process that only waits to be reaped counts as dead: it runs nothing, and in
 * a container it may never be reaped. Without `/proc` nothing is reported.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/**
 * @typedef {object} Stat
 * @property {number} pid
 * @property {string} name of its program; may contain any character
 * @property {string} state a letter
 * @property {number} parent
 * @property {number} pgid its group
 * @property {number} threads the number of its threads
 * @property {string} started clock ticks since the system's start
 */

/** The states of dead processes: zombie, and dead while being removed. */
const DEAD = new Set(["Z", "X", "x"]);

/**
 * @param {string} text of `/proc/<pid>/stat`
 * @returns {Stat | undefined} undefined if the text is invalid
 */
export function parseStat(text) {
  // The name is in parentheses, and may itself contain parentheses, spaces and line ends: only the last parenthesis closes it.
  const [open, close] = [text.indexOf("("), text.lastIndexOf(")")];
  const pid = /^([1-9]\d*) $/.exec(text.slice(0, open))?.[1];
  const fields = text
    .slice(close + 2)
    .trimEnd()
    .split(" ");
  const [state = "", parent = "", pgid = ""] = fields;
  const started = fields[19] ?? "";
  if (pid === undefined || close < open || !/^[A-Za-z]$/.test(state)) return undefined;
  if (!/^\d+$/.test(parent) || !/^-?\d+$/.test(pgid) || !/^\d+$/.test(started)) return undefined;
  const name = text.slice(open + 1, close);
  const threads = Number(fields[17]);
  return { pid: Number(pid), name, state, parent: Number(parent), pgid: Number(pgid), threads, started };
}

/**
 * @param {number} pid
 * @returns {Stat | undefined} undefined if it is gone or dead
 */
export function living(pid) {
  const stat = parseStat(read(pid, "stat"));
  return stat && !DEAD.has(stat.state) ? stat : undefined;
}

/**
 * Whether a process that started then still holds its open files: its first thread may die before the others.
 * @param {number} pid
 * @param {string} started
 */
export function holdsFiles(pid, started) {
  const stat = parseStat(read(pid, "stat"));
  return stat?.started === started && (!DEAD.has(stat.state) || stat.threads > 1);
}

/** A process's initial environment, each variable followed by a NUL; empty if it is gone or another user's. @param {number} pid */
export function environmentOf(pid) {
  return read(pid, "environ");
}

/** The program and its arguments, as the process shows them now. @param {number} pid */
export function commandOf(pid) {
  return read(pid, "cmdline").replace(/\0$/, "").split("\0");
}

/** The pids of all processes. */
export function pids() {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/**
 * The processes that were started with this mark in their environment, or with one that continues it after a `~`. Excludes this
 * process.
 * @param {string} mark `NAME=value`
 */
export function marked(mark) {
  return pids().filter((pid) => pid !== process.pid && isMarked(environmentOf(pid), mark));
}

/**
 * @param {string} environment as {@link environmentOf} returns it
 * @param {string} mark
 */
export function isMarked(environment, mark) {
  const all = `\0${environment}`;
  return all.includes(`\0${mark}\0`) || all.includes(`\0${mark}~`);
}

/** The PID namespace that a system starts with (`PROC_PID_INIT_INO`). */
const FIRST_NAMESPACE = "4026531836";

/**
 * Where a pid is valid: its PID namespace, the current boot, and the machine, separated by dots; the last two shortened to
 * hashes. Empty if the system doesn't expose them.
 */
export function surroundings() {
  const namespace = /^pid:\[(\d+)\]$/.exec(whole(() => readlinkSync("/proc/self/ns/pid")))?.[1];
  const boot = whole(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8"));
  if (namespace === undefined || boot === "") return "";
  const machine = whole(() => readFileSync("/etc/machine-id", "utf8"));
  return [namespace, shortened(boot), machine === "" ? "" : shortened(machine)].join(".");
}

/**
 * Whether a process of these surroundings ended because this machine was rebooted. Only a machine itself can know: a container,
 * or a machine without an id, may be another one that looks alike.
 * @param {string} place
 */
export function isRebooted(place) {
  const [namespace, boot, machine] = place.split(".");
  const here = surroundings().split(".");
  const areMachines = namespace === FIRST_NAMESPACE && here[0] === FIRST_NAMESPACE;
  return areMachines && machine !== "" && machine === here[2] && boot !== here[1];
}

/** @param {string} text */
function shortened(text) {
  return createHash("sha256").update(text.trim()).digest("hex").slice(0, 12);
}

/** @param {() => string} read */
function whole(read) {
  try {
    return read().trim();
  } catch {
    return "";
  }
}

/**
 * @param {number} pid
 * @param {string} file
 */
function read(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, file === "environ" ? "latin1" : "utf8");
  } catch {
    return "";
  }
}
