// Kills at points spread over whole runs (kill -9) in the real OpenCode, each followed by `/design-lab-resume`: the result is the same
// as that of an undisturbed run, and no answered prompt is sent again.
//
// Runs proceed concurrently in one server, each in its own session and at its own pace, so that one kill of the
// process group interrupts each of them at a different point. It happens at the k-th request that a model receives, or at the
// k-th line of the journals; then all runs are resumed, repeatedly until every run has ended. The points are drawn from a
// seed: `SEED=2 RUNS=12 node --test tests/e2e/crash.test.mjs` draws others, and more of them.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { long } from "../long.mjs";
import * as lab from "../provider/lab.mjs";
import * as script from "../provider/script.mjs";
import { artefacts, events, today } from "./artefacts.mjs";
import { withOpencode } from "./harness.mjs";

const RUNS = Number(process.env.RUNS ?? 6);
const SEED = Number(process.env.SEED ?? 1);
/** The minimum number of points that the test covers: unfinished runs at a kill, over all kills. */
const POINTS = 5 * RUNS;
const DESIGNERS = ["quill-4", "brisk-10"];
const REVIEWERS = ["judge-1", "jury-2"];
const SETUP = {
  design_models: DESIGNERS.map((name) => `lab/${name}`),
  review_models: REVIEWERS.map((name) => `lab/${name}`),
  // Without a fixed seed, each run would show the designs in a different order.
  seed: 7,
};

/** @typedef {import("../provider/script.mjs").ModelRequest} ModelRequest */
/** @typedef {import("./harness.mjs").Lab} Lab */

/** Returns which run a conversation belongs to, from its task. @param {Pick<ModelRequest, "messages">} request */
const caseOf = ({ messages }) => /case (\d+)/.exec(messages.map(({ content }) => content).join("\n"))?.[1];

const cases = Array.from({ length: RUNS }, (_, index) => String(index + 1));
const taskOf = (/** @type {string} */ name) => `Design a rate limiter for a public HTTP API, case ${name}`;
const directoryOf = (/** @type {string} */ name) => `${today()}-rate-limiter-${name}`;

/**
 * @param {() => boolean} [dies] is called for every request to a lab model; a request for which it returns true stays unanswered
 */
function scenario(dies = () => false) {
  const answer = (/** @type {string} */ name) => (/** @type {ModelRequest} */ request) => {
    if (dies()) return script.hang();
    const number = caseOf(request);
    // Each run has its own pace.
    const [draw = 0] = createHash("sha256")
      .update(`${number} ${name} ${lab.phaseOf(request)}`)
      .digest();
    return lab.model({
      topic: `Rate limiter ${number}`,
      // The designs differ in substance, because reviewers whose scores show no difference are asked again.
      design: { title: `The plan of ${name}`, ...(name === "quill-4" && { open_questions: [], risks: [] }) },
      options: { delayMs: draw, usage: { input: 100, output: 50 } },
    });
  };
  const models = [...DESIGNERS, ...REVIEWERS].map((name) => [name, answer(name)]);
  return { models: { host: script.reply("The verdict is in."), ...Object.fromEntries(models) } };
}

