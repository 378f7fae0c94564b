// Runs that build on another, in the real OpenCode: reviewed again, refined, merged.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { long } from "../long.mjs";
import { pkg } from "../package/package.mjs";
import * as lab from "../provider/lab.mjs";
import * as script from "../provider/script.mjs";
import { today } from "./artefacts.mjs";
import { chat } from "./flow.mjs";
import { withOpencode } from "./harness.mjs";

const run = promisify(execFile);
const TASK = "Design a rate limiter for a public HTTP API";
const NAME = `${today()}-rate-limiter`;
const DESIGNERS = ["quill-4", "brisk-10"];
const REVIEWERS = ["judge-1", "jury-2", "umpire-3"];

/** Second versions and merged designs are better; of two of a kind, one is slightly better. @param {Partial<lab.Design>} design */
const worth = ({ title = "" }) => (/^(Second|Merged)/.test(title) ? 9 : 1) + (title.endsWith("7") ? 0.5 : 0);

/** @param {string} name @returns {script.Script} */
function designer(name) {
  return lab.byPhase({
    topic: script.reply("Rate limiter"),
    design: (request) => {
      const first = lab.design({ title: `First of ${name.length}` });
      if (request.user.includes("# Your design"))
        return script.reply({ ...first, title: `Second of ${name.length}` });
      const labels = [...lab.shownDesigns(request).keys()];
      if (labels.length === 0) return script.reply(first);
      const from = (/** @type {object} */ part) => ({ ...part, sources: [labels[0], "new"] });
      return script.reply({
        ...first,
        title: "Merged",
        components: first.components.map(from),
        tradeoffs: first.tradeoffs.map(from),
      });
    },
  });
}

const models = {
  host: script.reply("The verdict is in."),
  ...Object.fromEntries(DESIGNERS.map((name) => [name, designer(name)])),
  ...Object.fromEntries(REVIEWERS.map((name) => [name, lab.model({ score: worth })])),
};
const designLab = {
  design_models: DESIGNERS.map((name) => `lab/${name}`),
  review_models: ["lab/judge-1", "lab/jury-2"],
  // The size of a gain depends slightly on the random orders.
  seed: 7,
};

