// What isn't there shows nothing: files that git ignores, scripts that don't exist yet, and plans that no check decides.

import assert from "node:assert/strict";
import { test } from "node:test";
import { long } from "../long.mjs";
import { callTool, reply } from "../provider/script.mjs";
import { APPROVED, builtAlone, chat, DONE, GOAL, PLAN, planOf, setup, source, TEST } from "./flow.mjs";
import { flat, withOpencode } from "./harness.mjs";

const SUM = callTool("write", { filePath: "src/sum.js", content: source("+") });
const SUM_TEST = callTool("write", { filePath: "test/sum.test.js", content: TEST });

/**
 * Builds the goal without asking, by this plan.
 * @param {{plan?: object, worker: import("../provider/script.mjs").Script, files?: Record<string, string>}} story
 * @param {(lab: import("./harness.mjs").Lab & {shown: string, state: any}) => Promise<void>} look
 */
async function built({ plan = PLAN, worker, files }, look) {
  const scene = setup({ planner: [reply(plan)], worker, reviewer: [APPROVED] });
  await builtAlone({ ...scene, files: { ...scene.files, ...files } }, (lab) =>
    look({ ...lab, shown: flat(lab.shown) }),
  );
}

test("a file that git ignores is not in the files that count", {
  skip: long("`plugin-js/kernel/tree.test.js` has it with real git. `src/flow/tests/copies.rs` decides."),
}, async () => {
  // The tests pass in the project, where the ignored file is.
  const hidden = "export { sum } from './hidden/sum.js';\n";
  const worker = [
    callTool("write", { filePath: "src/hidden/sum.js", content: source("+") }),
    callTool("write", { filePath: "src/sum.js", content: hidden }),
    SUM_TEST,
    callTool("write", { filePath: ".gitignore", content: "hidden/\n" }),
    DONE,
    reply({ outcome: "blocked", summary: "It was seen." }),
  ];
  await built({ worker }, async ({ shown, state, provider }) => {
    assert.equal(state.status, "blocked", shown);
    const [asked] = provider.requestsOf("worker").slice(-1);
    assert.match(
      JSON.stringify(asked?.messages.at(-1)),
      /pass in the project, but these fail in a clean copy/,
    );
    assert.deepEqual(provider.requestsOf("reviewer"), [], "nobody is paid to review it");
  });
});

test("a check that only lacks its script without the feature is not shown to fail without it", {
  skip: long("Decided in `src/flow/tests/copies.rs`."),
}, async () => {
  const plan = planOf([
    { id: "unit", command: ["npm", "run", "unit"], scope: "targeted" },
    { id: "all", command: ["node", "--test"], scope: "broad" },
  ]);
  const worker = [
    SUM,
    SUM_TEST,
    callTool("write", {
      filePath: "package.json",
      content: JSON.stringify({ type: "module", scripts: { unit: "node --test test/sum.test.js" } }),
    }),
    DONE,
  ];
  await built({ plan, worker }, async ({ shown, state, provider }) => {
    const told = "not shown to fail without the feature";
    assert.match(shown, new RegExp(`unit.*${told}`), state.status);
    assert.doesNotMatch(shown, /unit.*fails when the feature is removed, as it should/);
    const [asked] = provider.requestsOf("reviewer");
    if (asked) assert.match(flat(JSON.stringify(asked.messages)), new RegExp(told));
  });
});

test("a plan that no check decides needs a person, also without asking, and shows that nothing decided it", {
  skip: long("Decided in `src/flow/tests/unchecked.rs`."),
}, async () => {
  const plan = structuredClone(PLAN);
  for (const criterion of plan.features[0]?.acceptance ?? []) criterion.verified_by = "review";
  const scene = setup({ planner: [reply(plan)], worker: [SUM, SUM_TEST, DONE], reviewer: [APPROVED] });
  await withOpencode(scene, async (lab) => {
    const { stdout } = await lab.run(["run", "--command", "flow-auto", GOAL]);
    assert.deepEqual(lab.provider.requestsOf("worker"), [], stdout);
    const hash = /\/flow-plan approve ([0-9a-f]+)/.exec(stdout)?.[1] ?? assert.fail(stdout);
    const talk = await chat(lab);
    await talk.type("flow-status");
    await talk.type("flow-plan", `approve ${hash}`);
    const ended = await talk.type("flow-run");
    assert.match(ended, /\? sum {2}A sum/);
    assert.doesNotMatch(ended, /✓ sum/);
    await talk.stop();
  });
});
