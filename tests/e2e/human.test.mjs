// A person reviews with a form, and the run is ranked again: in the real OpenCode, without a model.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { findBrowser } from "../../plugin-js/validation/tools.js";
import { long } from "../long.mjs";
import * as lab from "../provider/lab.mjs";
import * as script from "../provider/script.mjs";
import { artefacts, events, timeless, today } from "./artefacts.mjs";
import { withOpencode } from "./harness.mjs";

const NAME = `${today()}-rate-limiter`;
const RUN = `.design-lab/${NAME}`;
const DESIGNERS = { "quill-4": "Token bucket", "brisk-10": "Sliding window", "zeph-3": "Leaky bucket" };
const DIMENSIONS = ["clarity", "feasibility"];
const CONFIG = {
  design_models: Object.keys(DESIGNERS).map((name) => `lab/${name}`),
  review_models: ["lab/judge-1", "lab/jury-2"],
  scoring_criteria: { dimensions: DIMENSIONS.map((name) => ({ name, description: `How good in ${name}?` })) },
};

test("a person fills in a form and joins the ranking, and no model is called", {
  skip: long(
    "Decided in `src/design_lab/workflow/tests/human_review.rs`; `tests/browser/pages.test.mjs` fills in the form.",
  ),
}, async () => {
  const designers = Object.entries(DESIGNERS).map(([name, title]) => [
    name,
    lab.model({ topic: "Rate limiter", design: { title } }),
  ]);
  const models = {
    host: script.reply("The verdict is in."),
    ...Object.fromEntries(designers),
    "judge-1": lab.model({ score: (design) => (design.title?.length ?? 0) / 2 }),
    "jury-2": lab.model({ score: (design) => (design.title?.length ?? 0) / 3 }),
  };
  await withOpencode({ scenario: { models }, designLab: CONFIG }, async ({ serve, provider, project }) => {
    const { client, stop } = await serve();
    const { data: session } = await client.session.create({ body: {} });
    const id = session?.id ?? "";
    /** Runs a command and returns the last text that it shows. @param {string} name @param {string} [args] */
    const command = async (name, args = "") => {
      await client.session.command({ path: { id }, body: { command: name, arguments: args } });
      const { data } = await client.session.messages({ path: { id } });
      const parts = (data ?? []).flatMap((message) => message.parts);
      return parts.findLast((part) => part.type === "text")?.text ?? "";
    };
    assert.match(await command("design-lab-rank"), /run\.none/);
    await command("design-lab", "Design a rate limiter for a public HTTP API");
    assert.ok(await project.exists(`${RUN}/results/ranking.json`));
    const finished = await artefacts(project, RUN);
    const asked = provider.requests.length;

    assert.match(await command("design-lab-review", "--human judge-1"), /form\.name-taken/);
    const given = await command("design-lab-review", '--human "Ada L." rate-limiter');
    assert.match(given, new RegExp(`${RUN}/human/ada-l\\.csv[\\s\\S]*/design-lab-rank ${NAME}`));
    const form = await project.read(`${RUN}/human/ada-l.md`);
    assert.match(form, /Design a rate limiter/);
    assert.doesNotMatch(form, /quill|brisk|zeph|lab\//);
    const sheet = await project.read(`${RUN}/human/ada-l.csv`);

    // The mapping from labels to designs is in the journal, and nowhere else.
    const shown = (await events(project, RUN)).findLast(({ event }) => event === "presented");
    assert.equal(shown.job, "human:ada-l");
    const designOf = new Map(
      shown.labels.map((/** @type {string} */ label, /** @type {number} */ at) => [label, shown.order[at]]),
    );
    const rows = sheet.trim().split("\r\n").slice(1);
    assert.equal(rows.length, 6);

    // An untouched form is not a review; a filled-in one comes back from a spreadsheet with decimal commas.
    assert.match(await command("design-lab-rank"), /ada-l is not counted/);
    /** @type {Record<string, string>} */
    const taste = { "quill-4": "9,5", "brisk-10": "6,0", "zeph-3": "2,5" };
    const filled = rows.map((row) => {
      const [label, dimension] = row.split(",");
      return `${dimension};${label};${taste[designOf.get(label)]};"as ${dimension}; really"`;
    });
    await project.write(
      `${RUN}/human/ada-l.csv`,
      ["\ufeffdimension;design;score;comment", ...filled, ""].join("\r\n"),
    );
    const again = await command("design-lab-review", "--human ada-l");
    assert.match(again, /was not changed/);
    assert.match(await project.read(`${RUN}/human/ada-l.csv`), /9,5/, "what was filled in stays");

    const ranked = await command("design-lab-rank", "rate");
    assert.match(ranked, /Person +ada-l: τ-b/);
    assert.match(ranked, /Design Lab · ranked/);
    const table = await project.read(`${RUN}/results/scores.csv`);
    assert.match(table, /quill-4,ada-l,1,clarity,9\.5\r\n/);
    const ranking = await project.json(`${RUN}/results/ranking.json`);
    assert.equal(ranking.metadata.total_reviewers, 3);
    assert.equal(ranking.agreement.humans["ada-l"].designs, 3);
    const report = await project.read(`${RUN}/results/results.md`);
    assert.match(report, /^### People and models$/m);
    assert.match(report, /ada-l on clarity: as clarity; really/);
    const once = await artefacts(project, RUN);
    assert.deepEqual(
      Object.keys(finished),
      Object.keys(once).filter((file) => !file.startsWith("human/")),
    );

    await command("design-lab-rank");
    assert.deepEqual(await artefacts(project, RUN), once, "only times have changed");

    await project.write(`${RUN}/human/ada-l.csv`, `design,dimension,score\nquill-4,clarity,7\n`);
    const wrong = await command("design-lab-rank");
    assert.match(wrong, /form\.unknown-design[\s\S]*human\/ada-l\.csv:2:1/);
    const heavier = { ...CONFIG, scoring_criteria: { dimensions: [{ name: "cost", description: "d" }] } };
    await project.write(".opencode/design-lab.json", JSON.stringify(heavier));
    assert.match(await command("design-lab-rank"), /rank\.other-rubric[\s\S]*\/design-lab-review/);
    assert.equal(timeless(await project.read(`${RUN}/results/results.md`)), once["results/results.md"]);
    assert.equal(provider.requests.length, asked, "no model was called by either command");
    assert.deepEqual(provider.unscripted, []);
    await stop();
  });
});

test("a run that a person alone reviews waits for the person, whose page gives the CSV that ranks it", {
  skip: long(
    "Decided in `src/design_lab/workflow/tests/human_review.rs`; `tests/browser/pages.test.mjs` fills in the form.",
  ),
}, async () => {
  const designers = Object.entries(DESIGNERS).map(([name, title]) => [
    name,
    lab.model({ topic: "Rate limiter", design: { title } }),
  ]);
  const models = { host: script.reply("The verdict is in."), ...Object.fromEntries(designers) };
  const designLab = { ...CONFIG, review_models: [{ id: "ada", model_id: "human" }] };
  await withOpencode({ scenario: { models }, designLab }, async ({ command, provider, project }) => {
    const waits = await command("design-lab", "Design a rate limiter for a public HTTP API");
    assert.equal(waits.code, 0, waits.stderr);
    assert.match(waits.stdout, /Design Lab · waiting for people/);
    assert.match(waits.stdout, new RegExp(`${RUN}/human/ada\\.html`));
    assert.match(waits.stdout, new RegExp(`file://\\S+/${NAME}/human/ada\\.html`));
    const asked = provider.requests.length;
    const early = await command("design-lab-rank");
    assert.deepEqual([early.code, /run\.not-ranked/.test(early.stdout)], [1, true], early.stdout);

    const browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? findBrowser(process.env),
      args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
    });
    try {
      const page = await browser.newPage();
      await page.goto(pathToFileURL(join(project.directory, RUN, "human/ada.html")).href);
      const scores = page.locator("[data-value]");
      assert.equal(await scores.count(), 6);
      for (const [index, score] of ["9", "8,5", "7", "6", "3.25", "2"].entries()) {
        await scores.nth(index).fill(score);
        await page.locator("[data-row] textarea").nth(index).fill(`my "${score}",\nreally`);
      }
      await page.reload();
      assert.equal(await page.locator("#left").textContent(), "All 6 are filled in");
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.locator("#download").click(),
      ]);
      await download.saveAs(join(project.directory, RUN, "human", download.suggestedFilename()));
    } finally {
      await browser.close();
    }

    const ranked = await command("design-lab-rank");
    assert.equal(ranked.code, 0, ranked.stderr);
    assert.match(ranked.stdout, /Design Lab · ranked · /);
    assert.match(await project.read(`${RUN}/results/scores.csv`), /,ada,1,feasibility,8\.5\r\n/);
    assert.match(await project.read(`${RUN}/results/results.md`), /ada on clarity: my "9", really/);
    assert.equal(provider.requests.length, asked, "no model was called by either command");
    assert.deepEqual(provider.unscripted, []);
  });
});
