// Before and after a validation in the real OpenCode: nothing is paid for if nothing can be tested; a failure reports what was found
// and who fixes it; the same tests run again without a model, and become the project's own.

import assert from "node:assert/strict";
import { existsSync, mkdirSync } from "node:fs";
import { test } from "node:test";
import { honest } from "../validation/suites.mjs";
import { chat } from "./flow.mjs";
import { flat, withOpencode } from "./harness.mjs";
import {
  all,
  analysed,
  concluded,
  runOf,
  SETTINGS,
  settings,
  setup,
  tests,
  verified,
} from "./validation.mjs";

test("a failure leads to a fix, and its tests run again without a model", async () => {
  const scene = setup({
    verifier: [verified(1)],
    analyst: [analysed()],
    tester: [tests(honest("broken-link"))],
  });
  await withOpencode(scene, async (lab) => {
    const { project, provider } = lab;
    const talk = await chat(lab);
    mkdirSync(project.path("empty"));
    await project.write(SETTINGS, settings({ playwright: { directory: "empty", browser: null } }));
    const lacking = await talk.type("validate", "file 1.md");
    assert.match(lacking, /validation\.missing[\s\S]*\/validate-init --install/);
    assert.equal(provider.requests.length, 0, "before the first call");

    await project.write(SETTINGS, settings({ server: { env: { FAULT: "all" } } }));
    const failed = await talk.type("validate", "file 1.md");
    const run = runOf(project);
    const name = run.split("/").at(-1);
    assert.match(failed, new RegExp(`/flow-plan fix ${name}[\\s\\S]*/validate --again ${name}`));
    assert.match(flat(failed), /The page at http:\S+, “.+” showed: “/);
    const [picture = ""] = failed.match(/\.design-lab\/validation\/\S+\.png/) ?? [];
    assert.ok(existsSync(project.path(picture)), failed);

    const calls = provider.requests.length;
    await project.write(SETTINGS, settings({ control: ["live"] }));
    const again = await talk.type("validate", "--again");
    assert.match(again, new RegExp(`Validation · validated[\\s\\S]*The tests are those of ${name}`));
    assert.deepEqual(await concluded(project), { outcome: "validated", verdicts: all("met", 1) });
    assert.equal(provider.requests.length, calls, "no model was asked");
    assert.match(
      await talk.type("validate", "--keep kept"),
      /kept\/notes\.spec\.ts[\s\S]*"directory": "kept"/,
    );
    assert.match(await project.read("kept/notes.spec.ts"), /@playwright\/test/);
    assert.match(await talk.type("validate", "--keep kept"), /validation\.keep-taken/);
    assert.deepEqual(provider.unscripted, []);
    await talk.stop();
  });
});
