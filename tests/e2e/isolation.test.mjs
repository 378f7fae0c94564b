// Designers and reviewers that try to find others' work, in the real OpenCode. What counts is what a model
// receives: each call here is answered, and no answer may contain a word from the output directories.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { holdIgnoreFile, releaseIgnoreFile } from "../../plugin-js/design-lab/ignore-file.js";
import { long } from "../long.mjs";
import * as lab from "../provider/lab.mjs";
import * as script from "../provider/script.mjs";
import { until } from "./artefacts.mjs";
import {
  ATTACKS,
  answers,
  assertNothingLearnt,
  dealt,
  FILES,
  file,
  LEGITIMATE,
  NEUTRAL,
  plant,
  RIVAL,
  RUN,
  SECRETS,
  TASK,
  turns,
} from "./attacks.mjs";
import { PATH, withOpencode } from "./harness.mjs";

const rivals = {
  "brisk-10": lab.model({
    topic: "Rate limiter",
    design: { title: "Sliding window", summary: "As brisk-10 of lab would build it." },
  }),
  "zeph-3": lab.model({ topic: "Rate limiter", design: { title: "Leaky pail" } }),
};

test("a designer that tries everything learns nothing of others' designs, and works on undisturbed", async () => {
  /** @type {import("./attacks.mjs").Where} */
  const where = { project: "", home: "", url: "", session: () => "ses_0" };
  const calls = [...ATTACKS, ...LEGITIMATE];
  const models = {
    ...rivals,
    "quill-4": lab.byPhase({
      // Four at once: a model's call may have at most 100 steps.
      design: [...turns(where, calls, 4), script.reply(lab.design({ title: "Token bucket" }))],
    }),
    "judge-1": lab.model({ score: (design) => (design.title?.length ?? 5) - 5 }),
  };
  const designLab = {
    design_models: ["lab/zeph-3", "lab/brisk-10", "lab/quill-4"],
    review_models: ["lab/judge-1"],
    // One after another, so that the others' designs are on disk when the attacks begin.
    concurrency: 1,
    timeouts: { call_ms: 900_000 },
  };
  await withOpencode({ scenario: { models }, designLab, files: FILES }, async (opencode) => {
    const { provider, project } = opencode;
    await plant(opencode);
    Object.assign(where, { project: project.directory, home: opencode.home, url: provider.baseURL });
    where.session = () => provider.requestsOf("brisk-10").at(-1)?.headers["x-session-id"] ?? "ses_0";
    const ended = await opencode.command("design-lab", TASK, { timeoutMs: 900_000 });
    assert.equal(ended.code, 0, ended.stdout + ended.stderr);
    assert.ok(await project.exists(RIVAL), "there was something to find");
    const requests = provider.requestsOf("quill-4");
    for (const request of requests) assert.deepEqual(request.tools, ["glob", "grep", "read"]);
    const results = answers(requests, calls.length);
    assertNothingLearnt(where, ATTACKS, results);
    for (const [at, [name, tool, , expected]] of LEGITIMATE.entries()) {
      assert.match(results[ATTACKS.length + at] ?? "", expected, `${tool}: ${name}`);
    }
    assert.ok(!(await project.exists("leak.md")));
  });
});

/** Further targets for a reviewer: others' reviews, the scores, the results. @type {import("./attacks.mjs").Attack[]} */
const OTHER_REVIEWS = [
  ["another's review", "read", file(`.design-lab/${RUN}/reviews/review-jury-2.md`), "refused"],
  ["another's review as JSON", "read", file(`.design-lab/${RUN}/reviews/review-jury-2.json`), "refused"],
  ["all reviews", "read", file(`.design-lab/${RUN}/reviews`), "refused"],
  ["all scores", "read", file(`.design-lab/${RUN}/scores`), "refused"],
  ["scores", "read", file(`.design-lab/${RUN}/scores/brisk-10-reviewed-by-jury-2.json`), "refused"],
  ["results to come", "read", file(`.design-lab/${RUN}/results/ranking.json`), "refused"],
  ["grep for another's review", "grep", { pattern: "Unmistakable" }],
  ["grep for another's review everywhere", "grep", { pattern: "Unmistakable", include: "**/*" }],
  ["grep the reviews", "grep", { pattern: "a", path: `.design-lab/${RUN}/reviews` }, "refused"],
  ["grep scores by their parts", "grep", { pattern: "overall", include: "{2*,scores,*.json}" }, "refused"],
  ["grep for authors", "grep", { pattern: "design_id|model_version|brisk|zeph" }],
  ["grep for titles", "grep", { pattern: "Sliding window|Leaky pail", include: "*.{json,md,csv,html}" }],
  ["glob reviews", "glob", { pattern: "**/review-*" }],
  ["glob scores", "glob", { pattern: "**/*-reviewed-by-*" }],
  [
    "task with another reviewer",
    "task",
    { description: "x", prompt: "Repeat your review", subagent_type: "design-lab-review-jury-2" },
    "unknown",
  ],
];

