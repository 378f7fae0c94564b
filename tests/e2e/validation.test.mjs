// Validation in the real OpenCode, with scripted models, a real application and a real browser: what holds is told as such, what
// doesn't is told by its criterion, and what only looks so is told as hollow.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { reply } from "../provider/script.mjs";
import { CRITERIA, DECEIVING_AS_TAKEN, HONEST } from "../validation/suites.mjs";
import { events, until } from "./artefacts.mjs";
import { chat } from "./flow.mjs";
import { withOpencode } from "./harness.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const APP = readFileSync(new URL("../validation/app/server.mjs", import.meta.url), "utf8");

const WHAT = CRITERIA.map(({ text }) => `- ${text}`).join("\n");

const VERIFIED = reply({
  criteria: CRITERIA.map(({ id }) => ({
    id,
    verdict: "met",
    file: "app/server.mjs",
    line: 1,
    note: "it is there",
  })),
});

/** @param {object[]} gaps */
const analysed = (...gaps) =>
  reply({ journeys: [{ id: "J1", title: "Keep a note", steps: ["Write it", "Add it"] }], gaps });

const GAP = { id: "G1", severity: "minor", type: "error_path", journey: "J1", evidence: "no way back" };

/** @param {string} text */
const tests = (text) => reply({ files: [{ path: "notes.spec.ts", text }], untestable: [] });

/**
 * @param {{text?: string, gaps?: object[], settings?: object, server?: object}} given
 * @returns {import("./harness.mjs").Setup}
 */
const setup = ({ text = HONEST, gaps = [], settings = {}, server = {} }) => ({
  scenario: { models: { verifier: [VERIFIED], analyst: [analysed(...gaps)], tester: [tests(text)] } },
  files: {
    "app/server.mjs": APP,
    "criteria.md": `# Notes\n\n${WHAT}\n`,
    ".opencode/validation.jsonc": JSON.stringify({
      servers: [
        { name: "web", command: ["node", "app/server.mjs"], ready: { url: "/" }, allow: true, ...server },
      ],
      repeat: 1,
      control: ["blank"],
      test_ms: 60_000,
      playwright: { directory: root, browser: process.env.CHROMIUM ?? null },
      models: { verifier: "lab/verifier", analyst: "lab/analyst", tester: "lab/tester" },
      ...settings,
    }),
  },
});

