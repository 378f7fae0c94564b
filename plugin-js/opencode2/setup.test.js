// What OpenCode 2 is given when it loads the plugin. A fake host keeps what is registered; its shapes are those of 2.0.15.

import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import plugin from "../index.js";
import { setup } from "./setup.js";
import { shared } from "./state.js";

const directory = realpathSync(mkdtempSync(path.join(tmpdir(), "design-lab-setup-")));
after(() => rmSync(directory, { recursive: true, force: true }));

/** Returns a host, and what was registered with it. */
function fake() {
  /** @type {Record<string, (event: any) => any>} */
  const hooks = {};
  /** @type {{commands: Record<string, any>, agents: Record<string, any>, tools: Record<string, any>}} */
  const { commands, agents, tools } = { commands: {}, agents: {}, tools: {} };
  /** @type {any[]} */
  const shown = [];
  /** @type {string[]} */
  const interrupted = [];
  const hook =
    (/** @type {string} */ domain) => async (/** @type {string} */ name, /** @type {any} */ handle) => {
      hooks[`${domain}: ${name}`] = handle;
      return { dispose() {} };
    };
  const transform = (/** @type {object} */ editor) => async (/** @type {any} */ change) => change(editor);
  /** @type {Record<string, any>} */
  const sessions = { ses_user: { id: "ses_user", title: "Chat", cost: 0 } };
  const ctx = {
    app: { name: "opencode", version: "2.0.15" },
    location: { directory, project: { directory } },
    agent: {
      list: async () => ({ data: [] }),
      transform: transform({
        list: () => [],
        update: (/** @type {string} */ name, /** @type {any} */ change) => {
          agents[name] = { permissions: [] };
          change(agents[name]);
        },
      }),
    },
    command: { transform: transform({ add: (/** @type {any} */ one) => (commands[one.name] = one) }) },
    event: { async *subscribe() {} },
    integration: { list: async () => ({ data: [] }) },
    model: { list: async () => ({ data: [] }), default: async () => ({ data: null }) },
    permission: { hook: hook("permission") },
    plugin: { list: async () => ({ data: [] }) },
    provider: { list: async () => ({ data: [] }) },
    rpc: { register: async () => ({ events: { emit: async () => {} } }) },
    session: {
      hook: hook("session"),
      get: async (/** @type {any} */ { sessionID }) => sessions[sessionID],
      interrupt: async (/** @type {any} */ { sessionID }) => void interrupted.push(sessionID),
      synthetic: async (/** @type {any} */ message) => void shown.push(message),
      update: async () => {},
    },
    shell: { hook: hook("shell") },
    tool: {
      hook: hook("tool"),
      list: async () => [],
      transform: transform({ add: (/** @type {any} */ one) => (tools[one.name] = one) }),
    },
  };
  return { ctx: /** @type {any} */ (ctx), hooks, commands, agents, tools, shown, sessions, interrupted };
}

test("OpenCode 1, which may call it beside `server`, is given nothing", async () => {
  for (const context of [undefined, {}, { options: {}, agent: {}, command: {} }])
    assert.equal(await setup(/** @type {any} */ (context)), undefined);
  assert.equal(plugin.setup, setup);
});

test("all commands, all agents and one tool are registered", async () => {
  const host = fake();
  const leave = await setup(host.ctx);
  assert.equal(Object.keys(host.commands).length, 32);
  assert.equal(Object.keys(host.agents).length, 10);
  assert.deepEqual(Object.keys(host.tools), ["design_lab"]);
  assert.deepEqual(host.tools.design_lab.options, { codemode: false });
  for (const { hidden, mode } of Object.values(host.agents))
    assert.deepEqual([hidden, mode], [true, "subagent"], "OpenCode lists no agent if a field is missing");
  leave?.();
});

test("a command shows one message and calls no model unless it has a result", async () => {
  const host = fake();
  await setup(host.ctx);
  const input = { sessionID: "ses_user", prompt: { text: "" }, delivery: "steer" };
  await host.commands["flow-status"].execute(input);
  const [message] = host.shown;
  assert.equal(host.shown.length, 1);
  assert.match(message.description, /^Flow · 1 problem/);
  assert.doesNotMatch(message.text, /problem/, "the model doesn't pay for what people read");
  assert.deepEqual([message.resume, message.delivery], [false, "steer"]);
});

