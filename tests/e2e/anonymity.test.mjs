// What reviewers receive, in the real OpenCode, if designs name their authors and address their readers. The
// corpora of `cargo test --test design_lab anonymity::` are distributed over the designs of one run, by the models that they mention.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { test } from "node:test";
import * as lab from "../provider/lab.mjs";
import * as script from "../provider/script.mjs";
import { today } from "./artefacts.mjs";
import { withOpencode } from "./harness.mjs";

const TASK = "Design an order system for a web shop";
const RUN = `.design-lab/${today()}-order-system`;

const corpus = (/** @type {string} */ name) =>
  JSON.parse(readFileSync(new URL(`../design_lab/anonymity/${name}.json`, import.meta.url), "utf8"));

/** @type {{ at: string, text: string, gone: string[], stays: string[], models?: string[] }[]} */
const PLANTED = corpus("planted");
/** @type {{ kind: string, text: string }[]} */
const FLAGGED = corpus("instructions").flagged;

/** The models of the run for all cases that name none. */
const MODELS = ["anthropic/claude-sonnet-4-5", "openai/gpt-5.1", "zhipuai/glm-4.6"];
const DESIGNERS = [...new Set([...MODELS, ...PLANTED.flatMap(({ models }) => models ?? [])])];
/** Two of them have a design among those that they review. */
const REVIEWERS = ["anthropic/claude-sonnet-4-5", "openai/gpt-5.1", "example/judge-1"];

/** @param {string} model */
const split = (model) => {
  const at = model.indexOf("/");
  return { provider: model.slice(0, at), name: model.slice(at + 1) };
};

/**
 * @typedef {{ at: string, text: string }} Text by its JSON pointer
 * @typedef {{ model: string, mark: string, design: any, planted: (Text & { stays: string[] })[], hostile: Text[] }} Author
 */

/** Returns a design per model; a test recognises it by `mark`, which survives blinding. @returns {Author[]} */
function authors() {
  const all = DESIGNERS.map((model, index) => {
    const mark = `Shelf ${String.fromCharCode(65 + index)}`;
    const design = lab.design({
      assumptions: ["One region is enough.", "Orders fit into memory for an hour."],
      tradeoffs: [{ aspect: "Delivery", options: ["Once", "Twice"], chosen: "Once", rationale: "Cheap." }],
      risks: ["The log fills up", "A clock goes wrong"].map((risk) => ({
        risk,
        impact: "low",
        mitigation: "Alerts",
      })),
      open_questions: ["How long are orders kept?", "Who is on call?"],
    });
    assert.ok(design.components[1]);
    design.components[1].name = mark;
    return /** @type {Author} */ ({ model, mark, design, planted: [], hostile: [] });
  });
  for (const { at, text, stays, models = MODELS } of PLANTED) {
    // The author is one of the models that the text mentions, unless each of them already has another text there.
    const own = all.filter(({ model }) => models.includes(model));
    const author = [...own, ...all].find(({ planted }) => planted.every((other) => other.at !== at));
    assert.ok(author, `no place for ${text}`);
    author.planted.push({ at, text, stays });
    put(author.design, at, text);
  }
  // The last designs don't address reviewers.
  const speaking = all.slice(0, -2);
  for (const [index, text] of handful().entries()) {
    const author = speaking[index % speaking.length];
    assert.ok(author, `no author for ${text}`);
    const at = index < speaking.length ? "/risks/1/risk" : "/risks/1/mitigation";
    author.hostile.push({ at, text });
    put(author.design, at, text);
  }
  return all;
}

/** Returns three texts of each kind that addresses reviewers, and all with invisible characters. */
function handful() {
  const kinds = [...new Set(FLAGGED.map(({ kind }) => kind))];
  const some = kinds.flatMap((kind) => FLAGGED.filter((text) => text.kind === kind).slice(0, 3));
  const hidden = FLAGGED.filter(
    ({ kind, text }) => kind === "hidden" && !some.some((one) => one.text === text),
  );
  return [...some, ...hidden].map(({ text }) => text);
}

/** Returns the text at a JSON pointer. @param {any} value @param {string} pointer @returns {any} */
const at = (value, pointer) =>
  pointer
    .split("/")
    .slice(1)
    .reduce((inner, key) => inner?.[key], value);

