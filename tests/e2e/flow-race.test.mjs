// A race in the real OpenCode: two models build the same plan in lanes of their own, tests that neither has seen decide, and the user
// takes the better lane.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { inParts } from "../provider/parts.mjs";
import { callTool, hang, reading, reply } from "../provider/script.mjs";
import { events, until } from "./artefacts.mjs";
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

/**
 * Two workers, and an examiner that sees the project only.
 * @param {Record<"brisk" | "calm", import("../provider/script.mjs").Script>} workers
 */
function race(workers) {
  const { scenario, files, ...scene } = setup({ worker: [], reviewer: [APPROVED] });
  const models = {
    ...scenario?.models,
    ...workers,
    reviewer: reading(
      "package.json",
      inParts(() => APPROVED),
    ),
    examiner: reading("package.json", reply(EXAM)),
  };
  return {
    ...scene,
    scenario: { models },
    files: { ...files, ".gitignore": "opencode.json\n.opencode/\nnode_modules\n" },
    designLab: { flow: { mutation: 0 } },
  };
}

/** Plans a race, and returns the hash of its plan. @param {Awaited<ReturnType<typeof chat>>} talk */
async function planned(talk) {
  const shown = await talk.type("flow-race", `${GOAL} --workers lab/brisk,lab/calm`);
  assert.match(flat(shown), /This plan would be raced\./, shown);
  return /\/flow-race approve ([0-9a-f]{8})/.exec(shown)?.[1] ?? assert.fail(shown);
}

test("of two lanes that pass every visible check, the one that also passes unseen tests is taken", async () => {
  const scene = race({ brisk: writing(CHEATING), calm: writing(source("+")) });
  await withOpencode(scene, async (lab) => {
    const talk = await chat(lab);
    const hash = await planned(talk);
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

test("a race whose process was killed keeps the complete lane and continues the other", async () => {
  const scene = race({ brisk: writing(CHEATING), calm: [hang(), ...writing(source("+"))] });
  await withOpencode(scene, async (lab) => {
    const first = await chat(lab);
    const hash = await planned(first);
    const running = first.type("flow-race", `approve ${hash}`).catch(() => {});
    const directory = await first.directory();
    const built = async () =>
      (await events(lab.project, directory)).some(({ event }) => event === "lane_built");
    await until(built);
    const asked = () =>
      ["planner", "brisk", "examiner"].map((model) => lab.provider.requestsOf(model).length);
    const before = asked();
    await first.stop();
    await running;

    const second = await chat(lab);
    assert.match(flat(await second.type("flow-status")), /✓ a lab\/brisk.*● b lab\/calm.*\/flow-resume/);
    const over = await second.type("flow-resume");
    assert.match(flat(over), /Lane b is probably better: /, over);
    const [planner, brisk] = before;
    assert.deepEqual(asked(), [planner, brisk, 2], "the complete lane isn't built again");
    assert.deepEqual(lab.provider.unscripted, []);
    assert.deepEqual(startedWith(lab, "OPENCODE_FLOW"), []);
    await second.stop();
  });
});
