import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import * as script from "./script.mjs";
import { startProvider } from "./server.mjs";

/** @type {import("./server.mjs").Provider[]} */
const started = [];
afterEach(async () => {
  for (const provider of started.splice(0)) await provider.close();
});

/** @param {Record<string, import("./script.mjs").Script>} models */
async function provide(models) {
  const provider = await startProvider({ models });
  started.push(provider);
  return provider;
}

/**
 * @param {import("./server.mjs").Provider} provider
 * @param {string} model
 * @param {string} text
 * @param {{ stream?: boolean, signal?: AbortSignal }} [options]
 */
function ask(provider, model, text, { stream = false, signal } = {}) {
  return fetch(`${provider.baseURL}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer secret" },
    body: JSON.stringify({ model, stream, temperature: 0.7, messages: [{ role: "user", content: text }] }),
    signal,
  });
}

/** @param {Response} response the data of every server-sent event */
async function events(response) {
  const text = await response.text();
  return text
    .split("\n\n")
    .filter((event) => event.startsWith("data: "))
    .map((event) => event.slice("data: ".length));
}

/** @param {Response} response */
async function content(response) {
  return (await response.json()).choices[0].message.content;
}

test("a streamed reply comes in chunks, with usage, and ends with [DONE]", async () => {
  const usage = { input: 100, output: 20, cached: 10, reasoning: 5 };
  const provider = await provide({ a: script.reply("hello world", { chunk: 4, reasoning: "hm", usage }) });
  const data = await events(await ask(provider, "a", "hi", { stream: true }));
  assert.equal(data.at(-1), "[DONE]");
  const chunks = data.slice(0, -1).map((event) => JSON.parse(event));
  const deltas = chunks.flatMap((chunk) => chunk.choices.map((/** @type {any} */ choice) => choice.delta));
  assert.deepEqual(deltas.map((delta) => delta.content).filter(Boolean), ["hell", "o wo", "rld"]);
  assert.deepEqual(deltas.map((delta) => delta.reasoning_content).filter(Boolean), ["hm"]);
  assert.equal(chunks.at(-2).choices[0].finish_reason, "stop");
  assert.deepEqual(chunks.at(-1).usage, {
    prompt_tokens: 100,
    completion_tokens: 20,
    total_tokens: 120,
    prompt_tokens_details: { cached_tokens: 10 },
    completion_tokens_details: { reasoning_tokens: 5 },
  });
});

test("an array answers in turn, then says that it has ended", async () => {
  const provider = await provide({ a: [script.reply("one"), script.reply("two")] });
  assert.equal(await content(await ask(provider, "a", "x")), "one");
  assert.equal(await content(await ask(provider, "a", "x")), "two");
  const third = await ask(provider, "a", "x");
  assert.equal(third.status, 400);
  assert.match((await third.json()).error.message, /a was asked 3 times, its script ends after 2/);
  assert.equal(provider.unscripted.length, 1);
});

test("rules choose by the last user message and count on their own", async () => {
  const provider = await provide({
    a: script.rules(
      script.on(/score/, [script.reply("first scores"), script.reply("second scores")]),
      script.on(/./, (request) => script.reply(`request ${request.n}: ${request.user}`)),
    ),
  });
  assert.equal(await content(await ask(provider, "a", "write")), "request 0: write");
  assert.equal(await content(await ask(provider, "a", "score")), "first scores");
  assert.equal(await content(await ask(provider, "a", "write")), "request 2: write");
  assert.equal(await content(await ask(provider, "a", "score")), "second scores");
});

test("a model without a script is the test's fault and is recorded", async () => {
  const provider = await provide({});
  assert.equal((await ask(provider, "ghost", "x")).status, 400);
  assert.deepEqual(
    provider.unscripted.map((request) => request.model),
    ["ghost"],
  );
});

for (const [name, step, status] of /** @type {const} */ ([
  ["429", script.rateLimited(7), 429],
  ["401", script.unauthorized(), 401],
  ["400", script.contextOverflow(), 400],
  ["503", script.httpError(503), 503],
])) {
  test(`the provider refuses with ${name}`, async () => {
    const provider = await provide({ a: step });
    const response = await ask(provider, "a", "x", { stream: true });
    assert.equal(response.status, status);
    assert.equal(response.headers.get("retry-after"), name === "429" ? "7" : null);
    assert.equal(typeof (await response.json()).error.message, "string");
    assert.equal(provider.requests[0]?.outcome, "refused");
  });
}

test("a cut-off stream delivers its first characters and then breaks", async () => {
  const provider = await provide({ a: script.cutOff("0123456789", 4) });
  const response = await ask(provider, "a", "x", { stream: true });
  let received = "";
  await assert.rejects(async () => {
    for await (const chunk of /** @type {any} */ (response.body)) received += Buffer.from(chunk).toString();
  });
  assert.match(received, /"content":"0123"/);
  assert.doesNotMatch(received, /DONE/);
  assert.equal(provider.requests[0]?.outcome, "cut");
});

for (const afterHeaders of [false, true]) {
  test(`a provider that hangs ${afterHeaders ? "after" : "before"} its headers sees the client go`, async () => {
    const provider = await provide({ a: script.hang({ afterHeaders }) });
    const abort = new AbortController();
    const answer = ask(provider, "a", "x", { stream: true, signal: abort.signal });
    if (afterHeaders) assert.equal((await answer).status, 200);
    else await provider.waitFor(1);
    assert.equal(provider.requests[0]?.outcome, null);
    abort.abort();
    if (!afterHeaders) await assert.rejects(answer);
    const [request] = await provider.waitFor(1, { ended: true });
    assert.equal(request?.outcome, "disconnected");
  });
}

test("a tool call carries its arguments; the next step follows its result", async () => {
  const provider = await provide({
    a: [script.callTool("read", { filePath: "a.js" }), script.reply("read it")],
  });
  const first = await (await ask(provider, "a", "x")).json();
  assert.equal(first.choices[0].finish_reason, "tool_calls");
  assert.deepEqual(first.choices[0].message.tool_calls[0].function, {
    name: "read",
    arguments: '{"filePath":"a.js"}',
  });
  assert.equal(await content(await ask(provider, "a", "x")), "read it");
});

test("held requests wait and go on in order of arrival", async () => {
  const provider = await provide({
    a: (request) => script.reply(`answer ${request.n}`),
    b: script.reply("b"),
  });
  provider.hold("a");
  const first = ask(provider, "a", "x");
  await provider.waitFor(1, { model: "a" });
  const second = ask(provider, "a", "x");
  await provider.waitFor(2, { model: "a" });
  assert.equal(await content(await ask(provider, "b", "x")), "b");
  assert.equal(provider.peak, 3);

  provider.release("a", 1);
  assert.equal(await content(await first), "answer 0");
  assert.equal(provider.requestsOf("a")[1]?.outcome, null);
  provider.release("a");
  assert.equal(await content(await second), "answer 1");
  assert.equal(await content(await ask(provider, "a", "x")), "answer 2");
});

test("a request that leaves while held uses up no release", async () => {
  const provider = await provide({ a: (request) => script.reply(`answer ${request.n}`) });
  provider.hold("a");
  const abort = new AbortController();
  const left = ask(provider, "a", "x", { signal: abort.signal });
  await provider.waitFor(1);
  const stays = ask(provider, "a", "x");
  await provider.waitFor(2);
  abort.abort();
  await assert.rejects(left);
  await provider.waitFor(1, { ended: true });
  provider.release("a", 1);
  assert.equal(await content(await stays), "answer 1");
});

test("waiting for what never comes ends with a count of what came", async () => {
  const provider = await provide({ a: script.reply("x") });
  await assert.rejects(provider.waitFor(1, { model: "a", timeoutMs: 5 }), /for 1 requests of a, saw 0/);
});

test("a request is recorded without its secrets, in process and over HTTP", async () => {
  const provider = await provide({ a: script.reply("x") });
  await ask(provider, "a", "hi").then(content);
  const origin = new URL(provider.baseURL).origin;
  const [overHttp] = await (await fetch(`${origin}/_requests`)).json();
  for (const request of [provider.requests[0], overHttp]) {
    assert.equal(request.model, "a");
    assert.equal(request.temperature, 0.7);
    assert.equal(request.user, "hi");
    assert.equal(request.outcome, "completed");
    assert.equal(request.headers.authorization, undefined);
    assert.equal(request.headers["content-type"], "application/json");
  }
  const models = await (await fetch(`${provider.baseURL}/models`)).json();
  assert.deepEqual(
    models.data.map((/** @type {any} */ model) => model.id),
    ["a"],
  );
});
