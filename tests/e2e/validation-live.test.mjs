// Validation in the real OpenCode behind a sign-in, which no dead counterfeit can perform: the live one lets tests reach their
// assertions. A criterion is met if an assertion failed there; a test that only appears to test it is hollow.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { long } from "../long.mjs";
import { BEHIND_SIGN_IN, mocking, SIGN_IN } from "../validation/suites.mjs";
import { chat } from "./flow.mjs";
import { withOpencode } from "./harness.mjs";
import {
  analysed,
  concluded,
  runOf,
  SETTINGS,
  settings,
  setup,
  started,
  tests,
  verified,
} from "./validation.mjs";

const APP = readFileSync(new URL("../validation/app/sign-in.mjs", import.meta.url), "utf8");

test("behind a sign-in a criterion is met by an assertion that failed, and by nothing that only looks like one", {
  skip: long(
    "Decided in `src/validation/tests/verdicts.rs`; `plugin-js/validation/live.test.js` and `plugin-js/validation/faults.test.js` use a real browser.",
  ),
}, async () => {
  const models = {
    verifier: [verified(10), verified(1)],
    analyst: [analysed(), analysed()],
    tester: [tests(SIGN_IN), tests(mocking)],
  };
  await withOpencode(setup(models, APP), async (lab) => {
    const { project } = lab;
    const talk = await chat(lab);
    await project.write(SETTINGS, settings({ control: ["blank", "live"] }));
    const ended = await talk.type("validate", "file 10.md");
    assert.match(ended, /Validation · incomplete/, ended);
    const verdicts = BEHIND_SIGN_IN.map(({ verdict }, index) => [`C${index + 1}`, verdict]);
    assert.deepEqual((await concluded(project)).verdicts, Object.fromEntries(verdicts), ended);
    const { criteria, processes } = await project.json(`${runOf(project)}/FINAL-VALIDATION.json`);
    const [welcomed, , , home, tautology] = criteria.map((/** @type {any} */ { reason }) => reason);
    assert.match(
      welcomed,
      /its assertion toHaveText failed against the live application with its words replaced/,
    );
    assert.match(
      home,
      /its assertion toHaveURL failed against the live application with its links redirected/,
    );
    assert.match(tautology, /passes against the live application/);
    assert.ok(
      processes.every((/** @type {any} */ { end }) => end === "terminated"),
      JSON.stringify(processes),
    );

    const broken = { control: ["blank", "live"], server: { env: { FAULT: "api" } } };
    await project.write(SETTINGS, settings(broken));
    await talk.type("validate", "file 1.md");
    const mocked = await concluded(project);
    assert.deepEqual(mocked, { outcome: "incomplete", verdicts: { C1: "hollow" } });
    assert.match(
      await project.read(`${runOf(project)}/FINAL-VALIDATION.md`),
      /page\.route\(\*\*\/api\/notes\)/,
    );
    assert.deepEqual(started(lab), []);
    await talk.stop();
  });
});