/** @param {any} value @param {string} pointer @param {string} text */
function put(value, pointer, text) {
  const [, holder, key] = /^(.*)\/([^/]+)$/.exec(pointer) ?? [];
  assert.ok(holder !== undefined && key, `${pointer} is no pointer`);
  at(value, holder)[key] = text;
}

/** Removes invisible characters. @param {string} text */
const visible = (text) =>
  text.replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e01ef}]/gu, "");

/** Characters that look like Latin letters to people but don't decompose into them. @type {Record<string, string>} */
const ALIKE = {
  ...{ а: "a", е: "e", і: "i", о: "o", р: "p", с: "c", т: "t" },
  ...{ ᴄ: "c", ɢ: "g", ᴘ: "p", ᴛ: "t", ø: "o" },
};

/** Normalises a text as a suspicious reader would; independent of the code under test. @param {string} text */
function unmasked(text) {
  return visible(text)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/\P{ASCII}/gu, (letter) => ALIKE[letter] ?? letter);
}

/** Returns a text as a person reads it: tags in clear, without invisible characters, in one line. @param {string} text */
const readable = (text) =>
  visible(
    text.replace(/[\u{e0020}-\u{e007e}]/gu, (tag) =>
      String.fromCodePoint((tag.codePointAt(0) ?? 0) - 0xe0000),
    ),
  )
    .replace(/\ufffd/g, "")
    .replace(/\s+/g, " ")
    .trim();

