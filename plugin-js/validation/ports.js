/**
 * Ports of this machine: finds a free one, and whether something answers on one.
 */
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { holders } from "./listener.js";

/** The addresses at which a server of this machine may be reached, the most common one first. */
const HOSTS = ["127.0.0.1", "::1"];

/** The time limit of a connection within the machine, in ms. */
const CONNECT_MS = 1_000;

/** The maximum number of ports that are tried. */
const MOST_TRIES = 20;

/** A port on which nothing listens. Another process may take it before it is used. */
export async function freePort() {
  for (let left = MOST_TRIES; left > 0; left -= 1) {
    const server = createServer().listen(0, HOSTS[0]);
    await once(server, "listening");
    const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
    server.close();
    await once(server, "close");
    if (!(await isTaken(port))) return port;
  }
  throw Object.assign(new Error("no port is free"), { code: "EADDRINUSE" });
}

/** @param {number} port */
export async function isTaken(port) {
  return (holders(port) ?? []).length > 0 || (await hostOf(port)) !== undefined;
}

/**
 * The address at which something answers on a port.
 * @param {number} port
 */
export async function hostOf(port) {
  for (const host of HOSTS) if (await answers(host, port)) return host;
  return undefined;
}

/**
 * The address of a server, without a trailing slash.
 * @param {string} host
 * @param {number} port
 * @param {string} [protocol] with its colon
 */
export function urlOf(host, port, protocol = "http:") {
  return `${protocol}//${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/**
 * @param {string} host
 * @param {number} port
 * @returns {Promise<boolean>}
 */
function answers(host, port) {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const done = (/** @type {boolean} */ answered) => {
      socket.destroy();
      resolve(answered);
    };
    socket.setTimeout(CONNECT_MS, () => done(false));
    socket.on("connect", () => done(true));
    socket.on("error", () => done(false));
  });
}