test("designs are reviewed again, refined and merged, each in a run of its own", {
  skip: long(
    "Decided in `src/design_lab/workflow/tests/follow_up.rs`. `run.test.mjs` takes the path through OpenCode.",
  ),
}, async () => {
  await withOpencode({ scenario: { models }, designLab }, async (opencode) => {
    const { command, provider, project } = opencode;
    const { ask, stop } = await chat(opencode);
    assert.match(await ask("design-lab-refine"), /run\.none/);
    assert.match(await ask("design-lab", TASK), /Design Lab · ranked/);
    const first = await project.read(`.design-lab/${NAME}/results/ranking.json`);
    const designs = () => DESIGNERS.map((name) => provider.requestsOf(name).length);
    const asked = designs();

    await project.write(
      ".opencode/design-lab.json",
      JSON.stringify({ ...designLab, review_models: REVIEWERS.map((name) => `lab/${name}`) }),
    );
    assert.match(await ask("design-lab-review", "rate-limiter"), /Design Lab · ranked/);
    assert.deepEqual(designs(), asked, "no design was asked for");
    const again = await project.json(`.design-lab/${NAME}-reviewed/results/ranking.json`);
    assert.equal(again.metadata.total_reviewers, 3);
    assert.equal(
      await project.read(`.design-lab/${NAME}/results/ranking.json`),
      first,
      "the first run stays",
    );
    assert.match(await ask("design-lab-review", NAME), /run\.exists[\s\S]*--new/);

    const refined = await command("design-lab-refine", `--rounds 1 ${NAME}`);
    assert.equal(refined.code, 0, refined.stdout + refined.stderr);
    assert.match(refined.stdout, /quill-4-v2 compared with quill-4: \+\d/);
    for (const [index, name] of DESIGNERS.entries()) {
      const requests = provider.requestsOf(name).slice(asked[index]);
      assert.equal(requests.length, 1);
      const prompt = requests[0]?.messages.map(({ content }) => content).join("\n") ?? "";
      assert.match(prompt, new RegExp(`First of ${name.length}`));
      for (const other of DESIGNERS.filter((other) => other !== name)) {
        assert.ok(!prompt.includes(`First of ${other.length}`), "an author sees its own design only");
        assert.ok(!prompt.includes(other));
      }
      for (const reviewer of REVIEWERS) assert.ok(!prompt.includes(reviewer), "feedback is anonymous");
    }
    const refinement = await project.json(`.design-lab/${NAME}-refined/results/ranking.json`);
    assert.deepEqual(
      refinement.gains.map((/** @type {any} */ gain) => [gain.design_id, gain.over, gain.kind]),
      [
        ["brisk-10-v2", "brisk-10", "better"],
        ["quill-4-v2", "quill-4", "better"],
      ],
    );
    assert.match(await project.read(`.design-lab/${NAME}-refined/results/results.md`), /## What was gained/);
    for (const reviewer of REVIEWERS) {
      const [request] = provider.requestsOf(reviewer).slice(-2);
      assert.ok(request, `${reviewer} was asked`);
      assert.equal(lab.shownDesigns(request).size, 4, "old and new side by side");
      assert.ok(!request.user.includes("-v2"));
    }

    assert.match(await ask("design-lab-merge", `--by lab/umpire-3 ${NAME}`), /umpire-3|merged/);
    const author = await ask("design-lab-merge", `--new ${NAME}`);
    const folder = `.design-lab/${NAME}-merged-2`;
    const design = await project.json(`${folder}/designs/merged.json`);
    assert.ok(DESIGNERS.includes(design.components[0].sources[0]), "labels became ids");
    assert.match(await project.read(`${folder}/designs/merged.md`), /\*From: (quill-4|brisk-10), new\*/);
    assert.match(author, /merged compared with quill-4: \+\d/);
    assert.deepEqual((await project.json(`${folder}/results/ranking.json`)).rankings[0].design_id, "merged");
    assert.ok(!(await project.exists(".design-lab/.ignore")));

    // Five runs, all of one task: that is little evidence, and the output mentions it.
    const shown = await ask("design-lab-status", "--history");
    assert.match(shown, /^Design Lab · history of 5 runs in \.design-lab\n/);
    assert.match(shown, /Runs of the same\s+task\s+are\s+not\s+independent/);
    assert.match(shown, /lab\/quill-4: \d designs, 0% \(0–\d+\) failed/);
    assert.match(shown, /There is no proposal yet\. A proposal\s+needs\s+5\s+tasks[\s\S]*there\s+is\s+1\./);
    assert.match(await ask("design-lab-status", "--history cache"), /command\.too-many-words/);
    const cli = join(pkg, "plugin-js/cli.js");
    const { stdout } = await run(process.execPath, [cli, "history", "--json"], { cwd: project.directory });
    const history = JSON.parse(stdout);
    assert.deepEqual([history.version, history.runs, history.tasks, history.left_out], [1, 5, 1, []]);
    assert.deepEqual(
      history.designers.map((/** @type {any} */ row) => [row.model, row.tasks, row.points]),
      [
        ["lab/brisk-10", 1, null],
        ["lab/quill-4", 1, null],
      ],
      "designers with one task are not rated, and merged designs are nobody's",
    );
    const dry = await ask("design-lab", `--dry-run ${TASK}`);
    assert.match(
      dry,
      /The\s+run\s+takes\s+about\s+\d+\s+s,\s+based\s+on\s+\d+\s+earlier\s+designs\s+and\s+reviews/,
    );
    await stop();
  });
});

test("further rounds follow as long as something was gained, and a stopped round goes on", {
  skip: long(
    "Decided in `src/design_lab/workflow/tests/follow_up.rs`. `run.test.mjs` takes the path through OpenCode.",
  ),
}, async () => {
  await withOpencode({ scenario: { models }, designLab }, async ({ command, project, provider }) => {
    assert.equal((await command("design-lab", TASK)).code, 0);
    const refined = await command("design-lab-refine", "--rounds 4");
    assert.equal(refined.code, 0, refined.stdout + refined.stderr);
    // The second round writes the same as the first: it gains nothing, so there is no third.
    const runs = new Set((await project.files(".design-lab")).map((file) => file.split("/")[0]));
    assert.deepEqual([...runs].sort(), [NAME, `${NAME}-refined`, `${NAME}-refined-2`]);
    const second = await project.json(`.design-lab/${NAME}-refined-2/results/ranking.json`);
    assert.deepEqual(
      second.gains.map((/** @type {any} */ gain) => [gain.design_id, gain.kind]),
      [
        ["brisk-10-v3", "within_noise"],
        ["quill-4-v3", "within_noise"],
      ],
    );
    assert.deepEqual(provider.unscripted, []);
  });
});
