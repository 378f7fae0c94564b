// Validation in the real OpenCode, with scripted models, a real application and a real browser: what holds is told as such, what
// doesn't is told by its criterion, and what only looks so is told as hollow.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { isGuard } from "../../plugin-js/kernel/group.js";
import { living } from "../../plugin-js/kernel/proc.js";
import { CRITERIA, DECEIVING_AS_TAKEN, HONEST, honest } from "../validation/suites.mjs";
import { events, until } from "./artefacts.mjs";
import { chat } from "./flow.mjs";
import { withOpencode } from "./harness.mjs";
import { killQuietly } from "./leftovers.mjs";
import {
  APP,
  analysed,
  criteria,
  MODELS,
  runOf,
  SETTINGS,
  settings,
  setup,
  tests,
  verified,
} from "./validation.mjs";

/** @typedef {import("./harness.mjs").Project} Project */

const GAP = { id: "G1", severity: "minor", type: "error_path", journey: "J1", evidence: "no way back" };

/** @param {string} verdict @param {number} [count] */
const all = (verdict, count = CRITERIA.length) =>
  Object.fromEntries(criteria(count).map(({ id }) => [id, verdict]));

/** A run of one criterion, and where it can be held: before the server listens, and at the page about it. */
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
    /** Whether it is there, for the first time since it was asked last. @param {string} place */
    isThere(place) {
      const isThere = existsSync(file(`reached-${place}`));
      rmSync(file(`reached-${place}`), { force: true });
      return isThere;
    },
  };
}

