// Models that cite what doesn't exist, in the real OpenCode: a verdict without grounds doesn't count, and is shown with the reason.

import assert from "node:assert/strict";
import { test } from "node:test";
import { long } from "../long.mjs";
import { callTool, reply } from "../provider/script.mjs";
import { APPROVED, DONE, setup as flow, chat as flowChat, GOAL, source, TEST } from "./flow.mjs";
import { flat, withOpencode } from "./harness.mjs";
import { runOf, SETTINGS } from "./validation.mjs";

const READ = callTool("read", { filePath: "src/app.js" });

/** @param {string} file @param {number} line */
const met = (file, line) =>
  reply({ criteria: [{ id: "C1", verdict: "met", file, line, note: "It is there." }] });

test("a criterion isn't met by a file that doesn't exist, nor by a model that read none", {
  skip: long(
    "Decided in `src/validation/tests/grounds.rs`, and `plugin-js/kernel/look-up.test.js` looks at the files.",
  ),
}, async () => {
  const verifier = [
    met("src/app.js", 1),
    ...[READ, met("src/gone.js", 42)],
    ...[READ, met("src/app.js", 42)],
    ...[READ, met("src/app.js", 1)],
  ];
  const scene = {
    scenario: { models: { verifier } },
    files: {
      [SETTINGS]: JSON.stringify({ models: { verifier: "lab/verifier" } }),
      "src/app.js": "export const app = 1;\n",
      "criteria.md": "- The app starts\n",
      "AGENTS.md": "Use tabs.\n",
    },
  };
  await withOpencode(scene, async (lab) => {
    const talk = await flowChat(lab);
    const verdict = async () =>
      (await lab.project.json(`${runOf(lab.project, "work")}/verify.json`)).criteria[0];
    for (const doubt of [
      /the model says met, but it read no file/,
      /the model says met but cites src\/gone\.js:42, which doesn't exist/,
      /the model says met but cites src\/app\.js:42, but the file has 2 lines/,
    ]) {
      const shown = await talk.type("validate-work", "file criteria.md");
      assert.match(shown, /C1 {2}can't tell/);
      assert.match(flat(shown), doubt);
      assert.equal((await verdict()).verdict, "cannot_tell");
    }
    assert.match(
      await talk.type("validate-work", "file criteria.md"),
      /C1 {2}met[^\n]*\(src\/app\.js:1\)\n(?! )/,
    );
    assert.equal((await verdict()).verdict, "met");
    for (const { system } of lab.provider.requestsOf("verifier")) {
      assert.match(
        system,
        /^You are a senior engineer who checks the criteria[\s\S]*Working directory: [\s\S]*Use tabs\.$/,
      );
      assert.equal(system.split("You are").length, 2, "its role stands there once, and no other");
    }
    assert.deepEqual(lab.provider.unscripted, []);
    await talk.stop();
  });
});

test("an approval by a reviewer that hasn't looked is asked for again, with what is wrong", {
  skip: long(
    "Decided in `src/flow/tests/grounds.rs`, and `plugin-js/kernel/look-up.test.js` looks at the files.",
  ),
}, async () => {
  const where = (/** @type {string} */ place) =>
    reply({ decision: "approved", criteria: [{ id: "adds", met: true, where: place }], findings: [] });
  const worker = [
    callTool("write", { filePath: "src/sum.js", content: source("+") }),
    callTool("write", { filePath: "test/sum.test.js", content: TEST }),
    DONE,
  ];
  const { scenario, ...scene } = flow({ worker });
  const reviewer = [
    APPROVED,
    callTool("read", { filePath: "src/sum.js" }),
    where("src/ghost.js:42"),
    APPROVED,
  ];
  const models = { ...scenario?.models, reviewer };
  await withOpencode({ ...scene, scenario: { models } }, async ({ command, project, provider }) => {
    const { code, stdout, stderr } = await command("flow-auto", GOAL);
    assert.equal(code, 0, stdout + stderr);
    const asked = provider.requestsOf("reviewer").map(({ user }) => user);
    assert.equal(asked.length, 4);
    const systems = ["reviewer", "worker"].map((model) => provider.requestsOf(model)[0]?.system ?? "");
    const [reads, works] = systems.map((system) => system.split("You are").length - 1);
    assert.equal(reads, 1, "its role stands there once, and no other");
    assert.ok((works ?? 0) > 1, "a worker also gets what OpenCode tells any session");
    assert.match(asked[1] ?? "", /The reviewer has read no file of the project/);
    assert.match(asked[3] ?? "", /src\/ghost\.js:42, which doesn't exist/);
    const directory = `.flow/sessions/${(await project.read(".flow/active")).trim()}`;
    const { decisions } = await project.json(`${directory}/features/sum.json`);
    assert.equal(decisions.length, 1, "the one with grounds");
  });
});
