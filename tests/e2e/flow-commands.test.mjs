// Flow's smaller commands in the real OpenCode: none of them calls a model.

import assert from "node:assert/strict";
import { test } from "node:test";
import { long } from "../long.mjs";
import { callTool, reply } from "../provider/script.mjs";
import { APPROVED, approve, chat, DONE, GOAL, PLAN, setup, source, TEST } from "./flow.mjs";
import { flat, withOpencode } from "./harness.mjs";

const WRITES = [
  callTool("write", { filePath: "src/sum.js", content: source("+") }),
  callTool("write", { filePath: "test/sum.test.js", content: TEST }),
];

test("a feature is taken back, a draft is narrowed, sessions are switched, and one is archived", {
  skip: long(
    "Decided in `src/flow/tests/reset.rs` and `src/flow/tests/select.rs`. `commands.test.mjs` types the commands.",
  ),
}, async () => {
  const [sum] = PLAN.features;
  const two = { features: [sum, { ...sum, id: "product", depends_on: ["sum"] }] };
  const scene = setup({
    planner: [reply(PLAN), reply(two)],
    worker: [...WRITES, DONE, DONE],
    reviewer: [APPROVED, APPROVED],
  });
  await withOpencode(scene, async (lab) => {
    const { provider, project } = lab;
    const talk = await chat(lab);
    await approve(talk);
    const first = await talk.directory();
    const name = first.slice(".flow/sessions/".length);
    const session = (directory = first) => project.json(`${directory}/session.json`);
    await talk.type("flow-run");
    assert.equal((await session()).status, "completed");

    let asked = provider.requests.length;
    assert.match(await talk.type("flow-history"), /The feature sum is complete/);
    assert.match(await talk.type("flow-cancel"), /^Nothing is running, so nothing was stopped\.\n\nFlow · /);
    assert.match(await talk.type("flow-reset", "feature sums"), /reset feature sum/);
    assert.match(await talk.type("flow-reset", "feature sum"), /approved[\s\S]*pending/);
    assert.equal((await session()).status, "approved");
    assert.equal((await project.json(`${first}/features/sum.json`)).evidence[0].void, true);
    assert.equal(await project.read("src/sum.js"), source("+"), "files are the user's");
    assert.equal(provider.requests.length, asked);
    assert.match(await talk.type("flow-run"), /completed/, "existing work is checked and reviewed again");
    assert.deepEqual(
      ["worker", "reviewer"].map((model) => provider.requestsOf(model).length),
      [4, 4],
    );

    const draft = await talk.type("flow-plan", "Multiply, too");
    const second = await talk.directory();
    assert.notEqual(second, first);
    asked = provider.requests.length;
    const narrowed = await talk.type("flow-plan", "select sum");
    const hash = (/** @type {string} */ shown) => /approve ([0-9a-f]+)/.exec(shown)?.[1];
    assert.notEqual(hash(narrowed), hash(draft));
    await talk.type("flow-plan", `approve ${hash(narrowed)}`);
    assert.equal((await session(second)).status, "approved");
    assert.equal((await session(second)).plan.features.length, 1);

    const listed = await talk.type("flow-session");
    assert.match(listed, /^Flow · 2 sessions\n\n {2}\S+ +approved, active +0 of 1 feature /);
    assert.match(listed, /\n {4}Multiply, too\n {2}\S+ +completed +\d of \d features? /);
    assert.equal(await talk.type("flow-session", "--all"), listed);
    const unknown = await talk.type("flow-session", "nowhere");
    assert.match(unknown, /session\.unknown/);
    for (const stored of [first, second]) assert.ok(unknown.includes(stored.slice(".flow/sessions/".length)));
    assert.match(await talk.type("flow-session", name), /completed/);
    assert.equal(await talk.directory(), first);
    assert.match(await talk.type("flow-history", "multiply"), /You narrowed the plan/);

    assert.match(await talk.type("flow-reset", "session"), /archived/);
    assert.equal((await session()).status, "archived");
    assert.equal(await project.exists(".flow/active"), false);
    assert.equal(await project.read("src/sum.js"), source("+"));
    assert.match(await talk.type("flow-status"), /session\.none/);
    assert.match(await talk.type("flow-session", name), /session\.archived/);
    assert.match(await talk.type("flow-session", "multiply"), /approved/);
    assert.equal(provider.requests.length, asked, "no model turn for any of these");
    assert.deepEqual(provider.unscripted, []);
    await talk.stop();
  });
});

