// What a run costs beside its models: wall time against the critical path and against OpenCode alone, and memory with large
// replies.
//
//   cargo xtask build && node tests/bench-overhead.mjs
//
// Five designers and five reviewers answer after 2 s each, in the real OpenCode. The critical path is the time that the
// models alone need: a topic, then designs, then two turns of each reviewer, as many models side by side as `concurrency`
// allows. Then the smallest plugin that can (fixtures/replay) sends the same texts to the same models: what that takes is
// OpenCode's own work. Whatever else the machine does counts as overhead: it should do nothing.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { withOpencode } from "./e2e/harness.mjs";
import * as lab from "./provider/lab.mjs";
import * as script from "./provider/script.mjs";

/** @typedef {import("./provider/server.mjs").Recorded} Recorded */
/** @typedef {import("./e2e/harness.mjs").Setup} Setup */

const LATENCY_MS = 2_000;
const MODELS = 5;
const TASK = "Design a rate limiter for a public HTTP API";
const replay = fileURLToPath(new URL("e2e/fixtures/replay", import.meta.url));
const say = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);
const seconds = (/** @type {number} */ ms) => `${(ms / 1000).toFixed(1)} s`;

const names = (/** @type {string} */ kind) =>
  Array.from({ length: MODELS }, (_, index) => `${kind}-${index + 1}`);

/** @param {string} [padding] what the designs carry on top */
function scenario(padding = "") {
  const options = { delayMs: LATENCY_MS, chunk: 65_536 };
  const models = [...names("designer"), ...names("reviewer")].map((name) => [
    name,
    lab.model({ topic: "Rate limiter", design: { title: name, data_flow: `It flows. ${padding}` }, options }),
  ]);
  return { models: { host: script.reply("Noted."), ...Object.fromEntries(models) } };
}

/** @param {number} concurrency */
const designLab = (concurrency) => ({
  design_models: names("designer").map((name) => `lab/${name}`),
  review_models: names("reviewer").map((name) => `lab/${name}`),
  concurrency,
});

/**
 * The requests of a command that carries conversations with models.
 * @param {Setup} setup
 * @param {string} command
 * @param {string} [text]
 */
function requestsOf(setup, command, text) {
  return withOpencode({ scenario: scenario(), ...setup }, async ({ command: run, provider }) => {
    const ended = await run(command, text);
    if (ended.code !== 0) throw new Error(ended.stdout + ended.stderr);
    return provider.requests.filter(({ model }) => model !== "host");
  });
}

/**
 * The conversations that a run had, phase after phase.
 * @param {Recorded[]} requests
 */
function phasesOf(requests) {
  const lastOf = (/** @type {string} */ name) => requests.slice(1).findLast(({ model }) => model === name);
  const phases = [[requests[0]], names("designer").map(lastOf), names("reviewer").map(lastOf)];
  return phases.map((phase) =>
    phase.map((last) => ({
      model: last?.model,
      system: last?.system,
      turns: last?.messages.filter(({ role }) => role === "user").map(({ content }) => content),
    })),
  );
}

/** From the first request to the last answer. @param {Recorded[]} requests */
function span(requests) {
  const from = Math.min(...requests.map((request) => request.startedAt));
  return Math.max(...requests.map((request) => request.endedAt ?? 0)) - from;
}

for (const concurrency of [1, 4, 10]) {
  const ours = await requestsOf({ designLab: designLab(concurrency) }, "design-lab", TASK);
  const plan = JSON.stringify({ concurrency, phases: phasesOf(ours) });
  const bare = await requestsOf({ package: replay, files: { "replay.json": plan } }, "replay");
  if (bare.length !== ours.length) throw new Error(`${bare.length} calls instead of ${ours.length}`);
  // A conversation that has begun is finished first: its prompt is still cached, and a budget that ends leaves whole
  // reviews. So a reviewer keeps its place for both turns.
  const path = (1 + 3 * Math.ceil(MODELS / concurrency)) * LATENCY_MS;
  say(
    `concurrency ${concurrency}, ${ours.length} calls: critical path ${seconds(path)}, OpenCode alone ${seconds(span(bare))}, ` +
      `with Design Lab ${seconds(span(ours))}`,
  );
}

/** @param {number} pid the most memory that a process ever had, in megabytes */
function peak(pid) {
  const line = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(line?.[1] ?? 0) / 1024;
}

/**
 * @param {string} what
 * @param {Setup} setup
 * @param {string} command
 * @param {string} [text]
 * @returns {Promise<Recorded[]>}
 */
function memoryOf(what, setup, command, text) {
  return withOpencode(setup, async ({ startCommand, provider }) => {
    const running = startCommand(command, text, { timeoutMs: 300_000 });
    let most = 0;
    const watch = setInterval(() => {
      try {
        most = Math.max(most, peak(running.pid));
      } catch {
        // It has ended.
      }
    }, 100);
    const ended = await running.ended;
    clearInterval(watch);
    say(`${what}: ${most.toFixed(0)} MB at most, code ${ended.code}, ${seconds(ended.ms)}`);
    return provider.requests.filter(({ model }) => model !== "host");
  });
}

const roomy = { limit: { context: 20_000_000, output: 16_000 } };
const models = Object.fromEntries([...names("designer"), ...names("reviewer")].map((name) => [name, roomy]));
for (const [what, size] of /** @type {const} */ ([
  ["small replies", 0],
  ["designs of 1 MB", 1_000_000],
])) {
  const common = { scenario: scenario("orders flow on, ".repeat(size / 16)), models };
  const ours = await memoryOf(
    `${what}, with Design Lab`,
    { ...common, designLab: designLab(4) },
    "design-lab",
    TASK,
  );
  const plan = JSON.stringify({ concurrency: 4, phases: phasesOf(ours) });
  await memoryOf(
    `${what}, OpenCode alone`,
    { ...common, package: replay, files: { "replay.json": plan } },
    "replay",
  );
}
