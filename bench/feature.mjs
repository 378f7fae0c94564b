// What Flow adds to the time of a feature, over models, checks and OpenCode: `cargo xtask bench feature`.
//
// The feature is built in the real OpenCode in two rounds: the first fails its check. Each model answers after 2 s. From the session's
// journal it is known what happened when. While a model is asked, the time that it needs itself is the provider's; what goes on beside it is
// OpenCode's. While a check is run, here or in a copy of the files, the time is the check's as long as its own process runs. All else is Flow's.

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

/** Times in ms of one feature: of models, of OpenCode beside them, of checks, and what is Flow's own. */
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

/** What was run by an effect. @param {any} event */
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