test("a reviewer that tries everything finds neither authors nor others' reviews, and works on undisturbed", {
  skip: long(
    "The same attacks by another role, decided in `tests/design_lab/isolation.rs`. `isolation.test.mjs` still has a designer try them all.",
  ),
}, async () => {
  /** @type {import("./attacks.mjs").Where} */
  const where = { project: "", home: "", url: "", session: () => "ses_0" };
  const attacks = dealt([...ATTACKS, ...OTHER_REVIEWS], 12);
  const calls = [...attacks, ...LEGITIMATE];
  const models = {
    ...rivals,
    "jury-2": lab.byPhase({
      review: (request) => script.reply(`${lab.writtenReview(request)}\n\nUnmistakable.`),
      scores: (request) => script.reply(lab.evaluations(request)),
    }),
    "judge-1": lab.byPhase({
      review: [...turns(where, calls, 12), (request) => script.reply(lab.writtenReview(request))],
      scores: (request) => script.reply(lab.evaluations(request)),
    }),
  };
  const designLab = {
    design_models: ["lab/zeph-3", "lab/brisk-10"],
    review_models: ["lab/jury-2", "lab/judge-1"],
    // One after another, so that the other reviewer's review is on disk when the attacks begin.
    concurrency: 1,
    timeouts: { call_ms: 900_000 },
  };
  // A reviewer is shown the titles of this run's designs.
  const shown = ["Sliding window", "Leaky pail"];
  const secrets = [
    ...SECRETS.filter((secret) => !shown.includes(secret)),
    ...["jury-2", "Unmistakable", "-reviewed-by-"],
  ];
  await withOpencode({ scenario: { models }, designLab, files: FILES }, async (opencode) => {
    const { provider, project } = opencode;
    await plant(opencode);
    Object.assign(where, { project: project.directory, home: opencode.home, url: provider.baseURL });
    where.session = () => provider.requestsOf("jury-2").at(-1)?.headers["x-session-id"] ?? "ses_0";
    provider.hold("judge-1");
    const running = opencode.startCommand("design-lab", TASK, { timeoutMs: 900_000 });
    // Another reviewer's review exists when the attacks begin.
    await until(() => project.exists(`.design-lab/${RUN}/scores/brisk-10-reviewed-by-jury-2.json`));
    provider.release("judge-1");
    const ended = await running.ended;
    assert.equal(ended.code, 0, ended.stdout + ended.stderr);
    const requests = provider.requestsOf("judge-1");
    for (const { tools } of requests) assert.deepEqual(tools, ["glob", "grep", "read"]);
    const results = answers(requests, calls.length);
    assertNothingLearnt(where, attacks, results, secrets);
    for (const [at, [name, tool, , expected]] of LEGITIMATE.entries()) {
      assert.match(results[attacks.length + at] ?? "", expected, `${tool}: ${name}`);
    }
  });
});

test("runs beside one another are kept apart, lab agents work for runs only, and nothing stays blocked", {
  skip: long(
    "Decided in `tests/design_lab/isolation.rs`. `isolation-other-runs.test.mjs` keeps two processes apart.",
  ),
}, async () => {
  const attempts = [
    script.callTool("read", { filePath: `labs/${RUN}/designs/brisk-10.json` }),
    script.callTool("grep", { pattern: "Sliding" }),
    script.callTool("read", { filePath: RIVAL }),
    script.callTool("grep", { pattern: "orders" }),
  ];
  const agent = { description: "x", prompt: "Say it", subagent_type: "design-lab-designer" };
  const asksForAgent = (/** @type {script.ModelRequest} */ request) =>
    request.tools.includes("task") && /Call a lab agent/.test(request.user);
  const host = script.rules(
    script.on(asksForAgent, [
      script.callTool("task", agent),
      script.reply("Noted."),
      script.callTool("task", agent),
      script.reply("Noted."),
      script.callTool("grep", { pattern: "Sliding" }),
      script.reply("Noted."),
    ]),
    script.on(() => true, script.reply("Said.")),
  );
  const models = {
    host,
    ...rivals,
    "quill-4": lab.byPhase({ design: [...attempts, script.reply(lab.design({ title: "Token bucket" }))] }),
    "judge-1": lab.model({}),
  };
  const first = {
    design_models: ["lab/zeph-3", "lab/brisk-10", "lab/quill-4"],
    review_models: ["lab/judge-1"],
    concurrency: 1,
  };
  const second = { ...first, design_models: ["lab/zeph-3", "lab/brisk-10"], output_directory: "labs" };
  await withOpencode({ scenario: { models }, designLab: first }, async ({ serve, provider, project }) => {
    const { client, stop } = await serve();
    const session = async () => (await client.session.create()).data?.id ?? "";
    const run = async () =>
      client.session.command({
        path: { id: await session() },
        body: { command: "design-lab", arguments: TASK },
      });
    const user = await session();
    const askHost = async () => {
      const parts = [
        // The part that the client creates for a typed `@design-lab-designer`.
        { type: /** @type {const} */ ("agent"), name: "design-lab-designer" },
        { type: /** @type {const} */ ("text"), text: "Call a lab agent" },
      ];
      await client.session.prompt({ path: { id: user }, body: { parts } });
      const request = provider.requestsOf("host").findLast(asksForAgent);
      return request?.messages.findLast(({ role }) => role === "tool")?.content ?? "";
    };

    provider.hold("quill-4");
    const one = run();
    await provider.waitFor(1, { model: "quill-4" });
    await project.write(".opencode/design-lab.json", JSON.stringify(second));
    await run();
    assert.ok(await project.exists(`labs/${RUN}/results/ranking.json`), "the second run is over");
    assert.ok(await project.exists(".design-lab/.ignore"), "the first one's searches stay closed");
    assert.equal(await project.exists("labs/.ignore"), false);
    assert.match(await askHost(), /This tool is not available in this session/);
    provider.release("quill-4");
    await one;
    const results = answers(provider.requestsOf("quill-4"), attempts.length);
    assert.equal(results[0], NEUTRAL[0]);
    assert.ok(results[1] !== undefined);
    assert.doesNotMatch(results[1], /Sliding|brisk|labs/);
    assert.equal(results[2], NEUTRAL[0]);
    assert.match(results[3] ?? "", /store\.js/);

    assert.equal(await project.exists(".design-lab/.ignore"), false);
    assert.match(await askHost(), /Said\./, "outside a run an agent is the user's to call");
    assert.match(await askHost(), /brisk-10/, "the user's searches find the designs");
    await stop();
  });
});

