// The cost of Flow itself: `cargo xtask bench flow`.
//
// A transition: an event is sealed and applied, and the files that it may have changed are rendered. Measured in the last tenth of a
// session of many features, so that every step of a feature is included. Processor time, because nothing here waits. Then the id of a
// tree in a repository in which nothing has changed since the previous time, and a lane of such a repository: wall time, because git
// does most of it.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { pkg } from "../tests/package/package.mjs";
import { askedCriteria } from "../tests/provider/parts.mjs";
import { print, smoke } from "./table.mjs";

const [FEATURES, FROM, FILES, LOOKS] = smoke ? [3, 30, 20, 1] : [100, 900, 10_000, 15];
const FILES_A_FOLDER = 100;

const load = (/** @type {string} */ file) => import(pathToFileURL(join(pkg, "plugin-js", file)).href);
const { FlowCore } = await load("core/flow.js");
const { Folder } = await load("kernel/door.js");
const { Trees } = await load("kernel/tree.js");
const { makeLane } = await load("flow/lane.js");

const transitions = session();
const { looks, lanes } = await tree();
const ms = (/** @type {number} */ time) => time.toFixed(1);
const row = (/** @type {string} */ what, /** @type {number[]} */ times) => {
  const sorted = [...times].sort((one, other) => one - other);
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
  return [what, ms(sorted[sorted.length >> 1] ?? 0), ms(mean), ms(sorted.at(-1) ?? 0)];
};
print(
  ["ms", "median", "mean", "most"],
  [
    row(`processor time of a transition, ${FEATURES} features, from event ${FROM} on`, transitions),
    row(`time of a tree id, ${FILES} files, none changed`, looks),
    row(`time of making a lane, ${FILES} files`, lanes),
  ],
);

/** Builds a goal completely, with models and checks that behave as they should. @returns {number[]} times in ms */
function session() {
  const core = new FlowCore();
  const handle = core.openRun();
  const settings = core.settings([]);
  settings.budget.session_ms = 1e12;
  const model = "acme/model";
  const input = {
    package: core.version,
    date: "2026-11-20",
    goal: "Limit the rate of the public API",
    available: { models: [], current: null },
    configured: { planner: model, worker: model, reviewer: model },
    settings,
    automatic: true,
  };
  const opening = core.begin(input, []);
  const times = [];
  let [at, events, tree, sessions] = [Date.UTC(2026, 10, 20), 0, 0, 0];
  /** @type {any[]} */
  const queue = [{ event: "opened", ...opening }];
  for (let event = queue.shift(); event; event = queue.shift()) {
    events += 1;
    at += 1_000;
    const before = process.cpuUsage();
    const commands = core.apply(handle, core.seal(handle, { at, ...event }));
    const { user, system } = process.cpuUsage(before);
    if (events >= FROM) times.push((user + system) / 1_000);
    for (const command of commands) queue.push(...answers(command));
  }
  const { status } = core.summary(handle);
  core.closeRun(handle);
  if (status !== "completed" || times.length === 0) throw new Error(`${status} after ${events} events`);
  return times;

  /** @param {any} command @returns {any[]} */
  function answers(command) {
    const { effect } = command;
    const id = `t${tree}`;
    switch (command.command) {
      case "claim_directory":
        return [{ event: "directory_claimed", name: command.name }];
      case "open_session":
        sessions += 1;
        return [{ event: "session_opened", job: command.job, session: `session-${sessions}` }];
      case "ask":
        if (command.role === "worker") tree += 1;
        return [{ event: "answered", job: command.job, reply: reply(answer(command)) }];
      case "take_tree": {
        const changed = [null, id].includes(command.since) ? [] : ["src/a.js", "test/a.test.js"];
        return [{ event: "tree_taken", effect, tree: id, changed, tests: [] }];
      }
      case "run_check":
        return [
          { event: "check_finished", effect, tree_before: id, tree_after: id, changed: [], ran: ran(0) },
        ];
      case "run_apart": {
        const code = command.over.overlay === "nothing" ? 0 : 1;
        return [
          {
            event: "ran_apart",
            effect,
            unprepared: null,
            linked: [],
            runs: command.runs.map(() => ran(code)),
            ...(command.review && { seal: "0".repeat(64) }),
          },
        ];
      }
      case "mutate": {
        const tried = Array.from({ length: command.most }, (_, index) => ({
          ...{ path: "src/a.js", line: index + 1, change: "`a + b` becomes `a - b`" },
          runs: command.runs.map(() => ran(1)),
        }));
        return [{ event: "mutated", effect, unprepared: null, tried, left: 0, duration_ms: 900 }];
      }
      case "examine": {
        const before = command.before.map(() => ran(0));
        const tests = command.tests.map(() => ({ place: "free", runs: [ran(0), ran(0)], before: ran(1) }));
        return [{ event: "examined", effect, unprepared: null, before, tests }];
      }
      case "finish":
        return [{ event: "closed" }];
      default:
        return [];
    }
  }
}

