// The sessions of a run's models on OpenCode 2: what is asked, what is charged, and what happens to an interrupted call. The fake host
// answers as 2.0.15 was observed to answer.

import assert from "node:assert/strict";
import { test } from "node:test";
import { LabSessions } from "../hosts/lab-sessions.js";
import { unconfigured } from "../hosts/workflows.js";
import { Conversations } from "./conversations.js";
import { prepare } from "./requests.js";

const tokens = { input: 10, output: 5, reasoning: 0, cache: { read: 0, write: 0 } };
const model = { providerID: "lab", id: "m/x" };
const user = (/** @type {string} */ text) => ({ id: "u", type: "user", time: { created: 100 }, text });
const design = {
  id: "a",
  type: "assistant",
  model,
  content: [{ type: "text", text: "a design" }],
  finish: "stop",
  cost: 1,
  tokens,
};
const reads = {
  id: "r",
  type: "assistant",
  model,
  content: [{ type: "tool", id: "c1", name: "read", state: { status: "completed" } }],
  finish: "tool-calls",
  cost: 1,
  tokens,
};

const ASK = /** @type {any} */ ({
  session: "s1",
  job: "design:x",
  role: "designer",
  model: "lab/m/x",
  variant: null,
  temperature: 0.5,
  system: "You design.",
  text: "Design it",
  no_tools: false,
  deadline_ms: 60_000,
  idle_ms: 60_000,
  host_retries: 2,
});

/**
 * Returns a host whose session goes through these turns: each is what a wait does.
 * @param {((host: any) => Promise<void> | void)[]} turns
 */
function fake(...turns) {
  const sessions = new LabSessions();
  const calls = /** @type {any[]} */ ([]);
  const messages = /** @type {any[]} */ ([]);
  const spent = { cost: 0, tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } } };
  const call = (/** @type {string} */ name) => async (/** @type {any} */ input) =>
    void calls.push([name, input]);
  const session = {
    create: async (/** @type {any} */ input) => {
      calls.push(["create", input]);
      return { id: "s1" };
    },
    get: async () => ({ ...spent, tokens: { ...spent.tokens } }),
    context: async () => [...messages],
    interrupt: call("interrupt"),
    switchModel: call("switchModel"),
    prompt: async (/** @type {any} */ input) => {
      calls.push(["prompt", input]);
      messages.push(user(input.text));
    },
    wait: async () => turns.shift()?.(host),
  };
  /** Adds a step of the model, as a request that was sent. @param {any} message */
  const step = async (message) => {
    const sent = messages.map(({ type, content = [] }) => ({
      role: type === "user" ? "user" : "assistant",
      content: content.map(() => ({ type: "text", text: "" })),
    }));
    if (messages.at(-1)?.finish === "tool-calls") sent.push({ role: "tool", content: [] });
    const lab = sessions.get("s1") ?? assert.fail();
    await prepare(
      /** @type {any} */ ({ sessionID: "s1", system: [], messages: sent, options: {}, tools: {} }),
      lab,
    );
    messages.push(message);
    spent.cost += message.cost ?? 0;
    spent.tokens.input += message.tokens?.input ?? 0;
    spent.tokens.output += message.tokens?.output ?? 0;
  };
  const guard = /** @type {any} */ ({
    agent: (/** @type {string} */ role) => `design-lab-${role}`,
    systemText: (/** @type {string} */ _role, /** @type {string} */ own) => own,
  });
  const conversations = new Conversations({
    ctx: /** @type {any} */ ({ session }),
    parent: "ses_user",
    sessions,
    registration: unconfigured(),
  });
  conversations.guard = guard;
  const host = { conversations, session, sessions, calls, messages, spent, step };
  return host;
}

test("a session is opened as the role's agent, with its rules, marked, below the user's session", async () => {
  const { conversations, calls, sessions } = fake();
  assert.deepEqual(await conversations.openSession({ role: "designer", title: "design x" }), {
    session: "s1",
  });
  const [, input] = calls[0];
  assert.deepEqual(
    [input.agent, input.title, input.parentID, input.metadata],
    ["design-lab-designer", "design x", "ses_user", { "opencode-design-lab": "designer" }],
  );
  assert.deepEqual(input.permissions[0], { action: "*", resource: "*", effect: "deny" });
  assert.equal(sessions.get("s1")?.role, "designer");
});

test("no session is opened before its isolation is in force", async () => {
  const { conversations, calls } = fake();
  conversations.guard = undefined;
  await assert.rejects(conversations.openSession({ role: "designer", title: "x" }), /before its isolation/);
  assert.deepEqual(calls, []);
});

test("a call asks its model once, and charges each step", async () => {
  const { conversations, calls } = fake(async ({ step }) => {
    await step(reads);
    await step(design);
  });
  /** @type {any[]} */
  const stepped = [];
  const outcome = await conversations.ask({ ...ASK, variant: "high" }, (used) => {
    stepped.push([used.requests, used.cost]);
    return true;
  });
  assert.ok("reply" in outcome);
  const { text, cost, requests, model: name, tokens: used, reads: read } = outcome.reply;
  assert.deepEqual([text, cost, requests, name, used.input, read], ["a design", 2, 2, "lab/m/x", 20, 1]);
  assert.deepEqual(stepped, [[1, 1]], "after the tools, and with what they cost");
  assert.deepEqual(calls, [
    ["switchModel", { sessionID: "s1", model: { providerID: "lab", id: "m/x", variant: "high" } }],
    ["prompt", { sessionID: "s1", text: "Design it" }],
  ]);
});

