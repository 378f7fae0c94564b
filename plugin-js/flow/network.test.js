// What a command reaches that is cut off from the network, as the user and as nobody.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createServer } from "node:net";
import { test } from "node:test";
import { promisify } from "node:util";
import { isRoot, NOBODY } from "../../tests/as-nobody.mjs";
import { cutOff, ways } from "./network.js";

const execute = promisify(execFile);

/** Connects to a port outside, starts a server and connects to that, and shows its user and its rights. */
const PROGRAM = `
const net = require("node:net"), fs = require("node:fs");
const reach = (port) => new Promise((resolve) => {
  const socket = net.connect(port, "127.0.0.1", () => resolve("reached")).on("error", (error) => resolve(error.code));
  socket.unref();
});
const server = net.createServer().listen(0, "127.0.0.1", async () => {
  const outside = await reach(Number(process.argv[1]));
  const own = await reach(server.address().port);
  const rights = /CapEff:\\s*(\\w+)/.exec(fs.readFileSync("/proc/self/status", "utf8"))[1];
  console.log(JSON.stringify({ outside, own, uid: process.getuid(), rights }));
  process.exit();
});`;

/** A server outside. @param {import("node:test").TestContext} context */
async function outside(context) {
  const server = createServer((socket) => socket.end()).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.on("listening", resolve));
  context.after(() => server.close());
  return /** @type {import("node:net").AddressInfo} */ (server.address()).port;
}

/** What the program reports. @param {string[]} through @param {number} port @param {{uid?: number, gid?: number}} [as] */
async function report(through, port, as = {}) {
  const [program = "", ...args] = [...through, process.execPath, "-e", PROGRAM, `${port}`];
  return JSON.parse((await execute(program, args, { ...as, cwd: "/" })).stdout);
}

test("a command reaches its own server and none outside, with the rights that it has anyway", async (context) => {
  const through = await cutOff();
  if (!through) return context.skip("this system can't cut a command off from the network");
  const port = await outside(context);
  const [free, cut] = [await report([], port), await report(through, port)];
  assert.deepEqual([free.outside, free.own], ["reached", "reached"]);
  assert.deepEqual([cut.outside, cut.own], ["ECONNREFUSED", "reached"]);
  assert.deepEqual([cut.uid, cut.rights], [free.uid, free.rights]);
});

test("the same for a user without rights", async (context) => {
  const as = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
  const port = await outside(context);
  const [way = []] = ways(false);
  const free = await report([], port, as).catch(() => undefined);
  const cut = way.length > 0 && (await report(way, port, as).catch(() => undefined));
  if (!free || !cut)
    return context.skip("this system allows no user to cut a command off, or nobody to run Node");
  assert.deepEqual(
    [cut.outside, cut.own, cut.uid, cut.rights],
    ["ECONNREFUSED", "reached", free.uid, free.rights],
  );
});