/** Returns a small random number generator (mulberry32) for the points of the kills. @param {number} seed */
function random(seed) {
  let state = seed >>> 0;
  return (/** @type {number} */ below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/**
 * Returns the progress of each run, from its journal.
 * @param {string} output
 * @returns {Map<string, {directory: string, lines: number, closed: boolean}>} by case; runs that haven't started are missing
 */
function standings(output) {
  const found = new Map();
  for (const directory of safely(() => readdirSync(output)) ?? []) {
    const text = safely(() => readFileSync(join(output, directory, "journal.jsonl"), "utf8")) ?? "";
    const lines = text.split("\n").slice(0, -1);
    const name = /case (\d+)/.exec(lines[0] ?? "")?.[1];
    const closed = safely(() => JSON.parse(lines.at(-1) ?? "").event) === "closed";
    if (name) found.set(name, { directory, lines: lines.length, closed });
  }
  return found;
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
 * Starts a server in which every unfinished run starts or continues.
 * @param {Lab} lab
 * @param {string[]} [parents] receives the sessions of the runs
 */
async function carryOn({ serve, project }, parents = []) {
  const { client, stop } = await serve();
  const known = standings(project.path(".design-lab"));
  const commands = cases.map(async (name) => {
    const standing = known.get(name);
    if (standing?.closed) return;
    const id = (await client.session.create({ body: {} })).data?.id ?? "";
    parents.push(id);
    const body = standing
      ? { command: "design-lab-resume", arguments: standing.directory }
      : { command: "design-lab", arguments: `--new ${taskOf(name)}` };
    await client.session.command({ path: { id }, body });
  });
  return { stop, ended: Promise.allSettled(commands) };
}

/** Returns every run's artefacts, by case. @param {Lab} lab */
async function allArtefacts({ project }) {
  const entries = cases.map(async (name) => [
    name,
    await artefacts(project, `.design-lab/${directoryOf(name)}`),
  ]);
  return Object.fromEntries(await Promise.all(entries));
}

/**
 * Returns artefacts without the costs of the run, because calls that a kill cut off count with their estimates; of the two reports,
 * which show costs in many places, only the names.
 * @param {Record<string, string>} texts
 */
function withoutCost(texts) {
  const reports = ["results/report.html", "results/results.md"];
  const plain = (/** @type {string} */ text) =>
    text
      .replace(/\$[\d.]+/g, "$#")
      .replace(/("(?:cost|input|output)": )[\d.e+-]+/g, "$1#")
      .replace(/"notes": \[[^\]]*\]/g, '"notes": #');
  const entries = Object.entries(texts).map(([file, text]) => [
    file,
    reports.includes(file) ? "" : plain(text),
  ]);
  return Object.fromEntries(entries);
}

/**
 * Counts the complete answers that OpenCode stores to each prompt of the runs. It stores an answer before the plugin receives it, so
 * a stored answer must never be requested again, however soon afterwards the process was killed.
 * @param {Lab} lab
 * @param {string[]} parents the sessions in which the runs were continued
 * @returns {Promise<Map<string, number>>}
 */
async function wholeAnswers({ serve }, parents) {
  const { client, stop } = await serve();
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const parent of parents) {
    for (const { id } of (await client.session.children({ path: { id: parent } })).data ?? []) {
      const messages = (await client.session.messages({ path: { id } })).data ?? [];
      const texts = messages.map(({ parts }) =>
        parts.map((part) => (part.type === "text" ? part.text : "")).join(""),
      );
      const number = /case (\d+)/.exec(texts.join("\n"))?.[1];
      messages.forEach(({ info }, index) => {
        if (info.role !== "assistant" || info.error || !info.finish) return;
        const call = `case ${number}, ${info.modelID}: ${texts[index - 1]}`;
        counts.set(call, (counts.get(call) ?? 0) + 1);
      });
    }
  }
  await stop();
  return counts;
}

test("runs killed at any point and resumed end like undisturbed ones", {
  skip: long(
    "A sweep over the moments of a kill. `control.test.mjs` kills one run, and `src/design_lab/workflow/durability_tests.rs` resumes after every line.",
  ),
}, async (context) => {
  const expected = await withOpencode(
    { scenario: scenario(), designLab: SETUP, snapshots: true },
    async (lab) => {
      const { stop, ended } = await carryOn(lab);
      await ended;
      await stop();
      return allArtefacts(lab);
    },
  );

  const draw = random(SEED);
  /** Called for every request. @type {() => boolean} */
  let onRequest = () => false;
  await withOpencode(
    { scenario: scenario(() => onRequest()), designLab: SETUP, snapshots: true },
    async (lab) => {
      const output = lab.project.path(".design-lab");
      const lines = () => [...standings(output).values()].reduce((sum, standing) => sum + standing.lines, 0);
      const left = () => cases.filter((name) => !standings(output).get(name)?.closed).length;
      /** @type {string[]} */
      const parents = [];
      let kills = 0;
      let points = 0;
      while (left() > 0) {
        onRequest = () => false;
        const { stop, ended } = await carryOn(lab, parents);
        const before = kills;
        /** @type {NodeJS.Timeout | undefined} */
        let watch;
        const killed = new Promise((resolve) => {
          const die = () => {
            clearInterval(watch);
            kills += 1;
            resolve(stop());
          };
          // There are enough points: the runs may finish.
          if (points >= POINTS) return;
          if (draw(2) === 0) {
            let until = 1 + draw(2 * RUNS);
            onRequest = () => {
              until -= 1;
              if (until === 0) die();
              return until <= 0;
            };
          } else {
            const last = lines() + 1 + draw(6 * RUNS);
            watch = setInterval(() => {
              if (lines() >= last) die();
            }, 10);
          }
        });
        await Promise.race([killed, ended]);
        clearInterval(watch);
        await stop();
        if (kills > before) points += left();
      }
      context.diagnostic(`seed ${SEED}: ${kills} kills found runs unfinished at ${points} points`);
      assert.ok(points >= POINTS, `only ${points} points`);
      const found = await allArtefacts(lab);
      for (const name of cases) {
        assert.deepEqual(withoutCost(found[name]), withoutCost(expected[name]), `case ${name}`);
      }
      assert.deepEqual(lab.provider.unscripted, []);
      for (const name of cases) {
        const journal = await events(lab.project, `.design-lab/${directoryOf(name)}`);
        const answered = journal.filter(({ event }) => event === "answered").length;
        assert.equal(answered, 7, `case ${name}: one answer each, none twice`);
      }
      const answers = await wholeAnswers(lab, parents);
      assert.equal(answers.size, 7 * RUNS);
      for (const [call, count] of answers) assert.equal(count, 1, `asked again: ${call.slice(0, 200)}`);
    },
  );
});
