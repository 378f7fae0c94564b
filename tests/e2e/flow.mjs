// The common parts of Flow's end-to-end tests: a plan of one feature, its files, and a chat in which commands are typed.

import assert from "node:assert/strict";
import { inParts } from "../provider/parts.mjs";
import { reading, reply } from "../provider/script.mjs";
import { typed } from "./artefacts.mjs";
import { withOpencode } from "./harness.mjs";

/** @typedef {import("./harness.mjs").Lab} Lab */
/** @typedef {import("../provider/script.mjs").Script} Script */

export const GOAL = "Add a function that adds two numbers";

/** A plan of one feature. @param {{id: string, command: string[], scope: string, timeout_ms?: number}[]} verification */
export const planOf = (verification) => ({
  features: [
    {
      id: "sum",
      title: "A sum",
      summary: "`sum(a, b)` in src/sum.js adds two numbers.",
      files: ["src/sum.js", "test/sum.test.js"],
      depends_on: [],
      verification: verification.map((check) => ({ timeout_ms: 60_000, ...check })),
      acceptance: [{ id: "adds", text: "sum(2, 3) is 5", verified_by: verification[0]?.id }],
    },
  ],
});

export const PLAN = planOf([
  { id: "unit", command: ["node", "--test", "test/sum.test.js"], scope: "targeted" },
  { id: "all", command: ["node", "--test"], scope: "broad" },
]);

export const TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { sum } from "../src/sum.js";

test("adds", () => assert.equal(sum(2, 3), 5));
`;

export const DONE = reply({ outcome: "done", summary: "It adds, and its test passes." });
export const APPROVED = reply({
  decision: "approved",
  criteria: [{ id: "adds", met: true, where: "src/sum.js:1" }],
  findings: [],
});

/** The answer of an examiner that writes no test. */
export const NO_EXAM = reply({ tests: [], left_out: "This is about something else." });

/** @param {string} operator */
export const source = (operator) => `export const sum = (a, b) => a ${operator} b;\n`;

/**
 * Reviewers and examiners read a file before their scripted answers.
 * @param {{planner?: Script, worker: Script, reviewer?: Script, examiner?: Script}} models
 * @returns {import("./harness.mjs").Setup}
 */
export const setup = ({ planner = [reply(PLAN)], worker, reviewer = [], examiner = NO_EXAM }) => ({
  scenario: {
    models: {
      ...{ planner, worker },
      reviewer: reading("package.json", inParts(reviewer)),
      examiner: reading("package.json", examiner),
    },
  },
  config: {
    agent: {
      "flow-planner": { model: "lab/planner" },
      "flow-worker": { model: "lab/worker" },
      "flow-reviewer": { model: "lab/reviewer" },
      "flow-examiner": { model: "lab/examiner" },
    },
  },
  files: { "package.json": '{ "type": "module" }\n' },
});

/** Opens a chat in a separate server. @param {Pick<Lab, "serve" | "project">} lab */
export async function chat({ serve, project }) {
  const server = await serve();
  const id = (await server.client.session.create({ body: {} })).data?.id ?? "";
  const blocks = async () => {
    const { data } = await server.client.session.messages({ path: { id } });
    return (data ?? [])
      .flatMap(({ parts }) => parts.map((part) => (part.type === "text" ? part.text : "")))
      .filter((text) => text !== "");
  };
  /** Types a command; returns the text that is shown. @param {string} command */
  const type = (command, args = "") => typed(() => once(command, args));
  /** @param {string} command @param {string} args */
  const once = async (command, args) => {
    const { error } = await server.client.session.command({
      path: { id },
      body: { command, arguments: args },
    });
    assert.equal(error, undefined, JSON.stringify(error));
    return (await blocks()).at(-1) ?? "";
  };
  /** Types a command; returns everything that is shown, including a model's comment. @param {string} command */
  const ask = async (command, args = "") => {
    const before = (await blocks()).length;
    await type(command, args);
    return (await blocks()).slice(before).join("\n");
  };
  /** Returns the directory of the active session, relative to the project. */
  const directory = async () => `.flow/sessions/${(await project.read(".flow/active")).trim()}`;
  return { ...server, id, type, ask, blocks, directory };
}

/**
 * Builds the goal without asking.
 * @param {import("./harness.mjs").Setup} scene
 * @param {(lab: Lab & {shown: string, code: number | null, state: any}) => Promise<void>} look
 */
export async function builtAlone(scene, look) {
  await withOpencode(scene, async (lab) => {
    const { code, stdout } = await lab.command("flow-auto", GOAL);
    const directory = `.flow/sessions/${(await lab.project.read(".flow/active")).trim()}`;
    await look({ ...lab, shown: stdout, code, state: await lab.project.json(`${directory}/session.json`) });
  });
}

/** Drafts the plan and approves it. @param {Awaited<ReturnType<typeof chat>>} chat */
export async function approve({ type }) {
  const shown = await type("flow-plan", GOAL);
  const hash = /\/flow-plan approve ([0-9a-f]+)/.exec(shown)?.[1] ?? assert.fail(shown);
  await type("flow-plan", `approve ${hash}`);
  return hash;
}
