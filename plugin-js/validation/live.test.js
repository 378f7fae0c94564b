// The proxy between tests and the running application: its answers to a browser and to a test.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { request as ask } from "node:http";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { freePort, isTaken } from "./ports.js";
import { later, run, server, until } from "./test/run.js";

const LIVE = fileURLToPath(new URL("./live.js", import.meta.url));

const PROGRAM = `
  require("node:http").createServer((request, response) => {
    const kind = { "/data": "application/json", "/raw": "image/png" }[request.url] ?? "text/html";
    response.writeHead(200, { "Content-Type": kind, "Set-Cookie": "a=b", "X-Seen": request.headers.host + request.method });
    if (request.url === "/data") response.end('{"id":1,"left":[2]}');
    else if (request.url === "/raw") response.end(Buffer.from([0x89, 0, 0xff]));
    else response.end("<!doctype html><p>Words<button>Add</button>");
  }).listen(Number(process.env.PORT), "127.0.0.1");
`;

test("the application is reached through it, and what it says is changed on the way", async () => {
  const used = await run();
  const [web, other] = (await used.start(server({}, PROGRAM), server({ name: "other" }, PROGRAM))).servers;
  const port = await freePort();
  /** @param {string} lie */
  const stand = async (lie) => {
    const plan = {
      doors: [{ port, live: { lie, seed: 0 } }],
      hosts: [`127.0.0.1:${web.port}`],
      methods: used.path("methods.json"),
    };
    used.write("plan.json", JSON.stringify(plan));
    const child = spawn(process.execPath, [LIVE, used.path("plan.json")], { stdio: "ignore" });
    later(async () => child.kill("SIGKILL"));
    await until(() => isTaken(port));
    return async () => {
      child.kill();
      await once(child, "exit");
    };
  };
  /** @param {string} path @param {{method?: string, headers?: Record<string, string>, of?: any}} [wanted] */
  const get = async (path, { method = "GET", headers = {}, of = web } = {}) => {
    const asking = ask({
      port,
      host: "127.0.0.1",
      method,
      path: `${of.url}${path}`,
      headers: { host: new URL(of.url).host, ...headers },
    });
    asking.end();
    const [answer] = await once(asking, "response");
    const chunks = [];
    for await (const chunk of answer) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    return { status: answer.statusCode, headers: answer.headers, text: body.toString("utf8"), body };
  };
  const browser = { "sec-fetch-dest": "document", referer: `${web.url}/page` };

  const received = () => JSON.parse(used.read("methods.json"));

  let stop = await stand("words");
  const data = await get("/data");
  assert.equal(data.text, '{"id":1,"left":[3]}');
  assert.deepEqual(data.headers["set-cookie"], ["a=b"]);
  assert.equal((await get("/")).text, "<!doctype html><p>Xpset<button>Add</button>");
  const page = (await get("/", { headers: browser })).text;
  assert.match(page, /^<!doctype html><script>\(function lie\(/, "a script of ours comes first");
  assert.ok(page.endsWith("</script><p>Words<button>Add</button>"), "and the rest is as it was");
  assert.deepEqual([...(await get("/raw")).body], [0x89, 0, 0xff]);
  assert.equal(
    (await get("/data", { of: other })).text,
    '{"id":1,"left":[2]}',
    "whose it isn't stays as it is",
  );
  await get("/", { method: "POST", of: other });
  assert.deepEqual(received(), ["GET"], "nothing changed the application");
  await get("/notes", { method: "POST" });
  assert.deepEqual(received(), ["GET", "POST"]);
  await stop();

  stop = await stand("deaf");
  const led = await get("/notes", { method: "POST", headers: browser });
  assert.deepEqual([led.status, led.headers.location], [303, "/page"]);
  assert.deepEqual(received(), ["GET", "POST"], "it is the file of the pass before: nothing was received");
  assert.equal((await get("/login", { method: "POST", headers: browser })).status, 200, "signing in works");
  await stop();
});
