/**
 * The processes that listen on a port. Linux gives the inode of a socket (`/proc/net/tcp`), which is among the open files of the
 * process that holds it; another user's processes don't show theirs. Elsewhere nothing is reported.
 */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { commandOf, pids } from "../kernel/proc.js";

/**
 * @typedef {object} Socket a listening socket
 * @property {number} port
 * @property {string} inode
 */

/** The state of a listening socket. */
const LISTEN = "0A";

/**
 * @param {string} text the text of `/proc/net/tcp` or `/proc/net/tcp6`
 * @returns {Socket[]}
 */
export function parseListening(text) {
  const rows = text.split("\n").map((line) => line.trim().split(/\s+/));
  return rows
    .filter((row) => row[3] === LISTEN && row[1]?.includes(":"))
    .map((row) => ({ port: Number.parseInt(row[1]?.split(":")[1] ?? "", 16), inode: row[9] ?? "" }));
}

/** Every listening socket; undefined if the system doesn't report them. */
function listening() {
  if (process.platform !== "linux") return undefined;
  return ["tcp", "tcp6"].flatMap((name) => {
    try {
      return parseListening(readFileSync(`/proc/self/net/${name}`, "utf8"));
    } catch {
      // A system without IPv6 has no such file.
      return [];
    }
  });
}

/**
 * The processes that hold each socket that listens on a port; empty if none does.
 * @param {number} port
 * @returns {number[][] | undefined} undefined if the system doesn't report it; no process is known for another user's socket
 */
export function holders(port) {
  const sockets = listening()?.filter((socket) => socket.port === port);
  if (!sockets || sockets.length === 0) return sockets && [];
  const open = pids().map((pid) => ({ pid, inodes: inodesOf(pid) }));
  return sockets.map(({ inode }) => open.filter(({ inodes }) => inodes.has(inode)).map(({ pid }) => pid));
}

/**
 * The ports on which some of these processes listen, sorted.
 * @param {number[]} processes
 */
export function portsOf(processes) {
  const inodes = new Set(processes.flatMap((pid) => [...inodesOf(pid)]));
  const ports = (listening() ?? []).filter(({ inode }) => inodes.has(inode)).map(({ port }) => port);
  return [...new Set(ports)].sort((one, other) => one - other);
}

/**
 * A process's ID and its command, as shown to people.
 * @param {number | undefined} pid
 * @returns {{pid: number | null, command: string | null}}
 */
export function whoIs(pid) {
  if (pid === undefined) return { pid: null, command: null };
  return { pid, command: commandOf(pid).join(" ") || null };
}

/** The sockets among the open files of a process. @param {number} pid */
export function inodesOf(pid) {
  /** @type {Set<string>} */
  const inodes = new Set();
  try {
    for (const file of readdirSync(`/proc/${pid}/fd`)) {
      const inode = /^socket:\[(\d+)\]$/.exec(linkOf(`/proc/${pid}/fd/${file}`))?.[1];
      if (inode) inodes.add(inode);
    }
  } catch {
    // The process is gone, or it is another user's.
  }
  return inodes;
}

/** @param {string} file */
function linkOf(file) {
  try {
    return readlinkSync(file);
  } catch {
    return "";
  }
}
