// What a run costs in addition to its models: wall time compared with the critical path and with OpenCode alone, and memory, also with
// large replies: `cargo xtask bench overhead`.
//
// Five designers and five reviewers answer after 2 s each, in the real OpenCode. The critical path is the time that the models alone
// need: designs, then two turns of each reviewer, with as many models in parallel as `concurrency` allows; naming the run is one more
// call in parallel with the designs. Then the smallest possible plugin (tests/e2e/fixtures/replay) sends the same texts to the same
// models: its time is OpenCode's own work. Other load on the machine counts as overhead, so there should be none.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { withOpencode } from "../tests/e2e/harness.mjs";
import * as lab from "../tests/provider/lab.mjs";
import * as script from "../tests/provider/script.mjs";
import { median, print, smoke } from "./table.mjs";

/** @typedef {import("../tests/provider/server.mjs").Recorded} Recorded */
/** @typedef {import("../tests/e2e/harness.mjs").Setup} Setup */

const [LATENCY_MS, MODELS] = smoke ? [10, 2] : [2_000, 5];
const TASK = "Design a rate limiter for a public HTTP API";
const replay = fileURLToPath(new URL("../tests/e2e/fixtures/replay", import.meta.url));

const names = (/** @type {string} */ kind) =>
  Array.from({ length: MODELS }, (_, index) => `${kind}-${index + 1}`);

/** @param {string} [padding] text added to each design */
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
  // There is no user to confirm the cost.
  budget: { confirm_usd: null },
});

/** @typedef {{ calls: Recorded[], megabytes: number }} Cost */

/**
 * Measures a command that has conversations with models.
 * @param {Setup} setup
 * @param {string} command
 * @param {string} [text]
 * @returns {Promise<Cost>}
 */
function costOf(setup, command, text) {
  return withOpencode({ ...setup, snapshots: true }, async ({ startCommand, provider }) => {
    const running = startCommand(command, text, { timeoutMs: 300_000 });
    let megabytes = 0;
    const watch = setInterval(() => {
      megabytes = Math.max(megabytes, peak(running.pid));
    }, 100);
    const ended = await running.ended;
    clearInterval(watch);
    if (ended.code !== 0) throw new Error(ended.stdout + ended.stderr);
    return { calls: provider.requests.filter(({ model }) => model !== "host"), megabytes };
  });
}

/** @param {number} pid the process whose peak memory is returned, in megabytes; 0 once it has ended */
function peak(pid) {
  try {
    const line = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
    return Number(line?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/**
 * Returns the conversations of a run, phase by phase.
 * @param {Recorded[]} requests
 */
function phasesOf(requests) {
  const isNaming = (/** @type {Recorded} */ request) => lab.phaseOf(request) === "topic";
  const lastOf = (/** @type {string} */ name) =>
    requests.findLast((request) => request.model === name && !isNaming(request));
  const phases = [[requests.find(isNaming), ...names("designer").map(lastOf)], names("reviewer").map(lastOf)];
  return phases.map((phase) =>
    phase.map((last) => ({
      model: last?.model,
      system: last?.system,
      turns: last?.messages.filter(({ role }) => role === "user").map(({ content }) => content),
    })),
  );
}

/** Returns the time from the first request to the last answer. @param {Recorded[]} requests */
function span(requests) {
  const from = Math.min(...requests.map((request) => request.startedAt));
  return Math.max(...requests.map((request) => request.endedAt ?? 0)) - from;
}

const roomy = { limit: { context: 20_000_000, output: 16_000 } };
const models = Object.fromEntries([...names("designer"), ...names("reviewer")].map((name) => [name, roomy]));

/**
 * How many models are asked at once, how many bytes are added to each design, and the number of rounds. Simultaneous answers
 * keep OpenCode busy, and the time for that varies.
 */
const RUNS = [
  [1, 0, 3],
  [4, 0, 5],
  [10, 0, 9],
  [4, 1_000_000, 1],
];

/** @typedef {{ calls: number, ms: number, megabytes: number }} Measured */

/** @param {Cost} cost @returns {Measured} */
const measured = ({ calls, megabytes }) => ({ calls: calls.length, ms: span(calls), megabytes });

/** Formats the median, and the range if there is more than one value. @param {number[]} values */
function spread(values) {
  const seconds = (/** @type {number} */ ms) => (ms / 1000).toFixed(1);
  const all =
    values.length > 1 ? ` (${seconds(Math.min(...values))} to ${seconds(Math.max(...values))})` : "";
  return seconds(median(values)) + all;
}

/** @type {(string | number)[][]} */
const rows = [];
for (const [concurrency = 1, padding = 0, rounds = 1] of smoke ? [[4, 0, 1]] : RUNS) {
  const common = { scenario: scenario("orders flow on, ".repeat(padding / 16)), models };
  /** @type {{ bare: Measured, ours: Measured }[]} */
  const pairs = [];
  for (let round = 0; round < rounds; round += 1) {
    const ours = await costOf({ ...common, designLab: designLab(concurrency) }, "design-lab", TASK);
    const plan = JSON.stringify({ concurrency, phases: phasesOf(ours.calls) });
    const bare = await costOf({ ...common, package: replay, files: { "replay.json": plan } }, "replay");
    if (bare.calls.length !== ours.calls.length) {
      throw new Error(`${bare.calls.length} calls instead of ${ours.calls.length}`);
    }
    pairs.push({ bare: measured(bare), ours: measured(ours) });
  }
  // A started conversation is finished first: its prompt is still cached, and a run that reaches its budget has complete
  // reviews. So a reviewer keeps its place for both turns.
  const path = (Math.ceil((1 + MODELS) / concurrency) + 2 * Math.ceil(MODELS / concurrency)) * LATENCY_MS;
  const most = (/** @type {"bare" | "ours"} */ who) => Math.max(...pairs.map((pair) => pair[who].megabytes));
  rows.push([
    padding ? `designs of ${padding / 1e6} MB` : "small",
    concurrency,
    pairs[0]?.ours.calls ?? 0,
    (path / 1000).toFixed(1),
    spread(pairs.map(({ bare }) => bare.ms)),
    spread(pairs.map(({ ours }) => ours.ms)),
    spread(pairs.map(({ bare, ours }) => ours.ms - bare.ms)),
    most("bare").toFixed(0),
    most("ours").toFixed(0),
  ]);
}
print(
  [
    "replies",
    "concurrency",
    "calls",
    "critical path, s",
    "OpenCode alone, s",
    "with Design Lab, s",
    "more, s",
    "OpenCode alone, MB",
    "with Design Lab, MB",
  ],
  rows,
);
