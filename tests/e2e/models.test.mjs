// Which models are asked, in the real OpenCode: the user's session decides, on every path to a command.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { callTool, reply } from "../provider/script.mjs";
import { events } from "./artefacts.mjs";
import { chat, GOAL, PLAN } from "./flow.mjs";
import { withOpencode } from "./harness.mjs";
import { verified } from "./validation.mjs";

/** A provider each, so that a request shows by which fact its model was found. `aurora` has what a catalogue would call the best. */
const PROVIDERS = {
  configured: ["of-configuration"],
  session: ["of-session"],
  message: ["of-message"],
  picked: ["of-picked"],
  tool: ["of-tool"],
  aurora: ["aurora-large"],
};
const WORK = "The shop answers every request with 200";

test("the model of the user's session is asked: picked with the command, else of the last message, the session, the configuration", async () => {
  const names = Object.values(PROVIDERS).flat();
  const answers = names.map((name) => [name, () => verified(1)]);
  const setup = {
    scenario: {
      models: {
        ...Object.fromEntries(answers),
        host: () => verified(1),
        "of-tool": [callTool("design_lab", { action: "run", text: "--dry-run A shop" }), reply("Noted.")],
      },
    },
    providers: PROVIDERS,
    models: { "aurora-large": { release_date: "2026-11-01", reasoning: true } },
    config: { model: "configured/of-configuration", disabled_providers: ["opencode"] },
  };
  await withOpencode(setup, async ({ serve, run, provider, project }) => {
    const { client, stop } = await serve();
    /** @param {object} session @param {object} [body] @param {string} [model] that the user talked to before */
    const asked = async (session, body = {}, model) => {
      const { data } = await client.session.create({ body: { title: "A shop", ...session } });
      const path = { id: data?.id ?? "" };
      if (model) {
        const [providerID = "", modelID = ""] = model.split("/");
        const parts = [{ type: /** @type {const} */ ("text"), text: "Hello" }];
        await client.session.prompt({ path, body: { model: { providerID, modelID }, noReply: true, parts } });
      }
      const before = provider.requests.length;
      const given = { command: "validate-work", arguments: WORK, ...body };
      const { error } = await client.session.command({ path, body: given });
      assert.equal(error, undefined, JSON.stringify(error));
      const of = provider.requests.slice(before).map((request) => request.model);
      return [...new Set(of)].join();
    };
    const own = { model: { providerID: "session", id: "of-session" } };
    assert.equal(await asked({}), "of-configuration");
    assert.equal(await asked(own), "of-session");
    assert.equal(await asked(own, {}, "message/of-message"), "of-message");
    // As the TUI sends it after `/models`.
    assert.equal(await asked(own, { model: "picked/of-picked" }, "message/of-message"), "of-picked");
    // A model calls a command within its turn.
    const { data } = await client.session.create({ body: { title: "A shop" } });
    const parts = [{ type: /** @type {const} */ ("text"), text: "Run a design lab" }];
    const model = { providerID: "tool", modelID: "of-tool" };
    await client.session.prompt({ path: { id: data?.id ?? "" }, body: { model, parts } });
    assert.match(
      JSON.stringify(provider.requests.at(-1)?.messages),
      /connected providers[^:]*: tool\/of-tool,/,
    );
    await stop();

    /** @param {...string} options */
    const byRun = async (...options) => {
      const before = provider.requests.length;
      const { stderr } = await run(["run", ...options, "--command", "validate-work", "--", WORK]);
      const of = provider.requests.slice(before).map((request) => request.model);
      return [...new Set(of)].join() || stderr;
    };
    assert.equal(await byRun("--model", "picked/of-picked"), "of-picked");
    const { model: _, ...unnamed } = await project.json("opencode.json");
    await project.write("opencode.json", JSON.stringify(unnamed));
    assert.equal(await byRun(), "host", "OpenCode's default: of the first provider that is configured");
  });
});

test("free models that OpenCode brings along are not chosen, and another vendor that the user has set up reviews", async () => {
  const FREE = {
    name: "Free",
    tool_call: true,
    reasoning: true,
    temperature: true,
    attachment: false,
    release_date: "2026-11-01",
    cost: { input: 0, output: 0 },
    limit: { context: 200_000, output: 128_000 },
  };
  const setup = {
    scenario: { models: { mine: () => reply(PLAN), "gpt-5.1": [] } },
    providers: { llamacpp: ["mine"], openai: ["gpt-5.1"] },
    config: { model: "llamacpp/mine", enabled_providers: ["opencode", "llamacpp", "openai"] },
    files: { "package.json": '{ "type": "module" }\n' },
  };
  await withOpencode(setup, async (opencode) => {
    const { home, provider } = opencode;
    const zen = {
      id: "opencode",
      name: "OpenCode Zen",
      env: ["OPENCODE_API_KEY"],
      npm: "@ai-sdk/openai-compatible",
      api: provider.baseURL,
      models: { "claude-free": { id: "claude-free", ...FREE } },
    };
    await writeFile(join(home, "models.json"), JSON.stringify({ opencode: zen }));
    const { client, ask, directory, stop } = await chat(opencode);
    const connected = (await client.config.providers()).data?.providers.map(({ id }) => id);
    assert.deepEqual(connected?.sort(), ["llamacpp", "openai", "opencode"]);
    assert.match(
      (await ask("design-lab", "--dry-run A shop")).replace(/\s+/g, " "),
      /connected providers \(one of each vendor\): llamacpp\/mine, openai\/gpt-5\.1\. /,
    );
    await ask("flow-plan", GOAL);
    const { models } = (await events(opencode.project, await directory()))[0];
    assert.deepEqual(models, {
      planner: "llamacpp/mine",
      worker: "llamacpp/mine",
      reviewer: "openai/gpt-5.1",
    });
    await stop();
  });
});
