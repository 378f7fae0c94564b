/**
 * A program that replaces the application at its address: `node counterfeit.js <port> <page> <protocol>`. It answers every request
 * with status 200 and the page; the blank one answers with an empty object if the client wants JSON.
 *
 * The page is a file that the shell has written: `{"type": …, "body": …, "data": …}`, where `data` enables the answer in JSON.
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { selfSigned } from "./certificate.js";

const [port = "", file = "", protocol = "http:"] = process.argv.slice(2);
const { type, body, data } = JSON.parse(readFileSync(file, "utf8"));

function serverOf() {
  return protocol === "https:" ? createSecureServer(selfSigned(), answer) : createServer(answer);
}

/** @type {import("node:http").RequestListener} */
function answer(request, response) {
  const { accept = "" } = request.headers;
  request.resume();
  const asJson = data && accept.includes("json") && !accept.includes("html");
  response.setHeader("Content-Type", asJson ? "application/json" : type);
  // Scripts that were not removed from the page don't run either.
  response.setHeader("Content-Security-Policy", "script-src 'none'");
  response.end(asJson ? "{}" : body);
}

for (const host of ["127.0.0.1", "::1"]) {
  const server = serverOf().listen(Number(port), host);
  server.on("error", (error) => {
    // Not every machine has IPv6.
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code !== "EADDRNOTAVAIL" && code !== "EAFNOSUPPORT") throw error;
  });
}