/** What the validations of a test have started and is still there. @param {{home: string}} lab */
function started({ home }) {
  return readdirSync("/proc")
    .filter((name) => {
      try {
        if (!/^\d+$/.test(name)) return false;
        const variables = readFileSync(`/proc/${name}/environ`, "utf8").split("\0");
        const isMarked = variables.some((variable) => variable.startsWith("DESIGN_LAB_VALIDATION="));
        return isMarked && variables.includes(`OPENCODE_TEST_HOME=${home}`) && living(Number(name));
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** Somebody else's server, of the same program. */
function decoy() {
  const child = spawn("node", [fileURLToPath(new URL("../validation/app/server.mjs", import.meta.url))], {
    env: { PATH: process.env.PATH, PORT: "0" },
    stdio: "ignore",
  });
  after(() => child.kill("SIGKILL"));
  return () => child.exitCode === null && child.signalCode === null;
}

/** The stage of the latest run that is under way or waits; none while there is no run. @param {Project} project */
async function stageOf(project) {
  try {
    const { stages } = await project.json(`${runOf(project)}/run.json`);
    return stages.find((/** @type {any} */ { state }) => state === "running")?.stage;
  } catch {
    return undefined;
  }
}

/** @param {Project} project @param {string} [run] */
async function concluded(project, run = runOf(project)) {
  const { outcome, criteria } = await project.json(`${run}/FINAL-VALIDATION.json`);
  const verdicts = criteria.map((/** @type {any} */ { id, verdict }) => [id, verdict]);
  return { outcome, verdicts: Object.fromEntries(verdicts) };
}

test("a good build is validated, each fault of a bad one is named, and tests that show nothing are hollow", async () => {
  const isAlive = decoy();
  const scene = setup({
    verifier: [verified(10), verified(10), verified(4)],
    analyst: [analysed(GAP), analysed(), analysed(), analysed(GAP)],
    tester: [tests(HONEST), tests(HONEST), tests(DECEIVING_AS_TAKEN)],
  });
  const models = { ...scene.scenario?.models, host: verified(4) };
  await withOpencode({ ...scene, scenario: { models } }, async (lab) => {
    const { command, project, provider } = lab;
    const talk = await chat(lab);
    assert.match(await talk.type("validate-init"), /validation\.settings-exist/, "what is there stays");
    rmSync(project.path(SETTINGS));
    await project.write(
      "app/package.json",
      '{ "scripts": { "start": "node server.mjs" }, "dependencies": { "express": "5" } }',
    );
    assert.match(
      await talk.type("validate-init"),
      /app: Express, by app\/package\.json[\s\S]*Missing Playwright/,
    );
    assert.match(await talk.type("design-lab-doctor"), /Understood: \.opencode\/validation\.jsonc, with app/);
    await project.write(SETTINGS, settings({ control: ["frozen"], server: { allow: false } }));
    const waiting = await talk.type("validate", "file 10.md");
    assert.match(waiting, /awaits your decision[\s\S]*\/validate-decide/);
    assert.equal(provider.requestsOf("tester").length, 0, "nothing is tested that nobody decided about");
    assert.match(await talk.type("validate-decide", "perhaps"), /force-test/);
    const asking = await talk.type("validate-decide", "force-test");
    assert.match(asking, /node app\/server\.mjs[\s\S]*\/validate-resume/, "what would run is shown");
    assert.deepEqual(started(lab), [], "and doesn't run yet");
    const ended = await talk.type("validate-resume");
    assert.match(ended, /Validation · validated/, ended);
    const run = runOf(project);
    assert.deepEqual(await concluded(project), { outcome: "validated", verdicts: all("met") });
    assert.match((await project.read(`${run}/FINAL-VALIDATION.md`)).split("\n")[0] ?? "", /tested by force/);
    const { versions } = await project.json(`${run}/FINAL-VALIDATION.json`);
    assert.match(versions.browser, /^chromium \d+\./);
    assert.match(versions.playwright, /^\d+\.\d+\./);
    assert.match(versions.application.sources, /^(?:git|no_git)$/);
    assert.match(ended, new RegExp(`${run}/report\\.html`));
    const page = await project.read(`${run}/report.html`);
    assert.equal(page.match(/<img src="data:image\/png;base64,/g)?.length, 10, "a picture of each test");
    const { processes } = await project.json(`${run}/processes.json`);
    assert.deepEqual(
      processes.map((/** @type {any} */ { name, end }) => [name, end.end]),
      [
        ["web", "terminated"],
        ["counterfeit: frozen", "terminated"],
      ],
    );
    for (const model of MODELS) {
      assert.equal(provider.requestsOf(model).length, 1);
      assert.deepEqual(provider.requestsOf(model)[0]?.tools, ["glob", "grep", "read"], model);
    }
    assert.deepEqual(provider.requestsOf("host"), [], "no model turn for any command");
    assert.match(await talk.type("validate-status"), /validated/);

    await project.write(SETTINGS, settings({ control: ["nothing"], server: { env: { FAULT: "all" } } }));
    const { stdout, code } = await command("validate", "file 10.md");
    assert.match(stdout, /failed/);
    assert.equal(code, 1, "who runs it in a script sees that");
    assert.deepEqual(await concluded(project), { outcome: "failed", verdicts: all("not_met") });

    await project.write(SETTINGS, settings());
    assert.match(await talk.type("validate", "file 4.md"), /incomplete/);
    const hollow = { ...all("hollow", 4), C3: "untested" };
    assert.deepEqual(await concluded(project), { outcome: "incomplete", verdicts: hollow });

    const gaps = await talk.type("validate-flows", "file 4.md");
    assert.match(gaps, /Validation · incomplete[\s\S]*G1 \(J1\): no way back[\s\S]*\/validate\n/);
    assert.deepEqual(await concluded(project, runOf(project, "flows")), {
      outcome: "incomplete",
      verdicts: all("untested", 4),
    });
    rmSync(project.path(SETTINGS));
    const read = await talk.type("validate-work", "file 4.md");
    assert.match(read, /Validation · incomplete[\s\S]*In a model's opinion:\n {2}C1 {2}met/);
    const work = runOf(project, "work");
    assert.equal((await concluded(project, work)).outcome, "incomplete");
    assert.equal((await project.json(`${work}/verify.json`)).tier, "a model's opinion");
    assert.ok(existsSync(project.path(`${work}/report.html`)));
    assert.match(await talk.type("validate-status"), new RegExp(work), "it is the latest");
    assert.match(await talk.type("validate-resume"), /has come to its end/, "without settings, too");
    assert.deepEqual([provider.unscripted, started(lab), isAlive()], [[], [], true]);
    await talk.stop();
  });
});

test("killed in each stage, nothing of it is left, and the run goes on without paying twice", async () => {
  const isAlive = decoy();
  const { models, app, hold, letGo, isThere } = held();
  await withOpencode(setup({ ...models, analyst: analysed(GAP) }, app), async (lab) => {
    const { project, provider } = lab;
    await project.write(SETTINGS, settings({ repeat: 2, control: ["nothing", "blank", "frozen"] }));
    for (const model of MODELS) provider.hold(model);
    for (const place of ["start", "about"]) hold(place);
    const isAsked = (/** @type {string} */ model) => () => provider.requestsOf(model).length > 0;
    const huge = () => project.path(`${runOf(project)}/playwright/huge.bin`);
    // Each with what shows that it is at its work, and what lets the next process get beyond it.
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
          // It holds nothing, and its digest takes long.
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
      const killed = performance.now();
      await running;
      await until(async () => started(lab).length === 0);
      assert.ok(performance.now() - killed < 2_000, `in ${stage} all was gone in time`);
      assert.ok(isAlive(), stage);
      letOn();
      typed = stage === "gap_gate" ? ["validate-decide", "force-test"] : ["validate-resume"];
    }
    const talk = await chat(lab);
    assert.match(await talk.type("validate-status"), /\/validate-resume/);
    assert.match(await talk.type("validate-resume"), /Validation · validated/);
    for (const model of MODELS) {
      const outcomes = provider.requestsOf(model).map(({ outcome }) => outcome);
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
    // Without its guard the server outlives OpenCode.
    killQuietly(guard ?? assert.fail("the server has no guard"));
    await first.stop();
    await dying;
    await until(async () => started(lab).every((other) => other === pid));

    const talk = await chat(lab);
    const name = path.basename(left);
    const told = new RegExp(`${name}[^\n]*process ${pid}[^\n]*/validate-cancel ${name}`);
    assert.match(await talk.type("validate-status"), told);
    const running = talk.type("validate", "file 1.md").catch(() => {});
    await until(async () => isThere("about"));
    const other = (await talk.client.session.create({ body: {} })).data?.id ?? "";
    await talk.client.session.command({
      path: { id: other },
      body: { command: "validate-cancel", arguments: "" },
    });
    await running;
    assert.match((await talk.blocks()).at(-1) ?? "", told, "it was told when the next one began");
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