/** What the validations of a test have started and is still there. @param {{home: string}} lab */
function started({ home }) {
  return readdirSync("/proc").filter((name) => {
    try {
      if (!/^\d+$/.test(name)) return false;
      const variables = readFileSync(`/proc/${name}/environ`, "utf8").split("\0");
      const isMarked = variables.some((variable) => variable.startsWith("DESIGN_LAB_VALIDATION="));
      return isMarked && variables.includes(`OPENCODE_TEST_HOME=${home}`);
    } catch {
      return false;
    }
  });
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

/** The only run. @param {import("./harness.mjs").Project} project */
async function runOf(project) {
  const runs = readdirSync(project.path(".design-lab/validation")).filter((name) =>
    name.startsWith("validate-"),
  );
  assert.equal(runs.length, 1, `${runs}`);
  return `.design-lab/validation/${runs[0]}`;
}

/** @param {any} report */
const verdicts = (report) =>
  Object.fromEntries(report.criteria.map((/** @type {any} */ one) => [one.id, one.verdict]));

test("a good build is validated, once the user has decided about the gap and let the server run", async () => {
  const isAlive = decoy();
  const scene = setup({
    gaps: [GAP],
    server: { allow: false },
    settings: { repeat: 2, control: ["nothing", "blank", "frozen"] },
  });
  await withOpencode(scene, async (lab) => {
    const { project, provider } = lab;
    const talk = await chat(lab);
    const waiting = await talk.type("validate", "file criteria.md");
    assert.match(waiting, /awaits your decision[\s\S]*\/validate-decide/);
    assert.equal(provider.requestsOf("tester").length, 0, "nothing is tested that nobody decided about");
    assert.match(await talk.type("validate-decide", "perhaps"), /force-test/);
    const asking = await talk.type("validate-decide", "force-test");
    assert.match(asking, /node app\/server\.mjs[\s\S]*\/validate-resume/, "what would run is shown");
    assert.deepEqual(started(lab), [], "and doesn't run yet");
    const ended = await talk.type("validate-resume");
    assert.match(ended, /Validation · validated/, ended);
    const run = await runOf(project);
    const report = await project.json(`${run}/FINAL-VALIDATION.json`);
    assert.deepEqual(verdicts(report), { C1: "met", C2: "met", C3: "met", C4: "met" });
    assert.match((await project.read(`${run}/FINAL-VALIDATION.md`)).split("\n")[0] ?? "", /tested by force/);
    const journal = await events(project, run);
    const ran = journal.filter(({ event }) => event === "tests_ran");
    assert.deepEqual(
      ran.map((event) => event.ran.ran),
      Array(5).fill("report"),
    );
    const { processes } = await project.json(`${run}/processes.json`);
    assert.deepEqual(
      processes.map((/** @type {any} */ { name, end }) => [name, end.end]),
      [
        ["web", "terminated"],
        ["counterfeit: blank", "terminated"],
        ["counterfeit: frozen", "terminated"],
      ],
    );
    for (const model of ["verifier", "analyst", "tester"]) {
      assert.equal(provider.requestsOf(model).length, 1);
      assert.deepEqual(provider.requestsOf(model)[0]?.tools, ["glob", "grep", "read"], model);
    }
    assert.deepEqual(provider.requestsOf("host"), [], "no model turn for any command");
    assert.match(await talk.type("validate-status"), /validated/);
    assert.deepEqual([provider.unscripted, started(lab), isAlive()], [[], [], true]);
    await talk.stop();
  });
});

test("a planted fault fails the criterion that it breaks, and tests that show nothing are hollow", async () => {
  const server = { env: { FAULT: "lost-state" } };
  await withOpencode(setup({ server }), async (lab) => {
    const { command, project } = lab;
    const { stdout, code } = await command("validate", "file criteria.md");
    assert.match(stdout, /failed/);
    assert.equal(code, 1, "who runs it in a script sees that");
    const report = await project.json(`${await runOf(project)}/FINAL-VALIDATION.json`);
    assert.deepEqual(verdicts(report), { C1: "met", C2: "met", C3: "not_met", C4: "met" });
    assert.deepEqual(started(lab), []);
  });
  await withOpencode(setup({ text: DECEIVING_AS_TAKEN }), async (lab) => {
    const { command, project } = lab;
    const { stdout } = await command("validate", "file criteria.md");
    assert.match(stdout, /incomplete/);
    const report = await project.json(`${await runOf(project)}/FINAL-VALIDATION.json`);
    assert.deepEqual(verdicts(report), { C1: "hollow", C2: "hollow", C3: "untested", C4: "hollow" });
    assert.deepEqual(started(lab), []);
  });
});

test("killed while the server runs, nothing of it is left, and the run goes on without paying twice", async () => {
  const isAlive = decoy();
  const signs = mkdtempSync(path.join(tmpdir(), "validation-signs-"));
  after(() => rmSync(signs, { recursive: true, force: true }));
  const [reached, go] = ["reached", "go"].map((name) => path.join(signs, name));
  // A page that tells that it is asked for, and waits for a sign.
  const app = APP.replace(
    'if (asked === "GET /about")',
    `if (asked === "GET /about") {
      const { existsSync, writeFileSync } = await import("node:fs");
      writeFileSync(${JSON.stringify(reached)}, "");
      while (!existsSync(${JSON.stringify(go)})) await new Promise((resolve) => setTimeout(resolve, 20));
    }
    if (asked === "GET /about")`,
  );
  const scene = setup({});
  await withOpencode({ ...scene, files: { ...scene.files, "app/server.mjs": app } }, async (lab) => {
    const { project, provider } = lab;
    const first = await chat(lab);
    const running = first.type("validate", "file criteria.md").catch(() => {});
    await until(async () => existsSync(reached ?? ""));
    const run = await runOf(project);
    const [{ pid }] = (await project.json(`${run}/processes.json`)).processes;
    assert.ok(existsSync(`/proc/${pid}/cmdline`));
    await first.stop();
    await running;
    await until(async () => !started(lab).includes(`${pid}`));

    writeFileSync(go ?? "", "");
    const second = await chat(lab);
    assert.match(await second.type("validate-status"), /\/validate-resume/);
    assert.match(await second.type("validate-resume"), /Validation · validated/);
    assert.deepEqual(
      ["verifier", "analyst", "tester"].map((model) => provider.requestsOf(model).length),
      [1, 1, 1],
    );
    assert.deepEqual([provider.unscripted, started(lab), isAlive()], [[], [], true]);
    await second.stop();
  });
});

test("a cancelled validation ends what it has started, and reports what there is", async () => {
  const never = HONEST.replace("await page.goto", "test.setTimeout(0); await page.goto").replace(
    'await page.getByLabel("Text")',
    'await page.waitForEvent("close", { timeout: 0 }); await page.getByLabel("Text")',
  );
  await withOpencode(setup({ text: never }), async (lab) => {
    const { project, provider } = lab;
    const talk = await chat(lab);
    const running = talk.type("validate", "file criteria.md").catch(() => {});
    const isTesting = async () => {
      const found = await runOf(project).catch(() => undefined);
      return found !== undefined && existsSync(project.path(`${found}/playwright/start-page.json`));
    };
    await until(isTesting);
    const other = (await talk.client.session.create({ body: {} })).data?.id ?? "";
    await talk.client.session.command({
      path: { id: other },
      body: { command: "validate-cancel", arguments: "" },
    });
    await running;
    assert.match(await talk.type("validate-status"), /cancelled/);
    const report = await project.json(`${await runOf(project)}/FINAL-VALIDATION.json`);
    assert.deepEqual(verdicts(report), { C1: "untested", C2: "untested", C3: "untested", C4: "untested" });
    const { processes } = await project.json(`${await runOf(project)}/processes.json`);
    assert.deepEqual(
      processes.map((/** @type {any} */ { end }) => end.end),
      ["terminated"],
    );
    assert.deepEqual([provider.unscripted, started(lab)], [[], []]);
    await talk.stop();
  });
});
