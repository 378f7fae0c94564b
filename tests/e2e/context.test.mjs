// Conversations that fill a model's context, in the real OpenCode, which then has the model summarise them and continue: that costs
// another paid answer although one existed already, or yields a judgement of a summary. Neither may happen. Also models that read
// endlessly.

import assert from "node:assert/strict";
import { test } from "node:test";
import { long } from "../long.mjs";
import * as lab from "../provider/lab.mjs";
import * as script from "../provider/script.mjs";
import { events, today } from "./artefacts.mjs";
import { withOpencode } from "./harness.mjs";

const TASK = "Design a rate limiter for a public HTTP API";
const RUN = `.design-lab/${today()}-rate-limiter`;
/** More than the scripted models' context of 200,000 less the 16,000 that OpenCode reserves for an answer. */
const FULL = { usage: { input: 190_000, output: 100 } };

/** @param {string} title */
const well = (title) => lab.model({ topic: "Rate limiter", design: { title } });

/** @param {script.ModelRequest} request */
const isSummary = (request) => request.user.startsWith("Here is the conversation so far");

test("an answer that fills the context is taken, and nothing is asked after it", {
  skip: long(
    "Decided in `src/opencode/compaction.rs`; what OpenCode adds is read in `plugin-js/hosts/replies.test.js`.",
  ),
}, async () => {
  const models = {
    host: script.reply("Noted."),
    "quill-4": well("Token bucket"),
    // Long designs, and a review that leaves no room for the scores.
    "brisk-10": lab.byPhase({
      topic: script.reply("Rate limiter"),
      design: script.reply(lab.design({ title: "Sliding window" }), FULL),
    }),
    "judge-1": well(""),
    "jury-2": lab.byPhase({
      review: (request) => script.reply(lab.writtenReview(request), FULL),
      scores: (request) => script.reply(lab.evaluations(request)),
    }),
  };
  const designLab = {
    design_models: ["lab/quill-4", "lab/brisk-10"],
    review_models: ["lab/judge-1", "lab/jury-2"],
  };
  await withOpencode({ scenario: { models }, designLab }, async ({ command, provider, project }) => {
    const ended = await command("design-lab", TASK);
    assert.equal(ended.code, 0, ended.stderr);
    assert.deepEqual(provider.requests.filter(isSummary), [], "no summary was paid for");
    assert.equal(provider.requestsOf("brisk-10").length, 1);
    assert.equal((await project.json(`${RUN}/designs/brisk-10.json`)).title, "Sliding window");
    assert.equal(provider.requestsOf("jury-2").length, 1, "it isn't asked for scores of what it can't see");
    const journal = await events(project, RUN);
    const failure = journal.find(({ event }) => event === "call_failed");
    assert.equal(failure?.job, "review:jury-2:1");
    assert.equal(failure?.failure.name, "ContextOverflowError");
    const ranking = await project.json(`${RUN}/results/ranking.json`);
    assert.equal(ranking.rankings.length, 2);
    assert.match(ended.stdout.replace(/\s+/g, " "), /jury-2.*larger than the model's context/);
  });
});

test("a designer that has read more than its context holds goes on from a summary of it", {
  skip: long(
    "Decided in `src/opencode/compaction.rs`; what OpenCode adds is read in `plugin-js/hosts/replies.test.js`.",
  ),
}, async () => {
  const models = {
    host: script.reply("Noted."),
    "quill-4": well("Token bucket"),
    "brisk-10": (/** @type {script.ModelRequest} */ request) => {
      if (isSummary(request)) return script.reply("I have read the server.");
      const read = request.messages.some(({ role }) => role === "tool");
      const summarised = request.messages.some(({ content }) => content.includes("I have read the server."));
      return read || summarised
        ? script.reply(lab.design({ title: "Sliding window" }))
        : script.callTool("read", { filePath: "src/server.js" }, FULL);
    },
    "judge-1": well(""),
  };
  const designLab = { design_models: ["lab/quill-4", "lab/brisk-10"], review_models: ["lab/judge-1"] };
  await withOpencode({ scenario: { models }, designLab }, async ({ command, provider, project }) => {
    const ended = await command("design-lab", TASK);
    assert.equal(ended.code, 0, ended.stderr);
    const asked = provider.requestsOf("brisk-10");
    assert.deepEqual(asked.map(isSummary), [false, true, false]);
    assert.ok(asked[1]);
    assert.doesNotMatch(asked[1].system, /architect/, "who summarises isn't asked to write a design");
    assert.equal((await project.json(`${RUN}/designs/brisk-10.json`)).title, "Sliding window");
    const answered = (await events(project, RUN)).find(
      ({ event, job }) => event === "answered" && job === "design:brisk-10",
    );
    assert.ok(answered.reply.tokens.input > 190_000, "what the summary cost is counted");
  });
});

test("a designer that reads on and on is stopped when the budget is reached, and no later", {
  skip: long(
    "Decided in `kernel/src/budget.rs` and `kernel/src/questions.rs`. `budget.test.mjs` has a cap hold in OpenCode.",
  ),
}, async () => {
  /** Each step costs 0.3 dollars; no two calls are the same, or OpenCode would detect a loop. */
  const models = {
    host: script.reply("Noted."),
    "quill-4": well("Token bucket"),
    "brisk-10": well("Sliding window"),
    reader: (/** @type {script.ModelRequest} */ { n }) =>
      script.callTool(
        "grep",
        { pattern: `word${n}` },
        { usage: { input: 100_000, output: 1 }, delayMs: 1_000 },
      ),
    "judge-1": well(""),
  };
  const designLab = {
    design_models: ["lab/quill-4", "lab/brisk-10", "lab/reader"],
    review_models: ["lab/judge-1"],
    topic_generator_model: "lab/quill-4",
    budget: { max_cost_usd: 1 },
  };
  await withOpencode({ scenario: { models }, designLab }, async ({ command, provider, project }) => {
    const ended = await command("design-lab", TASK);
    const text = ended.stdout + ended.stderr;
    assert.match(text.replace(/\s+/g, " "), /the budget of \$1\.00 is reached: \$1\.\d+ spent/);
    // The fourth step reaches the budget. One more may start while the call is being stopped.
    const asked = provider.requestsOf("reader").length;
    assert.ok(asked === 4 || asked === 5, `${asked} steps`);
    assert.equal(provider.requestsOf("judge-1").length, 0, "nothing is asked after it");
    const journal = await events(project, RUN);
    const stop = journal.find(({ event }) => event === "overspent");
    assert.equal(stop.call.job, "design:reader");
    assert.ok(stop.call.cost >= 0.9 && stop.cost >= 1, JSON.stringify(stop));
    assert.ok(await project.exists(`${RUN}/designs/quill-4.json`), "what came is kept");
  });
});
