// A server that ends during a test, in the real OpenCode: the report names it, and it affects only the verdict of the current test.

import assert from "node:assert/strict";
import { test } from "node:test";
import { long } from "../long.mjs";
import { honest } from "../validation/suites.mjs";
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

test("a server that ends in mid-run is named with its last words, and blames no innocent criterion", {
  skip: long(
    "Decided in `src/validation/tests/crash.rs`; `plugin-js/validation/watch.test.js` ends real servers.",
  ),
}, async () => {
  const about = 'if (asked === "GET /about")';
  const dies = `${about} {
    console.error("no memory left for " + process.env.TOKEN);
    process.exit(3);
  }`;
  const faults = ["broken-link", "wrong-text", "console-error", "server-error"];
  const scene = setup(
    { verifier: verified(4), analyst: analysed(), tester: tests(honest(...faults)) },
    APP.replace(about, `${dies}\n  ${about}`),
  );
  await withOpencode(scene, async (lab) => {
    const { project, provider } = lab;
    const server = { env: { TOKEN: "hush-hush" } };
    await project.write(SETTINGS, settings({ repeat: 2, control: ["live"], server, secrets: ["TOKEN"] }));
    const talk = await chat(lab);
    const ended = flat(await talk.type("validate", "file 4.md"));
    const shown =
      /web ended with exit code 3 in pass 1, while the test “the page about it is linked” ran\. Its last lines: .*no memory left for \[redacted\]/;
    assert.match(ended, /Validation · failed/, ended);
    assert.match(ended, shown);
    const report = await project.read(`${runOf(project)}/FINAL-VALIDATION.md`);
    // Its brackets are escaped.
    assert.match(flat(report.replaceAll("\\", "")), shown);
    assert.deepEqual(await concluded(project), {
      outcome: "failed",
      verdicts: { ...all("untested", 4), C1: "not_met" },
    });
    const { processes } = await project.json(`${runOf(project)}/processes.json`);
    assert.deepEqual(
      processes.map((/** @type {any} */ { name, end }) => [name, end.end]),
      [["web", "ended_by_itself"]],
    );
    assert.deepEqual([provider.unscripted, started(lab)], [[], []]);

    await project.write("app/server.mjs", APP);
    const again = flat(await talk.type("validate-resume"));
    assert.match(again, /Validation · validated/, again);
    assert.match(again, /web ended with exit code 3 in pass 1, .* ran; that pass ran again\./);
    await talk.stop();
  });
});