/** @param {number} code */
function ran(code) {
  const output = { bytes: 9, sha256: "0".repeat(64), tail: "ℹ tests 3" };
  return {
    end: { how: "exited", code },
    duration_ms: 900,
    output,
    tests: { runners: ["node"], ran: 3, skipped: 0 },
  };
}

/** @param {{role: string, text: string}} ask */
function answer({ role, text }) {
  if (role === "planner") return plan();
  if (role === "worker") return { outcome: "done", summary: "It works, and its tests pass." };
  const together = /^Judge every one of these criteria: (.+)\.$/m.exec(text)?.[1]?.split(", ");
  const judged = (/** @type {string[]} */ ids) => ids.map((id) => ({ id, met: true, where: "src/a.js:1" }));
  const alone = askedCriteria(text);
  return alone
    ? { criteria: judged(alone) }
    : { decision: "approved", criteria: judged(together ?? []), findings: [] };
}

function plan() {
  const numbers = Array.from({ length: FEATURES }, (_, index) => index + 1);
  const check = (/** @type {string} */ id, /** @type {string} */ scope, /** @type {string[]} */ command) => ({
    id,
    scope,
    command,
    timeout_ms: 60_000,
  });
  return {
    features: numbers.map((number) => ({
      id: `feature-${number}`,
      title: `Feature ${number}`,
      summary:
        "A token bucket for each key, with its own limit, kept in one place and read by every handler.",
      files: [`src/${number}.js`],
      depends_on: number === 1 ? [] : [`feature-${number - 1}`],
      verification: [
        check("unit", "targeted", ["node", "--test", `test/${number}.test.js`]),
        ...(number === FEATURES ? [check("all", "broad", ["npm", "test"])] : []),
      ],
      acceptance: [{ id: "works", text: "It refills at its own rate.", verified_by: "unit" }],
    })),
  };
}

/** @param {object} answer */
function reply(answer) {
  const tokens = { input: 1_000, output: 500, reasoning: 0, cache_read: 0, cache_write: 0 };
  return {
    text: JSON.stringify(answer),
    finish: "stop",
    model: "model",
    cost: 0.01,
    tokens,
    host_retries: 0,
  };
}

/** @returns {Promise<{looks: number[], lanes: number[]}>} times in ms */
async function tree() {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "flow-bench-")));
  try {
    const project = join(place, "project");
    const session = join(place, "session");
    for (const directory of [project, session]) mkdirSync(directory);
    for (let number = 0; number < FILES; number += 1) {
      const folder = join(project, `${Math.floor(number / FILES_A_FOLDER)}`);
      if (number % FILES_A_FOLDER === 0) mkdirSync(folder);
      writeFileSync(join(folder, `${number}.js`), `export const number = ${number};\n`);
    }
    const git = (/** @type {string[]} */ ...args) =>
      execFileSync("git", args, { cwd: project, stdio: "ignore" });
    // Git would otherwise run its maintenance at any time.
    git("init", "-q");
    git("config", "gc.auto", "0");
    git("config", "maintenance.auto", "false");
    git("add", "-A");
    git("-c", "user.name=bench", "-c", "user.email=bench@localhost", "commit", "-qm", "all");
    const trees = new Trees({ project, store: { folder: new Folder(session) }, leftOut: [] });
    const { id } = await trees.take();
    const times = [];
    for (let look = 0; look < LOOKS; look += 1) {
      const began = performance.now();
      const again = await trees.take();
      times.push(performance.now() - began);
      if (again.id !== id) throw new Error("the id of an unchanged tree has changed");
    }
    const lanes = [];
    for (let number = 0; number < (smoke ? 1 : 5); number += 1) {
      const began = performance.now();
      await makeLane({ root: join(place, `lane-${number}`), project, trees, link: [] });
      lanes.push(performance.now() - began);
    }
    return { looks: times, lanes };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
