// The marks in the environment of shells that models start.

import assert from "node:assert/strict";
import { test } from "node:test";
import { MARK } from "../hosts/models-shell.js";
import { Shells } from "./shells.js";

const worker = /** @type {any} */ ({ role: "worker", guard: { shell: () => ({ RUN: "r1" }) } });
const marked = { ...MARK, OPENCODE_PASSWORD: "", RUN: "r1" };

test("a model's shell is marked, a worker's with its run, and a person's isn't", () => {
  const shells = new Shells();
  assert.deepEqual(shells.start("npm test"), {});
  shells.call("c1", "npm test", worker);
  shells.call("c2", "ls", undefined);
  assert.deepEqual(shells.start("npm test"), marked);
  assert.deepEqual(shells.start("ls"), MARK);
  assert.deepEqual(shells.start("npm test"), {}, "each call starts one");
});

test("a call that started no shell marks none", () => {
  const shells = new Shells();
  shells.call("c1", "npm start", worker);
  shells.end("c1");
  assert.deepEqual(shells.start("npm start"), {});
});

test("the same command of two sessions isn't marked as the run's: it might end the user's", () => {
  const shells = new Shells();
  shells.call("c1", "npm start", worker);
  shells.call("c2", "npm start", undefined);
  assert.deepEqual(shells.start("npm start"), MARK);
});

test("a shell that a model's program ordered by a request is marked", () => {
  let isCalled = false;
  const shells = new Shells({ isCalled: () => isCalled });
  assert.deepEqual(shells.start("curl"), {});
  isCalled = true;
  assert.deepEqual(shells.start("curl"), MARK);
});

test("what a shell left running may send commands for a while", () => {
  let now = 0;
  /** @type {boolean[]} */
  const asked = [];
  const shells = new Shells({ now: () => now, isCalled: (recently) => asked.push(recently) > 0 });
  const ask = () => shells.haveCalled && asked.at(-1);
  assert.equal(ask(), false, "no model has used a shell");
  shells.call("c1", "ls", undefined);
  shells.start("ls");
  assert.equal(ask(), true);
  shells.end("c1");
  now = 9 * 60_000;
  assert.equal(ask(), true);
  now = 11 * 60_000;
  assert.equal(ask(), false);
});

test("a shell that ran at any time since a moment is known", () => {
  let [now, isRunning] = [0, false];
  const shells = new Shells({ now: () => now, isRunning: () => isRunning });
  const begin = () => {
    shells.call("c1", "ls", undefined);
    shells.start("ls");
  };
  const called = shells.watch();
  shells.call("c1", "ls", undefined);
  assert.equal(called(), false, "it was called, but hasn't started");
  shells.start("ls");
  assert.equal(called(), true, "it has started");
  assert.equal(shells.watch()(), true, "its program may not run yet");
  now = 20_000;
  assert.equal(shells.watch()(), false, "it was interrupted, which nothing has reported");
  isRunning = true;
  const during = shells.watch();
  isRunning = false;
  assert.equal(during(), true, "its program was running, and has just ended");
  const after = shells.watch();
  shells.end("c1");
  assert.equal(after(), true, "its end was reported");
  now = 20_001;
  assert.equal(shells.watch()(), false);
  const second = shells.watch();
  begin();
  shells.end("c1");
  assert.equal(second(), true, "all of it was since then");
});