test("files are sent with the prompt", async () => {
  const { conversations, calls } = fake(({ step }) => step(design));
  await conversations.ask(ASK, undefined, [{ mime: "image/png", bytes: Buffer.from("png") }]);
  assert.deepEqual(calls[1][1].files, [{ uri: "data:image/png;base64,cG5n" }]);
});

test("a run that has reached its budget stops a call between its steps", async () => {
  const { conversations } = fake(async ({ step }) => {
    await step(reads);
    await assert.rejects(step(design), /sends no further request/);
  });
  const outcome = await conversations.ask(ASK, () => false);
  assert.ok("failure" in outcome);
  assert.deepEqual([outcome.failure.requests, outcome.failure.cost], [1, 1]);
});

test("after a call its session isn't asked again, whatever wakes it", async () => {
  const { conversations, sessions, step } = fake(({ step }) => step(design));
  await conversations.ask(ASK);
  assert.equal(sessions.get("s1")?.onRequest, undefined);
  await assert.rejects(step(design), /sends no further request/);
});

test("a turn that fails without an answer reports OpenCode's reason", async () => {
  const { conversations } = fake(({ sessions }) => {
    sessions.get("s1").onFailure({ type: "provider.no-route", message: "Model unavailable: lab/m/x" });
  });
  const outcome = await conversations.ask(ASK);
  assert.ok("failure" in outcome);
  const { name, message, retryable } = outcome.failure;
  assert.deepEqual([name, message, retryable], ["APIError", "Model unavailable: lab/m/x", false]);
});

test("a call is stopped at its deadline, and an answer that was complete by then counts", async () => {
  const never = () => new Promise(() => {});
  const late = fake(never);
  const outcome = await late.conversations.ask({ ...ASK, deadline_ms: 20 });
  assert.ok("failure" in outcome);
  assert.equal(outcome.failure.name, "Timeout");
  assert.equal(late.calls.at(-1)[0], "interrupt");
  const whole = fake(async ({ step }) => {
    await step(design);
    await never();
  });
  assert.ok("reply" in (await whole.conversations.ask({ ...ASK, deadline_ms: 200 })));
});

test("a conversation that OpenCode would summarise has failed, unless the run allows it", async () => {
  const { conversations, sessions } = fake(async ({ conversations, sessions }) => {
    const lab = sessions.get("s1");
    lab.guard.mayCompact = () => false;
    await assert.rejects(conversations.compact("s1", lab), /summarised/);
    lab.guard.mayCompact = () => true;
  });
  const outcome = await conversations.ask(ASK);
  assert.ok("failure" in outcome);
  assert.equal(outcome.failure.name, "ContextOverflowError");
  await assert.rejects(
    conversations.compact("s1", /** @type {any} */ (sessions.get("s1"))),
    /summarised/,
    "nor after the call",
  );
});

test("an interrupted call is recovered, lost, unsent, or its session is gone", async () => {
  /** @type {[any[], string][]} */
  const cases = [
    [[user("Design it"), reads, design], "reply"],
    [[user("Design it"), reads], "Lost"],
    [[user("Design it")], "Lost"],
    [[user("Another prompt"), design], "Unsent"],
    [[], "Unsent"],
  ];
  for (const [messages, expected] of cases) {
    const host = fake();
    host.messages.push(...messages);
    const outcome = await host.conversations.recover(ASK, 50);
    assert.equal("reply" in outcome ? "reply" : outcome.failure.name, expected);
    assert.equal(host.calls[0][0], "interrupt", "whatever the session may still do is stopped");
    assert.equal(host.sessions.get("s1")?.onRequest, undefined);
  }
  const late = fake();
  late.messages.push(user("Design it"), design);
  const earlier = await late.conversations.recover(ASK, 200);
  assert.equal("failure" in earlier && earlier.failure.name, "Unsent", "an equal prompt of an earlier call");
});

test("a session that is gone is recognised", async () => {
  const { sessions } = fake();
  const gone = async () => {
    throw Object.assign(new Error("Session not found: s1"), { _tag: "Session.NotFoundError" });
  };
  const session = { get: gone, context: gone, interrupt: gone, wait: gone };
  const conversations = new Conversations({
    ctx: /** @type {any} */ ({ session }),
    parent: "",
    sessions,
    registration: unconfigured(),
  });
  conversations.guard = /** @type {any} */ ({});
  const outcome = await conversations.recover(ASK, 0);
  assert.equal("failure" in outcome && outcome.failure.name, "NotFoundError");
});

test("the last request of a session that is deleted during its call counts as cut off", async () => {
  const host = fake(async ({ step, session }) => {
    await step(reads);
    const gone = async () => {
      throw Object.assign(new Error("Session not found: s1"), { _tag: "Session.NotFoundError" });
    };
    Object.assign(session, { get: gone, context: gone });
  });
  await host.conversations.openSession({ role: "designer", title: "design x" });
  const outcome = await host.conversations.ask(ASK);
  assert.ok("failure" in outcome);
  assert.deepEqual([outcome.failure.cut_off, outcome.failure.requests], [1, 1]);
});

test("a session that nobody needs is deleted by a version that can", async () => {
  const { conversations, session } = fake();
  await conversations.discard("s1");
  /** @type {any[]} */
  const removed = [];
  const remove = async (/** @type {any} */ request) => void removed.push(request);
  Object.assign(session, { remove });
  await conversations.discard("s1");
  assert.deepEqual(removed, [{ sessionID: "s1" }]);
});
