// What a reviewer says counts only as far as it can be seen: its findings, its approval, and its answer to each criterion.

import assert from "node:assert/strict";
import { test } from "node:test";
import { long } from "../long.mjs";
import { callTool, reply } from "../provider/script.mjs";
import { APPROVED, builtAlone, DONE, setup, source, TEST } from "./flow.mjs";
import { flat } from "./harness.mjs";

const SUM = callTool("write", { filePath: "src/sum.js", content: source("+") });
const WORK = [SUM, callTool("write", { filePath: "test/sum.test.js", content: TEST }), DONE];
const SEEN = reply({ outcome: "blocked", summary: "It was seen." });
const APPROVAL = JSON.parse(APPROVED.text ?? "");

/** @param {object} [more] */
const finding = (more) => ({
  severity: "blocking",
  file: "src/sum.js",
  line: 1,
  text: "It is wrong for negative numbers.",
  ...more,
});

/**
 * The prompts of the reviewer, one for each time that it was asked.
 * @param {import("./harness.mjs").Lab} lab
 */
const asked = ({ provider }) =>
  provider
    .requestsOf("reviewer")
    .map(({ messages }) => messages.at(-1))
    .filter((message) => message?.role === "user")
    .map((message) => flat(JSON.stringify(message)));

test("a finding is dropped whose own test runs and passes, and only the reviewer's approval completes the feature", {
  skip: long("Decided in `src/flow/tests/copies.rs`."),
}, async () => {
  const text = TEST.replace("sum(2, 3), 5", "sum(-2, -3), -5");
  const invented = finding({ reproducer: { path: "test/negative.test.js", text, check: "all" } });
  const refuses = reply({ ...APPROVAL, decision: "needs_fix", findings: [invented] });
  const scene = setup({ worker: WORK, reviewer: [refuses, APPROVED] });
  await builtAlone(scene, async ({ shown, state, ...lab }) => {
    assert.equal(state.status, "completed", shown);
    assert.equal(state.execution.features[0].rounds, 1, "the worker isn't asked to fix what isn't there");
    assert.match(asked(lab).join("\n"), /Their reproducers ran and passed, so the problems don't occur/);
    assert.equal(await lab.project.exists("test/negative.test.js"), false);
  });
});

test("an approval beside an open blocking finding approves nothing", {
  skip: long("Decided in `src/flow/tests/gates.rs`."),
}, async () => {
  const both = reply({ ...APPROVAL, findings: [finding()] });
  const scene = setup({ worker: [...WORK, SEEN], reviewer: [both] });
  await builtAlone(scene, async ({ shown, state, provider }) => {
    assert.equal(state.status, "blocked", shown);
    assert.match(
      JSON.stringify(provider.requestsOf("worker").at(-1)?.messages.at(-1)),
      /It is wrong for negative numbers/,
    );
  });
});

test("a reviewer that leaves out a criterion is asked again", {
  skip: long("Decided in `src/flow/tests/replies.rs`."),
}, async () => {
  const silent = reply({ ...APPROVAL, criteria: [] });
  const scene = setup({ worker: WORK, reviewer: [silent, APPROVED] });
  await builtAlone(scene, async ({ shown, state, ...lab }) => {
    assert.equal(state.status, "completed", shown);
    assert.ok(asked(lab).length >= 2, "asked again");
  });
});

test("a check that writes into the project shows nothing, whatever it says", {
  skip: long("Decided in `src/flow/tests/gates.rs`."),
}, async () => {
  const writes = TEST.replace(
    'test("adds", () =>',
    'import { writeFileSync } from "node:fs";\ntest("adds", () => (writeFileSync("src/made.js", String(Math.random())), true) &&',
  );
  const worker = [SUM, callTool("write", { filePath: "test/sum.test.js", content: writes }), DONE, SEEN];
  await builtAlone(setup({ worker, reviewer: [APPROVED] }), async ({ shown, state, provider }) => {
    assert.equal(state.status, "blocked", shown);
    assert.match(JSON.stringify(provider.requestsOf("worker").at(-1)?.messages.at(-1)), /src\/made\.js/);
    assert.deepEqual(provider.requestsOf("reviewer"), [], "nobody is paid to review it");
  });
});
