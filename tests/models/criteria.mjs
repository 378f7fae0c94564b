// Criteria asked together against one by one, with a small real model: `node tests/models/criteria.mjs DIRECTORY WEIGHTS`, where
// `cargo xtask models` has installed both (target/models, and the .gguf file in it).
//
// The prompts are those of a reviewer in Flow. Answers are bound to their form, so that a model that is too weak for JSON answers, too.

import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../package/package.mjs";
import { CASES } from "./cases.mjs";

const [directory = "", weights = ""] = process.argv.slice(2).map((path) => resolve(path));
const { getLlama, LlamaChatSession } = await import(
  pathToFileURL(join(directory, "node_modules/node-llama-cpp/dist/index.js")).href
);

/** The longest text after a verdict, in characters. */
const WHERE = 40;

const prompt = (/** @type {string} */ name) => readFileSync(join(root, `prompts/${name}.md`), "utf8");
const fill = (/** @type {string} */ text, /** @type {Record<string, string>} */ values) =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => values[name] ?? "");

/** @typedef {{id: string, text: string, met: boolean}} Criterion */

/** The change, as a reviewer is shown it. @param {import("./cases.mjs").Case} one @param {Criterion[]} criteria */
const material = ({ title, code }, criteria) =>
  fill(prompt("flow/review"), {
    goal: title,
    title,
    criteria: listed(criteria),
    changed: `src/change.js:\n\n${code}`,
    evidence: "No check ran.",
  });

/** @param {Criterion[]} criteria */
const listed = (criteria) => criteria.map(({ id, text }) => `- ${id}: ${text}`).join("\n");

/** The question about some of the criteria. @param {Criterion[]} criteria */
const question = (criteria) =>
  fill(prompt("flow/review-criteria"), {
    what: criteria.length === 1 ? "this criterion" : "these criteria",
    criteria: listed(criteria),
    it: criteria.length === 1 ? "it" : "them",
    each: criteria.length === 1 ? "it" : "each of them",
    ids: criteria.map(({ id }) => id).join(", "),
    answer: fill(prompt("shared/answer"), {
      name: "Judged",
      form: `type Judged = {\n${prompt("flow/review-criteria-form")}};`,
    }),
  });

const llama = await getLlama({ gpu: false, build: "never", logLevel: "error", usePrebuiltBinaries: true });
const model = await llama.loadModel({ modelPath: weights });
// One thread: on a busy machine, several mostly wait for each other.
const context = await model.createContext({ contextSize: 8_192, threads: 1 });
const sequence = context.getSequence();

/** The form of an answer about these criteria, as a grammar. @param {Criterion[]} criteria */
const form = (criteria) =>
  llama.createGrammarForJsonSchema({
    type: "object",
    properties: {
      criteria: {
        type: "array",
        minItems: criteria.length,
        maxItems: criteria.length,
        prefixItems: criteria.map(({ id }) => ({
          type: "object",
          properties: {
            id: { const: id },
            met: { type: "boolean" },
            where: { type: "string", maxLength: WHERE },
          },
        })),
        items: { type: "null" },
      },
    },
  });

/**
 * Asks groups of criteria and returns the answers.
 * @param {import("./cases.mjs").Case} one
 * @param {Criterion[]} criteria
 * @param {Criterion[][]} groups
 * @param {boolean} together whether all groups are asked in one session
 */
async function ask(one, criteria, groups, together) {
  const shown = material(one, criteria);
  const begin = async () => {
    await sequence.clearHistory();
    return new LlamaChatSession({
      contextSequence: sequence,
      systemPrompt: prompt("flow/reviewer"),
      autoDisposeSequence: false,
    });
  };
  /** @type {boolean[]} */
  const said = [];
  let session = await begin();
  for (const [at, group] of groups.entries()) {
    if (at > 0 && !together) {
      session.dispose({ disposeSequence: false });
      session = await begin();
    }
    const isFirst = at === 0 || !together;
    const asked = isFirst ? `${shown}\n${question(group)}` : question(group);
    const grammar = await form(group);
    const text = await session.prompt(asked, { grammar, temperature: 0, maxTokens: 150 * group.length });
    const { criteria: judged } = JSON.parse(text);
    said.push(...judged.map((/** @type {{met: boolean}} */ { met }) => met));
  }
  session.dispose({ disposeSequence: false });
  return said;
}

/** @type {[string, (criteria: Criterion[]) => Criterion[][], boolean][]} */
const WAYS = [
  ["all in one call", (criteria) => [criteria], true],
  ["one by one, in one session", (criteria) => criteria.map((one) => [one]), true],
  ["one by one, in sessions of their own", (criteria) => criteria.map((one) => [one]), false],
];

process.stdout.write(
  "way | met: said met | not met: said met | balanced accuracy | tokens read | tokens written | s\n",
);
for (const [name, split, together] of WAYS) {
  const said = { met: { yes: 0, all: 0 }, not: { yes: 0, all: 0 } };
  const before = sequence.tokenMeter.getState();
  const began = performance.now();
  for (const [at, one] of CASES.entries()) {
    const inOrder = one.criteria.map(([text, met], at) => ({ id: `C${at + 1}`, text, met }));
    // Criteria that are met come first in every second case.
    const criteria = at % 2 === 0 ? inOrder : inOrder.reverse();
    const answers = await ask(one, criteria, split(criteria), together);
    for (const [at, { met }] of criteria.entries()) {
      const count = met ? said.met : said.not;
      count.yes += answers[at] ? 1 : 0;
      count.all += 1;
    }
  }
  const used = sequence.tokenMeter.diff(before);
  const [right = 0, wrong = 0] = [said.met, said.not].map(({ yes, all }) => yes / all);
  const cells = [
    name,
    `${said.met.yes} of ${said.met.all}`,
    `${said.not.yes} of ${said.not.all}`,
    `${(50 * (1 + right - wrong)).toFixed(1)}%`,
    used.usedInputTokens,
    used.usedOutputTokens,
    ((performance.now() - began) / 1000).toFixed(0),
  ];
  process.stdout.write(`${cells.join(" | ")}\n`);
}
await llama.dispose();
