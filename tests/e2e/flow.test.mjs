// Flow in the real OpenCode, with scripted models: what they claim moves nothing, what was seen does.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { callTool, reply } from "../provider/script.mjs";
import { events, until } from "./artefacts.mjs";
import { withOpencode } from "./harness.mjs";

/** @typedef {import("./harness.mjs").Lab} Lab */
/** @typedef {import("../provider/script.mjs").Script} Script */

const GOAL = "Add a function that adds two numbers";

/** A plan of one feature. @param {{id: string, command: string[], scope: string, timeout_ms?: number}[]} verification */
const planOf = (verification) => ({
  features: [
    {
      id: "sum",
      title: "A sum",
      summary: "`sum(a, b)` in src/sum.js adds two numbers.",
      files: ["src/sum.js", "test/sum.test.js"],
      depends_on: [],
      verification: verification.map((check) => ({ timeout_ms: 60_000, ...check })),
      acceptance: [{ id: "adds", text: "sum(2, 3) is 5", verified_by: verification[0]?.id }],
    },
  ],
});

const PLAN = planOf([
  { id: "unit", command: ["node", "--test", "test/sum.test.js"], scope: "targeted" },
  { id: "all", command: ["node", "--test"], scope: "broad" },
]);

const TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { sum } from "../src/sum.js";

