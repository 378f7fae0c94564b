// Replies of real small models (tests/replies), each as the first answer to the prompt that it was recorded for, in the real OpenCode:
// no unusable reply is accepted. `cargo test replies` tests which repair each one needs.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { long } from "../long.mjs";
import * as lab from "../provider/lab.mjs";
import * as script from "../provider/script.mjs";
import { today } from "./artefacts.mjs";
import { chat, setup as flow, GOAL, PLAN, planOf } from "./flow.mjs";
import { withOpencode } from "./harness.mjs";
import { analysed, setup as application, runOf, verified } from "./validation.mjs";

/** @typedef {script.ModelRequest} ModelRequest */
/** @typedef {{ name: string, text: string, finish: string }} Row */

const FOLDER = new URL("../replies/", import.meta.url);
const [, ...LINES] = readFileSync(new URL("table.tsv", FOLDER), "utf8").trim().split("\n");

const TASK = "Design a rate limiter for a public HTTP API";
const RUN = `.design-lab/${today()}-rate-limiter`;

/** Returns the recorded replies of this kind that need a retry, named by their numbers. @param {string} of @returns {Row[]} */
function rows(of) {
  const found = LINES.map((line) => line.split("\t")).filter(
    ([, kind, , outcome]) => kind === of && outcome !== "accepted",
  );
  assert.ok(found.length > 0, of);
  return found.map(([file = "", , finish = ""]) => ({
    name: `m-${file.slice(0, 3)}`,
    text: readFileSync(new URL(file, FOLDER), "utf8"),
    finish,
  }));
}

/** @param {Row} row @param {ModelRequest} [request] whose designs it is to discuss */
function said({ text, finish }, request) {
  const [first = "dunlin", second = "lapwing"] = request ? lab.shownDesigns(request).keys() : [];
  return script.reply(text.replaceAll("dunlin", first).replaceAll("lapwing", second), { finish });
}

const review = (/** @type {ModelRequest} */ request) => script.reply(lab.writtenReview(request));
const scores = (/** @type {ModelRequest} */ request) => script.reply(lab.evaluations(request));

/** Two designs and these reviewers. @param {Record<string, script.Script>} reviewers @param {object} [further] */
const panel = (reviewers, further = {}) => {
  const design = (/** @type {string} */ title) => lab.model({ topic: "Rate limiter", design: { title } });
  return {
    scenario: {
      models: { "quill-4": design("Token bucket"), "brisk-10": design("Sliding window"), ...reviewers },
    },
    designLab: {
      design_models: ["lab/quill-4", "lab/brisk-10"],
      review_models: Object.keys(reviewers).map((name) => `lab/${name}`),
      topic_generator_model: "lab/quill-4",
      concurrency: 8,
      budget: { max_cost_usd: 50 },
      ...further,
    },
  };
};

test("no design that a real model copied, broke off or left unfinished is taken", {
  skip: long(
    "Replies of real models, one after the other; the core judges the same ones in `src/design_lab/workflow/tests/replies.rs`.",
  ),
}, async () => {
  const given = rows("design");
  // Not a reply of the corpus, but one of them after its texts are trimmed.
  given.push({ name: "blank", text: JSON.stringify(lab.design({ summary: " \n\t " })), finish: "stop" });
  const models = Object.fromEntries(
    given.map((row) => [
      row.name,
      lab.byPhase({ design: [said(row), script.reply(lab.design({ title: `The plan of ${row.name}` }))] }),
    ]),
  );
  const setup = {
    scenario: {
      models: { host: script.reply("Noted."), judge: lab.model({ topic: "Rate limiter" }), ...models },
    },
    designLab: {
      design_models: given.map(({ name }) => `lab/${name}`),
      review_models: ["lab/judge"],
      topic_generator_model: "lab/judge",
      concurrency: 8,
      budget: { max_cost_usd: 50 },
    },
  };
  await withOpencode(setup, async ({ command, provider, project }) => {
    const ended = await command("design-lab", TASK);
    assert.equal(ended.code, 0, ended.stdout + ended.stderr);
    assert.deepEqual(provider.unscripted, []);
    for (const { name } of given) {
      const design = await project.json(`${RUN}/designs/${name}.json`);
      assert.equal(design.title, `The plan of ${name}`);
      const [first, again, ...more] = provider.requestsOf(name);
      assert.deepEqual(more, [], name);
      assert.ok((first?.temperature ?? 0) <= (again?.temperature ?? 0), name);
      assert.ok((again?.temperature ?? 0) >= 1, `${name}: asked again at ${again?.temperature}`);
    }
  });
});

