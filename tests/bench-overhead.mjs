// What a run costs beside its models: wall time against the critical path, and memory with large replies.
//
//   cargo xtask build && node tests/bench-overhead.mjs
//
// Five designers and five reviewers answer after 2 s each, in the real OpenCode; its start is measured apart. The critical
// path is the time that the models alone need: a topic, then designs, then two turns of each reviewer, as many models side
// by side as `concurrency` allows. Whatever else the machine does counts as overhead: it should do nothing.

import { readFileSync } from "node:fs";
import { withOpencode } from "./e2e/harness.mjs";
import * as lab from "./provider/lab.mjs";
import * as script from "./provider/script.mjs";

const LATENCY_MS = 2_000;
const MODELS = 5;
const TASK = "Design a rate limiter for a public HTTP API";
const say = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);

const names = (/** @type {string} */ kind) =>
  Array.from({ length: MODELS }, (_, index) => `${kind}-${index + 1}`);

/** @param {import("./provider/lab.mjs").Design["summary"]} [padding] */
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

const round = (/** @type {number} */ ms) => `${(ms / 1000).toFixed(1)} s`;

for (const concurrency of [1, 4, 10]) {
  await withOpencode(
    { scenario: scenario(), designLab: designLab(concurrency) },
    async ({ command, provider }) => {
      const ended = await command("design-lab", TASK);
      if (ended.code !== 0) throw new Error(ended.stdout + ended.stderr);
      const requests = provider.requests.filter(({ model }) => model !== "host");
      const from = Math.min(...requests.map((request) => request.startedAt));
      const to = Math.max(...requests.map((request) => request.endedAt ?? 0));
      // A conversation that has begun is finished first: its prompt is still cached, and a budget that ends leaves whole
      // reviews. So a reviewer keeps its place for both turns.
      const rounds = 1 + 3 * Math.ceil(MODELS / concurrency);
      const path = rounds * LATENCY_MS;
      say(
        `concurrency ${concurrency}: ${round(to - from)} from the first request to the last answer, critical path ${round(path)}, ` +
          `overhead ${round(to - from - path)} over ${requests.length} calls; the whole command ${round(ended.ms)}`,
      );
    },
  );
}

/** @param {number} pid the most memory that a process ever had, in megabytes */
function peak(pid) {
  const line = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(line?.[1] ?? 0) / 1024;
}

for (const [what, padding] of [
  ["small replies", ""],
  ["designs of 1 MB", "x".repeat(1_000_000)],
]) {
  await withOpencode(
    {
      scenario: scenario(padding),
      designLab: designLab(4),
      models: Object.fromEntries(
        names("reviewer").map((name) => [name, { limit: { context: 20_000_000, output: 16_000 } }]),
      ),
    },
    async ({ startCommand }) => {
      const running = startCommand("design-lab", TASK, { timeoutMs: 300_000 });
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
      say(`${what}: ${most.toFixed(0)} MB at most, code ${ended.code}, ${round(ended.ms)}`);
    },
  );
}
