// Models with unusable answers, in the real OpenCode: they are asked again in the same session, within limits.

import assert from "node:assert/strict";
import { test } from "node:test";
import { long } from "../long.mjs";
import * as lab from "../provider/lab.mjs";
import * as script from "../provider/script.mjs";
import { withOpencode } from "./harness.mjs";

/** @typedef {import("../provider/script.mjs").ModelRequest} ModelRequest */

const TASK = "Design a rate limiter for a public HTTP API";
const REFUSAL = "I'm sorry, but I can't help with that.";

/** The text of a design with this title. @param {string} title */
const written = (title) => JSON.stringify(lab.design({ title }), null, 2);

/** A design with a draft before it. @param {string} title */
const drafted = (title) =>
  `First a draft:\n\n\`\`\`json\n{"title": "Draft"}\n\`\`\`\n\nNow the whole:\n\n\`\`\`json\n${written(title)}\n\`\`\`\n\nThat is all.`;

/** Returns scores whose first evaluation is changed. @param {(evaluation: lab.Evaluation) => void} change */
const spoilt = (change) => (/** @type {ModelRequest} */ request) => {
  const reply = lab.evaluations(request);
  assert.ok(reply.evaluations[0]);
  change(reply.evaluations[0]);
  return script.reply(reply);
};

/** The beginning of a text, up to the middle of a word. @param {string} text */
const half = (text) => text.slice(0, text.indexOf("stateless") + 3);
const prose = (/** @type {ModelRequest} */ request) => script.reply(lab.writtenReview(request));
const scores = (/** @type {ModelRequest} */ request) => script.reply(lab.evaluations(request));

/**
 * By model: its answers, in order, and what each repair prompt must contain.
 * @type {Record<string, { phases: object, says: RegExp[] }>}
 */
