/**
 * Watches servers while tests run: when one ends on its own, the tests become meaningless.
 */
import { deathOf } from "./ready.js";

/**
 * @typedef {import("./processes.js").Started} Started
 * @typedef {{name: string, started: Started}} Server
 * @typedef {{server: Server, code: number | null, signal: string | null}} Death
 */

/** The pause between two checks of a server that runs in the background, in ms. The end of any other is noticed at once. */
const LOOK_MS = 250;

/**
 * @param {import("./processes.js").Processes} processes
 * @param {Server[]} servers
 * @returns {Death | undefined} the first of them that has ended on its own
 */
export function deadOf(processes, servers) {
  for (const server of servers) {
    const died = deathOf(processes, server.started);
    if (died) return { server, code: died.code, signal: died.signal };
  }
  return undefined;
}

/**
 * Watches servers until it is stopped, or one has ended.
 * @param {import("./processes.js").Processes} processes
 * @param {Server[]} servers
 * @param {(death: Death) => void} heard called at most once
 * @returns {() => void} stops it
 */
export function watchServers(processes, servers, heard) {
  const stop = () => {
    clearInterval(timer);
    for (const { started } of servers) started.child.off("exit", look);
  };
  const look = () => {
    const death = deadOf(processes, servers);
    if (!death) return;
    stop();
    heard(death);
  };
  const timer = setInterval(look, LOOK_MS);
  for (const { started } of servers) started.child.on("exit", look);
  return stop;
}
