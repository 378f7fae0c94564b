/**
 * Identifies a process: whether the process that has an ID now is the one that was recorded under it.
 *
 * Linux reports everything (proc(5)). Elsewhere `ps` reports when a process began and its command; on Windows nothing is reported.
 * A recorded fact must be reported again and be the same; a fact that was never known is not compared.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync, statSync } from "node:fs";
import { commandOf, environmentOf, isMarked, living } from "../kernel/proc.js";

/**
 * @typedef {object} Facts each null if the system doesn't report it
 * @property {number | null} pid
 * @property {number | null} pgid its process group
 * @property {string | null} boot_id the ID of the system's boot
 * @property {string | null} start_ticks when it started: clock ticks since the system's boot, or a date
 * @property {number | null} user
 * @property {string | null} cwd
 * @property {string[] | null} cmd
 *
 * @typedef {object} Told what the system reports now
 * @property {Facts} facts
 * @property {boolean | null} marked whether it carries the mark
 *
 * @typedef {object} Comparison
 * @property {string[]} checked the facts that are the same, by name
 * @property {string[]} differing those that differ, or can't be read
 */

/** Their names for people. @type {[keyof Facts, string][]} */
const NAMES = [
  ["boot_id", "start of the system"],
  ["start_ticks", "start time"],
  ["user", "user"],
  ["pgid", "group"],
  ["cmd", "command"],
  ["cwd", "directory"],
];

/** @type {Omit<Facts, "pid">} */
const NOTHING = { pgid: null, boot_id: null, start_ticks: null, user: null, cwd: null, cmd: null };

/**
 * @param {number} pid
 * @param {string} mark
 * @returns {Told | undefined} undefined if there is no such process, or it is dead
 */
export function tell(pid, mark) {
  if (process.platform === "linux") return byProc(pid, mark);
  const facts = process.platform === "win32" ? bySignal(pid) : byPs(pid);
  return facts && { facts, marked: null };
}

/**
 * @param {number} pid
 * @param {string} mark
 * @returns {Told | undefined}
 */
function byProc(pid, mark) {
  const stat = living(pid);
  if (!stat) return undefined;
  const [cmd, environment] = [commandOf(pid), environmentOf(pid)];
  // An exiting process has neither any more, while its ID and state are still listed.
  if (environment === "" && cmd.join("") === "") return undefined;
  const link = (/** @type {string} */ name) => maybe(() => readlinkSync(`/proc/${pid}/${name}`));
  return {
    facts: {
      pid,
      pgid: stat.pgid,
      boot_id: bootId(),
      start_ticks: stat.started,
      user: maybe(() => statSync(`/proc/${pid}`).uid),
      cwd: link("cwd"),
      cmd,
    },
    marked: isMarked(environment, mark),
  };
}

/** The ID of the system's current boot; null if it isn't reported. */
export function bootId() {
  return maybe(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim());
}

/**
 * @param {number} pid
 * @returns {Facts | undefined}
 */
export function byPs(pid) {
  const said = maybe(() =>
    execFileSync("ps", ["-ww", "-o", "stat=,pgid=,uid=,lstart=,command=", "-p", `${pid}`], {
      encoding: "utf8",
      env: { PATH: process.env.PATH, LC_ALL: "C" },
      stdio: ["ignore", "pipe", "ignore"],
    }),
  );
  // `S+ 4711 501 Sun Nov 22 22:31:09 2026 node server.js`
  const line = /^\s*(\S+)\s+(\d+)\s+(\d+)\s+(\w{3} \w{3} +\d+ [\d:]{8} \d{4})\s+(.*)$/s.exec(said ?? "");
  const [, state = "Z", pgid = "", user = "", started = "", command = ""] = line ?? [];
  if (state.startsWith("Z")) return undefined;
  const cmd = [command.trimEnd()];
  return { ...NOTHING, pid, pgid: Number(pgid), user: Number(user), start_ticks: started, cmd };
}

/**
 * @param {number} pid
 * @returns {Facts | undefined}
 */
function bySignal(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "ESRCH") return undefined;
  }
  return { ...NOTHING, pid };
}

/**
 * @param {Facts} written the recorded facts
 * @param {Told} present
 * @returns {Comparison}
 */
export function compare(written, { facts, marked }) {
  /** @type {Comparison} */
  const seen = { checked: [], differing: [] };
  const note = (/** @type {string} */ name, /** @type {boolean} */ same) =>
    (same ? seen.checked : seen.differing).push(name);
  for (const [fact, name] of NAMES) {
    if (written[fact] !== null) note(name, JSON.stringify(written[fact]) === JSON.stringify(facts[fact]));
  }
  if (marked !== null) note("mark", marked);
  return seen;
}

/**
 * @template T
 * @param {() => T} look
 * @returns {T | null}
 */
function maybe(look) {
  try {
    return look();
  } catch {
    return null;
  }
}