const MODELS = {
  drafter: {
    phases: { topic: script.reply("Rate limiter"), design: script.reply(drafted("Token bucket")) },
    says: [],
  },
  cut: {
    phases: {
      design: [
        script.reply(half(written("Cut")), { finish: "length" }),
        script.reply(half(written("Cut again")), { finish: "stop" }),
        script.reply(written("Sliding window")),
      ],
    },
    says: [/cut off/, /cut off/],
  },
  mute: {
    phases: { design: [script.empty(), script.reply(REFUSAL), script.reply(written("Leaky bucket"))] },
    says: [/was empty/, /You declined.*design of a piece of software/s],
  },
  filtered: {
    phases: {
      design: [
        script.reply(half(written("Filtered")), { finish: "content_filter" }),
        script.reply(`${half(written("Malformed"))} <oops> }`),
        script.reply(written("Fixed window")),
      ],
    },
    says: [/content filter/, /can't be used/],
  },
  stubborn: {
    phases: { design: script.reply('{"title": "Never a design"}') },
    // The same again, byte for byte: then the whole request follows, in a separate conversation.
    says: [/\/components: .* missing/],
  },
  misnamer: {
    phases: {
      review: prose,
      scores: [
        spoilt((evaluation) => {
          evaluation.design_id = "nobody";
        }),
        spoilt((evaluation) => {
          evaluation.quantitative.clarity = 11;
        }),
        scores,
      ],
    },
    says: [
      /"nobody".*The only valid values of "design_id"/s,
      /\/quantitative\/clarity: .*Found: 11\. Allowed: a number from 0 to 10/,
    ],
  },
  shy: {
    phases: { review: [script.reply(REFUSAL), prose], scores: [script.reply("Done."), scores] },
    says: [/written review/, /has no JSON object/],
  },
};

const DESIGNERS = ["drafter", "cut", "mute", "filtered", "stubborn"];
const REVIEWERS = ["misnamer", "shy"];

test("unusable answers are repaired in their own sessions, and the one that never is fails alone", async () => {
  const models = Object.fromEntries(
    Object.entries(MODELS).map(([name, { phases }]) => [name, lab.byPhase(phases)]),
  );
  const designLab = {
    design_models: DESIGNERS.map((name) => `lab/${name}`),
    review_models: REVIEWERS.map((name) => `lab/${name}`),
    base_output_dir: "notes/lab",
    concurrency: 7,
  };
  await withOpencode({ scenario: { models }, designLab }, async ({ command, provider, project }) => {
    const ended = await command("design-lab", TASK);
    assert.equal(ended.code, 0, ended.stderr);
    assert.deepEqual(provider.unscripted, []);

    for (const [name, { says }] of Object.entries(MODELS)) {
      // Each in the conversation that contains the answer to which it refers.
      const repairs = provider
        .requestsOf(name)
        .filter((request) => /^(Your last|You declined|A content)/.test(request.user));
      assert.equal(
        repairs.length,
        says.length,
        `${name}: ${repairs.map((request) => request.user).join("\n\n")}`,
      );
      says.forEach((pattern, index) => {
        const repair = repairs[index];
        assert.ok(repair, name);
        assert.match(repair.user, pattern, name);
        assert.ok(repair.messages.length >= 2, `${name}: the question stands before it`);
      });
    }

    const otherwise = provider.requestsOf("stubborn").at(-1);
    assert.match(
      otherwise?.user ?? "",
      /Design a rate limiter.*An earlier answer to this request was refused: /s,
    );
    assert.equal(otherwise?.messages.filter(({ role }) => role === "user").length, 1);

    const [run] = (await project.files("notes/lab")).filter((file) => file.endsWith("/task.json"));
    assert.ok(run, "there is a run");
    const at = (/** @type {string} */ file) => `notes/lab/${run.replace("task.json", file)}`;
    const titles = {
      drafter: "Token bucket",
      cut: "Sliding window",
      mute: "Leaky bucket",
      filtered: "Fixed window",
    };
    for (const [name, title] of Object.entries(titles)) {
      const design = await project.json(at(`designs/${name}.json`));
      assert.equal(design.title, title);
      assert.equal(design.metadata.attempts - 1, MODELS[name]?.says.length, name);
    }

    const ranking = await project.json(at("results/ranking.json"));
    assert.deepEqual(
      ranking.metadata.failed.map((/** @type {any} */ failure) => [failure.phase, failure.id]),
      [["design", "stubborn"]],
    );
    assert.equal(ranking.metadata.total_reviewers, 2);
    assert.match(
      ranking.metadata.failed[0].reason,
      /after 2 repair prompts; .*designs\/stubborn\.rejected\.txt/,
    );
    assert.equal(await project.read(at("designs/stubborn.rejected.txt")), '{"title": "Never a design"}');
    assert.match(ended.stdout, /stubborn \(design\)/);
    assert.match(ended.stdout, /notes\/lab\//);
  });
});

test("a copied form is asked for again at a higher temperature, and a reviewer that sees no difference is left out", {
  skip: long(
    "Decided in `src/design_lab/workflow/tests/accepting.rs`. `repair.test.mjs` still repairs answers in OpenCode.",
  ),
}, async () => {
  const copied = lab.design({ title: "A short, descriptive title", summary: "the design in two paragraphs" });
  const models = {
    host: script.reply("The verdict is in."),
    copier: lab.byPhase({
      topic: script.reply("Rate limiter"),
      design: [script.reply(copied), script.reply(lab.design({ title: "Token bucket" }))],
    }),
    brisk: lab.model({ design: { title: "Sliding window" } }),
    judge: lab.model({ score: (design) => (design.title?.length ?? 6) - 6 }),
    shrug: lab.byPhase({
      review: prose,
      scores: (/** @type {ModelRequest} */ request) =>
        script.reply(lab.evaluations(request, { score: () => 6 })),
    }),
  };
  const designLab = {
    design_models: [{ model_id: "lab/copier", temperature: 0.1 }, "lab/brisk"],
    review_models: ["lab/judge", "lab/shrug"],
  };
  await withOpencode({ scenario: { models }, designLab }, async ({ command, provider, project }) => {
    const ended = await command("design-lab", TASK);
    assert.equal(ended.code, 0, ended.stderr);
    const [run] = (await project.files(".design-lab")).filter((file) => file.endsWith("/task.json"));
    assert.ok(run, "there is a run");
    const at = (/** @type {string} */ file) => `.design-lab/${run.replace("task.json", file)}`;

    const designs = provider.requestsOf("copier").filter((request) => !/^Name this task/.test(request.user));
    assert.deepEqual(
      designs.map((request) => request.temperature),
      [0.1, 1],
    );
    assert.match(designs[1]?.user ?? "", /\/summary: This text is copied from the form\..*\/title: /s);
    assert.equal((await project.json(at("designs/copier.json"))).title, "Token bucket");

    const shrugs = provider.requestsOf("shrug").map((request) => request.user);
    assert.equal(shrugs.length, 3);
    assert.match(shrugs[2] ?? "", /don't tell the proposals apart/);
    assert.match(ended.stdout, /shrug gave every design the same scores/);
    const ranking = await project.json(at("results/ranking.json"));
    assert.equal(ranking.metadata.total_reviewers, 1);
    assert.match(await project.read(at("results/results.md")), /shrug gave every design the same scores/);
  });
});
