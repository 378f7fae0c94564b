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

/**
 * Returns the inodes of the sockets that are connected to one of these ports.
 * @param {string} text of `/proc/net/tcp` or `/proc/net/tcp6`
 * @param {number[]} ports
 */
export function connectedTo(text, ports) {
  const rows = text.split("\n").map((line) => line.trim().split(/\s+/));
  const port = (/** @type {string[]} */ row) => Number.parseInt(row[2]?.split(":")[1] ?? "", 16);
  const connected = rows.filter((row) => row[3] === ESTABLISHED && ports.includes(port(row)));
  return new Set(connected.map((row) => row[9] ?? ""));
}

/** Whether a process that a model's shell started is connected to this process. */
export function isCalledFromModelsShell() {
  // Most of the time no model's shell is running, and nothing else has to be read.
  if (marked(SHELL).length === 0) return false;
  const ports = portsOf([process.pid]);
  const connected = ["tcp", "tcp6"].flatMap((name) => [...connectedTo(tableOf(name), ports)]);
  const isConnected = (/** @type {number} */ pid) => {
    const own = inodesOf(pid);
    return connected.some((inode) => own.has(inode));
  };
  return pids().some((pid) => pid !== process.pid && isOfShell(pid) && isConnected(pid));
}

/** Whether a process or one of its ancestors is marked: it may have dropped its environment. @param {number} pid */
function isOfShell(pid) {
  const seen = new Set();
  for (let at = pid; at > 1 && at !== process.pid && !seen.has(at); at = living(at)?.parent ?? 0) {
    if (isMarked(environmentOf(at), SHELL)) return true;
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
