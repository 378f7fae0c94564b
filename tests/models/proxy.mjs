// A proxy on loopback that records requested addresses and refuses all requests: it shows what a program requests from other servers.

import { createServer } from "node:http";

export async function startProxy() {
  /** The refused requests: method and address. @type {string[]} */
  const asked = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(403).end();
  });
  server.on("connect", (request, socket) => {
    asked.push(`CONNECT ${request.url}`);
    // A refused client may hang up first.
    socket.on("error", () => {});
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  const url = `http://127.0.0.1:${port}`;
  return {
    asked,
    /** The environment of a program that uses this proxy. */
    env: { HTTP_PROXY: url, HTTPS_PROXY: url, http_proxy: url, https_proxy: url, ALL_PROXY: url },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
