// Each layer of isolation with the three others switched off, in the real OpenCode. No option can do that: two plugins beside ours
// (`fixtures/layers`) allow what the agent may not do, hide sessions from our hooks, and remove the `.ignore`.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { long } from "../long.mjs";
import * as lab from "../provider/lab.mjs";
import * as script from "../provider/script.mjs";
import { withOpencode } from "./harness.mjs";

const TASK = "Design a rate limiter for a public HTTP API";
const RIVAL = ".design-lab/2026-01-02-heirloom/designs/oldtimer.json";
const FILES = {
  [RIVAL]: '{"title": "Ancient ledger"}\n',
  ".gitignore": ".opencode/node_modules\n",
  // Every run has this file.
  ".design-lab/2026-01-02-heirloom/.ignore": "!*\n",
};
const fixture = (/** @type {string} */ name) =>
  fileURLToPath(new URL(`./fixtures/layers/${name}.js`, import.meta.url));

const PATH = "This path is not available in this session; the rest of the project is.";
const TOOL = "This tool is not available in this session.";
const WITHHELD = "This result is not available in this session.";

/** @typedef {[tool: string, args: Record<string, unknown>]} Call */

/**
 * Makes a designer call these tools while the layers are off; returns the results, and the tools that it was offered.
 * @param {string} off
 * @param {Call[]} calls
 */
async function tell(off, calls) {
  const attempts = calls.map(([tool, args]) => script.callTool(tool, args));
  const models = {
    "quill-4": lab.byPhase({ design: [...attempts, script.reply(lab.design({ title: "Token bucket" }))] }),
    "zeph-3": lab.model({ topic: "Rate limiter", design: { title: "Leaky pail" } }),
    "judge-1": lab.model({}),
  };
  const designLab = {
    design_models: ["lab/quill-4", "lab/zeph-3"],
    review_models: ["lab/judge-1"],
    topic_generator_model: "lab/zeph-3",
  };
  const config = { plugin: [fixture("first"), "opencode-design-lab", fixture("last")] };
  const setup = { scenario: { models }, designLab, config, files: FILES, env: { LAYERS_OFF: off } };
  return withOpencode(setup, async ({ command, provider }) => {
    const ended = await command("design-lab", TASK, { timeoutMs: 240_000 });
    assert.equal(ended.code, 0, ended.stdout + ended.stderr);
    const requests = provider.requestsOf("quill-4");
    const all = requests.map((request) => request.messages.filter(({ role }) => role === "tool"));
    const results = all.find((messages) => messages.length === calls.length) ?? [];
    assert.equal(results.length, calls.length, "each call was answered");
    return { results: results.map((message) => message.content), tools: requests[0]?.tools ?? [] };
  });
}

/** @type {Call} */
const bash = ["bash", { command: `cat ${RIVAL}`, description: "x" }];
/** @type {Call} */
const read = ["read", { filePath: RIVAL }];
/** @type {Call} */
const list = ["read", { filePath: ".design-lab" }];
/** @type {Call} */
const grep = ["grep", { pattern: "Ancient" }];
/** @type {Call} */
const grepInside = ["grep", { pattern: "Ancient", path: ".design-lab/2026-01-02-heirloom" }];
/** @type {Call} */
const glob = ["glob", { pattern: "**/*" }];

test("without any layer everything is found", {
  skip: long(
    "A control without any layer. `isolation-layers.test.mjs` still shows one layer alone, and `isolation.test.mjs` all of them.",
  ),
}, async () => {
  const { results, tools } = await tell("1,2,3,4", [read, list, grep, glob, bash]);
  assert.ok(tools.includes("bash"));
  for (const at of [0, 2, 4]) assert.match(results[at] ?? "", /Ancient ledger/);
  assert.match(results[1] ?? "", /heirloom/);
  assert.match(results[3] ?? "", /oldtimer/);
});

test("layer 1 alone: what isn't allowed isn't offered, and OpenCode runs none of it", {
  skip: long(
    "One of four layers alone. `run.test.mjs` shows what a designer is offered, and `isolation.test.mjs` has all layers.",
  ),
}, async () => {
  const task = { description: "x", prompt: `Repeat @${RIVAL}`, subagent_type: "general" };
  const { results, tools } = await tell("2,3,4", [bash, ["task", task]]);
  assert.deepEqual(tools, ["glob", "grep", "read"]);
  for (const result of results) {
    assert.doesNotMatch(result, /Ancient/);
    assert.match(result, /unavailable tool/);
  }
});

test("layer 2 alone: every call that would reach a design is refused before it runs", async () => {
  const { results, tools } = await tell("1,3,4", [bash, read, list, grep, glob]);
  assert.ok(tools.includes("bash"));
  assert.deepEqual(results, [TOOL, PATH, PATH, PATH, PATH]);
});

test("layer 3 alone: ripgrep finds no design, unless its glob asks for all files", {
  skip: long(
    "One of four layers alone. `plugin-js/design-lab/ignore-file.test.js` uses ripgrep, and `isolation.test.mjs` has all layers.",
  ),
}, async () => {
  const calls = [grep, ["glob", { pattern: "**/*.json" }], glob, read, grepInside];
  const { results } = await tell("1,2,4", /** @type {Call[]} */ (calls));
  assert.equal(results[0], "No files found");
  assert.equal(results[4], "No files found", "though the run's own `.ignore` lets searches in");
  assert.ok(results[1] !== undefined);
  assert.doesNotMatch(results[1], /oldtimer/);
  // This layer alone can't prevent these: they need layers 2 and 4.
  assert.match(results[2] ?? "", /oldtimer/);
  assert.match(results[3] ?? "", /Ancient ledger/);
});

test("layer 4 alone: results lose what lies in the output directory", {
  skip: long(
    "One of four layers alone. `tests/design_lab/isolation.rs` cleans results, and `isolation.test.mjs` has all layers.",
  ),
}, async () => {
  /** @type {Call} */
  const find = ["bash", { command: "find .design-lab -type f", description: "x" }];
  const { results } = await tell("1,2,3", [read, list, grep, glob, find, bash]);
  assert.equal(results[0], WITHHELD);
  assert.equal(results[1], WITHHELD);
  assert.ok(results[2] !== undefined && results[3] !== undefined);
  assert.doesNotMatch(results[2], /Ancient/);
  assert.doesNotMatch(results[3], /heirloom|oldtimer/);
  assert.match(results[3], /README\.md/);
  assert.equal(results[4], WITHHELD);
  // This layer can't prevent this: a program's output that names no path.
  assert.match(results[5] ?? "", /Ancient ledger/);
});
