/**
 * Watches servers while tests run: one that ends by itself takes the tests' ground away.
 */
import { deathOf } from "./ready.js";

/**
 * @typedef {import("./processes.js").Started} Started
 * @typedef {{name: string, started: Started}} Server
 * @typedef {{server: Server, code: number | null, signal: string | null}} Death
 */

/** Between two looks at a server that runs in the background, in ms. The end of any other is heard at once. */
const LOOK_MS = 250;

/**
 * @param {import("./processes.js").Processes} processes
 * @param {Server[]} servers
 * @returns {Death | undefined} the first of them that has ended by itself
 */
export function deadOf(processes, servers) {
  for (const server of servers) {
    const died = deathOf(processes, server.started);
    if (died) return { server, code: died.code, signal: died.signal };
  }
  return undefined;
}

/**
 * Looks at servers until it is stopped, or one has ended.
 * @param {import("./processes.js").Processes} processes
 * @param {Server[]} servers
 * @param {(death: Death) => void} heard once at most
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
