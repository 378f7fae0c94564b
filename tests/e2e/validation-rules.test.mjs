// A rule for any input in the real OpenCode: the model writes its test with fast-check, the report names the smallest input for which
// the application breaks the rule, and the same inputs show that it is fixed.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { long } from "../long.mjs";
import { RULE } from "../validation/suites.mjs";
import { chat } from "./flow.mjs";
import { flat, withOpencode } from "./harness.mjs";
import { analysed, concluded, runOf, SETTINGS, settings, setup, tests, verified } from "./validation.mjs";

const APP = readFileSync(new URL("../validation/app/sum.mjs", import.meta.url), "utf8");
const CRITERION = "- any amount from 1 to 500 is added";

test("the report names the smallest input for which a rule fails, and a seed repeats the inputs", {
  skip: long(
    "Decided in `src/validation/tests/rules.rs`; `plugin-js/validation/properties.test.js` uses a real browser.",
  ),
}, async () => {
  const scene = setup({ verifier: [verified(1)], analyst: [analysed()], tester: [tests(RULE)] }, APP);
  await withOpencode(scene, async (lab) => {
    const { project, provider } = lab;
    const talk = await chat(lab);
    await project.write(SETTINGS, settings({ server: { env: { FAULT: "large-amounts" } } }));
    const failed = flat(await talk.type("validate", CRITERION));
    assert.match(provider.requestsOf("tester")[0]?.user ?? "", /# Rules for any input[\s\S]*fast-check/);
    assert.match(failed, /Fails for: amount = 100 \(seed \d+, after \d+ shrinks?\): expect\(locator\)/);
    const run = runOf(project);
    const report = await project.read(`${run}/FINAL-VALIDATION.md`);
    const [, seed = ""] = report.match(/from the seed (\d+)/) ?? [];
    assert.match(report, new RegExp(`Fails for: amount = 100 .*seed ${seed},`));
    assert.match(await project.read(`${run}/report.html`), /Fails for: amount = 100 /);
    const { criteria } = await project.json(`${run}/FINAL-VALIDATION.json`);
    assert.match(criteria[0].reason, /^Fails for: amount = 100 /);
    assert.match(criteria[0].seen[0].error, new RegExp(`seed: ${seed}, path: "`));

    await project.write(SETTINGS, settings({ control: ["frozen", "live"] }));
    const fixed = flat(await talk.type("validate", "--again"));
    assert.match(fixed, /Validation · validated/);
    assert.deepEqual(await concluded(project), { outcome: "validated", verdicts: { C1: "met" } });
    const again = await project.read(`${runOf(project)}/FINAL-VALIDATION.md`);
    assert.match(again, /the test tried a rule with 20 inputs/);
    assert.match(again, new RegExp(`from the seed ${seed}\\.`), "the same inputs");
    await talk.type("validate", "--again --seed 7");
    assert.match(await project.read(`${runOf(project)}/FINAL-VALIDATION.md`), /from the seed 7\./);
    assert.match(await talk.type("validate", "--again --seed some"), /validation\.unknown-option/);
    assert.deepEqual(provider.unscripted, []);
    await talk.stop();
  });
});
