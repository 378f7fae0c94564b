// `cargo xtask models`: a real small model, served on loopback, in the real OpenCode. It is too small to design anything; the test
// checks that each command ends, that no copied answer is accepted, that no answer occurs more than twice, byte for byte, and that no
// other server receives a request.
//
// Scripted models on loopback play the later acts of the story, which such a model never reaches.

import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { withOpencode } from "../e2e/harness.mjs";
import { commands, setup as story } from "../e2e/story.mjs";
import { copied, repeated, saidAgain } from "./copied.mjs";
import { startProxy } from "./proxy.mjs";
import { LIMIT, MODEL, serveModel } from "./server.mjs";

const [directory = "", weights = ""] = process.argv.slice(2).map((path) => resolve(path));

/** The same weights under two names, because a comparison needs two designs. */
const MODELS = [MODEL, `${MODEL}-again`];

const TASK = "Design a shopping list that several people edit at the same time";
const GOAL = "Add a function that adds two numbers, with a test";
const CRITERIA = "- The server answers with status 200\n- An order can be stored";

/** The time limit of a command, in ms: a small model on a busy machine is slow. */
const COMMAND_MS = 40 * 60_000;

/** OpenCode's built-in provider: a free model that the user didn't set up, so it is never asked. */
const BUILT_IN = {
  opencode: {
    id: "opencode",
    name: "OpenCode Zen",
    api: "https://opencode.invalid/v1",
    npm: "@ai-sdk/openai-compatible",
    env: ["OPENCODE_API_KEY"],
    models: {
      free: {
        id: "free",
        name: "Free",
        attachment: false,
        reasoning: false,
        temperature: true,
        tool_call: true,
        release_date: "2026-10-01",
        last_updated: "2026-10-01",
        modalities: { input: ["text"], output: ["text"] },
        open_weights: false,
        cost: { input: 0, output: 0 },
        limit: { context: 200_000, output: 32_000 },
      },
    },
  },
};

/** @type {string[][]} */
const rows = [["command", "ended", "took", "calls", "tokens", "tokens/s", "accepted", "copied", "repeated"]];
/** @type {string[]} */
const faults = [];

const say = (/** @type {string} */ text) => process.stdout.write(`${text}\n`);

const proxy = await startProxy();
const server = await serveModel({ directory, weights });
try {
  await realModel();
  await laterActs();
} finally {
  await server.close();
  await proxy.close();
}
print(rows);
const others = proxy.asked.length;
say(
  `\n${others} requests to anybody else, as seen at the proxy${others > 0 ? `: ${proxy.asked.join(", ")}` : "."}`,
);
if (others > 0) faults.push("somebody else was asked");
for (const fault of faults) say(`✗ ${fault}`);
process.exitCode = faults.length > 0 ? 1 : 0;

/** Runs a design run, a plan and a verification with the real model. */
async function realModel() {
  const local = {
    npm: "@ai-sdk/openai-compatible",
    name: "Local",
    options: { baseURL: server.baseURL },
    models: Object.fromEntries(
      MODELS.map((id) => [
        id,
        // Planner and verifier need tools, which only one of the two models supports.
        { name: id, tool_call: id === MODEL, temperature: true, limit: LIMIT, cost: { input: 0, output: 0 } },
      ]),
    ),
  };
  const model = `local/${MODEL}`;
  const names = MODELS.map((id) => `local/${id}`);
  const prices = Object.fromEntries(names.map((name) => [name, { input: 0, output: 0 }]));
  const designLab = { design_models: names, review_models: [model], concurrency: 1, prices };
  const config = { model, small_model: model, provider: { local } };
  const packed = process.env.PACKAGE;
  await withOpencode({ config, designLab, env: proxy.env, package: packed }, async (lab) => {
    const env = { OPENCODE_MODELS_PATH: await builtIn(lab.home) };
    for (const [
      name,
      text,
      accepted,
      part,
    ] of /** @type {[string, string, RegExp, (document: any) => unknown][]} */ ([
      ["design-lab", TASK, /designs\/[^/]+\.json$/, (design) => design],
      // A session without a plan has `null` there.
      ["flow-plan", GOAL, /(?:^|\/)session\.json$/, ({ plan }) => plan],
      ["validate-work", CRITERIA, /verify\.json$/, (verdicts) => verdicts],
    ])) {
      const from = server.answered.length;
      say(`\n$ ${name}: ${text.split("\n")[0]}`);
      const ended = await lab.command(name, text, { timeoutMs: COMMAND_MS, env });
      say(ended.stdout.trim().split("\n").slice(-8).join("\n"));
      await note(lab.project, { name, text, accepted, part, ended, answered: server.answered.slice(from) });
    }
  });
}

