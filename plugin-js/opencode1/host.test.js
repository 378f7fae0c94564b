import assert from "node:assert/strict";
import { test } from "node:test";
import { LabSessions } from "../hosts/lab-sessions.js";
import { idBefore, OpenCode1 } from "./host.js";

const place = { session: "ses_1", message: "msg_1", part: "prt_1" };
const ours = {
  id: "prt_1",
  sessionID: "ses_1",
  messageID: "msg_1",
  type: "text",
  ignored: true,
  text: "Design Lab · 2/3",
};

/** @param {object} answer to the request for the message */
async function amended(answer) {
  /** @type {any[]} */
  const patches = [];
  const client = /** @type {any} */ ({
    session: { message: async () => answer },
    _client: { patch: async (/** @type {any} */ request) => patches.push(request) },
  });
  const parts = {
    client,
    parent: "",
    directory: "/p",
    sessions: new LabSessions(),
    terminal: undefined,
    brand: "Design Lab",
  };
  await new OpenCode1(parts).amend(place, "Design Lab · interrupted");
  return patches;
}

test("a live message is changed in place, and loses its panel", async () => {
  const parts = [
    { ...ours, id: "prt_0" },
    { ...ours, metadata: { "opencode-design-lab": {} } },
  ];
  const [patch, ...others] = await amended({ data: { parts } });
  assert.equal(patch.url, "/session/ses_1/message/msg_1/part/prt_1");
  assert.deepEqual(JSON.parse(JSON.stringify(patch.body)), { ...ours, text: "Design Lab · interrupted" });
  assert.deepEqual(others, []);
});

