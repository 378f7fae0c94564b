// A race in the real OpenCode: two models build the same plan in lanes of their own, tests that neither has seen decide, and the user
// takes the better lane.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { inParts } from "../provider/parts.mjs";
import { callTool, reading, reply } from "../provider/script.mjs";
import { APPROVED, chat, DONE, GOAL, setup, source, TEST } from "./flow.mjs";
import { flat, withOpencode } from "./harness.mjs";
import { startedWith } from "./leftovers.mjs";

/** @typedef {import("../provider/script.mjs").ModelRequest} ModelRequest */

/** Of the visible test, this knows the answer. */
const CHEATING = "export const sum = (a, b) => 5;\n";

/** A worker that writes this source and the plan's test. @param {string} text */
const writing = (text) => [
  callTool("write", { filePath: "src/sum.js", content: text }),
  callTool("write", { filePath: "test/sum.test.js", content: TEST }),
  callTool("bash", { command: "pwd > where.txt && cat where.txt && rm where.txt", description: "x" }),
  DONE,
];

/** Six tests, each of one sum. */
const EXAM = {
  tests: [1, 2, 3, 4, 5, 6].map((number) => ({
    path: `test/exam-${number}.test.js`,
    text: `import assert from "node:assert/strict";
import { test } from "node:test";
import { sum } from "../src/sum.js";

test("adds ${number}", () => assert.equal(sum(${number}, 10), ${number + 10}));
`,
    check: "sum/all",
    criteria: ["sum/adds"],
  })),
  left_out: "Numbers that JavaScript can't represent.",
};

test("of two lanes that pass every visible check, the one that also passes unseen tests is taken", async () => {
  const scene = setup({ worker: [], reviewer: [APPROVED] });
  const scenario = {
    models: {
      ...scene.scenario?.models,
      brisk: writing(CHEATING),
      calm: writing(source("+")),
      reviewer: reading(
        "package.json",
        inParts(() => APPROVED),
      ),
      examiner: reading("package.json", reply(EXAM)),
    },
  };
  const files = { ...scene.files, ".gitignore": "opencode.json\n.opencode/\nnode_modules\n" };
  const designLab = { flow: { mutation: 0 } };
  await withOpencode({ ...scene, scenario, files, designLab }, async (lab) => {
    const talk = await chat(lab);
    const shown = await talk.type("flow-race", `${GOAL} --workers lab/brisk,lab/calm`);
    assert.match(flat(shown), /This plan would be raced\./, shown);
    const hash = /\/flow-race approve ([0-9a-f]{8})/.exec(shown)?.[1] ?? assert.fail(shown);
    const over = await talk.type("flow-race", `approve ${hash}`);
    assert.match(flat(over), /Lane b is probably better: /, over);
    assert.match(flat(over), /a ✗ b ✓ test\/exam-1\.test\.js/);
    assert.match(flat(over), /Numbers that JavaScript can't represent\./);
    assert.equal(await lab.project.exists("src/sum.js"), false, "the project is as it was");

    // Each worker worked in its lane, and the examiner saw neither.
    const lanes = ["brisk", "calm"].map((worker) => {
      const last = lab.provider.requestsOf(worker).at(-1);
      const results = last?.messages
        .filter(({ role }) => role === "tool")
        .map(({ content }) => String(content));
      return results?.at(-1)?.trim() ?? "";
    });
    assert.equal(new Set(lanes).size, 2, String(lanes));
    for (const lane of lanes)
      assert.ok(lane.startsWith(path.join(lab.home, ".local/state/opencode-design-lab/lanes/")), lane);
    assert.equal(readFileSync(path.join(lanes[0] ?? "", "src/sum.js"), "utf8"), CHEATING);
    const examiner = JSON.stringify(lab.provider.requestsOf("examiner"));
    for (const word of ["brisk", "calm", "a + b", "=> 5", "lane"])
      assert.equal(examiner.includes(word), false, `the examiner learns nothing of ${word}`);
    assert.equal(lab.provider.requestsOf("planner").length, 1, "one plan for both");

    const offered = await talk.type("flow-race", "take b");
    assert.match(
      flat(offered),
      /This would change in your project: src\/sum\.js test\/sum\.test\.js/,
      offered,
    );
    const take = /\/flow-race take b ([0-9a-f]{8})/.exec(offered)?.[1] ?? assert.fail(offered);
    const taken = await talk.type("flow-race", `take b ${take}`);
    assert.match(flat(taken), /Changed in your project \(Flow commits nothing\)/, taken);
    assert.equal(await lab.project.read("src/sum.js"), source("+"));
    assert.match(await talk.directory(), /-lane-b$/, "what was taken is the active session");
    assert.deepEqual(lab.provider.unscripted, []);
    assert.deepEqual(startedWith(lab, "OPENCODE_FLOW"), []);
    await talk.stop();
  });
});
