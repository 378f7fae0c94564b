// A pairwise run in the real OpenCode, and its directory ranked again from the command line.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { long } from "../long.mjs";
import { pkg } from "../package/package.mjs";
import * as lab from "../provider/lab.mjs";
import * as script from "../provider/script.mjs";
import { withOpencode } from "./harness.mjs";

const execute = promisify(execFile);
const TITLES = { "quill-4": "Token bucket", "brisk-10": "Sliding window", "zeph-3": "Leaky" };

test("reviewers compare pairs in both orders, and the command line ranks the run again", {
  skip: long(
    "Decided in `tests/design_lab/ranking_pairs.rs` and `src/design_lab/workflow/tests/until_clear.rs`. `run.test.mjs` takes the path through OpenCode.",
  ),
}, async () => {
  const designers = Object.entries(TITLES).map(([name, title]) => [
    name,
    lab.model({ topic: "Rate limiter", design: { title } }),
  ]);
  const steady = lab.model({ score: (design) => design.title?.length ?? 0 });
  const swayed = lab.model({ score: (_design, _label, place) => 9 - place });
  const models = {
    host: script.reply("The verdict is in."),
    ...Object.fromEntries(designers),
    "judge-1": steady,
    "jury-2": steady,
    "bias-3": swayed,
  };
  const designLab = {
    design_models: Object.keys(TITLES).map((name) => `lab/${name}`),
    review_models: ["lab/judge-1", "lab/jury-2", "lab/bias-3"],
    review: { mode: "pairwise" },
  };
  await withOpencode(
    { scenario: { models }, designLab },
    async ({ command, startCommand, provider, project }) => {
      const ended = await command("design-lab", "Design a rate limiter for a public HTTP API");
      assert.equal(ended.code, 0, ended.stderr);
      assert.match(ended.stdout, /Strength/);
      assert.deepEqual(provider.unscripted, []);
      for (const reviewer of ["judge-1", "jury-2", "bias-3"]) {
        const requests = provider.requestsOf(reviewer);
        assert.equal(requests.length, 6, "three pairs, two orders");
        const orders = requests.map((request) =>
          [...lab.shownDesigns(request).values()].map((design) => design.title).join(" "),
        );
        assert.equal(new Set(orders).size, 6);
        for (const request of requests) {
          const asked = request.messages.filter((message) => message.role === "user");
          assert.equal(asked.length, 1, "no comparison knows of another");
        }
      }
      const [run] = (await project.files(".design-lab")).map((file) => file.split("/")[0]);
      const directory = `.design-lab/${run}`;
      const ranking = await project.json(`${directory}/results/ranking.json`);
      assert.deepEqual(
        ranking.rankings.map((/** @type {any} */ row) => row.design_id),
        ["brisk-10", "quill-4", "zeph-3"],
      );
      assert.deepEqual([ranking.pairwise.flips, ranking.pairwise.pairs_in_both_orders], [3, 9]);
      assert.match(await project.read(`${directory}/results/results.md`), /## Pair by pair/);
      const review = await project.json(`${directory}/reviews/review-judge-1.json`);
      assert.equal(review.comparisons.length, 6);

      const again = await execute(
        process.execPath,
        [join(pkg, "plugin-js/cli.js"), "rank", join(project.directory, directory), "--json"],
        { cwd: pkg },
      );
      assert.deepEqual(JSON.parse(again.stdout), ranking);

      const asked = provider.requests.length;
      assert.equal((await command("design-lab-review", "--human ada")).code, 0);
      assert.match(await project.read(`${directory}/human/ada.html`), /Which is better\?/);
      const sheet = await project.read(`${directory}/human/ada.csv`);
      assert.match(sheet, /^pair,first,second,verdict,comment\r\n(\d,\w+,\w+,,\r\n){3}$/);
      await project.write(`${directory}/human/ada.csv`, sheet.replaceAll(",,\r\n", ",tie,no difference\r\n"));
      const ranked = await command("design-lab-rank");
      assert.equal(ranked.code, 0, ranked.stderr);
      assert.match(ranked.stdout, /Person +ada: /);
      const verdicts = await project.read(`${directory}/results/comparisons.csv`);
      assert.equal(verdicts.match(/\bada\b.*\btie\b/g)?.length, 3, verdicts);
      assert.equal(provider.requests.length, asked, "no model was called");

      const compared = () =>
        ["judge-1", "jury-2", "bias-3"].flatMap((model) =>
          provider
            .requestsOf(model)
            .slice(6)
            .map(
              (request) => `${model}: ${[...lab.shownDesigns(request).values()].map(({ title }) => title)}`,
            ),
        );
      provider.hold("jury-2");
      const stopped = startCommand("design-lab-review", "--until clear");
      await provider.waitFor(7, { model: "jury-2" });
      stopped.kill("SIGKILL");
      await stopped.ended;
      provider.release("jury-2");
      const until = await command("design-lab-resume");
      assert.equal(until.code, 0, until.stdout + until.stderr);
      const said = until.stdout.replace(/\s+/g, " ");
      const [, shown, all] = said.match(/Reviewing stopped after (\d+) of (\d+) comparisons/) ?? [];
      assert.equal(Number(all), 18);
      assert.ok(Number(shown) < 18, said);
      assert.match(said, /reviewers may share an error.*--add MODEL/);
      const once = new Set(compared());
      assert.equal(once.size, Number(shown));
      const twice = compared().length - once.size;
      assert.ok(twice >= 1 && twice <= 4, `only what was under way is asked again, not ${twice}`);
      // The same again, with a budget: no further question would help.
      const before = compared().length;
      const further = await command("design-lab-review", "--until clear --max-cost 1");
      assert.equal(further.code, 0, further.stdout + further.stderr);
      assert.match(further.stdout.replace(/\s+/g, " "), new RegExp(`stopped after ${shown} of 18`));
      assert.equal(compared().length, before);
      const wrong = await command("design-lab-review", "--until settled");
      assert.equal(wrong.code, 1);
      assert.match(wrong.stdout, /command\.missing-value[\s\S]*--until clear/);
    },
  );
});
