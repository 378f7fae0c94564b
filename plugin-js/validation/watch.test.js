// Servers that end on their own, with real processes.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { deadOf, watchServers } from "./watch.js";

/** @param {string} program */
function server(program) {
  const child = spawn(process.execPath, ["-e", program], { stdio: ["pipe", "ignore", "ignore"] });
  return { name: "web", started: /** @type {import("./watch.js").Server["started"]} */ ({ child }) };
}

/** @param {number[]} running the running processes of a server */
const processes = (...running) =>
  /** @type {import("./processes.js").Processes} */ (/** @type {unknown} */ ({ running: () => running }));

const WAITS = "process.stdin.resume(); process.stdin.on('end', () => process.exit(";

test("the server that ends is told, with how it ended, once", async () => {
  const [steady, weak] = [server(`${WAITS}0))`), server(`${WAITS}3))`)];
  /** @type {import("./watch.js").Death[]} */
  const heard = [];
  const stop = watchServers(processes(), [steady, weak], (death) => heard.push(death));
  assert.equal(deadOf(processes(), [steady, weak]), undefined);
  weak.started.child.stdin?.end();
  await once(weak.started.child, "exit");
  assert.deepEqual(heard, [{ server: weak, code: 3, signal: null }]);
  steady.started.child.kill("SIGKILL");
  await once(steady.started.child, "exit");
  assert.equal(heard.length, 1);
  assert.deepEqual(deadOf(processes(), [steady]), { server: steady, code: null, signal: "SIGKILL" });
  stop();
});

test("one that went to the background has ended when nothing of it runs", async () => {
  const forked = server("");
  await once(forked.started.child, "exit");
  assert.equal(deadOf(processes(7), [forked]), undefined);
  const gone = new Promise((resolve) => watchServers(processes(), [forked], resolve));
  assert.deepEqual(await gone, { server: forked, code: 0, signal: null });
});
