// Each layer of isolation with the three others switched off, in the real OpenCode 2. No option can do that: a copy of the package is
// changed, and installed in its place.

import assert from "node:assert/strict";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { pack } from "../e2e/registry.mjs";
import { long } from "../long.mjs";
import * as lab from "../provider/lab.mjs";
import { callTool, reply } from "../provider/script.mjs";
import { missing, withOpencode2 } from "./harness.mjs";

/** @typedef {[tool: string, args: Record<string, unknown>]} Call */

const PACKAGE = fileURLToPath(new URL("../../pkg", import.meta.url));
const TASK = "Design a rate limiter for a public HTTP API";
const RUN = ".design-lab/2026-01-02-heirloom";
const RIVAL = `${RUN}/designs/oldtimer.json`;
const FILES = {
  [RIVAL]: '{"title": "Ancient ledger"}\n',
  // Every run has this file.
  [`${RUN}/.ignore`]: "!*\n",
};

/** What switches a layer off: a text of `plugin-js/opencode2/`, and what replaces it. @type {[file: string, text: string, instead: string][]} */
const OFF = [
  [
    "agents.js",
    "    ...refused.map(",
    '    { action: "shell", resource: "*", effect: "allow" },\n    ...refused.map(',
  ],
  ["setup.js", "await session.guard.before(tool, event.id, args, session.role);", ""],
  [
    "setup.js",
    "workflows.isolation.refresh();",
    'for (const name of [".ignore", ".rgignore"]) (await import("node:fs")).rmSync(directory + "/.design-lab/" + name, { force: true });',
  ],
  ["setup.js", "withhold(event, session.guard, directory);", "{}"],
];

/** Packs the package with only this layer. @param {number} layer */
async function only(layer) {
  const copy = await mkdtemp(join(tmpdir(), "design-lab-layers-"));
  try {
    await cp(PACKAGE, copy, { recursive: true });
    for (const [at, [file, text, instead]] of OFF.entries()) {
      if (at + 1 === layer) continue;
      const path = join(copy, "plugin-js/opencode2", file);
      const source = await readFile(path, "utf8");
      assert.ok(source.includes(text), `${file} holds ${text}`);
      await writeFile(path, source.replace(text, instead));
    }
    return await pack(copy);
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/**
 * Makes a designer call these tools with only this layer; returns the results, and the tools that it was offered.
 * @param {number} layer
 * @param {Call[]} calls
 */
async function tell(layer, calls) {
  const attempts = calls.map(([tool, args]) => callTool(tool, args));
  const models = {
    "quill-4": lab.byPhase({ design: [...attempts, reply(lab.design({ title: "Token bucket" }))] }),
    "zeph-3": lab.model({ topic: "Rate limiter", design: { title: "Leaky pail" } }),
    "judge-1": lab.model({}),
  };
  const designLab = {
    design_models: ["lab/quill-4", "lab/zeph-3"],
    review_models: ["lab/judge-1"],
    topic_generator_model: "lab/zeph-3",
  };
  const setup = { scenario: { models }, designLab, files: FILES, packed: await only(layer) };
  return withOpencode2(setup, async ({ serve, provider }) => {
    const { command } = await (await serve()).session();
    assert.match(await command("design-lab", TASK), /ranked/);
    const requests = provider.requestsOf("quill-4");
    const messages = requests.at(-1)?.messages.filter(({ role }) => role === "tool") ?? [];
    assert.equal(messages.length, calls.length, "each call was answered");
    return { results: messages.map(({ content }) => content), tools: requests[0]?.tools ?? [] };
  });
}

/** @type {Call} */
const cat = ["shell", { command: `cat ${RIVAL}` }];
/** @type {Call} */
const read = ["read", { path: RIVAL }];
/** @type {Call} */
const list = ["read", { path: ".design-lab" }];
/** @type {Call} */
const grep = ["grep", { pattern: "Ancient" }];
/** @type {Call} */
const grepInside = ["grep", { pattern: "Ancient", path: RUN }];
/** @type {Call} */
const glob = ["glob", { pattern: "**/*", hidden: true }];

const skip = missing || long("One of four layers alone. `isolation.test.mjs` has all layers.");

test("layer 1 alone: what isn't allowed isn't offered, and OpenCode 2 runs none of it", {
  skip,
}, async () => {
  const { results, tools } = await tell(1, [cat, ["execute", { code: "return 1" }], read]);
  assert.deepEqual(tools, ["glob", "grep", "read"]);
  for (const result of results.slice(0, 2)) assert.match(result, /No tool named/);
  assert.match(results[2] ?? "", /Ancient ledger/, "the other layers are off");
});

test("layer 2 alone: every call that would reach a design is refused before it runs", { skip }, async () => {
  const { results, tools } = await tell(2, [cat, read, list, grep, grepInside, glob]);
  assert.ok(tools.includes("shell"));
  for (const result of results) assert.match(result, /not available in this session/);
});

test("layer 3 alone: ripgrep finds no design, unless hidden files are asked for", { skip }, async () => {
  const { results } = await tell(3, [grep, grepInside, ["glob", { pattern: "**/*" }], glob, read]);
  for (const at of [0, 1]) assert.equal(results[at], "No matches found");
  assert.doesNotMatch(results[2] ?? "", /oldtimer/);
  // This layer alone can't prevent these: they need layers 2 and 4.
  assert.match(results[3] ?? "", /oldtimer/);
  assert.match(results[4] ?? "", /Ancient ledger/);
});

test("layer 4 alone: results lose what lies in the output directory", { skip }, async () => {
  /** @type {Call} */
  const find = ["shell", { command: "find .design-lab -type f" }];
  const { results } = await tell(4, [read, list, grep, grepInside, glob, find, cat]);
  for (const at of [0, 1, 5]) assert.equal(results[at], "This result is not available in this session.");
  for (const at of [2, 3]) assert.equal(results[at], "No files found");
  assert.doesNotMatch(results[4] ?? "", /heirloom|oldtimer/);
  assert.match(results[4] ?? "", /README\.md/);
  // This layer can't prevent this: a program's output that names no path.
  assert.match(results[6] ?? "", /Ancient ledger/);
});
