// A rubric that a model drafts for the task, and that counts only once a person has typed its hash.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as lab from "../provider/lab.mjs";
import * as script from "../provider/script.mjs";
import { today } from "./artefacts.mjs";
import { flat, withOpencode } from "./harness.mjs";

const RUN = `.design-lab/${today()}-design-one-service`;

const dimension = (/** @type {string} */ name) => ({
  name,
  description: `How is ${name} handled?`,
  weight: 2,
  low: "It is left out.",
  middle: "It is mentioned.",
  high: "It is worked out, with its limits.",
});

const RUBRIC = { dimensions: ["restart", "fairness", "operation", "migration"].map(dimension) };

/** Any dimension tells the designs apart. @param {Partial<lab.Design>} design */
const score = ({ title = "" }) => (title.startsWith("Token") ? 8 : 4);

const setup = () => ({
  scenario: {
    models: {
      "quill-4": lab.model({ design: { title: "Token bucket" } }),
      "zeph-3": lab.model({ design: { title: "Sliding window" } }),
      "judge-1": lab.byPhase({
        rubric: script.reply(RUBRIC),
        whole: (/** @type {script.ModelRequest} */ request) => {
          const named = [...lab.shownDesigns(request).keys()].map((label) => `## ${label}\n\nClear.`);
          return script.reply(
            `${named.join("\n\n")}\n\n${JSON.stringify(lab.evaluations(request, { score }))}`,
          );
        },
      }),
    },
  },
  designLab: {
    design_models: ["lab/quill-4", "lab/zeph-3"],
    review_models: ["lab/judge-1"],
    review: { turns: 1 },
  },
});

test("a drafted rubric waits for its hash, which is that of the edited file, and reviewers then score by it", async () => {
  await withOpencode(setup(), async ({ command, project, provider }) => {
    const waits = await command("design-lab", "--rubric Design one service");
    assert.equal(waits.code, 1, "the run waits for a person");
    assert.match(waits.stdout, /Drafted by lab\/judge-1 for this task/);
    assert.match(waits.stdout, /restart, weight 2/);
    assert.equal(provider.requestsOf("judge-1").length, 1);
    assert.equal(provider.requestsOf("quill-4").length, 0, "nothing else was paid for");
    const [, shown] = /--rubric ([0-9a-f]{8})/.exec(flat(waits.stdout)) ?? [];
    assert.ok(shown, waits.stdout);

    const file = await project.read(`${RUN}/rubric.jsonc`);
    await project.write(`${RUN}/rubric.jsonc`, file.replace('"migration"', '"rollback"'));
    const stale = await command("design-lab-resume", `--rubric ${shown}`);
    assert.equal(stale.code, 1, stale.stdout);
    assert.match(flat(stale.stdout + stale.stderr), /run\.rubric-changed/);
    const [, hash] =
      /type \/design-lab-resume \S+ --rubric ([0-9a-f]{8})/.exec(flat(stale.stdout + stale.stderr)) ?? [];
    assert.ok(hash && hash !== shown);

    const { code, stdout } = await command("design-lab-resume", `--rubric ${hash}`);
    assert.equal(code, 0, stdout);
    const ranking = await project.json(`${RUN}/results/ranking.json`);
    assert.deepEqual(ranking.rubric, {
      origin: "task",
      drafted_by: "lab/judge-1",
      sentence: "rubric drafted by lab/judge-1 for this task, edited and approved by you",
    });
    assert.deepEqual(Object.keys(ranking.rankings[0].score_breakdown).sort(), [
      "fairness",
      "operation",
      "restart",
      "rollback",
    ]);
    assert.match(await project.read(`${RUN}/rubric.jsonc`), /"rollback"/, "the edited file stays");
    assert.equal(provider.requestsOf("judge-1").length, 2, "the draft, and the review");

    const history = await command("design-lab-status", "--history");
    assert.match(flat(history.stdout), /drafted for the task, 1 run/);
  });
});