test("adds", () => assert.equal(sum(2, 3), 5));
`;

const DONE = reply({ outcome: "done", summary: "It adds, and its test passes." });
const APPROVED = reply({
  decision: "approved",
  criteria: [{ id: "adds", met: true, where: "src/sum.js:1" }],
  findings: [],
});

/** @param {string} operator */
const source = (operator) => `export const sum = (a, b) => a ${operator} b;\n`;

/**
 * @param {{planner?: Script, worker: Script, reviewer?: Script}} models
 * @returns {import("./harness.mjs").Setup}
 */
const setup = ({ planner = [reply(PLAN)], worker, reviewer = [] }) => ({
  scenario: { models: { planner, worker, reviewer } },
  config: {
    agent: {
      "flow-planner": { model: "lab/planner" },
      "flow-worker": { model: "lab/worker" },
      "flow-reviewer": { model: "lab/reviewer" },
    },
  },
  files: { "package.json": '{ "type": "module" }\n' },
});

/** A chat in a server of its own. @param {Pick<Lab, "serve" | "project">} lab */
async function chat({ serve, project }) {
  const server = await serve();
  const id = (await server.client.session.create({ body: {} })).data?.id ?? "";
  const blocks = async () => {
    const { data } = await server.client.session.messages({ path: { id } });
    return (data ?? [])
      .flatMap(({ parts }) => parts.map((part) => (part.type === "text" ? part.text : "")))
      .filter((text) => text !== "");
  };
  /** What the user types; gives what is shown then. @param {string} command */
  const type = async (command, args = "") => {
    const { error } = await server.client.session.command({
      path: { id },
      body: { command, arguments: args },
    });
    assert.equal(error, undefined, JSON.stringify(error));
    return (await blocks()).at(-1) ?? "";
  };
  /** The directory of the active session, from the project on. */
  const directory = async () => `.flow/sessions/${(await project.read(".flow/active")).trim()}`;
  return { ...server, id, type, blocks, directory };
}

/** Drafts the plan and approves it. @param {Awaited<ReturnType<typeof chat>>} chat */
async function approve({ type }) {
  const shown = await type("flow-plan", GOAL);
  const hash = /\/flow-plan approve ([0-9a-f]+)/.exec(shown)?.[1] ?? assert.fail(shown);
  await type("flow-plan", `approve ${hash}`);
  return hash;
}

/** The processes that checks have started and that are still there. */
function checks() {
  return readdirSync("/proc").filter((name) => {
    try {
      return (
        /^\d+$/.test(name) && readFileSync(`/proc/${name}/environ`, "latin1").includes("OPENCODE_FLOW_CHECK=")
      );
    } catch {
      return false;
    }
  });
}

test("a feature is completed when its checks were seen to pass and a reviewer approved these files", async () => {
  const worker = [
    callTool("write", { filePath: "src/sum.js", content: source("-") }),
    callTool("write", { filePath: "test/sum.test.js", content: TEST }),
    DONE,
    callTool("edit", { filePath: "src/sum.js", oldString: "a - b", newString: "a + b" }),
    DONE,
  ];
  await withOpencode(setup({ worker, reviewer: [APPROVED] }), async (lab) => {
    const { provider, project } = lab;
    const talk = await chat(lab);
    const drafted = await talk.type("flow-plan", GOAL);
    const hash = /\/flow-plan approve ([0-9a-f]+)/.exec(drafted)?.[1] ?? assert.fail(drafted);
    assert.match(
      drafted,
      /node --test test\/sum\.test\.js/,
      "what will be run is shown before it is approved",
    );

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
    assert.equal(await project.read("src/sum.js"), source("+"));

    const state = await project.json(`${directory}/session.json`);
    assert.equal(state.status, "completed");
    const journal = await events(project, directory);
    const finished = journal.filter(({ event }) => event === "check_finished");
    assert.deepEqual(finished[0]?.end, { how: "exited", code: 1 }, "the first round failed, as was seen");
    assert.deepEqual(finished.at(-1)?.end, { how: "exited", code: 0 });
    const logs = (await project.files(`${directory}/evidence`)).map(
      (name) => `${directory}/evidence/${name}`,
    );
    assert.equal(logs.length, finished.length);
    const digests = logs.map((log) =>
      createHash("sha256")
        .update(readFileSync(project.path(log)))
        .digest("hex"),
    );
    assert.deepEqual(new Set(finished.map(({ output }) => output.sha256)), new Set(digests));
    assert.match(await project.read(logs[0] ?? ""), /not ok/);

    assert.deepEqual(provider.requestsOf("planner")[0]?.tools, ["glob", "grep", "read"]);
    assert.deepEqual(provider.requestsOf("reviewer")[0]?.tools, ["glob", "grep", "read"]);
    assert.deepEqual(provider.requestsOf("host"), [], "no model turn for any command");
    const asked = provider.requests.length;
    assert.match(await talk.type("flow-status"), /completed/);
    assert.equal(provider.requests.length, asked);
    assert.deepEqual(provider.unscripted, []);
    assert.deepEqual(checks(), []);
    await talk.stop("SIGKILL");
  });
});

test("a worker that only claims ends blocked", async () => {
  const worker = () => DONE;
  await withOpencode(setup({ worker, reviewer: () => APPROVED }), async (lab) => {
    const { provider, project } = lab;
    const talk = await chat(lab);
    await approve(talk);
    const ended = await talk.type("flow-run");
    assert.match(ended, /blocked/);
    const directory = await talk.directory();
    assert.equal((await project.json(`${directory}/session.json`)).status, "blocked");
    assert.ok(provider.requestsOf("worker").length > 1, "it was told what was seen");
    assert.deepEqual(provider.requestsOf("reviewer"), [], "there was nothing to review");
    await talk.stop("SIGKILL");
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
    assert.match(denied[1] ?? "", /not for this session/);
    assert.match(denied[2] ?? "", /not for this session/);
    await talk.stop("SIGKILL");
  });
});

test("killed in the middle of a check, nothing of the check is left, and nothing is asked twice", async () => {
  const check = `
    import { existsSync, writeFileSync } from "node:fs";
    writeFileSync("../started", "");
    console.log("waiting");
    const look = setInterval(() => existsSync("../go") && clearInterval(look), 20);
    process.on("SIGTERM", () => {});
  `;
  const plan = planOf([
    { id: "slow", command: ["node", "check.js"], scope: "targeted" },
    { id: "all", command: ["node", "check.js"], scope: "broad" },
  ]);
  const worker = [callTool("write", { filePath: "src/sum.js", content: source("+") }), DONE];
  const scene = setup({ planner: [reply(plan)], worker, reviewer: [APPROVED] });
  await withOpencode({ ...scene, files: { ...scene.files, "check.js": check } }, async (lab) => {
    const { provider, project } = lab;
    const first = await chat(lab);
    await approve(first);
    const running = first.type("flow-run").catch(() => {});
    await until(async () => existsSync(project.path("../started")));
    assert.notEqual(checks().length, 0);
    await first.stop("SIGKILL");
    await running;
    await until(async () => checks().length === 0);

    writeFileSync(project.path("../go"), "");
    const second = await chat(lab);
    assert.match(await second.type("flow-status"), /flow-resume/);
    assert.match(await second.type("flow-resume"), /completed/);
    assert.equal((await project.json(`${await second.directory()}/session.json`)).status, "completed");
    assert.deepEqual(
      ["planner", "worker", "reviewer"].map((model) => provider.requestsOf(model).length),
      [1, 2, 1],
    );
    assert.deepEqual(provider.unscripted, []);
    assert.deepEqual(checks(), []);
    await second.stop("SIGKILL");
  });
});

test("an approval is taken only by the process that has shown the plan", async () => {
  await withOpencode(setup({ worker: [] }), async (lab) => {
    const first = await chat(lab);
    const shown = await first.type("flow-plan", GOAL);
    const hash = /\/flow-plan approve ([0-9a-f]+)/.exec(shown)?.[1] ?? assert.fail(shown);
    await first.stop("SIGKILL");
    const second = await chat(lab);
    const state = async () => (await lab.project.json(`${await second.directory()}/session.json`)).status;
    assert.match(await second.type("flow-plan", `approve ${hash}`), /flow-status/);
    assert.equal(await state(), "draft");
    assert.match(await second.type("flow-status"), new RegExp(`approve ${hash}`));
    await second.type("flow-plan", `approve ${hash}`);
    assert.equal(await state(), "approved");
    await second.stop("SIGKILL");
  });
});

test("an ordinary session's request says nothing of Flow", async () => {
  await withOpencode(
    { scenario: { models: { host: () => reply("Hello.") } } },
    async ({ run, provider, project }) => {
      assert.equal((await run(["run", "hello"])).code, 0);
      const said = provider.requestsOf("host").map(({ system, definitions }) => system + definitions);
      assert.ok(said.some((text) => text.includes("subagent_type")));
      for (const text of said) assert.doesNotMatch(text, /flow-|\.flow/i);
      assert.equal(await project.exists(".flow"), false);
    },
  );
});
