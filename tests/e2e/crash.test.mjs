// Kill -9 at points spread over whole runs, in the real OpenCode, then `/design-lab-resume`: the result is that of an
// undisturbed run, and nothing that was answered is asked again.
//
// Each lab plays one run, which is killed at the k-th request that a model receives, or at the k-th line of the
// journal, and resumed, again and again; so a start of OpenCode costs once per kill. The points are drawn from a seed.
// `KILLS=40 SEED=2 node --test tests/e2e/crash.test.mjs` for more of them.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import * as lab from "../provider/lab.mjs";
import * as script from "../provider/script.mjs";
import { artefacts, events, today } from "./artefacts.mjs";
import { withOpencode } from "./harness.mjs";

const TASK = "Design a rate limiter for a public HTTP API";
const RUN = `.design-lab/${today()}-rate-limiter`;
const KILLS = Number(process.env.KILLS ?? 5);
const SEED = Number(process.env.SEED ?? 1);
/** Labs that run side by side. */
const SIDE_BY_SIDE = 2;
/** Kills of one run: more would not spread further, for each start makes some progress. */
const MOST_PER_LAB = 9;
/**
 * What an answer may need at least to get from the model through OpenCode to the journal; more where it needed more in
 * the undisturbed run, for machines may be busy. One that ended so shortly before a kill may be lost with the process.
 */
const ON_ITS_WAY_MS = 1_000;
const ALLOWANCE = 5;

const DESIGNERS = { "quill-4": "Token bucket", "brisk-10": "Sliding window" };
const REVIEWERS = ["judge-1", "jury-2"];
const CONFIG = {
  design_models: Object.keys(DESIGNERS).map((name) => `lab/${name}`),
  review_models: REVIEWERS.map((name) => `lab/${name}`),
};

/**
 * @param {(request: import("../provider/script.mjs").ModelRequest) => boolean} [dies] told of every request to a lab
 *   model; where it says true the request stays unanswered
 */
function scenario(dies = () => false) {
  const options = { delayMs: 150, usage: { input: 100, output: 50 } };
  const parts = {
    ...Object.fromEntries(
      Object.entries(DESIGNERS).map(([name, title]) => [
        name,
        lab.model({ topic: "Rate limiter", design: { title }, options }),
      ]),
    ),
    ...Object.fromEntries(
      REVIEWERS.map((name) => [
        name,
        lab.model({ score: (design) => (design.title?.length ?? 5) - 5, options }),
      ]),
    ),
  };
  const models = Object.entries(parts).map(([name, model]) => [
    name,
    (/** @type {any} */ request) => (dies(request) ? script.hang() : model),
  ]);
  return { models: { host: script.reply("The verdict is in."), ...Object.fromEntries(models) } };
}

