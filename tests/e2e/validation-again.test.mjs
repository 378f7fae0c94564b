// Before and after a validation in the real OpenCode: nothing is paid for if nothing can be tested; a failure reports what was found
// and who fixes it; the same tests run again without a model, and become the project's own.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { pkg } from "../package/package.mjs";
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
    assert.match(again, new RegExp(`Validation · validated[\\s\\S]*Repeats the tests of ${name}`));
    assert.deepEqual(await concluded(project), { outcome: "validated", verdicts: all("met", 1) });
    assert.equal(provider.requests.length, calls, "no model was asked");
    await compared(project, run, runOf(project));
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

/**
 * The page of a run shows what failed in the run before, and what passes now.
 * @param {import("./harness.mjs").Project} project
 * @param {string} earlier the directory of the run before
 * @param {string} later
 */
async function compared(project, earlier, later) {
  const name = earlier.split("/").at(-1) ?? "";
  const [{ before }] = (await project.json(`${later}/FINAL-VALIDATION.json`)).criteria;
  assert.equal(before.run, name);
  const failed = `${earlier}/${before.files[0].path}`;
  const picture = readFileSync(project.path(failed));
  const pictures = [picture, readFileSync(project.path(`${later}/${before.after[0].path}`))];
  assert.notDeepEqual(pictures[0], pictures[1]);
  const page = await project.read(`${later}/report.html`);
  for (const one of pictures)
    assert.equal(page.split(one.toString("base64")).length, 2, "each picture is on the page once");
  assert.ok(page.includes(`<bdi>${name}, 20`), "with the run and the time of the failure");

  const rendered = () => {
    const argv = [`${pkg}/plugin-js/cli.js`, "validation", "report", later.split("/").at(-1) ?? ""];
    execFileSync(process.execPath, argv, { cwd: project.path(".") });
    return project.read(`${later}/report.html`);
  };
  // Another file of the same size is not the picture that was recorded.
  writeFileSync(project.path(failed), Buffer.from(picture).fill(0, 8, 16));
  assert.match(await rendered(), /Picture: The file is missing, or was changed since it was recorded\./);
  writeFileSync(project.path(failed), picture);
  assert.equal(await rendered(), page);
}
