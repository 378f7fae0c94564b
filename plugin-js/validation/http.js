/**
 * A request to a server of the run. `fetch` isn't used: in OpenCode it goes through a proxy that the environment names, and then the
 * answer isn't the server's.
 */
import { connect } from "node:net";
import { connect as connectSecurely } from "node:tls";

/** @typedef {{status: number, headers: Map<string, string>, body: Buffer}} Answer */

/** The maximum size of a page, in bytes. */
const MOST = 8 << 20;

/**
 * @param {URL} url of a server; a server of this machine may have its own certificate
 * @param {{timeout: number, accept?: string}} options `timeout` in ms
 * @returns {Promise<Answer>} rejects if there is no complete answer
 */
export function get(url, { timeout, accept = "text/html,*/*" }) {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return new Promise((resolve, reject) => {
    /** @type {Buffer[]} */
    const chunks = [];
    let size = 0;
    const secure = url.protocol === "https:";
    const place = { host, port: portOf(url) };
    const secured = secure ? connectSecurely({ ...place, rejectUnauthorized: false }) : undefined;
    const socket = secured ?? connect(place);
    const fail = (/** @type {Error} */ error) => {
      clearTimeout(timer);
      socket.destroy();
      reject(error);
    };
    const timer = setTimeout(() => fail(new Error("no answer in time")), timeout);
    socket.on("error", fail);
    socket.on(secure ? "secureConnect" : "connect", () => {
      if (secured?.authorized === false && !isOfThisMachine(secured.remoteAddress ?? ""))
        return fail(new Error("its certificate is not trusted"));
      const lines = [
        `GET ${url.pathname}${url.search} HTTP/1.1`,
        `Host: ${url.host}`,
        `Accept: ${accept}`,
        "Accept-Encoding: identity",
        "Connection: close",
      ];
      socket.write(`${lines.join("\r\n")}\r\n\r\n`);
    });
    socket.on("data", (chunk) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MOST) fail(new Error("the answer is too long"));
    });
    socket.on("end", () => {
      clearTimeout(timer);
      socket.destroy();
      try {
        resolve(parseAnswer(Buffer.concat(chunks)));
      } catch (error) {
        reject(error);
      }
    });
  });
}

/** @param {string} address the address of a connection */
export function isOfThisMachine(address) {
  return /^(?:(?:::ffff:)?127\.|::1$)/.test(address);
}

/** @param {URL} url */
export function portOf({ port, protocol }) {
  return Number(port || (protocol === "https:" ? 443 : 80));
}

/**
 * @param {Buffer} bytes a whole answer
 * @returns {Answer}
 */
export function parseAnswer(bytes) {
  const end = bytes.indexOf("\r\n\r\n");
  const [first = "", ...lines] = bytes.subarray(0, Math.max(end, 0)).toString("latin1").split("\r\n");
  const status = /^HTTP\/1\.[01] (\d{3})\b/.exec(first)?.[1];
  if (status === undefined) throw new Error("the answer isn't HTTP");
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const rest = bytes.subarray(end + 4);
  const chunked = /\bchunked\b/i.test(headers.get("transfer-encoding") ?? "");
  return { status: Number(status), headers, body: chunked ? joined(rest) : rest };
}

/** @param {Buffer} rest a chunked body */
function joined(rest) {
  const chunks = [];
  for (let at = 0; ; ) {
    const line = rest.indexOf("\r\n", at);
    const length = line < 0 ? Number.NaN : Number.parseInt(rest.subarray(at, line).toString("latin1"), 16);
    if (Number.isNaN(length) || line + 2 + length > rest.length)
      throw new Error("the answer ended too early");
    if (length === 0) return Buffer.concat(chunks);
    chunks.push(rest.subarray(line + 2, line + 2 + length));
    at = line + 2 + length + 2;
  }
}
