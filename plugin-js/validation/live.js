/**
 * A proxy between the tests and the running application: `node live.js <plan>`. It forwards requests, and returns the answers as
 * changed by the core (src/validation/live.rs); every address stays the same. Traffic that isn't HTTP, or that isn't for the
 * application, passes unchanged.
 *
 * The plan is a file that the shell has written: `{"doors": [{"port": …, "live": …}], "hosts": […], "methods": …}`, where each door is a
 * port with the changes of what passes through it, `hosts` are those whose answers are changed, and `methods` is the file for the
 * methods of the requests that reach them. The doors open in reverse order: once the first is open, all are.
 */
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { request as ask, createServer } from "node:http";
import { request as askSecurely, createServer as createSecureServer } from "node:https";
import { connect } from "node:net";
import { ValidationCore } from "../core/validation.js";
import { selfSigned } from "./certificate.js";
import { lie } from "./live-page.js";

/**
 * @typedef {import("node:http").IncomingMessage} IncomingMessage
 * @typedef {import("node:http").ServerResponse} ServerResponse
 * @typedef {import("../core/types.js").ValidationLiveRequest} LiveRequest
 * @typedef {import("../core/types.js").ValidationLiveAnswer} LiveAnswer
 *
 * @typedef {object} Lie what is changed
 * @property {import("../core/types.js").ValidationLive} live
 * @property {string} script the script for pages
 */

/** The maximum size of a body that is examined, in bytes: longer bodies pass unchanged. */
const MOST = 8 << 20;

const LOOKED_AT = /\b(?:html|json|xml|text\/plain|csv|calendar|markdown)\b/i;

const [file = ""] = process.argv.slice(2);
const { doors, hosts, methods } = JSON.parse(readFileSync(file, "utf8"));
const core = new ValidationCore();
const certificate = selfSigned();

/** The methods of the requests that the application has received. @type {Set<string>} */
const received = new Set();

/** Records, before the application receives a request, that it does. @param {string} method */
function note(method) {
  if (received.has(method)) return;
  received.add(method);
  writeFileSync(methods, JSON.stringify([...received]));
}

/** @param {IncomingMessage} message */
async function bodyOf(message) {
  const chunks = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/**
 * @param {IncomingMessage} request
 * @param {URL} url the requested address
 * @param {Buffer} body
 * @returns {LiveRequest}
 */
function looked({ method = "GET", headers }, url, body) {
  const dest = headers["sec-fetch-dest"];
  const referer = headers.referer && new URL(headers.referer);
  return {
    method,
    path: url.pathname + url.search,
    dest: dest === undefined ? null : `${dest}`,
    referer: referer && referer.host === url.host ? referer.pathname + referer.search : null,
    body: body.subarray(0, MOST).toString("utf8"),
  };
}

/**
 * @param {IncomingMessage} request
 * @param {ServerResponse} response
 * @param {string} protocol
 * @param {Lie} lie
 */
async function answer(request, response, protocol, { live, script }) {
  const { host = "" } = request.headers;
  const url = new URL(request.url ?? "/", `${protocol}//${host}`);
  const body = await bodyOf(request);
  const wanted = looked(request, url, body);
  const isOurs = hosts.includes(url.host);
  const instead = isOurs ? core.liveInstead(live, wanted) : null;
  if (instead) return give(response, instead, Buffer.from(instead.text ?? ""));
  if (isOurs) note(wanted.method);
  const answered = await asked(request, url, body, isOurs);
  const { statusCode: status = 502, headers } = answered;
  const kind = headers["content-type"] ?? "";
  const length = Number(headers["content-length"] ?? 0);
  if (!isOurs || length > MOST || /event-stream/.test(kind)) {
    response.writeHead(status, listed(answered).flat());
    answered.pipe(response);
    return;
  }
  const said = await bodyOf(answered);
  const isText =
    LOOKED_AT.test(kind) && said.length > 0 && said.length <= MOST && !headers["content-encoding"];
  // Decoded byte by byte if a script may be inserted, whatever the bytes represent.
  const encoding = wanted.dest !== null && /html/i.test(kind) ? "latin1" : "utf8";
  const text = isText ? said.toString(encoding) : null;
  const change = core.liveChanged(live, wanted, { status, headers: listed(answered), text });
  const changed = change.answer.text;
  if (changed === null || text === null) return give(response, change.answer, said);
  const at = change.script_at;
  const bytes = (/** @type {string} */ part) => Buffer.from(part, encoding);
  if (at === null) return give(response, change.answer, changed === text ? said : bytes(changed));
  // The core counts bytes in UTF-8.
  const place = Buffer.from(changed).subarray(0, at).toString().length;
  const parts = [bytes(changed.slice(0, place)), Buffer.from(script), bytes(changed.slice(place))];
  give(response, change.answer, Buffer.concat(parts));
}

/** @param {IncomingMessage} answered @returns {[string, string][]} */
function listed({ rawHeaders }) {
  return rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ""]] : []));
}

