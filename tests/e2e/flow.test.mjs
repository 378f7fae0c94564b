// Flow in the real OpenCode, with scripted models: their claims have no effect, only observed results do.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { long } from "../long.mjs";
import { callTool, reply } from "../provider/script.mjs";
import { events, pageIn, until } from "./artefacts.mjs";
import { APPROVED, approve, chat, DONE, GOAL, PLAN, planOf, setup, source, TEST } from "./flow.mjs";
import { withOpencode } from "./harness.mjs";
import { startedWith } from "./leftovers.mjs";

/** The cost that a subscription reports. */
const FREE = { input: 0, output: 0 };

/** Returns the processes that the checks of a test have started and that are still alive. @param {{home: string}} lab */
const checks = (lab) => startedWith(lab, "OPENCODE_FLOW");

test("a feature is completed when its checks were seen to pass and a reviewer approved these files", async () => {
  const worker = [
    callTool("write", { filePath: "src/sum.js", content: source("-") }),
    callTool("write", { filePath: "test/sum.test.js", content: TEST }),
    DONE,
    callTool("edit", { filePath: "src/sum.js", oldString: "a - b", newString: "a + b" }),
    DONE,
  ];
  const scene = {
    ...setup({ worker, reviewer: [APPROVED] }),
    snapshots: true,
    away: ["lab"],
    models: { worker: { cost: FREE }, reviewer: { cost: FREE } },
    designLab: { prices: { "lab/worker": FREE }, flow: { budget: { max_cost_usd: 5 } } },
  };
  await withOpencode(scene, async (lab) => {
    const { provider, project } = lab;
    const talk = await chat(lab);
    const drafted = await talk.type("flow-plan", GOAL);
    const hash = /\/flow-plan approve ([0-9a-f]+)/.exec(drafted)?.[1] ?? assert.fail(drafted);
    assert.match(
      drafted,
      /node --test test\/sum\.test\.js/,
      "what will be run is shown before it is approved",
    );
    assert.match(drafted, /flow\.budget\.max_cost_usd doesn't limit lab\/reviewer:/);

    const refused = await talk.type("flow-run");
    assert.match(refused, /approve/, "nothing is built that nobody approved");
    const wrong = await talk.type(
      "flow-plan",
      `approve ${hash.replace(/^./, (first) => (first === "0" ? "1" : "0"))}`,
    );
    assert.match(wrong, /has this hash[\s\S]*\/flow-status/);
    assert.equal((await project.json(`${await talk.directory()}/session.json`)).status, "draft");
    assert.equal(provider.requestsOf("worker").length, 0);

    await talk.type("flow-plan", `approve ${hash}`);
    const directory = await talk.directory();
    assert.equal((await project.json(`${directory}/session.json`)).status, "approved");
    const ended = await talk.type("flow-run");
    assert.match(ended, /completed/);
    assert.match(readFileSync(pageIn(ended), "utf8"), /<title>/);
    assert.equal(await project.read("src/sum.js"), source("+"));

    const state = await project.json(`${directory}/session.json`);
    assert.equal(state.status, "completed");
    const journal = await events(project, directory);
    const finished = journal.filter(({ event }) => event === "check_finished");
    const failed = { how: "exited", code: 1 };
    assert.deepEqual(finished[0]?.ran.end, failed, "the first round failed, as was seen");
    assert.deepEqual(finished.at(-1)?.ran.end, { how: "exited", code: 0 });
    const apart = journal.filter(({ event }) => event === "ran_apart");
    assert.deepEqual(
      apart.map(({ runs }) => runs.map((/** @type {any} */ ran) => ran.end.code)),
      [[1], [0, 0], [1, 0]],
      "without the feature the check fails; in a clean copy all of them pass; before the feature its test is missing",
    );
    assert.equal(await project.exists(`${directory}/review`), false);
    const logs = (await project.files(`${directory}/evidence`)).map(
      (name) => `${directory}/evidence/${name}`,
    );
    const mutated = journal.filter(({ event }) => event === "mutated");
    const faults = mutated.flatMap(({ tried }) => tried);
    const controls = mutated.flatMap(({ broken, after }) => [...broken, ...after]);
    assert.deepEqual(
      controls.map(({ end }) => end.code),
      [1, 0],
      "the check reads the changed file, and the copy is as it was",
    );
    assert.deepEqual(
      faults.map(({ change, runs }) => [change, runs[0].end.code]),
      [["`export const sum = (a, b) => a + b;` becomes `export const sum = (a, b) => a - b;`", 1]],
    );
    const inCopies = [...[...apart, ...faults].flatMap(({ runs }) => runs), ...controls];
    const ran = [...finished.map(({ ran }) => ran), ...inCopies];
    assert.equal(logs.length, ran.length);
    const digests = logs.map((log) =>
      createHash("sha256")
        .update(readFileSync(project.path(log)))
        .digest("hex"),
    );
    assert.deepEqual(new Set(ran.map(({ output }) => output.sha256)), new Set(digests));
    assert.match(await project.read(logs[0] ?? ""), /not ok/);

    assert.deepEqual(provider.requestsOf("planner")[0]?.tools, ["glob", "grep", "read"]);
    assert.deepEqual(provider.requestsOf("reviewer")[0]?.tools, ["glob", "grep", "read"]);
    assert.deepEqual(provider.requestsOf("host"), [], "no model turn for any command");
    const asked = provider.requests.length;
    assert.match(await talk.type("flow-status"), /completed/);
    assert.equal(provider.requests.length, asked);
    assert.deepEqual(provider.unscripted, []);
    assert.deepEqual(checks(lab), []);
    await talk.stop();
  });
});

test("a worker that only claims ends blocked", async () => {
  const worker = () => DONE;
  await withOpencode(setup({ worker, reviewer: () => APPROVED }), async (lab) => {
    const { provider, project } = lab;
    const talk = await chat(lab);
    await approve(talk);
    const directory = await talk.directory();
    await talk.stop();
    const ended = await lab.command("flow-run");
    assert.equal(ended.code, 1, "who runs it in a script sees that it isn't done");
    assert.match(ended.stdout, /blocked/);
    assert.equal((await project.json(`${directory}/session.json`)).status, "blocked");
    assert.ok(provider.requestsOf("worker").length > 1, "it learned what was seen");
    assert.deepEqual(provider.requestsOf("reviewer"), [], "there was nothing to review");
  });
});

test("a worker can't write Flow's word for it", async () => {
  const denied = /** @type {string[]} */ ([]);
  const attempts = [
    callTool("write", { filePath: ".flow/active", content: "another" }),
    callTool("bash", { command: "echo completed > .flow/active", description: "x" }),
    callTool("bash", { command: "opencode run --command flow-plan 'approve 1234'", description: "x" }),
    DONE,
  ];
  const worker = (/** @type {import("../provider/script.mjs").ModelRequest} */ request) => {
    const results = request.messages.filter(({ role }) => role === "tool").map(({ content }) => content);
    if (results.length === 3 && denied.length === 0) denied.push(...results);
    return attempts[results.length] ?? DONE;
  };
  await withOpencode(setup({ worker }), async (lab) => {
    const talk = await chat(lab);
    await approve(talk);
    const directory = await talk.directory();
    await talk.type("flow-run");
    assert.equal(await talk.directory(), directory);
    assert.match(denied[0] ?? "", /belongs to Flow/);
    assert.match(denied[1] ?? "", /can't run commands that start opencode/);
    assert.match(denied[2] ?? "", /can't run commands that start opencode/);
    await talk.stop();
  });
});

test("killed in the middle of a check, nothing of the check is left, and nothing is asked twice", async () => {
  // The only way in which copies of the project can communicate.
  const signs = mkdtempSync(path.join(tmpdir(), "flow-signs-"));
  after(() => rmSync(signs, { recursive: true, force: true }));
  const [started, go] = ["started", "go"].map((name) => path.join(signs, name));
  const check = `
    import { existsSync, writeFileSync } from "node:fs";
    import "./src/sum.js";
    writeFileSync(${JSON.stringify(started)}, "");
    console.log("waiting");
    const look = setInterval(() => existsSync(${JSON.stringify(go)}) && clearInterval(look), 20);
    process.on("SIGTERM", () => {});
  `;
  const plan = planOf([
    { id: "slow", command: ["node", "check.js"], scope: "targeted" },
    { id: "all", command: ["node", "check.js"], scope: "broad" },
  ]);
  const worker = [callTool("write", { filePath: "src/sum.js", content: source("+") }), DONE];
  const scene = setup({ planner: [reply(plan)], worker, reviewer: [APPROVED] });
  // This check notices no fault.
  const untried = { ".opencode/design-lab.jsonc": JSON.stringify({ flow: { mutation: 0 } }) };
  await withOpencode({ ...scene, files: { ...scene.files, ...untried, "check.js": check } }, async (lab) => {
    const { provider, project } = lab;
    const first = await chat(lab);
    await approve(first);
    const running = first.type("flow-run").catch(() => {});
    await until(async () => existsSync(started ?? ""));
    assert.notEqual(checks(lab).length, 0);
    await first.stop();
    await running;
    await until(async () => checks(lab).length === 0);

    writeFileSync(go ?? "", "");
    const second = await chat(lab);
    assert.match(await second.type("flow-status"), /flow-resume/);
    assert.match(await second.type("flow-resume"), /completed/);
    assert.equal((await project.json(`${await second.directory()}/session.json`)).status, "completed");
    assert.deepEqual(
      ["planner", "worker", "reviewer"].map((model) => provider.requestsOf(model).length),
      [1, 2, 2],
    );
    assert.deepEqual(provider.unscripted, []);
    assert.deepEqual(checks(lab), []);
    await second.stop();
  });
});

test("an approval is taken only by the process that has shown the plan", async () => {
  await withOpencode(setup({ worker: [] }), async (lab) => {
    const first = await chat(lab);
    const shown = await first.type("flow-plan", GOAL);
    const hash = /\/flow-plan approve ([0-9a-f]+)/.exec(shown)?.[1] ?? assert.fail(shown);
    await first.stop();
    const second = await chat(lab);
    const state = async () => (await lab.project.json(`${await second.directory()}/session.json`)).status;
    assert.match(await second.type("flow-plan", `approve ${hash}`), /flow-status/);
    assert.equal(await state(), "draft");
    assert.match(await second.type("flow-status"), new RegExp(`approve ${hash}`));
    await second.type("flow-plan", `approve ${hash}`);
    assert.equal(await state(), "approved");
    await second.stop();
  });
});

test("a goal is built to its end without asking, past a test that shows nothing and a plan that doesn't fit", {
  skip: long(
    "Decided in `src/flow/tests/settings.rs`. `flow-from.test.mjs` builds to the end without asking.",
  ),
}, async () => {
  const idle = TEST.replace("sum(2, 3), 5", "1, 1").replace(/^import \{ sum.*$/m, "");
  const worker = [
    reply({ outcome: "replan_required", summary: "The test belongs beside the source." }),
    callTool("write", { filePath: "src/sum.js", content: source("+") }),
    callTool("write", { filePath: "test/sum.test.js", content: idle }),
    DONE,
    callTool("write", { filePath: "test/sum.test.js", content: TEST }),
    DONE,
  ];
  const scene = setup({ planner: [reply(PLAN), reply(PLAN)], worker, reviewer: [APPROVED] });
  await withOpencode(scene, async ({ run, project, provider }) => {
    const { code, stdout, stderr } = await run(["run", "--command", "flow-auto", GOAL]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /completed/);
    const directory = `.flow/sessions/${(await project.read(".flow/active")).trim()}`;
    const state = await project.json(`${directory}/session.json`);
    assert.deepEqual([state.status, state.approval.by], ["completed", "autonomous"]);
    const asked = provider.requestsOf("worker").map(({ messages }) => JSON.stringify(messages.at(-1)));
    assert.ok(asked.some((text) => text.includes("also pass without your feature")));
    assert.match(JSON.stringify(provider.requestsOf("planner")[1]?.messages), /belongs beside the source/);
    assert.deepEqual(provider.unscripted, []);
  });
});