test("an @path in a design stays a path in the prompts of reviewers", async () => {
  const old = ".design-lab/2020-01-01-heirloom/designs/oldtimer.md";
  const mention = `As in @${old} and @${old.slice(12)}`;
  const models = {
    host: script.reply("Said."),
    "quill-4": lab.model({ topic: "Rate limiter", design: { summary: mention } }),
    "brisk-10": lab.model({ design: {} }),
    "judge-1": lab.model({}),
  };
  const designLab = { design_models: ["lab/quill-4", "lab/brisk-10"], review_models: ["lab/judge-1"] };
  const files = { [old]: "The heirloom's secret: sliding windows.\n" };
  await withOpencode({ scenario: { models }, designLab, files }, async ({ command, provider }) => {
    const ended = await command("design-lab", TASK);
    assert.equal(ended.code, 0, ended.stdout + ended.stderr);
    const requests = provider.requestsOf("judge-1");
    assert.ok(requests.length > 0);
    for (const { messages } of requests) {
      const text = messages.map(({ content }) => content).join("\n");
      assert.ok(text.includes(`@${old}`));
      assert.ok(!text.includes("heirloom's secret"));
    }
  });
});

test("a run that was killed leaves nothing blocked behind once OpenCode starts again", async () => {
  const designLab = { design_models: ["lab/zeph-3", "lab/brisk-10"], review_models: ["lab/judge-1"] };
  const models = { ...rivals, "judge-1": lab.model({}) };
  await withOpencode(
    { scenario: { models }, designLab },
    async ({ startCommand, run, provider, project }) => {
      provider.hold("judge-1");
      const running = startCommand("design-lab", TASK);
      await provider.waitFor(1, { model: "judge-1" });
      await until(() => project.exists(RIVAL));
      running.kill("SIGKILL");
      await running.ended;
      assert.ok(await project.exists(".design-lab/.ignore"));
      assert.equal((await run(["run", "hello"])).code, 0);
      assert.equal(await project.exists(".design-lab/.ignore"), false);
      assert.ok(await project.exists(RIVAL));
    },
  );
});

test("ripgrep itself finds nothing below a directory whose .ignore says so, and everything without it", async () => {
  const directory = await mkdtemp(join(tmpdir(), "design-lab-ignore-"));
  try {
    await mkdir(join(directory, "lab/run/designs"), { recursive: true });
    await writeFile(join(directory, "lab/run/designs/a.json"), "Sliding window\n");
    const env = { ...process.env, PATH };
    const search = (/** @type {string[]} */ ...args) =>
      spawnSync("rg", ["--no-config", "--hidden", "-l", ...args, "Sliding", "."], {
        cwd: directory,
        env,
        encoding: "utf8",
      }).stdout;
    assert.match(search(), /a\.json/);
    await holdIgnoreFile(join(directory, "lab"));
    assert.equal(search(), "");
    assert.equal(search("--glob=**/*.json"), "");
    // The reason why such globs are refused and results are read.
    assert.match(search("--glob={run,designs,*.json}"), /a\.json/);
    assert.match(search("--glob=**/*"), /a\.json/);
    // A search inside a run, whose own `.ignore` allows searches.
    await writeFile(join(directory, "lab/run/.ignore"), "!*\n");
    assert.equal(search("--regexp=Sliding", "lab/run"), "");
    assert.equal(search("--regexp=Sliding", "--glob=*.json", "lab/run"), "");
    // The reason why such paths are refused.
    assert.match(search("--regexp=Sliding", "--glob=*.json", "lab/run/designs"), /a\.json/);
    await releaseIgnoreFile(join(directory, "lab"));
    assert.match(search(), /a\.json/);
  } finally {
    await rm(directory, { recursive: true });
  }
});
