import assert from "node:assert/strict";
import { test } from "node:test";
import { Incoming } from "./incoming.js";
import { LabSessions } from "./lab-sessions.js";
import { failureOf } from "./replies.js";

/**
 * A session whose call has one minute left.
 * @param {number} retries
 */
function calling(retries) {
  const sessions = new LabSessions();
  const session = { role: "designer", guard: {}, retries, deadline: performance.now() + 60_000 };
  sessions.set("ses", /** @type {any} */ (session));
  /** @param {number} wait */
  const retry = (wait, attempt = 1) =>
    sessions.noteRetry("ses", { attempt, message: "Too Many Requests", next: Date.now() + wait });
  return { sessions, retry };
}

test("a request may be repeated while tries and time are left", () => {
  const { sessions, retry } = calling(2);
  assert.equal(retry(2_000), true);
  assert.equal(retry(50_000, 2), true);
  assert.equal(sessions.takeRetries("ses"), 2);
  assert.equal(sessions.get("ses")?.givenUp, undefined);
  assert.equal(retry(2_000, 3), false);
});

test("a wait that would outlast the call ends it at once, and is told", () => {
  for (const wait of [61_000, 2 ** 31, 1_000_000_000_000]) {
    const { sessions, retry } = calling(2);
    assert.equal(retry(wait), false);
    const { data } = /** @type {any} */ (sessions.get("ses")).givenUp;
    assert.ok(Math.abs(Number(data.responseHeaders["retry-after-ms"]) - wait) < 1_000);
  }
});

test("what OpenCode stopped waiting for isn't repeated", () => {
  for (const message of ["Provider response headers timed out after 300000ms", "SSE read timed out"]) {
    const { sessions } = calling(2);
    assert.equal(sessions.noteRetry("ses", { attempt: 1, message, next: Date.now() }), false);
    assert.equal(failureOf(sessions.get("ses")?.givenUp).name, "HostTimeout");
  }
});

test("a host that doesn't say when it tries again is left to its deadline", () => {
  const { sessions } = calling(2);
  assert.equal(sessions.noteRetry("ses", /** @type {any} */ ({ attempt: 1, message: "busy" })), true);
});

test("what a model asked leave for is known once it is refused", () => {
  const { sessions } = calling(2);
  const request = { id: "per_1", sessionID: "ses", permission: "bash", patterns: ["npm test", "npm run x"] };
  sessions.noteRequest(request);
  sessions.noteAnswer({ sessionID: "ses", requestID: "per_1", reply: "once" });
  assert.equal(sessions.get("ses")?.refused, undefined);
  sessions.noteRequest({ ...request, id: "per_2" });
  sessions.noteRequest({ ...request, id: "per_3", sessionID: "the user's own" });
  sessions.noteAnswer({ sessionID: "ses", requestID: "per_2", reply: "reject" });
  assert.equal(sessions.get("ses")?.refused, "bash: npm test, npm run x");
});

test("what a run's models are seen to do is its last tool, the files written, and what waits for permission", () => {
  const { sessions } = calling(2);
  const guard = /** @type {any} */ (sessions.get("ses")).guard;
  assert.deepEqual(sessions.activity(guard), { tool: null, files: [], asks: null, calls: [] });
  sessions.noteTool("ses", "write", { filePath: "src/a.js", content: "x" });
  sessions.noteTool("ses", "edit", { filePath: "src/a.js" });
  sessions.noteTool("ses", "bash", { command: "npm test" });
  sessions.noteTool("the user's own", "write", { filePath: "b.js" });
  const request = { id: "per_1", sessionID: "ses", permission: "bash", patterns: ["npm test"] };
  sessions.noteRequest(request);
  const seen = { tool: "bash npm test", files: ["src/a.js"], calls: [] };
  assert.deepEqual(sessions.activity(guard), { ...seen, asks: "bash: npm test" });
  sessions.noteAnswer({ sessionID: "ses", requestID: "per_1", reply: "once" });
  assert.deepEqual(sessions.activity(guard), { ...seen, asks: null });
});

test("what has come in is reported for each call of a run, and for no other run", () => {
  const { sessions } = calling(2);
  const session = /** @type {any} */ (sessions.get("ses"));
  session.incoming = new Incoming(() => 0);
  session.incoming.ask();
  session.incoming.hear("text");
  sessions.set("other", /** @type {any} */ ({ guard: {}, incoming: new Incoming() }));
  const calls = [{ session: "ses", waiting: false, characters: 4, writing_ms: 0 }];
  assert.deepEqual(sessions.activity(session.guard).calls, calls);
});
