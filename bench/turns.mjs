// What `review.turns` 1 saves compared with 2: `cargo xtask bench turns`.
//
// Three designers and three reviewers answer after 2 s each, in the real OpenCode. In one case all scores are right at the first try;
// in the other, each reviewer's first scores name a design that doesn't exist: the written review is kept then, and one more call fixes
// the scores, in one turn as in two. This bench doesn't measure how often real models get their scores wrong. Tokens are a quarter of
// the characters that the provider received and sent; cached ones cost less, and a second turn sends the first one again.

import { withOpencode } from "../tests/e2e/harness.mjs";
import * as lab from "../tests/provider/lab.mjs";
import * as script from "../tests/provider/script.mjs";
import { print, smoke } from "./table.mjs";

/** @typedef {import("../tests/provider/script.mjs").ModelRequest} ModelRequest */

const [LATENCY_MS, MODELS] = smoke ? [10, 2] : [2_000, 3];
const TASK = "Design a rate limiter for a public HTTP API";
const options = { delayMs: LATENCY_MS };
const names = (/** @type {string} */ kind) =>
  Array.from({ length: MODELS }, (_, index) => `${kind}-${index + 1}`);

/** A reviewer whose first scores are for a design that doesn't exist. @param {number} turns */
function faulty(turns) {
  const scored = (/** @type {ModelRequest} */ request) =>
    script.reply(JSON.stringify(lab.evaluations(request)), options);
  const wrong = (/** @type {ModelRequest} */ request) => {
    const review = lab.phaseOf(request) === "whole" ? `${lab.writtenReview(request)}\n\n` : "";
    const scores = JSON.stringify(lab.evaluations(request)).replace(/"design_id":"[^"]*"/, '"design_id":"x"');
    return script.reply(`${review}${scores}`, options);
  };
  return lab.byPhase({
    review: (request) => script.reply(lab.writtenReview(request), options),
    whole: wrong,
    // With one turn, this prompt asks only for what was wrong in the whole review.
    scores: turns === 1 ? scored : [wrong, scored],
  });
}

/** @param {number} turns @param {(turns: number) => import("../tests/provider/script.mjs").Script} reviewer */
function costOf(turns, reviewer) {
  // Each has more open questions than the previous one, because reviewers whose scores show no difference would be asked again.
  const designers = names("designer").map((name, index) => {
    const open_questions = Array.from(
      { length: index },
      (_, question) => `How large is case ${question + 1}?`,
    );
    return [name, lab.model({ design: { title: name, open_questions }, options })];
  });
  const reviewers = names("reviewer").map((name) => [name, reviewer(turns)]);
  const models = { host: script.reply("Noted."), ...Object.fromEntries([...designers, ...reviewers]) };
  const designLab = {
    design_models: names("designer").map((name) => `lab/${name}`),
    review_models: names("reviewer").map((name) => `lab/${name}`),
    review: { turns },
  };
  return withOpencode({ scenario: { models }, designLab }, async ({ startCommand, provider }) => {
    const { code, stdout, stderr } = await startCommand("design-lab", TASK, { timeoutMs: 300_000 }).ended;
    if (code !== 0) throw new Error(stdout + stderr);
    const calls = provider.requests.filter(({ model }) => model !== "host");
    const characters = (/** @type {string[]} */ texts) => texts.reduce((sum, text) => sum + text.length, 0);
    return {
      calls: calls.length,
      sent: characters(calls.flatMap(({ messages }) => messages.map(({ content }) => content))) / 4,
      answered: characters(calls.map(({ text }) => text)) / 4,
      repairs: calls.filter(({ messages }) => messages.at(-1)?.content.includes("/evaluations/0/design_id"))
        .length,
      ms:
        Math.max(...calls.map(({ endedAt }) => endedAt ?? 0)) -
        Math.min(...calls.map((call) => call.startedAt)),
    };
  });
}

/** @type {(string | number)[][]} */
const rows = [];
for (const [what, reviewer] of /** @type {const} */ ([
  ["all scores right", () => lab.model({ options })],
  ["first scores wrong", faulty],
])) {
  for (const turns of [2, 1]) {
    const { calls, sent, answered, repairs, ms } = await costOf(turns, reviewer);
    const figures = [calls, repairs, Math.round(sent), Math.round(answered), (ms / 1000).toFixed(1)];
    rows.push([what, turns, ...figures]);
  }
}
print(
  ["reviewers", "turns", "calls", "repairs among them", "tokens sent", "tokens answered", "seconds"],
  rows,
);
