// What decides after the scores: comparisons of the first two designs, and how a design turned out, as only a person says.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as lab from "../provider/lab.mjs";
import * as script from "../provider/script.mjs";
import { today } from "./artefacts.mjs";
import { flat, withOpencode } from "./harness.mjs";

const NAME = `${today()}-one-service`;
const RUN = `.design-lab/${NAME}`;
const TITLES = { "quill-4": "Token bucket", "zeph-3": "Sliding window" };

/** The designs are half a point apart. @param {Partial<lab.Design>} design */
const score = ({ title }) => (title === TITLES["quill-4"] ? 7.5 : 7);

const design = (/** @type {keyof typeof TITLES} */ model) => lab.model({ design: { title: TITLES[model] } });

const setup = ({ close_pairs = false, models = {} } = {}) => ({
  scenario: {
    models: {
      "quill-4": design("quill-4"),
      "zeph-3": design("zeph-3"),
      "judge-1": lab.model({ score }),
      "jury-2": lab.model({ score }),
      ...models,
    },
  },
  designLab: {
    design_models: ["lab/quill-4", "lab/zeph-3"],
    review_models: ["lab/judge-1", "lab/jury-2"],
    review: { turns: 1, close_pairs },
  },
});

for (const [way, isSet] of /** @type {const} */ ([
  ["by the setting", true],
  ["on request", false],
]))
  test(`two reviewers compare two close designs in both orders ${way}, and the result says so`, async () => {
    await withOpencode(setup({ close_pairs: isSet }), async ({ command, project, provider }) => {
      let { code, stdout } = await command("design-lab", "Design one service");
      assert.equal(code, 0, stdout);
      if (!isSet) {
        const offer = `/design-lab-review --close ${NAME} has the reviewers compare the first two designs: 4 calls`;
        assert.ok(flat(stdout).includes(offer), stdout);
        const advice =
          /Choose quill-4\. On average, it is 0\.\d\d points below the truly best one\. The chance that it is at most 0\.5 below is \d\d%/;
        assert.match(flat(stdout), advice);
        const { choice } = await project.json(`${RUN}/results/ranking.json`);
        assert.ok(flat(stdout).includes(flat(choice.sentence)), stdout);
        ({ code, stdout } = await command("design-lab-review", "--close"));
        assert.equal(code, 0, stdout);
      }
      for (const judge of ["judge-1", "jury-2"]) {
        const phases = provider.requestsOf(judge).map(lab.phaseOf);
        assert.deepEqual(phases, ["whole", "compare", "compare"], judge);
        const [one, other] = provider
          .requestsOf(judge)
          .slice(1)
          .map((request) => [...lab.shownDesigns(request).values()].map(({ title }) => title));
        assert.deepEqual(one?.toReversed(), other, `${judge} sees both orders`);
      }
      const { close_pairs } = await project.json(`${RUN}/results/ranking.json`);
      assert.equal(close_pairs.length, 1);
      const [{ sentence }] = close_pairs;
      assert.match(sentence, /compared quill-4 and zeph-3/);
      assert.ok(flat(stdout).includes(flat(sentence)), stdout);
      const verdicts = (await project.read(`${RUN}/results/comparisons.csv`)).trim().split("\n");
      assert.equal(verdicts.length, 5, "a heading and four verdicts");
    });
  });

test("a person records how a design turned out, and a model can't", async () => {
  const text = `${NAME} --outcome zeph-3 failed`;
  const host = (/** @type {script.ModelRequest} */ request) => {
    if (request.tools.length === 0) return script.reply("A title");
    if (request.messages.some(({ role }) => role === "tool")) return script.reply("It is refused.");
    return script.callTool("design_lab", { action: "rank", text });
  };
  await withOpencode(setup({ models: { host } }), async ({ command, project, provider, run }) => {
    assert.equal((await command("design-lab", "Design one service")).code, 0);
    const asked = provider.requests.length;
    const before = await project.read(`${RUN}/results/ranking.json`);
    const recorded = await command("design-lab-rank", `${NAME} --outcome quill-4 validated A year in use`);
    assert.equal(recorded.code, 0, recorded.stdout);
    assert.match(flat(recorded.stdout), /Outcome quill-4 was validated .*“A year in use”/);
    const again = await command("design-lab-rank", `${NAME} --outcome quill-4 validated`);
    assert.match(flat(again.stdout + again.stderr), /rank\.outcome-known/);

    await run(["run", "--auto", "Say that the window failed"]);
    const answers = provider.requestsOf("host").flatMap(({ messages }) => messages);
    const refused = answers.find(({ role }) => role === "tool")?.content ?? "";
    assert.match(refused, /tool\.users-alone/);
    assert.ok(
      provider.requests.slice(asked).every(({ model }) => model === "host"),
      "no model of the run",
    );

    assert.match(await project.read(`${RUN}/results/results.md`), /quill-4 was validated/);
    assert.match(await project.read(`${RUN}/results/report.html`), /A year in use/);
    assert.equal(await project.read(`${RUN}/results/ranking.json`), before, "the ranking stays");
    const history = flat((await command("design-lab-status", "--history")).stdout);
    assert.match(history, /lab\/quill-4 0 built, 1 validated, 0 failed of 1 design/);
    assert.match(history, /lab\/judge-1 right in 1 of 1 task too few to tell from chance/);
    assert.doesNotMatch(history, /1 failed/);
  });
});
