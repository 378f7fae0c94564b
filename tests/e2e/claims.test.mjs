// What designs claim about the project and what reviewers cite, looked up in a real project.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as lab from "../provider/lab.mjs";
import * as script from "../provider/script.mjs";
import { today } from "./artefacts.mjs";
import { flat, withOpencode } from "./harness.mjs";

const RUN = `.design-lab/${today()}-one-service`;

const CLAIMS = [
  { text: "Every request enters here.", kind: "symbol", name: "handle", state: "exists" },
  { text: "Orders live in Redis.", kind: "dependency", name: "redis@5", state: "exists" },
  { text: "A limiter is added.", kind: "file", name: "src/limiter.js", state: "to_be_made" },
  { text: "The tests are run by vitest.", kind: "script", name: "npm run test", state: "exists" },
  { text: "Secrets are kept there.", kind: "symbol", name: "SESAME", state: "exists" },
];

const setup = () => ({
  scenario: {
    models: {
      "quill-4": lab.model({ design: { title: "Token bucket", claims: CLAIMS } }),
      "zeph-3": lab.byPhase({
        design: script.reply({ ...lab.design({ title: "Sliding window" }), claims: null }),
        claims: script.reply({
          claims: [{ text: "It serves.", kind: "file", name: "src/serve.js:3", state: "exists" }],
        }),
      }),
      "judge-1": lab.byPhase({
        whole: (/** @type {import("../provider/script.mjs").ModelRequest} */ request) => {
          const scores = JSON.stringify(lab.evaluations(request, {}));
          const named = [...lab.shownDesigns(request).keys()]
            .map((label) => `## ${label}\n\nClear.`)
            .join("\n\n");
          return script.reply(`${named}\n\nSee src/server.js:1 and src/gone.js:7.\n\n${scores}`);
        },
      }),
    },
  },
  designLab: {
    design_models: ["lab/quill-4", "lab/zeph-3"],
    review_models: ["lab/judge-1"],
    review: { turns: 1 },
  },
  files: {
    "package.json": JSON.stringify({ dependencies: { redis: "^4.6.0" }, scripts: { lint: "eslint ." } }),
    ".env": "SESAME=1\n",
  },
});

test("what designs claim is looked up in the project, and reviewers and the report see what was found", async () => {
  await withOpencode(setup(), async ({ command, project, provider }) => {
    const { code, stdout } = await command("design-lab", "Design one service");
    assert.equal(code, 0, stdout);

    const verdicts = async (/** @type {string} */ design) => {
      const { claims } = await project.json(`${RUN}/designs/${design}.json`);
      return claims.map((/** @type {any} */ { finding }) => [finding.verdict, finding.why]);
    };
    assert.deepEqual(await verdicts("quill-4"), [
      ["as_stated", "src/server.js:1"],
      ["wrong", "package.json has ^4.6.0"],
      ["as_stated", "it doesn't exist yet"],
      ["not_found", "no manifest of the project that was read declares it"],
      ["not_found", "no code of the project contains this name"],
    ]);
    assert.deepEqual(await verdicts("zeph-3"), [["wrong", "it doesn't exist"]]);
    assert.equal(provider.requestsOf("zeph-3").length, 2, "it was asked for its claims, once");
    assert.equal(provider.requestsOf("quill-4").length, 2, "the name of the run, and the design");

    const [asked] = provider.requestsOf("judge-1");
    const prompt = JSON.stringify(asked?.messages);
    assert.match(prompt, /<observed id=/);
    assert.match(prompt, /package\.json has \^4\.6\.0/);

    assert.match(flat(stdout), /judge-1 cites src\/gone\.js:7, which doesn't exist/);
    const review = await project.read(`${RUN}/reviews/review-judge-1.md`);
    assert.match(review, /- found: src\/server\.js:1\n- not found: src\/gone\.js:7, which doesn't exist/);
    const page = await project.read(`${RUN}/results/report.html`);
    assert.match(page, /Wrong claims about the project/);
    assert.match(
      page,
      /wrong: <code>redis@5<\/code> \(package\.json has \^4\.6\.0\)\. Claim: Orders live in Redis\./,
    );
  });
});