/** A small generator of numbers (mulberry32): the points of the kills, the same for the same seed. @param {number} seed */
function random(seed) {
  let state = seed >>> 0;
  return (/** @type {number} */ below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Lines in the journal of the one run there is, with or without its name. @param {string} output */
function journalLines(output) {
  for (const name of safely(() => readdirSync(output)) ?? []) {
    const text = safely(() => readFileSync(join(output, name, "journal.jsonl"), "utf8"));
    if (text) return text.split("\n").length - 1;
  }
  return 0;
}

/** The last whole event of that journal. @param {string} output */
function lastEvent(output) {
  const [name] = readdirSync(output).filter((entry) => entry !== ".ignore");
  const lines = readFileSync(join(output, name, "journal.jsonl"), "utf8")
    .split("\n")
    .slice(0, -1);
  return safely(() => JSON.parse(lines.at(-1) ?? "").event);
}

/** @template T @param {() => T} read @returns {T | undefined} */
function safely(read) {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/**
 * One run, killed again and again.
 * @param {number} seed
 * @param {{files: Record<string, string>, onItsWayMs: number}} expected
 * @returns {Promise<number>} how often it was killed
 */
async function play(seed, expected) {
  const draw = random(seed);
  /** What happens at a request. @type {() => boolean} */
  let onRequest = () => false;
  const concurrency = seed % 2 === 0 ? 4 : 1;
  const setup = { scenario: scenario(() => onRequest()), designLab: { ...CONFIG, concurrency } };
  return withOpencode(setup, async ({ startCommand, provider, project }) => {
    const output = project.path(".design-lab");
    /** @type {number[]} */
    const killedAt = [];
    for (;;) {
      const running =
        killedAt.length === 0 || journalLines(output) === 0
          ? startCommand("design-lab", TASK)
          : startCommand("design-lab-resume");
      const die = () => {
        killedAt.push(Date.now());
        running.kill("SIGKILL");
      };
      /** @type {NodeJS.Timeout | undefined} */
      let watch;
      onRequest = () => false;
      if (killedAt.length < MOST_PER_LAB) {
        if (draw(2) === 0) {
          let left = 1 + draw(3);
          onRequest = () => {
            left -= 1;
            if (left === 0) die();
            return left <= 0;
          };
        } else {
          const last = journalLines(output) + 1 + draw(6);
          watch = setInterval(() => {
            if (journalLines(output) < last) return;
            clearInterval(watch);
            die();
          }, 2);
        }
      }
      const ended = await running.ended;
      clearInterval(watch);
      if (ended.signal === "SIGKILL") {
        if (lastEvent(output) === "closed") break;
        continue;
      }
      // The point may have lain behind the end.
      assert.equal(ended.code, 0, `seed ${seed}: ${ended.stdout}${ended.stderr}`);
      break;
    }
    assert.deepEqual(await comparable(project), expected.files, `seed ${seed}`);
    assert.deepEqual(provider.unscripted, [], `seed ${seed}`);
    assert.deepEqual(
      await project.files(".design-lab").then(directories),
      [RUN.split("/")[1]],
      `seed ${seed}`,
    );
    const journal = await events(project, RUN);
    const answers = journal.filter((event) => event.event === "answered").map((event) => event.reply.text);
    assert.equal(answers.length, 7, `seed ${seed}: one answer each, none twice`);
    /** Completed calls, and how long before a kill they had ended. @type {Map<string, number>} */
    const completed = new Map();
    for (const request of provider.requests.filter(({ model }) => model !== "host")) {
      const call = `${request.model}: ${request.user}`;
      const before = completed.get(call);
      assert.equal(before, undefined, `seed ${seed}: asked again, ${before} ms after: ${call.slice(0, 200)}`);
      const kills = killedAt.map((at) => at - (request.endedAt ?? 0)).filter((ms) => ms >= 0);
      const untilKilled = Math.min(...kills);
      if (request.outcome === "completed" && untilKilled >= expected.onItsWayMs)
        completed.set(call, untilKilled);
    }
    return killedAt.length;
  });
}

/** Artefacts but for the configuration: labs differ in their concurrency. @param {import("./harness.mjs").Project} project */
async function comparable(project) {
  const { "config.json": _, ...rest } = await artefacts(project, RUN);
  return rest;
}

/**
 * The longest that an answer took from its model to the journal.
 * @param {import("./harness.mjs").Project} project
 * @param {import("../provider/server.mjs").Provider} provider
 */
async function longestWay(project, provider) {
  const answers = (await events(project, RUN)).filter(({ event }) => event === "answered");
  const ways = Object.keys(scenario().models).flatMap((model) => {
    const ended = provider.requestsOf(model).map((request) => request.endedAt ?? 0);
    const at = answers.filter(({ reply }) => reply.model === `lab/${model}`).map((answer) => answer.at);
    return at.map((time, index) => time - ended[index]);
  });
  return Math.max(...ways);
}

/** @param {string[]} files */
const directories = (files) => [...new Set(files.map((file) => file.split("/")[0]))];

test(`a run killed at any point and resumed ends like an undisturbed one (${KILLS} kills)`, async () => {
  const expected = await withOpencode(
    { scenario: scenario(), designLab: CONFIG },
    async ({ command, provider, project }) => {
      const ended = await command("design-lab", TASK);
      assert.equal(ended.code, 0, ended.stderr);
      const onItsWayMs = Math.max(ON_ITS_WAY_MS, ALLOWANCE * (await longestWay(project, provider)));
      return { files: await comparable(project), onItsWayMs };
    },
  );
  let kills = 0;
  let seed = SEED;
  const worker = async () => {
    while (kills < KILLS) {
      kills += await play(seed++, expected);
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
  assert.ok(kills >= KILLS);
});