test("what is no live message stays as somebody wrote it", async () => {
  for (const change of [{ ignored: false }, { text: "My words" }, { type: "file" }, { id: "prt_2" }]) {
    assert.deepEqual(
      await amended({ data: { parts: [{ ...ours, ...change }] } }),
      [],
      JSON.stringify(change),
    );
  }
  assert.deepEqual(await amended({ response: { status: 404 } }), []);
  await assert.rejects(amended({ response: { status: 500 } }), /can't be reached/);
});

/** @param {any[]} messages that the session holds */
async function recovered(messages) {
  const client = /** @type {any} */ ({
    session: {
      status: async () => ({ data: {} }),
      messages: async () => ({ data: messages }),
    },
  });
  const parts = {
    client,
    parent: "",
    directory: "/p",
    sessions: new LabSessions(),
    terminal: undefined,
    brand: "Design Lab",
  };
  const host = new OpenCode1(parts);
  host.guard = /** @type {any} */ ({});
  const ask = /** @type {any} */ ({ session: "ses_2", role: "designer", text: "Design it" });
  return host.recover(ask, 1_000);
}

test("a prompt without an answer is lost only if its model was asked", async () => {
  const prompt = {
    info: { role: "user", time: { created: 1_000 } },
    parts: [{ type: "text", text: "Design it" }],
  };
  const begun = { info: { role: "assistant", time: { created: 1_001 } }, parts: [] };
  const name = async (/** @type {any[]} */ messages) => {
    const answer = await recovered(messages);
    return "failure" in answer && answer.failure.name;
  };
  assert.equal(await name([]), "Unsent", "the process ended before it sent it");
  assert.equal(await name([prompt]), "Unsent", "OpenCode ended before it asked the model");
  assert.equal(await name([prompt, begun]), "Lost");
});

test("an id comes before another in OpenCode's order, and after all that are earlier", () => {
  const before = idBefore("msg_a1b2c3d4e000AbCdEfGhIjKlMn") ?? "";
  assert.match(before, /^msg_a1b2c3d4dfff[0-9a-f]{14}$/);
  assert.notEqual(before, idBefore("msg_a1b2c3d4e000AbCdEfGhIjKlMn"), "two commands of one turn");
  assert.equal(idBefore("msg_1"), undefined);
});

test("the last request of a session that is deleted during its call counts as cut off", async () => {
  const sessions = new LabSessions();
  const gone = { error: { name: "NotFoundError", data: { message: "Session not found: ses_2" } } };
  const client = /** @type {any} */ ({
    session: {
      create: async () => ({ data: { id: "ses_2" } }),
      prompt: async () => {
        await sessions.get("ses_2")?.onRequest?.();
        return gone;
      },
      messages: async () => gone,
    },
  });
  const parts = { client, parent: "", directory: "/p", sessions, terminal: undefined, brand: "Design Lab" };
  const host = new OpenCode1(parts);
  host.guard = /** @type {any} */ ({ agent: () => "design-lab-designer" });
  await host.openSession({ role: "designer", title: "design x" });
  const ask = {
    session: "ses_2",
    role: "designer",
    text: "Design it",
    model: "lab/one",
    deadline_ms: 60_000,
  };
  const outcome = await host.ask(/** @type {any} */ ({ ...ask, idle_ms: 60_000, host_retries: 0 }));
  assert.ok("failure" in outcome);
  assert.deepEqual([outcome.failure.cut_off, outcome.failure.requests], [1, 1]);
});

test("a session that nobody needs is deleted, and a failure to do so is no matter", async () => {
  /** @type {any[]} */
  const deleted = [];
  const remove = async (/** @type {any} */ request) => {
    deleted.push(request);
    if (deleted.length > 1) throw new Error("gone");
  };
  const client = /** @type {any} */ ({ session: { delete: remove } });
  const sessions = new LabSessions();
  const parts = { client, parent: "", directory: "/p", sessions, terminal: undefined, brand: "Design Lab" };
  const host = new OpenCode1(parts);
  for (const id of ["ses_2", "ses_3"]) await host.discard(id);
  assert.deepEqual(deleted, [{ path: { id: "ses_2" } }, { path: { id: "ses_3" } }]);
});

/**
 * Prompts a session of an earlier process.
 * @param {object} found what OpenCode reports about the session
 * @param {boolean} isLoaded whether OpenCode loads this plugin where the session works
 */
async function continued(found, isLoaded) {
  /** @type {any[]} */
  const prompted = [];
  const sessions = new LabSessions();
  const client = /** @type {any} */ ({
    session: {
      get: async () => found,
      prompt: async (/** @type {any} */ request) => {
        prompted.push(request.query);
        return { error: { name: "APIError", data: { message: "no" } } };
      },
      messages: async () => ({ data: [] }),
    },
    config: {
      providers: async (/** @type {any} */ { query }) => {
        if (isLoaded) sessions.attend(query.directory);
        return { data: { providers: [{ id: "lab", models: { one: {} } }] } };
      },
    },
  });
  const parts = { client, parent: "", directory: "/p", sessions, terminal: undefined, brand: "Flow" };
  const host = new OpenCode1(parts);
  host.guard = /** @type {any} */ ({ agent: () => "flow-worker" });
  const ask = { session: "ses_2", role: "worker", text: "Build it", model: "lab/one", deadline_ms: 60_000 };
  const outcome = await host.ask(/** @type {any} */ ({ ...ask, idle_ms: 60_000, host_retries: 0 }));
  assert.ok("failure" in outcome);
  return { name: outcome.failure.name, prompted, isLane: sessions.isLane("/lane") };
}

test("a session is prompted only where it works, and only if its rules apply there", async () => {
  const [inProject, inLane] = [{ data: { directory: "/p" } }, { data: { directory: "/lane" } }];
  assert.deepEqual(await continued(inProject, false), {
    ...{ name: "APIError", isLane: false },
    prompted: [{ directory: "/p" }],
  });
  assert.deepEqual(await continued(inLane, true), {
    ...{ name: "APIError", isLane: true },
    prompted: [{ directory: "/lane" }],
  });
  assert.deepEqual(await continued(inLane, false), { name: "Unguarded", prompted: [], isLane: true });
  const gone = { error: { name: "NotFoundError", data: { message: "Session not found" } } };
  assert.deepEqual(await continued(gone, true), { name: "NotFoundError", prompted: [], isLane: false });
});
