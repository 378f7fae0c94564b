// Options with an effect outside the core, in the real OpenCode: prompt files, the offered tools, and what a session can access when
// isolation is switched off.

import assert from "node:assert/strict";
import { test } from "node:test";
import { long } from "../long.mjs";
import * as lab from "../provider/lab.mjs";
import * as script from "../provider/script.mjs";
import { today } from "./artefacts.mjs";
import { withOpencode } from "./harness.mjs";

const TASK = "Design a rate limiter for a public HTTP API";

test("prompts from files, the configured tools alone, reviews in one turn, and a switched-off isolation that is admitted", {
  skip: long("Decided in `src/design_lab/workflow/tests/options.rs`, where every option has a test."),
}, async () => {
  const run = `${today()}-rate-limiter`;
  const attempts = [
    script.callTool("read", { filePath: "src/server.js" }),
    // Asked last, one call after another, so that the other design is on disk.
    script.callTool("read", { filePath: `labs/${run}/designs/early.json` }),
    script.callTool("grep", { pattern: "orders" }),
    script.reply(lab.design({ title: "Token bucket" })),
  ];
  const models = {
    early: lab.model({ topic: "Rate limiter", design: { title: "Sliding window" } }),
    late: lab.byPhase({
      design: attempts,
      whole: (request) =>
        script.reply(`${lab.writtenReview(request)}\n\n${JSON.stringify(lab.evaluations(request))}`),
    }),
  };
  const designLab = {
    design_models: ["lab/early", { model_id: "lab/late", prompt_template: "{file:./prompts/mine.md}" }],
    isolation: { enforce_design_isolation: false, allowed_tools: ["read"] },
    concurrency: 1,
    output_directory: "labs",
    review: { turns: 1 },
  };
  const files = { ".opencode/prompts/mine.md": "Prefer boring technology.\n" };
  await withOpencode({ scenario: { models }, designLab, files }, async ({ command, provider, project }) => {
    const ended = await command("design-lab", TASK);
    assert.equal(ended.code, 0, ended.stderr);
    assert.match(ended.stdout.replace(/\s+/g, " "), /Isolation is switched off/);
    const [design] = provider.requestsOf("late");
    assert.match(design?.system ?? "", /^Prefer boring technology\./);
    assert.equal(provider.requestsOf("early")[1]?.system.includes("boring"), false);
    assert.deepEqual(design?.tools, ["read"]);
    const results = provider
      .requestsOf("late")
      .slice(0, attempts.length)
      .map((request) => request.messages.findLast((message) => message.role === "tool")?.content ?? "");
    assert.match(results[1] ?? "", /export function handle/);
    assert.match(results[2] ?? "", /Sliding window/, "nothing keeps a designer from it");
    assert.ok(results[3] !== undefined);
    assert.doesNotMatch(results[3], /store\.js/, "a tool that isn't among the configured ones does nothing");
    assert.match(await project.read(`labs/${run}/results/results.md`), /isolation/i);
    assert.equal(provider.requests.filter((request) => lab.phaseOf(request) === "whole").length, 2);
    assert.doesNotMatch(await project.read(`labs/${run}/reviews/review-late.md`), /"evaluations"/);
  });
});
