// What the end-to-end tests of Validation and its bench share: an application, its criteria, and models that do what they are asked.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { reply } from "../provider/script.mjs";
import { CRITERIA } from "../validation/suites.mjs";

/** @typedef {import("./harness.mjs").Project} Project */
/** @typedef {import("../provider/script.mjs").Script} Script */

const root = fileURLToPath(new URL("../..", import.meta.url));
export const APP = readFileSync(new URL("../validation/app/server.mjs", import.meta.url), "utf8");
export const SETTINGS = ".opencode/validation.jsonc";
export const MODELS = ["verifier", "analyst", "tester"];

/** @param {number} count of the criteria, from the first on */
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

/** @param {{server?: object} & Record<string, unknown>} [given] */
export const settings = ({ server = {}, ...further } = {}) =>
  JSON.stringify({
    servers: [
      { name: "web", command: ["node", "app/server.mjs"], ready: { url: "/" }, allow: true, ...server },
    ],
    repeat: 1,
    control: ["blank"],
    test_ms: 60_000,
    playwright: { directory: root, browser: process.env.CHROMIUM ?? null },
    models: { verifier: "lab/verifier", analyst: "lab/analyst", tester: "lab/tester" },
    ...further,
  });

/**
 * @param {{verifier: Script, analyst: Script, tester: Script}} models
 * @param {string} [app]
 * @returns {import("./harness.mjs").Setup}
 */
export const setup = (models, app = APP) => {
  const list = (/** @type {number} */ count) => criteria(count).map(({ text }) => `- ${text}\n`);
  const files = Object.fromEntries([1, 4, 10].map((count) => [`${count}.md`, list(count).join("")]));
  return { scenario: { models }, files: { ...files, "app/server.mjs": app, [SETTINGS]: settings() } };
};

/** The latest run of a phase. @param {Project} project @param {string} [phase] */
export function runOf(project, phase = "validate") {
  const runs = readdirSync(project.path(".design-lab/validation")).filter((name) =>
    name.startsWith(`${phase}-`),
  );
  return `.design-lab/validation/${runs.sort().at(-1) ?? assert.fail("there is no run")}`;
}
