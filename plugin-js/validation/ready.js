/**
 * Waits until a server is ready: it answers as the settings require, and the listening process belongs to the run. Otherwise a foreign
 * server that answers in its place would be tested unnoticed.
 */
import { setTimeout as pause } from "node:timers/promises";
import { get, portOf } from "./http.js";
import { holders, portsOf, whoIs } from "./listener.js";
import { Search } from "./logs.js";
import { hostOf, urlOf } from "./ports.js";
import { isRunning } from "./processes.js";

/**
 * @typedef {import("../core/types.js").ValidationServerFault} Fault
 * @typedef {import("../core/types.js").ValidationListener} Listener
 * @typedef {{url: string, listener: Listener}} Place
 *
 * @typedef {object} Ready how to detect it: by one of these, or by its port if none is set
 * @property {string | null} [url] a path, or a whole address
 * @property {number | null} [status] the status of that answer; 200 if not set
 * @property {string | null} [log] a text in its log
 */

/** The pause between two checks, in ms. */
const LOOK_MS = 50;

/** The time limit of one answer, in ms. */
const ANSWER_MS = 5_000;

/**
 * @param {object} server
 * @param {import("./processes.js").Processes} server.processes
 * @param {import("./processes.js").Started} server.started
 * @param {import("../kernel/door.js").Folder} server.folder of the run
 * @param {Ready} server.ready with `${port}` filled in
 * @param {number} server.port
 * @param {number} server.ready_ms
 * @param {AbortSignal} server.signal
 * @returns {Promise<Place | Fault>}
 */
export async function untilReady({ processes, started, folder, ready, port, ready_ms, signal }) {
  const deadline = performance.now() + ready_ms;
  const search = new Search(folder, started.log.file, started.log.from);
  for (;;) {
    signal.throwIfAborted();
    const died = deathOf(processes, started);
    if (died) return died;
    const seen = await look();
    if (seen) return seen;
    const left = deadline - performance.now();
    if (left <= 0) return { fault: "not_ready", after_ms: ready_ms, listens_on: elsewhere() };
    await pause(Math.min(LOOK_MS, left));
  }

  function elsewhere() {
    return portsOf(processes.running(started)).filter((other) => other !== port);
  }

  /** @returns {Promise<Place | Fault | undefined>} */
  async function look() {
    const listener = whoListens(processes, started, port);
    if (listener === undefined || typeof listener !== "string") return listener;
    const host = await hostOf(port);
    if (host === undefined) return undefined;
    let url = urlOf(host, port);
    if (typeof ready.url === "string") {
      const address = new URL(ready.url, url);
      if (portOf(address) === port) url = urlOf(host, port, address.protocol);
      const other = portOf(address) === port ? listener : whoListens(processes, started, portOf(address));
      if (other === undefined || typeof other !== "string") return other;
      const timeout = Math.min(ANSWER_MS, Math.max(1, deadline - performance.now()));
      const answer = await get(address, { timeout }).catch(() => undefined);
      if (answer?.status !== (ready.status ?? 200)) return undefined;
    }
    if (typeof ready.log === "string" && !(await search.finds(ready.log))) return undefined;
    return { url, listener };
  }
}

/**
 * @param {import("./processes.js").Processes} processes
 * @param {import("./processes.js").Started} started
 * @param {number} port
 * @returns {Listener | Fault | undefined} undefined if nothing listens
 */
export function whoListens(processes, started, port) {
  const sockets = holders(port);
  if (sockets === undefined) return "unknown";
  if (sockets.length === 0) return undefined;
  /** @type {Listener[]} */
  const known = [];
  for (const socket of sockets) {
    const by = processes.belongs(started, socket);
    // Another address of the same port may belong to a foreign server: a browser that is given a name may reach either.
    if (!by) return { fault: "foreign_listener", port, ...whoIs(socket[0]) };
    known.push(by);
  }
  return known.includes("nonce") ? "nonce" : "group";
}

/**
 * A server may detach to run in the background: it is dead if none of its processes is running, or if it reported a failure.
 * @param {import("./processes.js").Processes} processes
 * @param {import("./processes.js").Started} started
 * @returns {Extract<Fault, {fault: "died"}> | undefined}
 */
export function deathOf(processes, started) {
  const { child } = started;
  if (isRunning(child)) return undefined;
  if (child.exitCode === 0 && processes.running(started).length > 0) return undefined;
  return { fault: "died", code: child.exitCode, signal: child.signalCode };
}
