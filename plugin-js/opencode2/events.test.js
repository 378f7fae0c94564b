// The calls of runs in OpenCode 2's events.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Incoming } from "../hosts/incoming.js";
import { LabSessions } from "../hosts/lab-sessions.js";
import { follow, note, noteQueued } from "./events.js";

/** @param {() => number} [now] */
function lab(now) {
  const sessions = new LabSessions();
  const incoming = new Incoming(now);
  sessions.set("s1", /** @type {any} */ ({ role: "designer", guard: {}, incoming }));
  incoming.ask();
  return { sessions, incoming };
}

const of = (/** @type {string} */ type, data = {}, location = {}) => ({
  type,
  data: { sessionID: "s1", ...data },
  ...location,
});

test("text and reasoning count, a running tool isn't silence, and other sessions aren't followed", () => {
  let now = 0;
  const { sessions, incoming } = lab(() => now);
  note(of("session.text.delta", { delta: "abc" }), sessions);
  note(of("session.reasoning.delta", { delta: "de" }), sessions);
  note(of("session.text.delta", { sessionID: "s2", delta: "other" }), sessions);
  assert.equal(incoming.seen.characters, 5);
  now = 500;
  assert.equal(incoming.silence, 500);
  note(of("session.tool.called", { id: "c1" }), sessions);
  now = 900;
  assert.equal(incoming.silence, 0);
  note(of("session.tool.success", { id: "c1" }), sessions);
  now = 1000;
  assert.equal(incoming.silence, 100);
  note(of("session.step.ended"), sessions);
  now = 9000;
  assert.equal(incoming.silence, 0, "no request is in progress");
});

test("a turn that failed reports why", () => {
  const { sessions } = lab();
  const session = sessions.get("s1") ?? assert.fail();
  /** @type {unknown[]} */
  const failures = [];
  session.onFailure = (error) => failures.push(error);
  note(of("session.execution.failed", { error: { message: "no such model" } }), sessions);
  assert.deepEqual(failures, [{ message: "no such model" }]);
});

test("events of another project are left to its own instance, and a stream that breaks is no fault", async () => {
  const { sessions, incoming } = lab();
  async function* subscribe() {
    yield of("session.text.delta", { delta: "a" }, { location: { directory: "/p" } });
    yield of("session.text.delta", { delta: "bc" }, { location: { directory: "/q" } });
    throw new Error("gone");
  }
  const ctx = /** @type {any} */ ({ location: { directory: "/p" }, event: { subscribe } });
  await follow(ctx, { sessions, queued: new Map() }, new AbortController().signal);
  assert.equal(incoming.seen.characters, 1);
});

test("prompts that wait for the end of a turn are known until they are delivered", () => {
  const queued = new Map();
  const see = (/** @type {string} */ type, /** @type {any} */ data) =>
    noteQueued({ type: `session.inbox.${type}`, data: { sessionID: "s1", inboxID: "m1", ...data } }, queued);
  see("enqueued", { item: { delivery: "steer" } });
  assert.deepEqual([...queued], []);
  see("enqueued", { item: { delivery: "queue" } });
  assert.deepEqual([...queued], [["m1", "s1"]]);
  see("delivered", {});
  assert.deepEqual([...queued], []);
});
