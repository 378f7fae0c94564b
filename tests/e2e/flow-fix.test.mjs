// A validation's findings go back to Flow, in the real OpenCode: the plan covers them, and at the end Flow refers back to the criteria
// of the validated session.

import assert from "node:assert/strict";
import { test } from "node:test";
import { long } from "../long.mjs";
import { callTool, reply } from "../provider/script.mjs";
import { APPROVED, chat, DONE, GOAL, PLAN, setup, source, TEST } from "./flow.mjs";
import { flat, withOpencode } from "./harness.mjs";
import { analysed, GAP, SETTINGS, settings } from "./validation.mjs";

test("gaps that a validation found are planned, fixed, and validated with the criteria of the first session", {
  skip: long(
    "Decided in `src/flow/tests/fix.rs` and `src/validation/tests/to_fix.rs`. `validation-again.test.mjs` names the command that does it.",
  ),
}, async () => {
  const [feature] = PLAN.features;
  const fix = { ...PLAN, features: [{ ...feature, implements: ["gap-g1"] }] };
  const worker = [
    callTool("write", { filePath: "src/sum.js", content: source("+") }),
    callTool("write", { filePath: "test/sum.test.js", content: TEST }),
    DONE,
  ];
  const scene = setup({ planner: [reply(PLAN), reply(PLAN), reply(fix)], worker, reviewer: [APPROVED] });
  const models = { ...scene.scenario?.models, analyst: [analysed(GAP)] };
  const files = { ...scene.files, [SETTINGS]: settings() };
  await withOpencode({ ...scene, scenario: { models }, files }, async (lab) => {
    const talk = await chat(lab);
    await talk.type("flow-plan", GOAL);
    const first = (await talk.directory()).split("/").at(-1);
    const nothing = await talk.type("flow-plan", "fix");
    assert.match(nothing, /There is no validation yet/);
    assert.match(await talk.type("validate-flows", "flow"), /G1 \(J1\): no way back/);

    const drafted = await talk.type("flow-plan", "fix");
    const [, repaired, ...none] = lab.provider.requestsOf("planner").slice(1);
    assert.match(
      repaired?.user ?? "",
      /gap-g1, and `left_out` doesn't list it/,
      "a plan that forgets the gap is sent back",
    );
    assert.deepEqual(none, []);
    assert.match(flat(drafted), /gap-g1: Gap G1 \(J1\): no way back.* → sum/);
    assert.match(
      lab.provider.requestsOf("planner")[1]?.user ?? "",
      /<found>[\s\S]*no way back[\s\S]*<\/found>/,
    );
    const hash = /\/flow-plan approve ([0-9a-f]+)/.exec(drafted)?.[1] ?? assert.fail(drafted);
    await talk.type("flow-plan", `approve ${hash}`);
    const ended = await talk.type("flow-run");
    assert.match(
      ended,
      /Changed files \(Flow commits nothing\):\n {2}src\/sum\.js\n {2}test\/sum\.test\.js\n/,
    );
    assert.match(
      ended,
      new RegExp(`Next {2}/validate flow ${first}\n`),
      "all its criteria, not those of the fix",
    );
    assert.deepEqual(lab.provider.unscripted, []);
    await talk.stop();
  });
});

test("above confirm_usd no model is asked before the user says so, and the price is put beside what it took", {
  skip: long(
    "Decided in `src/flow/tests/forecast.rs`. `tools.test.mjs` asks before anything is paid for in OpenCode.",
  ),
}, async () => {
  const worker = [
    callTool("write", { filePath: "src/sum.js", content: source("+") }),
    callTool("write", { filePath: "test/sum.test.js", content: TEST }),
    DONE,
  ];
  const scene = setup({ worker, reviewer: [APPROVED] });
  await withOpencode({ ...scene, designLab: { budget: { confirm_usd: 0.000_001 } } }, async (lab) => {
    const talk = await chat(lab);
    const waits = await talk.type("flow-plan", GOAL);
    assert.match(waits, /Flow · waiting for you/);
    assert.match(
      flat(waits),
      /This may cost \$\S+, which is more than \S+ \(budget\.confirm_usd\)\. No model has been called for it yet\./,
    );
    assert.deepEqual(lab.provider.requests, []);
    const drafted = await talk.type("flow-resume");
    const hash = /\/flow-plan approve ([0-9a-f]+)/.exec(drafted)?.[1] ?? assert.fail(drafted);
    await talk.type("flow-plan", `approve ${hash}`);
    assert.match(flat(await talk.type("flow-run")), /No model has been called for it yet/);
    assert.deepEqual(lab.provider.requestsOf("worker"), []);
    const ended = await talk.type("flow-resume");
    assert.match(flat(ended), /Expected for the latest step: about \$\S+ and [\d,]+ tokens; actual: \$/);
    assert.match(ended, /✓ sum: A sum\n {2}Files {5}src\/sum\.js, test\/sum\.test\.js\n {2}Without/);
    assert.match(ended, / {2}Approved {2}lab\/reviewer\n {2}Undo/);
    assert.deepEqual(lab.provider.unscripted, []);
    await talk.stop();
  });
});
