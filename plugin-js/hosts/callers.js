/**
 * Whether a model's shell sends requests to this process: a server of OpenCode takes commands from any program that has its password,
 * if it has one, and a model's shell can read that. Such a shell and all that it starts are marked, and hold a connection to one of
 * this process's ports until their request is answered. Reads `/proc`; finds nothing on systems without it.
 */
import { readFileSync } from "node:fs";
import { MARK_NAME, MARK_VALUE } from "../kernel/environment.js";
import { environmentOf, isMarked, living, marked, pids } from "../kernel/proc.js";
import { inodesOf, portsOf } from "../validation/listener.js";

const SHELL = `${MARK_NAME}=${MARK_VALUE}`;

/** The state of an open connection. */
const ESTABLISHED = "01";

/** The states of a connection that its client is closing or has closed, at the client's end and at the other one. */
const CLOSED_HERE = ["04", "05", "06", "0B"];
const CLOSED_THERE = ["08", "09"];

/** The timer of a closed connection, which Linux keeps for a minute: its kind, and where it starts, in hundredths of a second. */
const KEPT = "03";
const KEPT_FOR = 6_000;

/** A command takes less time from its arrival to this question, in hundredths of a second. */
const RECENT = 500;

/**
 * Returns the inodes of this user's sockets that are connected to one of these ports.
 * @param {string} text of `/proc/net/tcp` or `/proc/net/tcp6`
 * @param {number[]} ports
 * @param {number} [user]
 */
export function connectedTo(text, ports, user = process.getuid?.()) {
  const rows = text.split("\n").map((line) => line.trim().split(/\s+/));
  const port = (/** @type {string[]} */ row) => Number.parseInt(row[2]?.split(":")[1] ?? "", 16);
  const connected = rows.filter((row) => row[3] === ESTABLISHED && ports.includes(port(row)));
  return connected.filter((row) => row[7] === `${user}`).map((row) => row[9] ?? "");
}

/**
 * Whether a client has just closed its connection to one of these ports first, as one does that doesn't wait for its answer.
 * @param {string} text of `/proc/net/tcp` or `/proc/net/tcp6`
 * @param {number[]} ports
 */
export function hungUp(text, ports) {
  const rows = text.split("\n").map((line) => line.trim().split(/\s+/));
  const leads = (/** @type {string | undefined} */ address) =>
    ports.includes(Number.parseInt(address?.split(":")[1] ?? "", 16));
  return rows.some(([, local, remote, state = "", , timer = ""]) => {
    const [kind, left = ""] = timer.split(":");
    if (kind === KEPT && KEPT_FOR - Number.parseInt(left, 16) > RECENT) return false;
    return (leads(remote) && CLOSED_HERE.includes(state)) || (leads(local) && CLOSED_THERE.includes(state));
  });
}

/** Whether a program that a model's shell started is running. */
export function isModelsShellRunning() {
  return marked(SHELL).length > 0;
}

/**
 * Whether a process that a model's shell started is connected to this process, or may have been a moment ago.
 * @param {boolean} [recently] whether a model has recently used a shell, which may have ended
 */
export function isCalledFromModelsShell(recently = false) {
  // Most of the time no model's shell is running, and nothing else has to be read.
  if (!recently && !isModelsShellRunning()) return false;
  const ports = portsOf([process.pid]);
  // In this order: a process that ends while processes are read is found by what its connection leaves.
  return isShellConnectedTo(ports) || ["tcp", "tcp6"].some((name) => hungUp(tableOf(name), ports));
}

/**
 * Whether a model's shell holds a connection to one of these ports, or a process that is ending does, which shows neither its files nor
 * its environment any more.
 * @param {number[]} ports
 */
function isShellConnectedTo(ports) {
  const connected = ["tcp", "tcp6"].flatMap((name) => connectedTo(tableOf(name), ports));
  const held = new Set();
  for (const pid of pids()) {
    const own = inodesOf(pid);
    const its = connected.filter((inode) => own.has(inode));
    if (its.length > 0 && pid !== process.pid && isOfShell(pid)) return true;
    for (const inode of its) held.add(inode);
  }
  return connected.some((inode) => !held.has(inode));
}

/**
 * Whether a process or one of its ancestors is marked: it may have dropped its environment. A terminal of this process counts as well,
 * because any program may order one.
 * @param {number} pid
 */
function isOfShell(pid) {
  const seen = new Set();
  for (let at = pid; at > 1 && !seen.has(at); at = living(at)?.parent ?? 0) {
    if (at === process.pid) return true;
    const environment = environmentOf(at);
    // That of a process that is ending is already gone.
    if (isMarked(environment, SHELL) || (at === pid && environment === "")) return true;
    seen.add(at);
  }
  return false;
}

/** @param {string} name */
function tableOf(name) {
  try {
    return readFileSync(`/proc/self/net/${name}`, "utf8");
  } catch {
    return "";
  }
}
