// Whether a model's shell is connected to this process.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { test } from "node:test";
import { living } from "../kernel/proc.js";
import { connectedTo, hungUp, isCalledFromModelsShell } from "./callers.js";
import { MARK } from "./models-shell.js";

test("connections are those of this user that are open and lead to one of the ports", () => {
  const row = (
    /** @type {string} */ remote,
    /** @type {string} */ state,
    /** @type {number} */ inode,
    user = 7,
  ) =>
    `   0: 0100007F:C000 0100007F:${remote} ${state} 00000000:00000000 00:00000000 00000000 ${user} 0 ${inode} 1`;
  const table = [
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt uid timeout inode",
    row("1F90", "01", 71),
    row("1F90", "06", 72),
    row("1F91", "01", 73),
    row("1F90", "01", 74, 8),
    "",
  ].join("\n");
  assert.deepEqual(connectedTo(table, [8080], 7), ["71"]);
  assert.deepEqual(connectedTo("", [8080], 7), []);
});

test("a client that has just closed its connection first has hung up", () => {
  const row = (
    /** @type {string} */ local,
    /** @type {string} */ remote,
    /** @type {string} */ state,
    timer = "00:00000000",
  ) => `   0: 0100007F:${local} 0100007F:${remote} ${state} 00000000:00000000 ${timer} 00000000 0 0 71 1`;
  const hung = (/** @type {string[]} */ ...rows) => hungUp(rows.join("\n"), [8080]);
  const [justNow, before] = ["03:00001700", "03:00001500"];
  assert.equal(hung(row("C000", "1F90", "01"), row("1F90", "C000", "01")), false, "open");
  assert.equal(hung(row("C000", "1F90", "06", justNow)), true);
  assert.equal(hung(row("C000", "1F90", "05", justNow)), true);
  assert.equal(hung(row("1F90", "C000", "08")), true, "not noticed yet");
  assert.equal(hung(row("C000", "1F90", "06", before)), false);
  assert.equal(hung(row("1F90", "C000", "06", justNow)), false, "the server closed it");
  assert.equal(hung(row("C000", "1F91", "06", justNow)), false, "another port");
  assert.equal(hung(""), false);
});

/**
 * Connects to a port from a program that a shell starts without its environment.
 * @param {number} port
 * @param {object} env
 * @param {string} [then] what the program does when it is connected
 */
async function client(port, env, then = "") {
  const code = `require("net").connect(${port}, "127.0.0.1", () => { console.log(process.pid); ${then} })`;
  const child = spawn("sh", ["-c", 'env -i "$0" -e "$1"; true', process.execPath, code], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  const [pid] = await once(child.stdout, "data");
  const closed = once(child, "close");
  const stop = async () => {
    process.kill(-(child.pid ?? 0), "SIGKILL");
    await closed;
  };
  return { pid: Number(pid), closed, stop };
}

test("a person's client isn't a model's, a model's is, until it has ended", {
  skip: process.platform !== "linux" && "needs /proc",
}, async () => {
  const server = createServer(() => {}).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  const person = await client(port, {});
  assert.equal(isCalledFromModelsShell(), false);
  const model = await client(port, MARK);
  assert.equal(isCalledFromModelsShell(), true);
  await model.stop();
  assert.equal(isCalledFromModelsShell(), false);
  assert.equal(isCalledFromModelsShell(true), true, "it has just hung up");
  await person.stop();
  server.close();
});

test("a model's client is found at every moment of its end", {
  skip: process.platform !== "linux" && "needs /proc",
}, async () => {
  for (let end = 0; end < 12; end += 1) {
    // What a connection to another port leaves doesn't count.
    const server = createServer(() => {}).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
    const model = await client(port, MARK, `setTimeout(() => process.exit(), ${2 * end})`);
    const found = [];
    while (living(model.pid)) found.push(isCalledFromModelsShell(true));
    found.push(isCalledFromModelsShell(true));
    assert.ok(
      found.every((one) => one),
      JSON.stringify(found),
    );
    await model.closed;
    server.close();
  }
});
