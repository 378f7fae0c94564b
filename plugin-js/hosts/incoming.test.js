// What counts as a model's silence during a request.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Incoming } from "./incoming.js";

const tool = (/** @type {string} */ status) => ({ type: "tool", callID: "call_1", state: { status } });

/** A call with a clock that the test sets. */
function call() {
  const clock = { now: 0 };
  return { clock, incoming: new Incoming(() => clock.now) };
}

test("a model is silent from its request on, and not before", () => {
  const { clock, incoming } = call();
  clock.now = 5_000;
  assert.equal(incoming.silence, 0, "nobody has been asked");
  incoming.ask();
  clock.now = 8_000;
  assert.equal(incoming.silence, 3_000);
});

test("whatever comes ends a silence", () => {
  const { clock, incoming } = call();
  incoming.ask();
  clock.now = 3_000;
  incoming.hear("a word");
  assert.equal(incoming.silence, 0);
  clock.now = 4_000;
  incoming.see({ type: "reasoning" });
  clock.now = 4_500;
  assert.equal(incoming.silence, 500);
});

test("a tool that is written or at work is no silence, and its end begins one", () => {
  const { clock, incoming } = call();
  incoming.ask();
  for (const status of ["pending", "running"]) {
    incoming.see(tool(status));
    clock.now += 100_000;
    assert.equal(incoming.silence, 0, status);
  }
  incoming.see(tool("completed"));
  clock.now += 2_000;
  assert.equal(incoming.silence, 2_000);
});

test("between two requests nobody is silent", () => {
  const { clock, incoming } = call();
  incoming.ask();
  incoming.see({ type: "step-finish" });
  clock.now = 60_000;
  assert.equal(incoming.silence, 0);
  incoming.ask();
  clock.now = 61_000;
  assert.equal(incoming.silence, 1_000);
});

test("the wait before a repeated request doesn't count", () => {
  const { clock, incoming } = call();
  incoming.ask();
  incoming.see(tool("pending"));
  incoming.wait(30_000);
  clock.now = 30_000;
  assert.equal(incoming.silence, 0);
  clock.now = 31_000;
  assert.equal(incoming.silence, 1_000);
  incoming.wait(Number.NaN);
  assert.equal(incoming.silence, 0, "a host that doesn't say for how long");
});

test("what has come is counted from the prompt on, and timed while the model writes", () => {
  const { clock, incoming } = call();
  assert.deepEqual(
    incoming.seen,
    { waiting: true, characters: 0, writing_ms: 0 },
    "nothing came, though not asked yet",
  );
  incoming.ask();
  clock.now = 5_000;
  assert.deepEqual(incoming.seen, { waiting: true, characters: 0, writing_ms: 0 });
  incoming.hear("twelve");
  clock.now = 6_000;
  incoming.hear(" signs");
  clock.now = 7_000;
  assert.deepEqual(incoming.seen, { waiting: false, characters: 12, writing_ms: 2_000 });
  incoming.see(tool("running"));
  clock.now = 60_000;
  assert.equal(incoming.seen.writing_ms, 1_000, "while a tool is at work nobody writes");
  incoming.see(tool("completed"));
  incoming.see({ type: "step-finish" });
  assert.equal(incoming.seen.writing_ms, 1_000);
  incoming.ask();
  clock.now = 70_000;
  assert.equal(incoming.seen.waiting, false, "something came before");
  incoming.hear("and more");
  clock.now = 71_000;
  assert.deepEqual(incoming.seen, { waiting: false, characters: 20, writing_ms: 2_000 });
});
