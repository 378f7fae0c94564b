// How long a whole `/validate` takes compared with the same server and the same passes of the same tests, started one after the other
// by hand, and how much memory it adds to OpenCode's: `cargo xtask bench validation`.
//
// The models answer at once; ten tests run in the real browser, twice against the application and once against each counterfeit. The
// manual passes use the configurations of the run's own passes. Other load on the machine distorts the result, so there should be none.
// Then the passes of one run that also has the live counterfeit are listed, and how many passes against the application would take as long
// as the live counterfeit.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { chat } from "../tests/e2e/flow.mjs";
import { withOpencode } from "../tests/e2e/harness.mjs";
import { analysed, runOf, SETTINGS, settings, setup, tests, verified } from "../tests/e2e/validation.mjs";
import { HONEST, honest } from "../tests/validation/suites.mjs";
import { median, print, smoke } from "./table.mjs";

/** @typedef {import("../tests/e2e/harness.mjs").Project} Project */

const ROUNDS = smoke ? 1 : 3;
const CRITERIA = smoke ? 1 : 10;
const PASSES = smoke
  ? { repeat: 1, control: ["nothing"] }
  : { repeat: 2, control: ["nothing", "blank", "frozen"] };

const playwright = fileURLToPath(new URL("../node_modules/@playwright/test/cli.js", import.meta.url));
const counterfeit = fileURLToPath(new URL("../plugin-js/validation/counterfeit.js", import.meta.url));

/**
 * Returns the peak memory of a process, in megabytes.
 * @param {number} pid
 */
function peak(pid) {
  const line = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(line?.[1] ?? 0) / 1024;
}

/** @param {() => Promise<unknown>} action @returns {Promise<number>} seconds */
async function timed(action) {
  const began = performance.now();
  await action();
  return (performance.now() - began) / 1000;
}

/**
 * Starts the same server and passes as a run did.
 * @param {Project} project
 */
async function byHand(project) {
  const run = runOf(project);
  const { servers, passes } = await project.json(`${run}/run.json`);
  const { port, url } = servers[0];
  const at = (/** @type {string} */ file) => project.path(`${run}/playwright/${file}`);
  const start = async (/** @type {string[]} */ ...argv) => {
    const child = spawn(process.execPath, argv, {
      cwd: project.directory,
      env: { ...process.env, PORT: `${port}` },
      stdio: "ignore",
    });
    while (!(await fetch(url).catch(() => undefined))) await pause(10);
    return async () => {
      child.kill();
      await once(child, "exit");
    };
  };
  let stop = await start("app/server.mjs");
  let standing = "application";
  for (const { against, pass } of passes) {
    if (against !== standing) {
      await stop();
      standing = against;
      stop =
        against === "nothing"
          ? async () => {}
          : await start(
              counterfeit,
              `${port}`,
              at(against === "blank" ? "blank-page.json" : "start-page.json"),
            );
    }
    const config = at(path.join(`${against}-${pass}`, "playwright.config.cjs"));
    const child = spawn(process.execPath, [playwright, "test", "--config", config], {
      cwd: project.directory,
      env: {
        ...process.env,
        VALIDATION_TESTS: JSON.stringify({ address: url, control: against !== "application" }),
      },
      stdio: "ignore",
    });
    const [code] = await once(child, "exit");
    assert.equal(code, 0, `${against}-${pass}`);
  }
  await stop();
}

/** @type {{run: number, hand: number, before: number, after: number}[]} */
const rounds = [];
const models = {
  verifier: verified(CRITERIA),
  analyst: analysed(),
  tester: tests(smoke ? honest("broken-link") : HONEST),
};
const scene = setup(models);
for (let round = 0; round < ROUNDS; round += 1) {
  await withOpencode(
    { ...scene, snapshots: true, files: { ...scene.files, [SETTINGS]: settings(PASSES) } },
    async (lab) => {
      const { project } = lab;
      const talk = await chat(lab);
      // A conversation as long as a run's.
      for (const text of ["one", "two", "three"])
        await talk.client.session.prompt({
          path: { id: talk.id },
          body: { parts: [{ type: "text", text }] },
        });
      const before = peak(talk.pid);
      const run = await timed(async () => {
        const ended = await talk.type("validate", `file ${CRITERIA}.md`);
        // The live counterfeit isn't among these passes, so the assertions of some tests never fail.
        assert.match(ended, /Validation · (?:validated|incomplete)/, ended);
      });
      const after = peak(talk.pid);
      rounds.push({ run, hand: await timed(() => byHand(project)), before, after });
      await talk.stop();
    },
  );
}

/** @param {(round: typeof rounds[number]) => number} figure */
const middle = (figure) => median(rounds.map(figure)).toFixed(1);
const row = (
  /** @type {string} */ unit,
  /** @type {(round: typeof rounds[number]) => number} */ one,
  /** @type {(round: typeof rounds[number]) => number} */ other,
) => [unit, middle(one), middle(other), middle((round) => other(round) - one(round))];
print(
  [`medians of ${ROUNDS}`, "without", "with `/validate`", "difference"],
  [
    row(
      "the same server and passes by hand, s",
      ({ hand }) => hand,
      ({ run }) => run,
    ),
    row(
      "OpenCode after three prompts, MB at most",
      ({ before }) => before,
      ({ after }) => after,
    ),
  ],
);

const control = smoke ? ["live"] : [...PASSES.control, "live"];
const passes = await withOpencode(
  { ...scene, files: { ...scene.files, [SETTINGS]: settings({ ...PASSES, control }) } },
  async (lab) => {
    const talk = await chat(lab);
    await talk.type("validate", `file ${CRITERIA}.md`);
    const { passes } = await lab.project.json(`${runOf(lab.project)}/run.json`);
    await talk.stop();
    return /** @type {{against: string, pass: number, tests: number, duration_ms: number}[]} */ (passes);
  },
);
print(
  ["pass", "tests", "s"],
  passes.map(({ against, pass, tests, duration_ms }) => [
    `${against} ${pass}`,
    `${tests}`,
    (duration_ms / 1000).toFixed(1),
  ]),
);

/** The times of the passes against something, in milliseconds. @param {string} wanted */
const times = (wanted) =>
  passes.filter(({ against }) => against === wanted).map(({ duration_ms }) => duration_ms);
const sum = (/** @type {number[]} */ numbers) => numbers.reduce((all, one) => all + one, 0);
const application = times("application");
const ratio = (sum(times("live")) * application.length) / sum(application);
print(
  ["what", "passes against the application"],
  [["the live counterfeit takes as long as", ratio.toFixed(1)]],
);
