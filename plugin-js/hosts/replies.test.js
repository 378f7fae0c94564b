// What OpenCode lists, and what the core receives of it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as replies from "./replies.js";

const NOW = Date.UTC(2026, 10, 20);

/** A failure without details. */
const UNKNOWN = { name: "UnknownError", message: "no further account", ...replies.NO_FAILURE };

/** @type {[string, unknown, object][]} */
const FAILURES = [
  ["nothing at all", undefined, {}],
  ["an empty object", {}, {}],
  ["an error of ours", new TypeError("not a function"), { name: "TypeError", message: "not a function" }],
  [
    "an error of a provider's",
    {
      name: "APIError",
      message: "the outer one",
      data: { message: "overloaded", statusCode: 529, isRetryable: true, responseBody: "SECRET" },
    },
    { name: "APIError", message: "overloaded", status: 529, retryable: true },
  ],
  ["one that must not be repeated", { data: { isRetryable: false } }, { retryable: false }],
];

for (const [name, error, expected] of FAILURES) {
  test(`a failure: ${name}`, () => {
    const failure = replies.failureOf(error, NOW);
    assert.deepEqual(failure, { ...UNKNOWN, ...expected });
    assert.ok(!JSON.stringify(failure).includes("SECRET"), "bodies stay out");
  });
}

/** @type {[Record<string, string> | undefined, number | null][]} */
const WAITS = [
  [undefined, null],
  [{}, null],
  [{ "retry-after": "" }, null],
  [{ "retry-after": "3" }, 3_000],
  [{ "retry-after": "0.4" }, 400],
  [{ "retry-after": "-3" }, 0],
  [{ "retry-after": "soon" }, null],
  [{ "retry-after": "Fri, 20 Nov 2026 00:00:10 GMT" }, 10_000],
  [{ "retry-after": "Thu, 19 Nov 2026 00:00:00 GMT" }, 0],
  [{ "retry-after-ms": "1500.6" }, 1_501],
  [{ "retry-after-ms": "-1" }, 0],
  [{ "retry-after-ms": "20", "retry-after": "3" }, 20],
  [{ "retry-after-ms": "soon", "retry-after": "3" }, 3_000],
];

for (const [responseHeaders, expected] of WAITS) {
  test(`a provider asks to wait: ${JSON.stringify(responseHeaders)}`, () => {
    assert.equal(replies.failureOf({ data: { responseHeaders } }, NOW).retry_after_ms, expected);
  });
}

/** @param {string} text @param {object} [own] @returns {any} */
const part = (text, own) => ({ type: "text", text, ...own });
/** @param {object} info @param {any[]} [parts] @returns {any} */
const said = (info, parts = []) => ({
  info: { role: "assistant", providerID: "acme", modelID: "one/two", ...info },
  parts,
});
/** @param {string} text @param {number} [created] @returns {any} */
const asked = (text, created = 0) => ({ info: { role: "user", time: { created } }, parts: [part(text)] });

test("what was written is every text in a row, without reasoning and without what OpenCode adds", () => {
  const parts = [
    part("a"),
    { type: "reasoning", text: "no" },
    part("no", { synthetic: true }),
    part("b"),
    { type: "tool" },
  ];
  assert.equal(replies.textOf(/** @type {any} */ (parts)), "ab");
  assert.equal(replies.textOf([]), "");
});

test("a message is a reply with its model and how it ended, or a failure with what it cost", () => {
  const used = { ...replies.usageOf({ cost: 2 }), host_retries: 3, requests: 4 };
  assert.deepEqual(replies.outcomeOf(said({ finish: "length" }, [part("half")]), used, 3), {
    reply: { text: "half", finish: "length", model: "acme/one/two", reads: 3, ...used },
  });
  assert.deepEqual(replies.outcomeOf(said({}), replies.NOTHING, null), {
    reply: {
      text: "",
      finish: "unknown",
      model: "acme/one/two",
      reads: null,
      host_retries: 0,
      requests: 0,
      ...replies.NOTHING,
    },
  });
  const { retry_after_ms, ...failure } = /** @type {any} */ (
    replies.outcomeOf(
      said({ error: { name: "APIError", data: { message: "busy" } } }, [part("half")]),
      used,
      3,
    )
  ).failure;
  assert.deepEqual(
    [failure.name, failure.message, failure.cost, failure.host_retries],
    ["APIError", "busy", 2, 3],
  );
  assert.equal(retry_after_ms, null);
});

test("what counts as reading is a file that was read or a search in files, where it came to something", () => {
  const call = (/** @type {string} */ tool, status = "completed") => ({
    type: "tool",
    tool,
    state: { status },
  });
  const first = said({ finish: "tool-calls" }, [part("let me see"), call("read"), call("glob")]);
  const second = said({ finish: "stop" }, [call("grep"), call("read", "error"), call("bash")]);
  assert.equal(replies.readsIn(/** @type {any} */ ([first, second])), 2);
  assert.equal(replies.readsIn([said({}, [part("by heart")])]), 0);
});

