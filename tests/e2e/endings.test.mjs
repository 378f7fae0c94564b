// Answers with a finish reason that OpenCode doesn't know, in the real OpenCode: it asks again, endlessly and at a cost. Also models
// that call tools endlessly.

import assert from "node:assert/strict";
import { test } from "node:test";
import { long } from "../long.mjs";
import * as lab from "../provider/lab.mjs";
import * as script from "../provider/script.mjs";
import { events, today } from "./artefacts.mjs";
import { chat } from "./flow.mjs";
import { withOpencode } from "./harness.mjs";

const TASK = "Design a rate limiter for a public HTTP API";
const RUN = `.design-lab/${today()}-rate-limiter`;

/** A 200 response that is not an answer. @param {string} body @param {string} type */
const page = (body, type) => script.httpError(200, { body, headers: { "content-type": type } });

test("an answer without a tool call ends its call, however it says that it ends", {
  skip: long("Each way that an answer ends. `plugin-js/hosts/replies.test.js` has the table of them."),
}, async () => {
  const ENDINGS = {
    unknown: { finish: "unknown" },
    none: { finish: "none" },
    null: { finish: null },
    blank: { finish: "" },
    "no-last-chunk": { unfinished: true },
  };
  const NOTHING = {
    html: page("<!doctype html><h1>Log in</h1>", "text/html"),
    "no-choices": page(
      'data: {"id":"1","object":"chat.completion.chunk","choices":[]}\n\ndata: [DONE]\n\n',
      "text/event-stream",
    ),
  };
  const models = {
    host: script.reply("Noted."),
    "quill-4": lab.model({ topic: "Rate limiter", design: { title: "Token bucket" } }),
    ...Object.fromEntries(
      Object.entries(ENDINGS).map(([name, options]) => [
        name,
        lab.byPhase({ design: script.reply(lab.design({ title: `The plan of ${name}` }), options) }),
      ]),
    ),
    ...NOTHING,
  };
  const designers = ["quill-4", ...Object.keys(ENDINGS), ...Object.keys(NOTHING)];
  const designLab = {
    design_models: designers.map((name) => `lab/${name}`),
    review_models: ["lab/quill-4"],
    topic_generator_model: "lab/quill-4",
    concurrency: 16,
    retries: { call: 0, repair: 1 },
    budget: { max_cost_usd: 50 },
  };
  await withOpencode({ scenario: { models }, designLab }, async ({ command, provider, project }) => {
    const ended = await command("design-lab", TASK);
    const asked = Object.fromEntries(designers.map((name) => [name, provider.requestsOf(name).length]));
    assert.equal(ended.code, 0, ended.stdout + ended.stderr + JSON.stringify(asked));
    for (const name of Object.keys(ENDINGS)) {
      assert.equal(asked[name], 1, `${name}: one request, and its text is the answer`);
      assert.equal((await project.json(`${RUN}/designs/${name}.json`)).title, `The plan of ${name}`);
    }
    for (const name of Object.keys(NOTHING)) assert.equal(asked[name], 2, `${name}: asked again`);
    const answers = (await events(project, RUN)).filter(({ event }) => event === "answered");
    assert.ok(answers.every(({ reply }) => reply.requests === 1));
  });
});

test("tools that are called without end are stopped after so many requests, budget or not", {
  skip: long(
    "Decided in `kernel/src/questions.rs`, without any budget. `budget.test.mjs` has a cap hold in OpenCode.",
  ),
}, async () => {
  /** No two calls are the same, or OpenCode would detect a loop. */
  const reader = (/** @type {script.ModelRequest} */ { n }) =>
    script.callTool("grep", { pattern: `word${n}` });
  const well = (/** @type {string} */ title) => lab.model({ topic: "Rate limiter", design: { title } });
  const models = {
    host: script.reply("Noted."),
    "quill-4": well("Token bucket"),
    "brisk-10": well("Window"),
    reader,
  };
  const designLab = {
    design_models: ["lab/quill-4", "lab/brisk-10"],
    review_models: ["lab/quill-4", "lab/brisk-10"],
    topic_generator_model: "lab/reader",
  };
  await withOpencode({ scenario: { models }, designLab }, async (opencode) => {
    const { provider, project } = opencode;
    const { ask, stop } = await chat(opencode);
    const shown = (await ask("design-lab", TASK)).replace(/\s+/g, " ");
    assert.match(shown, /ranked/);
    assert.equal(provider.requestsOf("reader").length, 10, "as many as a name may take");

    const budget = { max_requests: 4 };
    const capped = { ...designLab, design_models: ["lab/reader", "lab/quill-4"], concurrency: 1, budget };
    await project.write(".opencode/design-lab.json", JSON.stringify(capped));
    const before = provider.requests.length;
    assert.match(
      (await ask("design-lab", `--new ${TASK}`)).replace(/\s+/g, " "),
      /the budget of 4 requests is reached/,
    );
    assert.equal(provider.requests.slice(before).filter(({ model }) => model !== "host").length, 4);
    await stop();
  });
});
