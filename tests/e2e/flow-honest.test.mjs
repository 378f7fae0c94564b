// Honest work that used to be stopped, in the real OpenCode.

import assert from "node:assert/strict";
import { test } from "node:test";
import { long } from "../long.mjs";
import { callTool, reply } from "../provider/script.mjs";
import { APPROVED, approve, chat, DONE, GOAL, planOf, setup, source, TEST } from "./flow.mjs";
import { withOpencode } from "./harness.mjs";

const write = (/** @type {string} */ filePath, /** @type {string} */ content) =>
  callTool("write", { filePath, content });

/** Returns the stored state of a project's session. @param {import("./harness.mjs").Lab["project"]} project */
const stateOf = async (project) =>
  project.json(`.flow/sessions/${(await project.read(".flow/active")).trim()}/session.json`);

test("code in a folder whose name speaks of tests is code, and is taken away where a check has to fail", {
  skip: long("Decided in `src/flow/test_files.rs` and `src/flow/tests/copies.rs`."),
}, async () => {
  for (const folder of ["spec", "test-utils", "fixtures"]) {
    const worker = [
      write(`${folder}/sum.js`, source("+")),
      write("test/sum.test.js", TEST.replace("../src/", `../${folder}/`)),
      DONE,
    ];
    const approved = reply({
      decision: "approved",
      criteria: [{ id: "adds", met: true, where: `${folder}/sum.js:1` }],
      findings: [],
    });
    await withOpencode(setup({ worker, reviewer: [approved] }), async ({ command, project }) => {
      const { stdout } = await command("flow-auto", GOAL);
      const { status, execution } = await stateOf(project);
      assert.deepEqual([status, execution.features[0].rounds], ["completed", 1], `${folder}: ${stdout}`);
    });
  }
});

test("a test that needs a file which git ignores is reported with the setting by which it passes", {
  skip: long("Decided in `src/flow/tests/copies.rs`; `plugin-js/flow/effects.test.js` makes copies ready."),
}, async () => {
  const needs = `${TEST}\nimport { readFileSync } from "node:fs";\ntest("is set", () => assert.match(readFileSync(".env", "utf8"), /PORT/));\n`;
  const worker = [write("src/sum.js", source("+")), write("test/sum.test.js", needs), DONE, DONE, DONE, DONE];
  const { files, ...rest } = setup({ worker, reviewer: [APPROVED] });
  const given = { ...files, ".gitignore": ".env\n", ".env": "PORT=1\n" };
  await withOpencode({ ...rest, files: given }, async ({ command, project }) => {
    const { stdout } = await command("flow-auto", GOAL);
    assert.equal((await stateOf(project)).status, "blocked", stdout);
    assert.match(
      stdout.replace(/\s+/g, " "),
      /name it in `flow\.worktree\.link` .* \(`flow\.worktree\.setup`\)/,
      stdout,
    );
    const settings = { flow: { worktree: { link: ["node_modules", ".env"] } } };
    await project.write(".opencode/design-lab.jsonc", JSON.stringify(settings));
    const again = await command("flow-run", "sum");
    assert.equal((await stateOf(project)).status, "completed", again.stdout);
  });
});

test("a repository inside of the project, made by a fixture, stops no feature", {
  skip: long("`plugin-js/kernel/tree.test.js` has a repository in a repository."),
}, async () => {
  const worker = [
    write("src/sum.js", source("+")),
    write("test/sum.test.js", TEST),
    callTool("bash", {
      command: "git init -q test/repository && echo hi > test/repository/a.txt",
      description: "x",
    }),
    DONE,
    DONE,
    DONE,
  ];
  await withOpencode(setup({ worker, reviewer: [APPROVED] }), async ({ command, project }) => {
    const { stdout } = await command("flow-auto", GOAL);
    assert.equal((await stateOf(project)).status, "completed", stdout);
  });
});

const TWO_TESTS = `${TEST}\ntest("adds nothing", () => assert.equal(sum(2, 0), 2));\n`;

/**
 * A project whose sum already exists, and a plan that changes no behaviour.
 * @param {import("../provider/script.mjs").Script} worker
 * @param {string} [tests] the existing test file
 * @param {string} [check] the test file that the check runs
 */
const keeping = (worker, tests = TEST, check = "test/sum.test.js") => {
  const plan = planOf([
    { id: "unit", command: ["node", "--test", check], scope: "targeted" },
    { id: "all", command: ["node", "--test"], scope: "broad" },
  ]);
  const features = plan.features.map((feature) => ({ ...feature, keeps_behaviour: true }));
  const { files, ...rest } = setup({ planner: [reply({ features })], worker, reviewer: [APPROVED] });
  return { ...rest, files: { ...files, "src/sum.js": source("+"), "test/sum.test.js": tests } };
};

test("tests alone, a renamed test and a refactoring are complete by a plan that says what they are", {
  skip: long("Decided in `src/flow/tests/kept_behaviour.rs`."),
}, async () => {
  const bash = (/** @type {string} */ command) => callTool("bash", { command, description: "x" });
  const honest = [
    { work: write("test/zero.test.js", TWO_TESTS), check: "test/zero.test.js" },
    { work: bash("mv test/sum.test.js test/adding.test.js"), check: "test/adding.test.js" },
    { work: write("src/sum.js", "export function sum(a, b) {\n  return a + b;\n}\n") },
  ];
  for (const { work, check } of honest) {
    await withOpencode(keeping([work, DONE], TEST, check), async (lab) => {
      const talk = await chat(lab);
      await approve(talk);
      const ended = await talk.type("flow-run");
      const { status, execution } = await stateOf(lab.project);
      assert.deepEqual([status, execution.features[0].rounds], ["completed", 1], ended);
      assert.match(ended.replace(/\s+/g, " "), /Without unit: also passes without the feature/);
    });
  }
});

test("a plan that claims to change no behaviour needs a person, also without asking", {
  skip: long("Decided in `src/flow/tests/kept_behaviour.rs`."),
}, async () => {
  await withOpencode(keeping([DONE]), async ({ run, provider }) => {
    const { stdout } = await run(["run", "--command", "flow-auto", GOAL]);
    assert.match(stdout, /changes no behaviour, so its checks may pass without it/);
    assert.match(stdout, /\/flow-plan approve [0-9a-f]+/);
    assert.deepEqual(provider.requestsOf("worker"), []);
  });
});

test("a refactoring that loses a test goes back to the worker", {
  skip: long("Decided in `src/flow/tests/kept_behaviour.rs`."),
}, async () => {
  const worker = [
    write("src/sum.js", "export function sum(a, b) {\n  return a + b;\n}\n"),
    write("test/sum.test.js", TEST),
    DONE,
    write("test/sum.test.js", TWO_TESTS),
    DONE,
  ];
  await withOpencode(keeping(worker, TWO_TESTS), async (lab) => {
    const talk = await chat(lab);
    await approve(talk);
    const ended = await talk.type("flow-run");
    const { status, execution } = await stateOf(lab.project);
    assert.deepEqual([status, execution.features[0].rounds], ["completed", 2], ended);
    const shown = JSON.stringify(lab.provider.requestsOf("worker").at(-1)?.messages);
    assert.match(shown, /ran 1 test instead of 2/);
    assert.equal(lab.provider.requestsOf("reviewer").length, 2, "it reads a file, then approves");
  });
});
