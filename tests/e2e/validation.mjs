// The common parts of Validation's end-to-end tests and bench: an application, its criteria, and models that do as they are asked.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { inParts } from "../provider/parts.mjs";
import { reading, reply } from "../provider/script.mjs";
import { CRITERIA } from "../validation/suites.mjs";
import { startedWith } from "./leftovers.mjs";

/** @typedef {import("./harness.mjs").Project} Project */
/** @typedef {import("../provider/script.mjs").Script} Script */

const root = fileURLToPath(new URL("../..", import.meta.url));
export const APP = readFileSync(new URL("../validation/app/server.mjs", import.meta.url), "utf8");
export const SETTINGS = ".opencode/validation.jsonc";
export const MODELS = ["verifier", "analyst", "tester"];

/** @param {number} count how many criteria, from the first on */
export const criteria = (count) => CRITERIA.slice(0, count);

/** @param {number} count */
export const verified = (count) =>
  reply({
    criteria: criteria(count).map(({ id }) => ({ id, verdict: "met", file: "app/server.mjs", line: 1 })),
  });

/** @param {object[]} gaps */
export const analysed = (...gaps) =>
  reply({ journeys: [{ id: "J1", title: "Keep a note", steps: ["Write it", "Add it"] }], gaps });

/** @param {string} text */
export const tests = (text) => reply({ files: [{ path: "notes.spec.ts", text }], untestable: [] });

const WEB = {
  name: "web",
  command: ["node", "app/server.mjs"],
  ready: { url: "/" },
  // On a busy machine it takes a while to end.
  grace_ms: 60_000,
  allow: true,
};

/** @param {{server?: object} & Record<string, unknown>} [given] */
export const settings = ({ server = {}, ...further } = {}) =>
  JSON.stringify({
    servers: [{ ...WEB, ...server }],
    repeat: 1,
    control: ["blank"],
    test_ms: 60_000,
    playwright: { directory: root, browser: process.env.CHROMIUM ?? null },
    models: { verifier: "lab/verifier", analyst: "lab/analyst", tester: "lab/tester" },
    ...further,
  });

/**
 * Verifiers and analysts read the application before their scripted answers.
 * @param {{verifier: Script, analyst: Script, tester: Script}} models
 * @param {string} [app]
 * @returns {import("./harness.mjs").Setup}
 */
export const setup = ({ verifier, analyst, tester }, app = APP) => {
  const read = (/** @type {Script} */ script) => reading("app/server.mjs", script);
  const models = { verifier: read(inParts(verifier)), analyst: read(analyst), tester };
  const list = (/** @type {number} */ count) => criteria(count).map(({ text }) => `- ${text}\n`);
  const files = Object.fromEntries([1, 4, 10].map((count) => [`${count}.md`, list(count).join("")]));
  return { scenario: { models }, files: { ...files, "app/server.mjs": app, [SETTINGS]: settings() } };
};

/** Returns the latest run of a phase. @param {Project} project @param {string} [phase] */
export function runOf(project, phase = "validate") {
  const runs = readdirSync(project.path(".design-lab/validation")).filter((name) =>
    name.startsWith(`${phase}-`),
  );
  return `.design-lab/validation/${runs.sort().at(-1) ?? assert.fail("there is no run")}`;
}

export const GAP = {
  id: "G1",
  severity: "minor",
  type: "error_path",
  journey: "J1",
  evidence: "no way back",
};

/** @param {string} verdict @param {number} [count] */
export const all = (verdict, count = CRITERIA.length) =>
  Object.fromEntries(criteria(count).map(({ id }) => [id, verdict]));

/** Returns the processes that the validations of a test have started and that are still alive. @param {{home: string}} lab */
export const started = (lab) => startedWith(lab, "DESIGN_LAB_VALIDATION");

/** Starts an unrelated server of the same program; returns its address, and whether it is alive. */
export async function decoy() {
  const child = spawn("node", [fileURLToPath(new URL("../validation/app/server.mjs", import.meta.url))], {
    env: { PATH: process.env.PATH, PORT: "0" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  after(() => child.kill("SIGKILL"));
  const [said] = await once(child.stdout, "data");
  const url = `${said}`.match(/http:\S+/)?.[0] ?? assert.fail(`${said}`);
  return { url, isAlive: () => child.exitCode === null && child.signalCode === null };
}

/** @param {Project} project @param {string} [run] */
export async function concluded(project, run = runOf(project)) {
  const { outcome, criteria } = await project.json(`${run}/FINAL-VALIDATION.json`);
  const verdicts = criteria.map((/** @type {any} */ { id, verdict }) => [id, verdict]);
  return { outcome, verdicts: Object.fromEntries(verdicts) };
}
