// A verdict applies to one version of the project, in the real OpenCode: if its files change between two passes, all passes start
// again.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { long } from "../long.mjs";
import { honest } from "../validation/suites.mjs";
import { events, until } from "./artefacts.mjs";
import { chat } from "./flow.mjs";
import { flat, withOpencode } from "./harness.mjs";
import {
  APP,
  all,
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

test("files that change between two passes begin the passes again, but for what the application writes", {
  skip: long(
    "Decided in `src/validation/tests/versions.rs`; `plugin-js/validation/versions.test.js` notices the changes.",
  ),
}, async () => {
  const signs = mkdtempSync(path.join(tmpdir(), "validation-signs-"));
  after(() => rmSync(signs, { recursive: true, force: true }));
  const sign = (/** @type {string} */ name) => path.join(signs, name);
  // It constantly writes data of its own, and waits in the second pass.
  const about = 'if (asked === "GET /about")';
  const app = APP.replace(about, `${about} await visited();\n  ${about}`);
  const visited = `
import { appendFileSync, existsSync, writeFileSync } from "node:fs";
let visits = 0;
async function visited() {
  for (const file of ["visits.txt", "server.log"]) appendFileSync(file, "visited\\n");
  visits += 1;
  if (visits < 2) return;
  writeFileSync(${JSON.stringify(sign("reached"))}, "");
  while (existsSync(${JSON.stringify(sign("hold"))})) await new Promise((resolve) => setTimeout(resolve, 20));
}
`;
  const scene = setup(
    { verifier: verified(1), analyst: analysed(), tester: tests(honest("broken-link")) },
    app + visited,
  );
  await withOpencode(scene, async (lab) => {
    const { project, provider } = lab;
    await project.write(SETTINGS, settings({ repeat: 2, control: ["nothing", "live"] }));
    await project.write(".gitignore", "*.log\n");
    execFileSync("git", ["init", "-q"], { cwd: project.path(".") });
    writeFileSync(sign("hold"), "");
    const first = await chat(lab);
    const dying = first.type("validate", "file 1.md").catch(() => {});
    await until(async () => existsSync(sign("reached")));
    await first.stop();
    await dying;
    await until(async () => started(lab).length === 0);
    rmSync(sign("hold"));
    await project.write("app/server.mjs", `${app + visited}// Another version.\n`);

    const talk = await chat(lab);
    const ended = flat(await talk.type("validate-resume"));
    assert.match(ended, /Validation · validated/, ended);
    assert.match(ended, /Files changed after pass 1 \(app\/server\.mjs\)\. The passes started again/);
    assert.match(ended, /these files changed and count as its data: visits\.txt\./);
    assert.deepEqual(await concluded(project), { outcome: "validated", verdicts: all("met", 1) });
    const { passes, written } = await project.json(`${runOf(project)}/FINAL-VALIDATION.json`);
    const trees = passes.map((/** @type {any} */ { against, tree }) => [against, tree?.length]);
    assert.deepEqual(trees.slice(0, 3), [
      ["application", 40],
      ["application", 40],
      ["nothing", 40],
    ]);
    assert.deepEqual(written, ["visits.txt"]);
    const journal = await events(project, runOf(project));
    const ran = journal.filter(({ event }) => event === "tests_ran").length;
    assert.equal(ran, 1 + passes.length, "the pass that found the change was not run to its end");
    assert.deepEqual([provider.unscripted, started(lab)], [[], []]);
    await talk.stop();
  });
});
