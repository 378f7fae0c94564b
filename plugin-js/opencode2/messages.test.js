// What OpenCode 2.0.15 lists of a session, in the form of OpenCode 1. The messages were recorded on 2.0.15.

import assert from "node:assert/strict";
import { test } from "node:test";
import { failureOf, outcomeOf, paidFor, readsIn, sincePrompt, wholeAnswer } from "../hosts/replies.js";
import { knownError, knownMessages, knownRejection } from "./messages.js";

const model = { id: "d", providerID: "mock", variant: "default" };
const tokens = { input: 214, output: 0, reasoning: 0, cache: { read: 7, write: 0 } };
const read = (/** @type {string} */ status) => ({
  type: "tool",
  id: "call_d_0_0",
  name: "read",
  executed: false,
  state: { status },
});
const prompt = { id: "msg_1", type: "user", time: { created: 5 }, text: "design it" };
const reading = {
  id: "msg_2",
  type: "assistant",
  model,
  content: [read("completed"), read("error")],
  finish: "tool-calls",
  cost: 0.25,
  tokens,
};
const design = {
  id: "msg_3",
  type: "assistant",
  model,
  content: [{ type: "text", text: "the design" }],
  finish: "stop",
  cost: 0.5,
  tokens,
};
const idle = { id: "msg_4", type: "idle", outcome: "succeeded" };
const near = { id: "msg_5", type: "synthetic", text: "design it", description: "Loaded AGENTS.md" };

test("an answer in several steps is a reply with what all of them cost", () => {
  const messages = knownMessages([prompt, reading, near, design, idle]);
  const turn = sincePrompt(/** @type {any} */ ({ text: "design it" }), messages);
  assert.equal(turn.length, 5, "only what the run has sent is a prompt");
  const answer = wholeAnswer(turn) ?? assert.fail("no answer");
  const outcome = outcomeOf(/** @type {any} */ (answer), paidFor(turn), readsIn(messages));
  assert.ok("reply" in outcome);
  const { text, finish, model: name, reads, cost } = outcome.reply;
  assert.deepEqual([text, finish, name, reads, cost], ["the design", "stop", "mock/d", 1, 0.75]);
  assert.equal(outcome.reply.held, 221);
});

test("a turn that ended with tool calls has no answer", () => {
  assert.equal(wholeAnswer(knownMessages([prompt, reading, idle])), undefined);
});

test("an answer that broke off counts as one, and one that never began doesn't", () => {
  const error = { type: "provider.transport", message: "ECONNRESET", status: 200 };
  const broken = {
    id: "msg_2",
    type: "assistant",
    model,
    content: [{ type: "text", text: "some" }],
    finish: "error",
    error,
  };
  assert.equal(paidFor(knownMessages([broken])).cut_off, 1);
  assert.equal(
    paidFor(knownMessages([{ ...broken, content: [] }])).cut_off,
    1,
    "what arrived may be missing",
  );
  const refused = { ...broken, content: [], error: { type: "provider.auth", message: "no", status: 401 } };
  assert.equal(paidFor(knownMessages([refused])).cut_off, 0);
  assert.equal(paidFor(knownMessages([design])).cut_off, 0);
});

test("failures have the names and statuses by which the core judges them", () => {
  /** @type {[import("./context.js").Failure, string, number | null, boolean | null][]} */
  const cases = [
    [{ type: "provider.auth", message: "Incorrect API key", status: 401 }, "APIError", 401, false],
    [{ type: "provider.auth", message: "no key" }, "ProviderAuthError", null, false],
    [{ type: "provider.rate-limit", message: "slow", status: 429 }, "APIError", 429, true],
    [{ type: "provider.internal", message: "oops", status: 500 }, "APIError", 500, true],
    // The status with which a stream began says nothing about its end.
    [{ type: "provider.transport", message: "ECONNRESET", status: 200 }, "APIError", null, true],
    [{ type: "provider.content-filter", message: "blocked" }, "ContentFilterError", null, true],
    [{ type: "provider.no-route", message: "Model unavailable" }, "APIError", null, false],
    [{ type: "provider.timeout", message: "late" }, "HostTimeout", null, true],
    [{ type: "aborted", message: "Step interrupted" }, "MessageAbortedError", null, true],
    [{}, "UnknownError", null, true],
  ];
  for (const [error, name, status, retryable] of cases) {
    const failure = failureOf(knownError(error));
    assert.deepEqual([failure.name, failure.status, failure.retryable], [name, status, retryable]);
    assert.equal(failure.message, error.message ?? "");
  }
});

test("a rejection keeps its tag, and a missing session has the name of one", () => {
  assert.equal(
    failureOf(knownRejection({ _tag: "SessionNotFoundError", sessionID: "s" })).name,
    "NotFoundError",
  );
  assert.equal(failureOf(knownRejection({ _tag: "Session.NotFoundError" })).name, "NotFoundError");
  const timeout = Object.assign(new Error("no answer within 5 ms"), { name: "Timeout" });
  assert.equal(failureOf(knownRejection(timeout)).name, "Timeout");
  assert.equal(failureOf(knownRejection({ _tag: "SchemaError" })).message, "SchemaError");
});