test("what another process is running can be stopped and continued; no session is switched meanwhile", {
  skip: long(
    "`plugin-js/kernel/lock.test.js` and `plugin-js/kernel/stop.test.js` use real processes. `src/flow/stored.rs` decides about the active session.",
  ),
}, async () => {
  // The stopped call is made again, so the answer depends on what was done before.
  const worker = (/** @type {import("../provider/script.mjs").ModelRequest} */ { messages }) =>
    WRITES[messages.filter(({ role }) => role === "tool").length] ?? DONE;
  const scene = setup({ worker, reviewer: [APPROVED] });
  await withOpencode(scene, async (lab) => {
    const { provider, project } = lab;
    const talk = await chat(lab);
    await approve(talk);
    const directory = await talk.directory();
    provider.hold("worker");
    const running = talk.type("flow-run");
    await provider.waitFor(1, { model: "worker" });
    const switched = await lab.command("flow-session", directory.slice(".flow/sessions/".length));
    assert.equal(switched.code, 1);
    assert.match(switched.stdout, /run\.locked/);
    const stopped = await lab.command("flow-cancel");
    assert.equal(stopped.code, 0, stopped.stderr);
    assert.match(stopped.stdout, /The session stopped[\s\S]*\/flow-resume/);
    assert.match(await running, /flow-resume/);
    const state = await project.json(`${directory}/session.json`);
    assert.equal(state.recovery.error_code, "session.cancelled");
    assert.equal(state.execution.features[0].state, "running");

    provider.release("worker");
    assert.match(await talk.type("flow-resume"), /completed/);
    assert.equal((await project.json(`${directory}/session.json`)).status, "completed");
    await talk.stop();
  });
});

test("a worker's request for permission reaches the user; without one it is refused, reported, and the session can continue", async () => {
  const asks = callTool("bash", { command: "echo hi", description: "Say hi" });
  const scene = setup({ worker: [asks, asks, ...WRITES, DONE], reviewer: [APPROVED] });
  scene.config = { ...scene.config, permission: { bash: { "*": "allow", "echo *": "ask" } } };
  await withOpencode(scene, async (lab) => {
    const { provider, project } = lab;
    const { code, stdout } = await lab.run(["run", "--command", "flow-auto", GOAL]);
    assert.equal(code, 1);
    assert.match(stdout, /waiting for you/);
    assert.match(
      flat(stdout),
      /the model asked for permission, and nobody was there to give it: bash: echo hi/,
    );
    const talk = await chat(lab);
    const directory = await talk.directory();
    const { status, recovery } = await project.json(`${directory}/session.json`);
    assert.deepEqual([status, recovery.error_code], ["awaiting_user", "run.awaiting-user"]);

    const heard = await talk.client.event.subscribe();
    const running = talk.type("flow-run", recovery.next_command.slice("/flow-run ".length));
    for await (const event of heard.stream) {
      if (/** @type {string} */ (event.type) !== "permission.asked") continue;
      const { id, sessionID } = /** @type {any} */ (event.properties);
      const body = { response: /** @type {const} */ ("once") };
      await talk.client.postSessionIdPermissionsPermissionId({
        path: { id: sessionID, permissionID: id },
        body,
      });
      break;
    }
    assert.match(await running, /completed/);
    assert.deepEqual(provider.unscripted, []);
    await talk.stop();
  });
});