test("no review, scores or verdict of a real model that says nothing of the designs is taken, and what a person reads at once is", {
  skip: long(
    "Replies of real models, one after the other; the core judges the same ones in `src/design_lab/workflow/tests/replies.rs`.",
  ),
}, async () => {
  /**
   * Scores in a form that a person can read: ids in another case and in backticks, scores keyed by them, flat, and as text.
   * @param {ModelRequest} request
   */
  const odd = (request) => {
    const keyed = lab
      .plainEvaluations(request)
      .evaluations.map(({ design_id, qualitative, quantitative }) => {
        const { overall, justification, ...numbers } = quantitative;
        const told = Object.entries(numbers).map(([name, score]) => [name, `${score}/10`]);
        return [
          `\`${design_id.toUpperCase()}\``,
          { ...qualitative, ...Object.fromEntries(told), overall, justification },
        ];
      });
    return script.reply(Object.fromEntries(keyed));
  };
  const half = (/** @type {ModelRequest} */ request) =>
    script.reply(lab.writtenReview(request).slice(0, 80), { finish: "length" });
  /** By name: the reviewer, and how many requests it needs. @type {Record<string, [script.Script, number]>} */
  const reviewers = {
    odd: [lab.byPhase({ review, scores: odd }), 2],
    // Prose that is cut off twice is kept, and the scores are requested nevertheless.
    cut: [lab.byPhase({ review: [half, half], scores }), 3],
    echo: [
      lab.byPhase({ review: [(/** @type {ModelRequest} */ { user }) => script.reply(user), review], scores }),
      3,
    ],
  };
  for (const row of rows("review")) {
    reviewers[row.name] = [lab.byPhase({ review: [(request) => said(row, request), review], scores }), 3];
  }
  for (const row of rows("scores")) {
    reviewers[row.name] = [lab.byPhase({ review, scores: [(request) => said(row, request), scores] }), 3];
  }
  const setup = panel(Object.fromEntries(Object.entries(reviewers).map(([name, [model]]) => [name, model])));
  await withOpencode(setup, async ({ command, provider, project }) => {
    const ended = await command("design-lab", TASK);
    assert.equal(ended.code, 0, ended.stdout + ended.stderr);
    const asked = Object.keys(reviewers).map((name) => [name, provider.requestsOf(name).length]);
    assert.deepEqual(
      asked,
      Object.entries(reviewers).map(([name, [, count]]) => [name, count]),
    );
    assert.deepEqual(provider.unscripted, []);
    const { metadata } = await project.json(`${RUN}/results/ranking.json`);
    assert.equal(metadata.total_reviewers, Object.keys(reviewers).length);
    assert.ok((await project.read(`${RUN}/reviews/review-cut.md`)).length > 80, "what came of it is kept");
  });

  const compare = (/** @type {ModelRequest} */ request) => script.reply(lab.comparison(request));
  const pairs = Object.fromEntries(
    rows("compare").map((row) => [
      row.name,
      lab.byPhase({ compare: [(request) => said(row, request), compare, compare] }),
    ]),
  );
  const pairwise = panel(pairs, { review: { mode: "pairwise" }, concurrency: 1 });
  await withOpencode(pairwise, async ({ command, provider }) => {
    const ended = await command("design-lab", TASK);
    assert.equal(ended.code, 0, ended.stdout + ended.stderr);
    for (const name of Object.keys(pairs)) {
      assert.equal(provider.requestsOf(name).length, 3, `${name}: one pair in both orders, and once again`);
    }
    assert.deepEqual(provider.unscripted, []);
  });
});

test("no plan of a real model that copied the form waits for an approval, nor one whose program isn't there", {
  skip: long(
    "Replies of real models, one after the other; the core judges the same ones in `src/flow/tests/replies.rs`.",
  ),
}, async () => {
  const given = rows("plan");
  const absent = planOf([
    { id: "unit", command: ["unheard-of", "--all"], scope: "targeted" },
    { id: "all", command: ["node", "--test"], scope: "broad" },
  ]);
  given.push({ name: "absent", text: JSON.stringify(absent), finish: "stop" });
  const planner = given.flatMap((row) => [said(row), script.reply(PLAN)]);
  await withOpencode(flow({ planner, worker: [] }), async (opencode) => {
    const { type, directory, stop } = await chat(opencode);
    for (const [index, { name }] of given.entries()) {
      const shown = await type("flow-plan", `${GOAL}, ${name}`);
      assert.match(shown, /\/flow-plan approve [0-9a-f]+/, name);
      const [, again, ...more] = opencode.provider.requestsOf("planner").slice(2 * index);
      assert.deepEqual(more, [], name);
      assert.ok((again?.temperature ?? 0) >= 1, name);
      const { plan } = await opencode.project.json(`${await directory()}/session.json`);
      assert.deepEqual(plan.features[0].verification[0].command, ["node", "--test", "test/sum.test.js"]);
    }
    const [told] = opencode.provider.requestsOf("planner").slice(-1);
    assert.match(told?.user ?? "", /This program isn't installed here/);
    await stop();
  });
});

test("no verdict and no journey of a real model that copied the form is taken", {
  skip: long(
    "Replies of real models, one after the other; the core judges the same ones in `src/validation/tests/replies.rs`.",
  ),
}, async () => {
  const [verdict, ...none] = rows("verify");
  assert.deepEqual(none, []);
  const journeys = rows("journeys");
  const scene = application({
    verifier: [said(/** @type {Row} */ (verdict)), verified(1)],
    analyst: journeys.flatMap((row) => [said(row), analysed()]),
    tester: [],
  });
  await withOpencode(scene, async (opencode) => {
    const { project, provider } = opencode;
    const { type, stop } = await chat(opencode);
    await type("validate-work", "file 1.md");
    const [criterion] = (await project.json(`${runOf(project, "work")}/verify.json`)).criteria;
    assert.deepEqual([criterion.verdict, criterion.file], ["met", "app/server.mjs"]);
    for (const { name } of journeys) {
      await type("validate-flows", "file 1.md");
      const { journeys: taken } = await project.json(`${runOf(project, "flows")}/flow-analysis.json`);
      const titles = taken.map((/** @type {any} */ { title }) => title);
      assert.deepEqual(titles, ["Keep a note"], name);
    }
    assert.equal(provider.requestsOf("analyst").length, 3 * journeys.length);
    assert.deepEqual(provider.unscripted, []);
    await stop();
  });
});
