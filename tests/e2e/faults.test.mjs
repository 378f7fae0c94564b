// Models that fail in every way there is, in the real OpenCode: what each looks like to the core, and that a run among
// them always ends, with a ranking or with the truth about why there is none.

import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { test } from "node:test";
import * as lab from "../provider/lab.mjs";
import * as script from "../provider/script.mjs";
import { events, today } from "./artefacts.mjs";
import { withOpencode } from "./harness.mjs";

const TASK = "Design a rate limiter for a public HTTP API";
const RUN = `.design-lab/${today()}-rate-limiter`;
const RUNS = Number(process.env.RUNS ?? 4);

/** A model that does its part well. @param {string} name */
const well = (name) => lab.model({ topic: "Rate limiter", design: { title: `The plan of ${name.length}` } });

// One designer per fault that OpenCode doesn't try again by itself, for that takes it more than a minute.
// This is the table that src/workflow/retry.rs classifies by.
const FAULTS = {
  unauthorized: { script: script.unauthorized(), name: "APIError", status: 401, retryable: false },
  forbidden: { script: script.httpError(403), name: "APIError", status: 403, retryable: false },
  unknown: { script: script.httpError(404), name: "APIError", status: 404, retryable: false },
  bad: { script: script.httpError(400), name: "APIError", status: 400, retryable: false },
  overflow: { script: script.contextOverflow(), name: "ContextOverflowError", status: null, retryable: null },
  filtered: {
    script: script.reply("I can't", { finish: "content_filter" }),
    name: "ContentFilterError",
    status: null,
    retryable: null,
  },
  hanging: { script: script.hang({ afterHeaders: true }), name: "Timeout", status: null, retryable: null },
};

test("every lasting fault is told by its name, and the designs that came are ranked", async () => {
  const names = ["quill-4", "brisk-10", "judge-1", "jury-2"];
  const models = {
    host: script.reply("The verdict is in."),
    ...Object.fromEntries(names.map((name) => [name, well(name)])),
    ...Object.fromEntries(Object.entries(FAULTS).map(([name, fault]) => [name, fault.script])),
    silent: lab.byPhase({ design: script.empty() }),
  };
  const designLab = {
    design_models: ["quill-4", "brisk-10", "silent", ...Object.keys(FAULTS)].map((name) => `lab/${name}`),
    review_models: ["lab/judge-1", "lab/jury-2"],
    timeouts: { call_ms: 20_000 },
    retries: { call: 0 },
    concurrency: 12,
  };
  await withOpencode({ scenario: { models }, designLab }, async ({ serve, provider, project }) => {
    const { client, stop } = await serve();
    const session = (await client.session.create({ body: {} })).data?.id ?? "";
    const done = await client.session.command({
      path: { id: session },
      body: { command: "design-lab", arguments: TASK },
    });
    assert.ok(done.data, JSON.stringify(done.error));
    assert.deepEqual((await client.session.status()).data, {}, "no session is left busy");
    await stop();
    const journal = await events(project, RUN);
    for (const [name, fault] of Object.entries(FAULTS)) {
      const failure = journal.find(
        (event) => event.event === "call_failed" && event.job === `design:${name}`,
      )?.failure;
      assert.deepEqual(
        [failure?.name, failure?.status, failure?.retryable],
        [fault.name, fault.status, fault.retryable],
        `${name}: ${JSON.stringify(failure)}`,
      );
    }
    const empty = journal.filter((event) => event.event === "answered" && event.job === "design:silent");
    assert.deepEqual(
      empty.map((event) => [event.reply.text, event.reply.finish]),
      [
        ["", "stop"],
        ["", "stop"],
        ["", "stop"],
      ],
      "an empty answer is one, and asked about twice",
    );
    assert.equal(provider.requestsOf("hanging")[0].outcome, "disconnected", "its deadline stopped it");
    const ranking = await project.json(`${RUN}/results/ranking.json`);
    assert.equal(ranking.metadata.failed.length, Object.keys(FAULTS).length + 1);
    assert.equal(ranking.metadata.partial, true);
  });
});

test("a rate limit with a time to wait passes without notice, and counts", async () => {
  const models = {
    host: script.reply("The verdict is in."),
    ...Object.fromEntries(["brisk-10", "judge-1", "jury-2"].map((name) => [name, well(name)])),
    "quill-4": lab.byPhase({
      topic: script.reply("Rate limiter"),
      design: [script.rateLimited(1), script.reply(lab.design({ title: "Late" }))],
    }),
  };
  const designLab = {
    design_models: ["lab/quill-4", "lab/brisk-10"],
    review_models: ["lab/judge-1", "lab/jury-2"],
  };
  await withOpencode({ scenario: { models }, designLab }, async ({ command, project }) => {
    const ended = await command("design-lab", TASK);
    assert.equal(ended.code, 0, ended.stderr);
    const journal = await events(project, RUN);
    const answer = journal.find((event) => event.event === "answered" && event.job === "design:quill-4");
    assert.equal(answer.reply.host_retries, 1);
  });
});

test(`${RUNS} runs with models that fail three calls of ten end and say the truth`, async () => {
  for (let seed = 1; seed <= RUNS; seed += 1) {
    let state = seed;
    const draw = (/** @type {number} */ below) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return (state >>> 16) % below;
    };
    const faults = [
      script.rateLimited(1),
      script.httpError(503),
      script.unauthorized(),
      script.contextOverflow(),
      script.empty(),
      script.cutOff("Half an answer, and then", 12),
      script.reply("I'd rather not."),
      script.reply("{", { finish: "length" }),
      script.reply("No.", { finish: "content_filter" }),
    ];
    const names = ["quill-4", "brisk-10", "judge-1", "jury-2"];
    const moody = names.map((name) => [
      name,
      () => (draw(10) < 3 ? /** @type {any} */ (faults[draw(faults.length)]) : well(name)),
    ]);
    const models = { host: script.reply("The verdict is in."), ...Object.fromEntries(moody) };
    const designLab = {
      design_models: ["lab/quill-4", "lab/brisk-10"],
      review_models: ["lab/judge-1", "lab/jury-2"],
    };
    await withOpencode({ scenario: { models }, designLab }, async ({ command, log, project }) => {
      const ended = await command("design-lab", TASK, { timeoutMs: 280_000 });
      assert.equal(ended.signal, null, `seed ${seed}: it ended by itself`);
      const [name] = (await readdir(project.path(".design-lab"))).filter((entry) => !entry.startsWith("."));
      const journal = await events(project, `.design-lab/${name}`);
      const failed = journal.some((event) => event.event === "call_failed");
      if (await project.exists(`.design-lab/${name}/results/ranking.json`)) {
        const ranking = await project.json(`.design-lab/${name}/results/ranking.json`);
        assert.equal(ranking.metadata.partial, ranking.metadata.failed.length > 0, `seed ${seed}`);
      } else {
        assert.ok(failed, `seed ${seed}`);
        assert.match(ended.stdout, /run\.(too-few-designs|no-reviews)/, `seed ${seed}`);
      }
      assert.doesNotMatch(await log(), /unhandled/i, `seed ${seed}`);
    });
  }
});
