// How much time Flow adds to a feature, beyond models, checks and OpenCode: `cargo xtask bench feature`.
//
// The feature is built in the real OpenCode in two rounds, because the first fails its check. Each model answers after 2 s. The
// session's journal shows what happened when. During a model call, the model's own time counts for the provider, and the rest of the
// call for OpenCode. During a check, here or in a copy of the files, the time counts for the check while its own process runs. All
// other time is Flow's.

import { events } from "../tests/e2e/artefacts.mjs";
import { APPROVED, DONE, GOAL, setup, source, TEST } from "../tests/e2e/flow.mjs";
import { withOpencode } from "../tests/e2e/harness.mjs";
import { callTool, reply } from "../tests/provider/script.mjs";
import { print, smoke } from "./table.mjs";

const [LATENCY_MS, RUNS] = smoke ? [10, 1] : [2_000, 5];
const options = { delayMs: LATENCY_MS };
const write = (/** @type {string} */ filePath, /** @type {string} */ content) =>
  callTool("write", { filePath, content }, options);
const late = (/** @type {typeof DONE} */ step) => ({ ...step, delayMs: LATENCY_MS });

const EXAM = reply({
  tests: [{ path: "test/exam.test.js", text: TEST, check: "sum/all", criteria: ["adds"] }],
  left_out: "",
});

/** Returns the times of one feature, in ms: of models, of OpenCode's share of their calls, of checks, and Flow's own. */
async function feature() {
  const scene = setup({
    worker: [
      write("src/sum.js", source("-")),
      write("test/sum.test.js", TEST),
      late(DONE),
      write("src/sum.js", source("+")),
      late(DONE),
    ],
    reviewer: [late(APPROVED)],
    examiner: [late(EXAM)],
  });
  return withOpencode({ ...scene, snapshots: true }, async ({ run, project, provider }) => {
    const ended = await run(["run", "--command", "flow-auto", GOAL]);
    if (ended.code !== 0) throw new Error(ended.stdout + ended.stderr);
    const session = `.flow/sessions/${(await project.read(".flow/active")).trim()}`;
    const journal = await events(project, session);
    const begins = journal.findIndex(
      ({ event, job }) => event === "session_opened" && job.startsWith("work:"),
    );
    const [first, last] = [journal[begins - 1], journal.at(-1)];
    let asking = 0;
    let checks = 0;
    for (const [index, event] of journal.entries()) {
      if (index < begins) continue;
      if (event.event === "answered") asking += event.at - (journal[index - 1]?.at ?? event.at);
      const runs = runsOf(event);
      checks += runs.reduce(
        (/** @type {number} */ sum, /** @type {any} */ { duration_ms }) => sum + duration_ms,
        0,
      );
    }
    const asked = provider.requests.filter(({ model }) => ["worker", "reviewer", "examiner"].includes(model));
    const models = asked.reduce(
      (sum, { startedAt, endedAt }) => sum + ((endedAt ?? startedAt) - startedAt),
      0,
    );
    const all = last.at - first.at;
    return { models, opencode: asking - models, checks, flow: all - asking - checks };
  });
}

/** Returns what an effect ran. @param {any} event */
function runsOf({ event, ran, runs, tried, before, tests }) {
  if (event === "check_finished") return [ran];
  if (event === "ran_apart") return runs;
  if (event === "examined")
    return [...before, ...tests.flatMap((/** @type {any} */ one) => [...one.runs, one.before])];
  return event === "mutated" ? tried.flatMap((/** @type {any} */ one) => one.runs) : [];
}

/** @type {Awaited<ReturnType<typeof feature>>[]} */
const runs = [];
for (let number = 0; number < RUNS; number += 1) runs.push(await feature());
const seconds = (/** @type {number} */ ms) => (ms / 1000).toFixed(2);
runs.sort((one, other) => one.flow - other.flow);
print(
  ["s", "models", "checks", "OpenCode", "Flow", "Flow, at most"],
  [runs[runs.length >> 1], runs.at(-1)].map((run, index) => {
    if (!run) throw new Error("nothing was run");
    const allowed = 0.05 * (run.models + run.checks) + 500;
    const times = [run.models, run.checks, run.opencode, run.flow, allowed].map(seconds);
    return [["median of Flow", "most of Flow"][index] ?? "", ...times];
  }),
);