test("a prompt is found by its text, the last of that text, and not one from before it was sent", () => {
  const messages = [asked("Q", 1), said({}), asked("Q", 5), said({ finish: "stop" }), asked("other", 9)];
  const ask = /** @type {any} */ ({ text: "Q" });
  assert.deepEqual(replies.sincePrompt(ask, messages), messages.slice(2));
  assert.deepEqual(replies.sincePrompt(ask, messages, 5), messages.slice(2));
  assert.deepEqual(replies.sincePrompt(ask, messages, 6), []);
  assert.deepEqual(replies.sincePrompt(ask, []), []);
});

const CALL = { type: "tool", callID: "1" };

/** @type {[string, any[], number | undefined][]} */
const TURNS = [
  ["nothing", [], undefined],
  ["a prompt alone", [asked("Q")], undefined],
  ["an answer that is under way", [asked("Q"), said({})], undefined],
  ["a step that called tools", [asked("Q"), said({ finish: "tool-calls" }, [CALL])], undefined],
  ["an answer", [asked("Q"), said({ finish: "stop" })], 1],
  [
    "an answer after tools",
    [asked("Q"), said({ finish: "tool-calls" }, [CALL]), said({ finish: "stop" })],
    2,
  ],
  ["an answer that was cut off", [asked("Q"), said({ finish: "length" })], 1],
  ["a failure", [asked("Q"), said({ error: { name: "APIError" } })], 1],
  ["a summary is no answer", [asked("Q"), said({ finish: "stop", summary: true })], undefined],
  [
    "an answer before a summary",
    [asked("Q"), said({ finish: "stop" }), said({ finish: "stop", summary: true })],
    1,
  ],
];

for (const [name, turn, index] of TURNS) {
  test(`a whole answer: ${name}`, () => {
    assert.equal(replies.wholeAnswer(turn), index === undefined ? undefined : turn[index]);
  });
}

test("a turn costs what all its steps cost, summaries too; what is missing costs nothing", () => {
  const info = { cost: 0.5, tokens: { input: 1, output: 2, reasoning: 3, cache: { read: 4, write: 5 } } };
  const one = {
    cost: 0.5,
    tokens: { input: 1, output: 2, reasoning: 3, cache_read: 4, cache_write: 5 },
    cut_off: 0,
  };
  assert.deepEqual(replies.usageOf(info), one);
  const begun = [{ type: "step-start" }, { type: "text" }];
  assert.equal(replies.usageOf(info, /** @type {any} */ ([...begun, { type: "step-finish" }])).cut_off, 0);
  assert.equal(
    replies.usageOf(info, /** @type {any} */ ([...begun, ...begun, { type: "step-finish" }])).cut_off,
    1,
  );
  for (const empty of [undefined, null, {}, { tokens: {} }])
    assert.deepEqual(replies.usageOf(empty), replies.NOTHING);
  assert.deepEqual(
    replies.paidFor([asked("Q"), said(info), said({ ...info, summary: true })]),
    replies.sum(one, one),
  );
  assert.deepEqual(replies.paidFor([]), replies.NOTHING);
  assert.deepEqual(replies.sum(one, one).tokens.cache_write, 10);
  assert.deepEqual(replies.sum(replies.sum(one, one), one, -1), one);
  // OpenCode no longer lists messages that were counted before.
  assert.deepEqual(replies.sum(replies.NOTHING, one, -1), replies.NOTHING);
});

test("of an error of any length its beginning is kept, and nothing else of it stays in memory", () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  const inUse = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = inUse();
  const kept = Array.from({ length: 8 }, (_, at) => {
    const message = `Error ${at}: ${String(at).repeat(32 * 1024 * 1024)}`;
    const error = { name: "APIError", data: { message, statusCode: 400, responseBody: message } };
    return replies.failureOf(error);
  });
  assert.ok(inUse() - before < 8 * 1024 * 1024, "eight messages of 32 MB are gone");
  for (const [at, { message, status }] of kept.entries()) {
    assert.ok(message.startsWith(`Error ${at}: `) && Buffer.byteLength(message) <= 64 * 1024);
    assert.equal(status, 400);
  }
});

test("a text is bounded in bytes, and a short one stays as it is", () => {
  assert.equal(replies.bounded("€".repeat(10), 30), "€".repeat(10));
  assert.ok(Buffer.byteLength(replies.bounded("€".repeat(10), 9)) <= 9);
  assert.equal(replies.bounded(undefined), "undefined");
});

test("a step without a call of a tool is the answer, however it ends", () => {
  const step = (/** @type {any} */ info, /** @type {any[]} */ parts = []) => {
    const message = { info: { role: "assistant", ...info }, parts };
    return replies.wholeAnswer([{ info: { role: "user" }, parts: [] }, message]) !== undefined;
  };
  for (const finish of ["stop", "length", "unknown", "other", "tool-calls"]) {
    assert.equal(step({ finish }), true, finish);
    assert.equal(step({ finish }, [CALL]), false, `${finish} after a call`);
    assert.equal(step({ finish }, [{ ...CALL, metadata: { providerExecuted: true } }]), true, finish);
  }
  assert.equal(step({}), false, "it is still being written");
  assert.equal(step({ error: { name: "APIError" } }), true, "it failed");
  assert.equal(
    step({ error: { name: "UnknownError", data: { message: replies.notSent().message } } }),
    false,
  );
});
