// A validation that is killed or cancelled, in the real OpenCode: nothing of it remains, and other processes are not affected.

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { isGuard } from "../../plugin-js/kernel/group.js";
import { living } from "../../plugin-js/kernel/proc.js";
import { long } from "../long.mjs";
import { honest } from "../validation/suites.mjs";
import { events, until } from "./artefacts.mjs";
import { chat } from "./flow.mjs";
import { flat, withOpencode } from "./harness.mjs";
import { killQuietly } from "./leftovers.mjs";
import {
  APP,
  all,
  analysed,
  concluded,
  decoy,
  GAP,
  MODELS,
  runOf,
  SETTINGS,
  settings,
  setup,
  started,
  tests,
  verified,
} from "./validation.mjs";

/** @typedef {import("./harness.mjs").Project} Project */

/** A run of one criterion, and where it can be paused: before the server listens, and at the page about it. */
function held() {
  const signs = mkdtempSync(path.join(tmpdir(), "validation-signs-"));
  after(() => rmSync(signs, { recursive: true, force: true }));
  const file = (/** @type {string} */ name) => path.join(signs, name);
  const about = 'if (asked === "GET /about")';
  const app = APP.replace("server.listen(", 'await held("start");\nserver.listen(').replace(
    about,
    `${about} await held("about");\n  ${about}`,
  );
  const waits = `
import { existsSync, writeFileSync } from "node:fs";
async function held(place) {
  writeFileSync(${JSON.stringify(file("reached-"))} + place, "");
  while (existsSync(${JSON.stringify(file("hold-"))} + place)) await new Promise((resolve) => setTimeout(resolve, 20));
}`;
  const models = { verifier: verified(1), analyst: analysed(), tester: tests(honest("broken-link")) };
  return {
    models,
    app: app + waits,
    hold: (/** @type {string} */ place) => writeFileSync(file(`hold-${place}`), ""),
    letGo: (/** @type {string} */ place) => rmSync(file(`hold-${place}`)),
    /** Whether this place was reached, for the first time since the last call. @param {string} place */
    isThere(place) {
      const isThere = existsSync(file(`reached-${place}`));
      rmSync(file(`reached-${place}`), { force: true });
      return isThere;
    },
  };
}

/** Returns the stage of the latest run that is active or waiting; none if there is no run. @param {Project} project */
async function stageOf(project) {
  try {
    const { stages } = await project.json(`${runOf(project)}/run.json`);
    return stages.find((/** @type {any} */ { state }) => state === "running")?.stage;
  } catch {
    return undefined;
  }
}

