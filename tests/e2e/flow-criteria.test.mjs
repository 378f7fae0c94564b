// A review that asks for each criterion by itself, in the real OpenCode: one "no" stops the feature, and a killed review continues
// without asking an answered criterion again.

import assert from "node:assert/strict";
import { test } from "node:test";
import { askedCriteria } from "../provider/parts.mjs";
import { callTool, hang, reply } from "../provider/script.mjs";
import { until } from "./artefacts.mjs";
import { approve, chat, DONE, PLAN, setup, source, TEST } from "./flow.mjs";
import { withOpencode } from "./harness.mjs";

/** @typedef {import("../provider/script.mjs").ModelRequest} ModelRequest */

const IDS = ["adds", "negative", "documented"];
const acceptance = IDS.map((id) => ({
  id,
  text: `It is ${id}`,
  verified_by: id === "adds" ? "unit" : "review",
}));
const plan = { features: PLAN.features.map((feature) => ({ ...feature, acceptance })) };

/** @param {string[]} unmet */
const review = (...unmet) =>
  reply({
    decision: "approved",
    criteria: IDS.map((id) => ({ id, met: !unmet.includes(id), where: "src/sum.js:1" })),
    findings: [],
  });

/** What a request asks for: a criterion, or the findings. @param {ModelRequest} request */
const asked = ({ user }) => askedCriteria(user)?.join(", ") ?? "findings";

test("each criterion is asked by itself, one that isn't met stops the feature, and no answer is paid for twice", async () => {
  const answers = [review("negative"), review()];
  let round = -1;
  let isHanging = false;
  const reviewer = (/** @type {ModelRequest} */ request) => {
    if (asked(request) === "findings") round += 1;
    if (round === 1 && asked(request) === "negative" && !isHanging) {
      isHanging = true;
      return hang();
    }
    return answers[round] ?? assert.fail("a third review");
  };
  const worker = [
    callTool("write", { filePath: "src/sum.js", content: source("+") }),
    callTool("write", { filePath: "test/sum.test.js", content: TEST }),
    DONE,
    callTool("write", { filePath: "src/sum.js", content: `// Adds.\n${source("+")}` }),
    DONE,
  ];
  await withOpencode(setup({ planner: [reply(plan)], worker, reviewer }), async (lab) => {
    const { project, provider } = lab;
    const first = await chat(lab);
    await approve(first);
    const running = first.type("flow-run").catch(() => {});
    await until(async () => isHanging);
    await first.stop();
    await running;

    const second = await chat(lab);
    assert.match(await second.type("flow-resume"), /completed/);
    // A reviewer reads a file first in each of its sessions.
    const requests = provider
      .requestsOf("reviewer")
      .filter(({ messages }) => messages.at(-1)?.role === "user");
    assert.deepEqual(requests.map(asked), [
      ...["findings", ...IDS],
      ...["findings", "adds", "negative", "negative", "documented"],
    ]);
    assert.doesNotMatch(requests[1]?.user ?? "", /It is negative/);
    const [, fix = ""] = provider
      .requestsOf("worker")
      .filter(({ messages }) => messages.at(-1)?.role === "user")
      .map(({ user }) => user);
    assert.match(fix, /the criterion negative isn't met/);
    assert.doesNotMatch(fix, /the criterion (?:adds|documented)/);
    const { decisions } = await project.json(`${await second.directory()}/features/sum.json`);
    assert.deepEqual(
      decisions.map((/** @type {any} */ { verdict }) => verdict),
      ["needs_fix", "approved"],
    );
    assert.deepEqual(provider.unscripted, []);
    await second.stop();
  });
});