/** @param {ServerResponse} response @param {LiveAnswer} answer @param {Buffer} body */
function give(response, { status, headers }, body) {
  const hasNone = status === 204 || status === 304 || status < 200;
  const its = headers.filter(
    ([name]) => !/^(?:content-length|transfer-encoding|connection|keep-alive)$/i.test(name),
  );
  if (!hasNone) its.push(["Content-Length", `${body.length}`]);
  response.writeHead(status, its.flat());
  response.end(hasNone || response.req.method === "HEAD" ? undefined : body);
}

/**
 * @param {IncomingMessage} request
 * @param {URL} url
 * @param {Buffer} body
 * @param {boolean} isLooked whether its answer is examined
 * @returns {Promise<IncomingMessage>}
 */
function asked({ method, headers }, url, body, isLooked) {
  const { "proxy-connection": _, ...handed } = headers;
  const whole = isLooked
    ? { ...handed, "accept-encoding": "identity", "if-none-match": undefined, "if-modified-since": undefined }
    : handed;
  const its = Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== undefined));
  const options = { method, headers: its, rejectUnauthorized: false };
  return new Promise((resolve, reject) => {
    const asking =
      url.protocol === "https:" ? askSecurely(url, options, resolve) : ask(url, options, resolve);
    asking.on("error", reject);
    asking.end(body);
  });
}

/**
 * The server of a door.
 * @param {Lie} lie
 */
function serverOf(lie) {
  /** @param {string} protocol @returns {import("node:http").RequestListener} */
  const answering = (protocol) => (request, response) => {
    answer(request, response, protocol, lie).catch(() => response.destroy());
  };
  const plain = createServer(answering("http:"));
  const secure = createSecureServer(certificate, answering("https:"));

  // A tunnel ends here: its traffic to the application is examined as well.
  plain.on("connect", (request, socket, head) => {
    const [host = "", port = ""] = (request.url ?? "").split(/:(?=\d+$)/);
    socket.on("error", () => socket.destroy());
    socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    if (!hosts.includes(request.url))
      return joined(socket, connect(Number(port), host.replace(/^\[|\]$/g, "")), head);
    if (head.length > 0) socket.unshift(head);
    socket.once("readable", () => {
      const first = socket.read();
      if (first === null) return socket.destroy();
      socket.unshift(first);
      (first[0] === 0x16 ? secure : plain).emit("connection", socket);
    });
  });

  for (const server of [plain, secure])
    server.on("upgrade", (request, socket, head) => {
      const url = new URL(request.url ?? "/", `http://${request.headers.host}`);
      const lines = listed(request).map(([name, value]) => `${name}: ${value}\r\n`);
      if (hosts.includes(url.host)) note("UPGRADE");
      const upstream = connect(Number(url.port), url.hostname.replace(/^\[|\]$/g, ""));
      upstream.write(`${request.method} ${url.pathname}${url.search} HTTP/1.1\r\n${lines.join("")}\r\n`);
      joined(socket, upstream, head);
    });
  return plain;
}

/** @param {import("node:stream").Duplex} one @param {import("node:net").Socket} other @param {Buffer} head */
function joined(one, other, head) {
  other.write(head);
  other.on("error", () => one.destroy());
  one.on("error", () => other.destroy());
  one.pipe(other).pipe(one);
}

for (const { port, live } of [...doors].reverse()) {
  const plan = JSON.stringify(core.livePlan(live)).replaceAll("<", "\\u003c");
  const server = serverOf({ live, script: `<script>(${lie})(${plan})</script>` });
  await once(server.listen(port, "127.0.0.1"), "listening");
}
