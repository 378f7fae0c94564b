/**
 * What Linux reports about processes (proc(5)). One that only waits to be reaped is dead: it runs nothing, and in a container nobody
 * may ever reap it. Without `/proc` nothing is reported.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/**
 * @typedef {object} Stat
 * @property {number} pid
 * @property {string} name of its program; may hold anything
 * @property {string} state a letter
 * @property {number} parent
 * @property {number} pgid its group
 * @property {number} threads how many it has
 * @property {string} started clock ticks since the system's start
 */

/** Letters of the dead: zombie, and dead on its way out. */
const DEAD = new Set(["Z", "X", "x"]);

/**
 * @param {string} text of `/proc/<pid>/stat`
 * @returns {Stat | undefined} undefined where it isn't one
 */
export function parseStat(text) {
  // The name is in parentheses, and may hold parentheses, spaces and line ends: only the last one closes it.
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
 * @returns {Stat | undefined} undefined for one that is gone or dead
 */
export function living(pid) {
  const stat = parseStat(read(pid, "stat"));
  return stat && !DEAD.has(stat.state) ? stat : undefined;
}

/**
 * Whether a process that was started then still has what it held open: its first thread may be dead before the others.
 * @param {number} pid
 * @param {string} started
 */
export function holdsFiles(pid, started) {
  const stat = parseStat(read(pid, "stat"));
  return stat?.started === started && (!DEAD.has(stat.state) || stat.threads > 1);
}

/** What a process was started with, each variable with a NUL behind it; empty where it is gone, or another user's. @param {number} pid */
export function environmentOf(pid) {
  return read(pid, "environ");
}

/** The program and its arguments, as the process shows them now. @param {number} pid */
export function commandOf(pid) {
  return read(pid, "cmdline").replace(/\0$/, "").split("\0");
}

/** The numbers of all processes. */
export function pids() {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/**
 * The processes that were started with this in their environment, or with something that begins so and continues a `~`.
 * This one is none of them.
 * @param {string} mark `NAME=value`
 */
export function marked(mark) {
  return pids().filter((pid) => pid !== process.pid && isMarked(environmentOf(pid), mark));
}

/**
 * @param {string} environment as {@link environmentOf} gives it
 * @param {string} mark
 */
export function isMarked(environment, mark) {
  const all = `\0${environment}`;
  return all.includes(`\0${mark}\0`) || all.includes(`\0${mark}~`);
}

/** The PID namespace that a system starts with (`PROC_PID_INIT_INO`). */
const FIRST_NAMESPACE = "4026531836";

/**
 * Where a process's number means something: its PID namespace, this start of the system, and the machine, separated by points; the last
 * two shortened to hashes. Empty where the system doesn't tell.
 */
export function surroundings() {
  const namespace = /^pid:\[(\d+)\]$/.exec(whole(() => readlinkSync("/proc/self/ns/pid")))?.[1];
  const boot = whole(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8"));
  if (namespace === undefined || boot === "") return "";
  const machine = whole(() => readFileSync("/etc/machine-id", "utf8"));
  return [namespace, shortened(boot), machine === "" ? "" : shortened(machine)].join(".");
}

/**
 * Whether a process of these surroundings ended when this machine was started again. Only a machine itself can tell: a container, or one
 * without a name of its own, may be another that looks alike.
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