/** Returns Markdown as it reads. @param {string} text */
const plain = (text) =>
  readable(text.replace(/\\([!-/:-@[-`{-~])/g, "$1").replaceAll("&lt;", "<")).replaceAll("“ ", "“");

/** Returns a model's id in the files. @param {string} model */
const idOf = (model) =>
  split(model)
    .name.replace(/^.*\//, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-");

/** Returns all names of the authors. */
function names() {
  const parts = DESIGNERS.flatMap((model) => {
    const { provider, name } = split(model);
    return [model, provider, ...name.split("/")];
  });
  const gone = PLANTED.flatMap((text) => text.gone);
  // `local` is a place, not an author.
  return [...new Set([...parts, ...DESIGNERS.map(idOf), ...gone])].filter((name) => name !== "local");
}

/**
 * Returns what the run sent to a reviewer, without what it didn't choose.
 * @param {import("../provider/server.mjs").Recorded} request
 * @param {string} directory
 */
function sent({ system, messages, tools, headers }, directory) {
  return (
    JSON.stringify({ system, messages, tools, headers })
      .replaceAll(dirname(directory), "")
      // Random ids: any of them may happen to contain a short name.
      .replace(/\b(ses|msg|prt|call)_\w+/g, "")
  );
}

test("reviewers read designs that name no author and give no orders, and the results tell what was done", async () => {
  const designs = authors();
  /** @type {Record<string, string[]>} */
  const providers = {};
  /** @type {Record<string, script.Script>} */
  const models = { host: lab.byPhase({ topic: script.reply("Order system") }) };
  for (const model of new Set([...DESIGNERS, ...REVIEWERS])) {
    const { provider, name } = split(model);
    providers[provider] = [...(providers[provider] ?? []), name];
    models[name] = lab.model({ design: designs.find((author) => author.model === model)?.design });
  }
  const look = [
    { name: "read", arguments: { filePath: "." } },
    { name: "grep", arguments: { pattern: "(?i)claude|gpt|opus|mistral" } },
  ];
  models["judge-1"] = lab.byPhase({
    review: [script.reply("", { toolCalls: look }), (request) => script.reply(lab.writtenReview(request))],
    scores: (request) => script.reply(lab.evaluations(request)),
  });
  const designLab = {
    design_models: DESIGNERS,
    review_models: REVIEWERS,
    topic_generator_model: "lab/host",
    budget: { max_cost_usd: 50 },
    concurrency: 4,
  };
  await withOpencode({ scenario: { models }, providers, designLab }, async (opencode) => {
    const { command, provider, project } = opencode;
    const ended = await command("design-lab", TASK, { timeoutMs: 240_000 });
    assert.equal(ended.code, 0, ended.stdout + ended.stderr);
    assert.deepEqual(provider.unscripted, []);

    /** @type {string[]} */
    const faults = [];
    /** @type {{ labels: string[], marks: string[] }[]} */
    const orders = [];
    for (const reviewer of REVIEWERS) {
      const requests = provider
        .requestsOf(split(reviewer).name)
        .filter((request) => lab.phaseOf(request) !== "design");
      assert.ok(requests[0] && requests.length >= 2, `${reviewer} reviewed and scored`);
      for (const request of requests) {
        const text = sent(request, project.directory);
        const told = names().filter((name) => unmasked(text).includes(name));
        faults.push(...told.map((name) => `${reviewer} is sent ${name}`));
        if (visible(text) !== text) faults.push(`${reviewer} is sent characters that can't be seen`);
        const prompt = request.messages.find(({ role }) => role === "user")?.content ?? "";
        const blocks = [...prompt.matchAll(/^<design id="[a-z]+">\n(.*?)\n<\/design>$/gms)];
        assert.equal(blocks.length, DESIGNERS.length, "no design ends or begins another");
        for (const [, block] of blocks) {
          assert.ok(block);
          assert.doesNotMatch(block, /<|\[\/?INST\]/i);
        }
      }
      const shown = [...lab.shownDesigns(requests[0])];
      const markOf = (/** @type {any} */ design) => at(design, "/components/1/name");
      orders.push({
        labels: shown.map(([label]) => label),
        marks: shown.map(([, design]) => markOf(design)),
      });
      for (const { mark, planted, hostile } of designs) {
        const design = shown.find(([, design]) => markOf(design) === mark)?.[1];
        for (const { at: pointer, stays } of planted) {
          const text = at(design, pointer);
          const lost = stays.filter((part) => !text.includes(part));
          faults.push(...lost.map((part) => `${part} is lost from ${mark}, ${pointer}: ${text}`));
        }
        for (const { at: pointer, text } of hostile) {
          assert.equal(at(design, pointer), visible(text), "its words are there to be judged");
        }
      }
    }
    assert.deepEqual(faults, [], faults.join("\n"));

    // No two reviewers see a design in the same position, or under the same label.
    const labels = orders.flatMap((order) => order.labels);
    assert.equal(new Set(labels).size, labels.length);
    for (const [place] of DESIGNERS.entries()) {
      assert.equal(new Set(orders.map(({ marks }) => marks[place])).size, REVIEWERS.length);
    }
    const files = await project.files(RUN);
    const journal = await project.read(`${RUN}/journal.jsonl`);
    for (const label of labels) assert.ok(journal.includes(`"${label}"`), `${label} can be traced back`);
    const word = new RegExp(`\\b(${labels.join("|")})\\b`);
    for (const file of files.filter((file) => file !== "journal.jsonl")) {
      assert.doesNotMatch(await project.read(`${RUN}/${file}`), word, `${file} tells labels`);
    }

    const ranking = await project.json(`${RUN}/results/ranking.json`);
    const results = plain(await project.read(`${RUN}/results/results.md`));
    const page = await project.read(`${RUN}/results/report.html`);
    const [notes, finePrint] = results.split("What reviewers were not shown");
    assert.ok(notes && finePrint, "what reviewers were not shown is told");
    assert.match(page, /What reviewers were not shown/);
    for (const { model, planted, hostile } of designs) {
      const id = idOf(model);
      /** @type {string[]} */
      const quotes = ranking.bias.instructions_in_designs
        .filter((/** @type {any} */ found) => found.design_id === id)
        .map((/** @type {any} */ found) => readable(found.excerpt));
      assert.equal(quotes.length > 0, hostile.length > 0, `${id}: ${quotes}`);
      for (const { text } of hostile) {
        const quote = quotes.find((quote) => quote !== "" && readable(text).includes(quote));
        assert.ok(quote, `${id} isn't flagged for ${text}`);
        assert.ok(notes.includes(`The text of ${id} addresses its reviewers: “${quote}`), quote);
      }
      const hides = hostile.some(({ text }) => visible(text) !== text);
      assert.equal(
        finePrint.includes(`- ${id}: `),
        planted.length > 0 || hides,
        `what was taken out of ${id}`,
      );
    }
    for (const taken of ["“claude-sonnet-4.5-20250929” as [model]", "“Çláüdè Sønnet” as [model]"]) {
      assert.ok(finePrint.includes(taken), `${taken} is told`);
    }
    assert.match(finePrint, /\d invisible characters/);
  });
});
