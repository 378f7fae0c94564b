// The decision map: made of a ranked run by one call, and read by the model that merges.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as lab from "../provider/lab.mjs";
import * as script from "../provider/script.mjs";
import { today } from "./artefacts.mjs";
import { flat, withOpencode } from "./harness.mjs";

const RUN = `${today()}-one-service`;

const SUMMARIES = {
  "quill-4": "A token bucket in front of the database refuses what exceeds the limit.",
  "zeph-3": "A sliding window in the memory of each instance counts what passes.",
};

const setup = () => ({
  scenario: {
    models: {
      "quill-4": lab.model({ design: { title: "Token bucket", summary: SUMMARIES["quill-4"] } }),
      "zeph-3": lab.model({ design: { title: "Sliding window", summary: SUMMARIES["zeph-3"] } }),
      "judge-1": lab.byPhase({
        whole: (/** @type {script.ModelRequest} */ request) => {
          const named = [...lab.shownDesigns(request).keys()].map((label) => `## ${label}\n\nClear.`);
          return script.reply(`${named.join("\n\n")}\n\n${JSON.stringify(lab.evaluations(request, {}))}`);
        },
        map: (/** @type {script.ModelRequest} */ request) => {
          const map = lab.decisionMap(request);
          const made_up = { statement: "All use <b>Kafka</b>.", quotes: [] };
          return script.reply({ ...map, agreements: [...map.agreements, made_up] });
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

test("one call maps a ranked run, and who merges reads the map without names", async () => {
  await withOpencode(setup(), async ({ command, project, provider }) => {
    const first = await command("design-lab", "Design one service");
    assert.equal(first.code, 0, first.stdout);
    assert.match(
      flat(first.stdout),
      new RegExp(`/design-lab-review --map ${RUN} maps what all designs agree on`),
    );

    assert.equal(provider.requestsOf("judge-1").length, 1);
    const { code, stdout } = await command("design-lab-review", `--map ${RUN}`);
    assert.equal(code, 0, stdout);
    assert.match(flat(stdout), /1 agreement, 1 contradiction, 1 point of one design only; 1 point left out/);
    const [, asked, ...more] = provider.requestsOf("judge-1");
    assert.equal(more.length, 0);
    assert.doesNotMatch(JSON.stringify(asked?.messages), /quill|zeph/);

    const map = await project.json(`.design-lab/${RUN}/results/map.json`);
    assert.deepEqual(
      map.agreements.map((/** @type {any} */ { checked }) => checked),
      [true, false],
    );
    const page = await project.read(`.design-lab/${RUN}/results/report.html`);
    assert.match(page, /According to lab\/judge-1/);
    assert.ok(page.includes(SUMMARIES["quill-4"]) && page.includes("zeph-3 has its own answer."));
    assert.doesNotMatch(page, /Kafka/);

    const again = await command("design-lab-review", `--map ${RUN}`);
    assert.match(flat(again.stdout + again.stderr), /has a decision map already/);

    await command("design-lab-merge", `--by lab/quill-4 ${RUN}`);
    const merged = provider.requestsOf("quill-4").findLast((request) => lab.phaseOf(request) === "design");
    const prompt = merged?.messages.map(({ content }) => content).join("\n") ?? "";
    const points = /<map>\n(.*)\n<\/map>/.exec(prompt)?.[1] ?? "";
    assert.match(points, /All agree: Every write is one transaction\./);
    assert.doesNotMatch(points, /quill|zeph|Kafka/);
  });
});