/** Runs the story from the task to the proof with scripted models, because the real one never gets that far. */
async function laterActs() {
  const packed = process.env.PACKAGE;
  const setup = { ...story({ repeat: 1, control: ["frozen"] }), env: proxy.env, package: packed };
  await withOpencode(setup, async (lab) => {
    const env = { OPENCODE_MODELS_PATH: await builtIn(lab.home) };
    for (const { name, text } of commands()) {
      say(`${name} (scripted)`);
      const ended = await lab.command(name, text, { timeoutMs: COMMAND_MS, env });
      if (ended.code !== 0)
        faults.push(`${name} of the story ended with ${ended.code}: ${ended.stdout.slice(-2_000)}`);
      const calls = `${lab.provider.requests.length}`;
      rows.push([`${name} (scripted)`, outcome(ended.stdout), seconds(ended.ms), calls, "", "", "", "", ""]);
    }
  });
}

/** @param {string} home */
async function builtIn(home) {
  const file = join(home, "models-built-in.json");
  await writeFile(file, JSON.stringify(BUILT_IN));
  return file;
}

/**
 * @param {import("../e2e/harness.mjs").Project} project
 * @param {{name: string, text: string, accepted: RegExp, part: (document: any) => unknown, ended: import("../e2e/harness.mjs").Ended,
 *   answered: import("./server.mjs").Answered[]}} seen `accepted`: the files that contain accepted answers; `part`: the relevant part
 *   of them
 */
async function note(project, { name, text, accepted, part, ended, answered }) {
  if (ended.signal !== null) faults.push(`${name} didn't end within ${COMMAND_MS / 60_000} min`);
  const found = [];
  for (const place of [".design-lab", ".flow"]) {
    const files = (await project.exists(place)) ? await project.files(place) : [];
    for (const file of files.filter((file) => accepted.test(file))) {
      const held = part(await project.json(`${place}/${file}`));
      if (held !== null) found.push(held);
    }
  }
  const prompts = answered.flatMap(({ messages }) =>
    messages.filter(({ role }) => role !== "assistant").map(({ content }) => content),
  );
  const taken = found.flatMap((held) => copied(held, prompts, text));
  if (taken.length > 0) faults.push(`${name} accepted what stands in its prompt: ${JSON.stringify(taken)}`);
  const stubborn = saidAgain(answered);
  if (stubborn.length > 0)
    faults.push(`${name}: told what is wrong, a model said the same again: ${JSON.stringify(stubborn)}`);
  const again = repeated(answered.map((one) => one.text));
  // Two designers, or two conversations, may get the same answer to the same prompt. A third time is a fault.
  const often = again.filter((text, index) => again.indexOf(text) < index);
  if (often.length > 0)
    faults.push(`${name}: the same answer, byte for byte, more than twice: ${JSON.stringify(often)}`);
  const tokens = answered.reduce((sum, one) => sum + one.completion, 0);
  const ms = answered.reduce((sum, one) => sum + one.ms, 0);
  rows.push([
    name,
    outcome(ended.stdout),
    seconds(ended.ms),
    `${answered.length}`,
    `${answered.reduce((sum, one) => sum + one.prompt, 0)} + ${tokens}`,
    ms === 0 ? "" : (tokens / (ms / 1000)).toFixed(1),
    `${found.length}`,
    `${taken.length}`,
    `${again.length}`,
  ]);
}

/** Returns how a command ended, from the last block of its text. @param {string} shown */
function outcome(shown) {
  const heads = shown.match(/^(?:Design Lab|Flow|Validation) · [^·\n]+/gm) ?? [];
  return heads.at(-1)?.trim() ?? "no result";
}

/** @param {number} ms */
function seconds(ms) {
  return `${(ms / 1000).toFixed(0)} s`;
}

/** @param {string[][]} table */
function print(table) {
  const widths =
    table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  for (const row of table)
    say(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
}
