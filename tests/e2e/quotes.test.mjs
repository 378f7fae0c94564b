// The evidence in reviews: what reviewers quote, looked up in the designs as they saw them, and their answers for each constraint.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as lab from "../provider/lab.mjs";
import * as script from "../provider/script.mjs";
import { today } from "./artefacts.mjs";
import { flat, withOpencode } from "./harness.mjs";

const RUN = `.design-lab/${today()}-one-service`;

/** Scores whose first quote is what no design says. @param {script.ModelRequest} request */
const invented = (request) => {
  const reply = lab.evaluations(request);
  const [weakness] = reply.evaluations[0]?.qualitative.weaknesses ?? [];
  assert.ok(typeof weakness === "object");
  weakness.quote = "locks every table at noon";
  return script.reply(reply);
};

const TASK =
  "Design one service\n\n## Constraints\n\n- It runs on one machine.\n- It needs no other service.\n";

test("quotes are looked up, constraints are asked for, and the results say what was found and answered", async () => {
  const setup = {
    scenario: {
      models: {
        "quill-4": lab.model({ design: { title: "Token bucket" } }),
        "zeph-3": lab.model({ design: { title: "Sliding window", open_questions: ["Who pays for it?"] } }),
        "judge-1": lab.model({}),
        "judge-2": lab.byPhase({
          review: (/** @type {script.ModelRequest} */ request) => script.reply(lab.writtenReview(request)),
          scores: invented,
        }),
      },
    },
    designLab: {
      design_models: ["lab/quill-4", "lab/zeph-3"],
      review_models: ["lab/judge-1", "lab/judge-2"],
    },
  };
  await withOpencode(setup, async ({ command, project, provider }) => {
    const { code, stdout } = await command("design-lab", TASK);
    assert.equal(code, 0, stdout);
    assert.match(flat(stdout), /observed: Design Lab found 3 of 4 quotes from judge-2 in the designs/);
    assert.doesNotMatch(flat(stdout), /quotes from judge-1/);

    const results = await project.read(`${RUN}/results/results.md`);
    assert.match(results, /\| judge-1 \| +4 \| +4 \|/);
    assert.match(results, /\| judge-2 \| +4 \| +3 \|/);
    assert.match(results, /2 of 2 reviewers answered for every constraint and design/);
    assert.match(results, /It needs no other service\./);
    const review = await project.read(`${RUN}/reviews/review-judge-2.md`);
    assert.match(review, /not found in .*: “locks every table at noon”/);
    assert.equal(provider.requestsOf("judge-1").length, 2, "the review and its scores, nothing repaired");
    const form = JSON.stringify(provider.requestsOf("judge-1").at(-1)?.messages);
    assert.doesNotMatch(form, /overall/);
    assert.match(form, /as the task numbers them, 1 to 2/);
  });
});