test("killed in each stage, nothing of it is left, and the run continues without paying twice", {
  skip: long(
    "A kill in each stage. `validation-killed.test.mjs` still kills one run, and `plugin-js/validation/processes.test.js` looks for what is left.",
  ),
}, async () => {
  const { isAlive } = await decoy();
  const { models, app, hold, letGo, isThere } = held();
  await withOpencode(setup({ ...models, analyst: analysed(GAP) }, app), async (lab) => {
    const { project, provider } = lab;
    await project.write(SETTINGS, settings({ repeat: 2, control: ["nothing", "blank", "frozen"] }));
    for (const model of MODELS) provider.hold(model);
    for (const place of ["start", "about"]) hold(place);
    const isAsked = (/** @type {string} */ model) => () => provider.requestsOf(model).length > 0;
    const huge = () => project.path(`${runOf(project)}/playwright/huge.bin`);
    // Each with a sign that it is at work, and the action that lets the next process get past it.
    /** @type {[string, () => boolean, () => void][]} */
    const stages = [
      ["verify", isAsked("verifier"), () => provider.release("verifier")],
      ["flow_analyze", isAsked("analyst"), () => provider.release("analyst")],
      ["gap_gate", () => true, () => {}],
      ["test_prep", isAsked("tester"), () => provider.release("tester")],
      ["servers_start", () => isThere("start"), () => letGo("start")],
      ["test_execute", () => isThere("about"), () => letGo("about")],
      [
        "negative_control",
        () => existsSync(project.path(`${runOf(project)}/playwright/blank-1/artifacts`)),
        () => {
          // It contains nothing, and computing its digest takes long.
          writeFileSync(huge(), "");
          truncateSync(huge(), 2 ** 37);
        },
      ],
      ["safe_teardown", () => true, () => rmSync(huge())],
    ];
    let typed = ["validate", "file 1.md"];
    for (const [stage, isAtWork, letOn] of stages) {
      const talk = await chat(lab);
      const running = talk.type(typed[0] ?? "", typed[1]).catch(() => {});
      await until(async () => (await stageOf(project)) === stage && isAtWork());
      await talk.stop();
      await running;
      await until(async () => started(lab).length === 0);
      assert.ok(isAlive(), stage);
      letOn();
      typed = stage === "gap_gate" ? ["validate-decide", "force-test"] : ["validate-resume"];
    }
    const talk = await chat(lab);
    assert.match(await talk.type("validate-status"), /\/validate-resume/);
    assert.match(await talk.type("validate-resume"), /Validation · validated/);
    for (const model of MODELS) {
      // A model's answers, apart from the call with which it reads a file first.
      const said = provider
        .requestsOf(model)
        .filter(({ outcome, text }) => outcome !== "completed" || text !== "");
      const outcomes = said.map(({ outcome }) => outcome);
      assert.deepEqual(outcomes, ["disconnected", "completed"], `${model}: nothing answered is asked again`);
    }
    const journal = await events(project, runOf(project));
    const of = (/** @type {string} */ kind) => journal.filter(({ event }) => event === kind);
    assert.deepEqual([of("opened").length, of("answered").length, of("tests_listed").length], [1, 3, 1]);
    assert.deepEqual(
      of("tests_ran").map(({ ran }) => ran.tests[0].status),
      ["passed", "passed", "failed", "failed", "failed"],
    );
    const { processes } = await project.json(`${runOf(project)}/processes.json`);
    const ends = processes.map((/** @type {any} */ { name, end }) => [name, end.end]);
    assert.deepEqual(ends.slice(-3), [
      ["counterfeit: blank", "already_gone"],
      ["counterfeit: blank", "terminated"],
      ["counterfeit: frozen", "terminated"],
    ]);
    assert.deepEqual([provider.unscripted, started(lab), isAlive()], [[], [], true]);
    await talk.stop();
  });
});

test("a cancelled validation ends what it has started, also for a process that died, and reports what there is", async () => {
  const { models, app, hold, isThere } = held();
  await withOpencode(setup(models, app), async (lab) => {
    const { project, provider } = lab;
    hold("about");
    const first = await chat(lab);
    const dying = first.type("validate", "file 1.md").catch(() => {});
    await until(async () => isThere("about"));
    const left = runOf(project);
    const [{ pid }] = (await project.json(`${left}/processes.json`)).processes;
    const guard = started(lab).find((guard) => isGuard(guard) && living(guard)?.pgid === pid);
    // Without its guard, the server outlives OpenCode.
    killQuietly(guard ?? assert.fail("the server has no guard"));
    await first.stop();
    await dying;
    await until(async () => started(lab).every((other) => other === pid));

    const talk = await chat(lab);
    const name = path.basename(left);
    const shown = new RegExp(`${name}[^\n]*process ${pid}[^\n]*/validate-cancel ${name}`);
    assert.match(flat(await talk.type("validate-status")), shown);
    const running = talk.type("validate", "file 1.md").catch(() => {});
    await until(async () => isThere("about"));
    const other = (await talk.client.session.create({ body: {} })).data?.id ?? "";
    await talk.client.session.command({
      path: { id: other },
      body: { command: "validate-cancel", arguments: "" },
    });
    await running;
    assert.match(flat((await talk.blocks()).at(-1) ?? ""), shown, "it was told when the next one began");
    assert.match(await talk.type("validate-status"), /cancelled/);
    const ends = async (/** @type {string} */ run) => {
      const { processes } = await project.json(`${run}/processes.json`);
      return processes.map((/** @type {any} */ { end }) => end?.end);
    };
    assert.deepEqual(await ends(runOf(project)), ["terminated"]);
    assert.deepEqual(started(lab), [pid], "nobody has asked for that one to be ended");

    assert.match(await talk.type("validate-cancel", name), /Validation · cancelled/);
    for (const run of [left, runOf(project)])
      assert.deepEqual((await concluded(project, run)).verdicts, all("untested", 1));
    assert.deepEqual(await ends(left), ["terminated"]);
    assert.deepEqual([provider.unscripted, started(lab)], [[], []]);
    assert.doesNotMatch(await talk.type("validate-status", name), /left running/);
    await talk.stop();
  });
});
