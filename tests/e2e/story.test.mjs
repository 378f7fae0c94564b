// The whole story in the real OpenCode, as the demo shows it: from a task to a design, to its implementation, to the proof in a
// browser.

import assert from "node:assert/strict";
import { test } from "node:test";
import { long } from "../long.mjs";
import { withOpencode } from "./harness.mjs";
import { commands, setup } from "./story.mjs";

test("the design that came first is built past a round that fails and one that tests too little, and validated in a browser", {
  skip: long(
    "The parts one after the other, each of which has an ordinary test: `run.test.mjs`, `flow-from.test.mjs` and `validation-again.test.mjs`.",
  ),
}, async () => {
  await withOpencode(
    { ...setup({ repeat: 1, control: ["frozen"] }), snapshots: true },
    async ({ command, project, provider }) => {
      for (const { name, text } of commands()) {
        const ended = await command(name, text, { timeoutMs: 5 * 60_000 });
        assert.equal(ended.code, 0, `${name}: ${ended.stdout}${ended.stderr}`);
      }
      const [design] = (await project.files(".design-lab")).filter((file) => file.endsWith("ranking.json"));
      const ranking = await project.json(`.design-lab/${design}`);
      const session = (await project.read(".flow/active")).trim();
      const built = await project.json(`.flow/sessions/${session}/session.json`);
      const [limiter] = built.execution.features;
      assert.deepEqual([built.status, limiter.state, limiter.rounds], ["completed", "completed", 3]);
      const { exam } = await project.json(`.flow/sessions/${session}/features/limiter.json`);
      assert.deepEqual(
        exam.tests.map((/** @type {any} */ one) => one.grade),
        ["passed"],
      );
      const { mutation } = await project.json(`.flow/sessions/${session}/features/limiter.json`);
      const decided = mutation.tried.filter((/** @type {any} */ one) => one.noticed !== null);
      const missed = decided.filter((/** @type {any} */ one) => !one.noticed);
      assert.ok(decided.length > 5 && missed.length < 2, JSON.stringify(mutation));
      assert.match(missed[0]?.change ?? "", /\/ 1000\b.*\/ 1001\b|^$/, "what is missed makes no difference");
      assert.equal(built.from.design_id, ranking.rankings[0].design_id, "what is built is what came first");

      const [proved] = (await project.files(".design-lab/validation")).filter((file) =>
        file.endsWith("FINAL-VALIDATION.json"),
      );
      const report = await project.json(`.design-lab/validation/${proved}`);
      assert.equal(report.outcome, "validated");
      assert.equal(report.versions.application.tree, limiter.tree, "what is proved is what was built");
      const [{ title, acceptance }] = built.plan.features;
      const wanted = acceptance.map((/** @type {any} */ { text }) => `${title}: ${text}`);
      assert.deepEqual(
        report.criteria.map((/** @type {any} */ { text, verdict }) => [text, verdict]),
        wanted.map((/** @type {string} */ text) => [text, "met"]),
        "what is proved is what was to be built",
      );
      assert.deepEqual(provider.unscripted, []);
    },
  );
});
