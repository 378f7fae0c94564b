// No configuration at all, in the real OpenCode: the connected providers' models do the work, and the user is informed.

import assert from "node:assert/strict";
import { test } from "node:test";
import { long } from "../long.mjs";
import * as lab from "../provider/lab.mjs";
import * as script from "../provider/script.mjs";
import { events } from "./artefacts.mjs";
import { chat } from "./flow.mjs";
import { withOpencode } from "./harness.mjs";

const TASK = "Design a rate limiter for a public HTTP API";

/** OpenCode's own provider is connected without credentials; here only the scripted ones may answer. */
const CONFIG = { disabled_providers: ["opencode"] };

/** @param {string} title */
const model = (title) => lab.model({ topic: "Rate limiter", design: { title } });

test("the session's model and models of other vendors are chosen from the connected providers, and named to the user", async () => {
  const titles = {
    host: "Leaky bucket",
    "claude-opus-4-5": "Token bucket",
    "gpt-5.1": "Sliding window",
  };
  const scenario = {
    models: {
      ...Object.fromEntries(Object.entries(titles).map(([name, title]) => [name, model(title)])),
      "claude-haiku-4-5": model("Never asked"),
    },
  };
  const providers = {
    first: ["claude-opus-4-5", "claude-haiku-4-5"],
    second: ["gpt-5.1"],
  };
  await withOpencode({ scenario, providers, config: CONFIG }, async ({ command, provider, project }) => {
    const ended = await command("design-lab", TASK);
    assert.equal(ended.code, 0, ended.stderr);
    const shown = ended.stdout.replace(/\s+/g, " ");
    assert.match(shown, /No design models are configured, so these were chosen from the connected providers/);
    for (const name of ["lab/host", "first/claude-opus-4-5", "second/gpt-5.1"]) {
      assert.ok(shown.includes(name), `${name} is named: ${shown}`);
    }
    for (const name of Object.keys(titles)) assert.ok(provider.requestsOf(name).length >= 3, name);
    assert.equal(provider.requestsOf("claude-haiku-4-5").length, 0, "one of each vendor");
    const files = await project.files(".design-lab");
    const designs = files
      .filter((file) => /\/designs\/.*\.json$/.test(file))
      .map((file) => file.split("/").at(-1));
    assert.deepEqual(designs, ["claude-opus-4-5.json", "gpt-5-1.json", "host.json"]);
  });
});

test("with one model only it designs under three briefs, and the user learns how little that proves", {
  skip: long("Decided in `src/design_lab/config/choose.rs` and `tests/design_lab/config.rs`."),
}, async () => {
  const titles = ["Token bucket", "Sliding window", "Leaky bucket"];
  const only = lab.byPhase({
    topic: script.reply("Rate limiter"),
    design: titles.map((title) => script.reply(lab.design({ title }))),
    review: (request) => script.reply(lab.writtenReview(request)),
    scores: (request) => script.reply(lab.evaluations(request)),
  });
  await withOpencode(
    { scenario: { models: { host: only } }, config: CONFIG },
    async ({ command, provider, project }) => {
      const ended = await command("design-lab", TASK);
      assert.equal(ended.code, 0, ended.stderr);
      const shown = ended.stdout.replace(/\s+/g, " ");
      assert.match(shown, /only lab\/host is connected\. It designs three times, under different briefs/);
      const systems = provider.requestsOf("host").map((request) => request.system);
      for (const words of ["from the system's point of view", "from the inside out", "from the contracts"]) {
        assert.equal(systems.filter((system) => system.includes(words)).length, 1, words);
      }
      const files = await project.files(".design-lab");
      for (const angle of ["system", "architecture", "api"]) {
        assert.ok(
          files.some((file) => file.endsWith(`/designs/host-${angle}.json`)),
          angle,
        );
      }
    },
  );
});

test("a dear run asks nothing before the user says yes, also when OpenCode has ended meanwhile, and can be called off", {
  skip: long(
    "Decided in `src/design_lab/workflow/tests/forecast.rs`. `tools.test.mjs` asks before anything is paid for.",
  ),
}, async () => {
  const dear = { cost: { input: 18, output: 90 } };
  const scenario = { models: { host: model("Token bucket") } };
  await withOpencode({ scenario, models: { host: dear }, config: CONFIG }, async (opencode) => {
    const { command, provider, project } = opencode;
    const ended = await command("design-lab", TASK);
    assert.equal(ended.code, 1, "it has no ranking");
    assert.match(ended.stdout, /Design Lab · waiting for you[\s\S]*Expected {2}6 calls: [\s\S]*Waiting/);
    assert.match(
      ended.stdout,
      /No model has been called yet: the run may cost \$[\s\S]*\/design-lab-resume\s+starts the run/,
    );
    assert.equal(provider.requests.length, 0);

    const { ask, stop } = await chat(opencode);
    assert.match(await ask("design-lab-status"), /1 run in [\s\S]* waiting for you /);
    assert.match(await ask("design-lab-cancel"), /Design Lab · stopped/);
    assert.match(await ask("design-lab-status"), /1 run in [\s\S]* stopped by you /);
    assert.match(await ask("design-lab-cancel"), /run\.none-running/);
    assert.equal(provider.requests.length, 0);
    assert.match(await ask("design-lab-resume"), /Design Lab · ranked/);
    const journals = (await project.files(".design-lab")).filter((file) => file.endsWith("journal.jsonl"));
    assert.equal(journals.length, 1, journals.join());
    const last = (await events(project, `.design-lab/${journals[0]?.split("/")[0]}`)).map(
      ({ event }) => event,
    );
    assert.deepEqual(last.slice(0, 5), ["opened", "closed", "cancelled", "closed", "resumed"]);
    await stop();
  });
});