test("a note that arrives while the user's model is at work causes no request", async () => {
  const host = fake();
  await setup(host.ctx);
  await host.commands["flow-status"].execute({ sessionID: "ses_user", prompt: { text: "" } });
  const message = (/** @type {string} */ role, /** @type {string} */ text) => ({ role, content: [{ text }] });
  const messages = [
    message("user", "Hello"),
    message("assistant", "Hi."),
    message("user", host.shown[0].text),
  ];
  const turn = (/** @type {any[]} */ messages) =>
    Promise.race([
      host.hooks["session: context"]?.({ sessionID: "ses_user", messages }),
      new Promise((resolve) => setTimeout(resolve, 50, "ending")),
    ]);
  assert.equal(await turn(messages.slice(0, 1)), undefined);
  const { queued } = shared();
  queued.set("msg_1", "ses_user");
  assert.equal(await turn(messages), undefined, "OpenCode would not send a prompt that waits");
  queued.clear();
  assert.deepEqual(host.interrupted, []);
  assert.equal(await turn(messages), "ending", "OpenCode ends the hook with the turn");
  assert.deepEqual(host.interrupted, ["ses_user"]);
});

test("no command and no tool works in the session of a run, and no question is asked there", async () => {
  const host = fake();
  await setup(host.ctx);
  const { sessions } = shared();
  const guard = /** @type {any} */ ({ before: async () => {}, after() {} });
  sessions.set("ses_lab", { role: "designer", guard });
  const input = { sessionID: "ses_lab", prompt: { text: "x" } };
  await assert.rejects(host.commands["design-lab"].execute(input), /not available in this session/);
  const call = { sessionID: "ses_lab" };
  await assert.rejects(host.tools.design_lab.execute({ action: "status" }, call), /not available/);
  const asked = { sessionID: "ses_lab", effect: "ask", action: "shell", resources: ["echo hi"] };
  host.hooks["permission: evaluate"]?.(asked);
  assert.equal(asked.effect, "deny");
  assert.equal(sessions.get("ses_lab")?.refused, "bash: echo hi");
  const users = { sessionID: "ses_user", effect: "ask" };
  host.hooks["permission: evaluate"]?.(users);
  assert.equal(users.effect, "ask");
  sessions.release(guard);
});

test("sessions of runs that this process doesn't run get no request, no tool and no summary", async () => {
  const host = fake();
  await setup(host.ctx);
  host.sessions.ses_dead = { metadata: { "opencode-design-lab": "designer" } };
  const event = { sessionID: "ses_dead", tool: "read", id: "c1", input: { path: "x" } };
  for (const name of ["session: context", "session: generate", "session: compaction", "tool: execute.before"])
    await assert.rejects(
      async () => host.hooks[name]?.({ ...event }),
      /a run that is not running here/,
      name,
    );
});

test("a guard judges each call, and may change it", async () => {
  const host = fake();
  await setup(host.ctx);
  const { sessions } = shared();
  /** @type {any[]} */
  const judged = [];
  const guard = /** @type {any} */ ({
    before: async (/** @type {string} */ tool, /** @type {string} */ _id, /** @type {any} */ args) => {
      judged.push([tool, { ...args }]);
      if (tool === "bash") throw new Error("refused");
      args.filePath = "/copy/a.js";
    },
  });
  sessions.set("ses_lab", { role: "reviewer", guard });
  const before = host.hooks["tool: execute.before"] ?? assert.fail();
  const read = { sessionID: "ses_lab", tool: "read", id: "c1", input: { path: "a.js" } };
  await before(read);
  assert.deepEqual(read.input, { path: "/copy/a.js" });
  await assert.rejects(before({ ...read, tool: "shell", input: { command: "ls" } }), /refused/);
  assert.deepEqual(judged, [
    ["read", { filePath: "a.js" }],
    ["bash", { command: "ls" }],
  ]);
  sessions.set("ses_lab", { role: "reviewer", guard, noTools: true });
  await assert.rejects(before(read), /no tools/);
  sessions.release(guard);
});

test("a second setup of the project keeps what runs in it", async () => {
  const [first, second] = [fake(), fake()];
  await setup(first.ctx);
  const before = shared().projects.get(directory);
  await setup({ ...second.ctx, options: { concurrency: 1 } });
  assert.equal(shared().projects.get(directory), before);
  assert.deepEqual(before?.options, { concurrency: 1 });
});
