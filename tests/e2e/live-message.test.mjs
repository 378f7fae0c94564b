// What a user of the TUI sees: the live message in the chat is redrawn in place, and becomes the result.

import assert from "node:assert/strict";
import { test } from "node:test";
import { long } from "../long.mjs";
import { PROVIDERS, SCENARIO } from "../provider/demo-scenario.mjs";
import * as lab from "../provider/lab.mjs";
import * as script from "../provider/script.mjs";
import { withOpencode } from "./harness.mjs";
import { tuiMissing } from "./tui.mjs";

const { cedar } = SCENARIO.models;
assert.ok(cedar);

/** The demo's models, one of which pauses after half of its design. */
const SLOWLY = {
  models: {
    ...SCENARIO.models,
    cedar: (/** @type {import("../provider/script.mjs").ModelRequest} */ request) => {
      const step = script.stepFor(cedar, request, new Map());
      if (lab.phaseOf(request) !== "design" || step.kind !== "reply") return step;
      return { ...step, chunk: Math.ceil(step.text.length / 2), chunkDelayMs: 6_000 };
    },
  },
};

test("the live message shows each model's state while the run continues, and the ranking at its end", {
  skip:
    tuiMissing ||
    long(
      "Its texts are those of `tests/design_lab/report.rs`, and `plugin-js/opencode1/host.test.js` changes it in place. `run.test.mjs` reads it in OpenCode.",
    ),
}, async () => {
  const [design_models, review_models] = Object.entries(PROVIDERS).map(([provider, names]) =>
    names.map((name) => `${provider}/${name}`),
  );
  const setup = { scenario: SLOWLY, providers: PROVIDERS, designLab: { design_models, review_models } };
  await withOpencode(setup, async ({ provider, tui }) => {
    provider.hold("cedar");
    const terminal = await tui({ columns: 110, rows: 100 });
    await terminal.command("design-lab", "A rate limiter for our API");
    await terminal.waitFor([
      /designing, 2 of 3 done/,
      /✓ birch +done/,
      /● cedar +waiting for the first token +\d+ s/,
      /· quartz +waiting/,
    ]);
    provider.release("cedar");
    await terminal.waitFor(/● cedar +writing · ~\d+ tokens · \d+ tokens\/s +\d+ s/);
    // Redrawn in place, not appended.
    await terminal.waitFor([/Design Lab · ranked/, /results\/results\.md/, /1 +birch +\d/], {
      without: [/2\/3 designing/],
    });
  });
});

test("where a model starts a run, its live message stands before the answer that waits for it, and isn't marked as queued", {
  skip:
    tuiMissing ||
    long(
      "`plugin-js/opencode1/answered.test.js` puts it before the turn. `tools.test.mjs` has a model start a run.",
    ),
}, async () => {
  const answered = (/** @type {script.ModelRequest} */ { messages }) =>
    messages.some(({ role }) => role === "tool");
  const host = (/** @type {script.ModelRequest} */ request) => {
    if (request.tools.length === 0) return script.reply("A title");
    if (answered(request)) return script.reply("There it is.");
    return script.callTool("design_lab", { action: "run", text: "Design a rate limiter" });
  };
  const model = (/** @type {Partial<lab.Design>} */ own) => lab.model({ topic: "rate limiter", design: own });
  const models = {
    host,
    ash: model({ title: "Ash", open_questions: [], risks: [] }),
    birch: model({ title: "Birch" }),
  };
  const designLab = { design_models: ["lab/ash", "lab/birch"] };
  const permission = { design_lab: "allow" };
  await withOpencode(
    { scenario: { models }, designLab, config: { permission } },
    async ({ provider, tui }) => {
      provider.hold("ash");
      const terminal = await tui({ columns: 110, rows: 100 });
      await terminal.waitFor(/Ask anything/);
      await terminal.type("Design a rate limiter, please");
      await terminal.press("Enter");
      await terminal.waitFor(/designing, 1 of 2 done[\s\S]*⚙ design_lab/, { without: [/QUEUED/] });
      provider.release("ash");
      await terminal.waitFor(/Design Lab · ranked[\s\S]*There it is\./, { without: [/QUEUED/] });
      assert.equal(
        provider.requestsOf("host").filter(answered).length,
        1,
        "the model is asked again, and no more",
      );
    },
  );
});
