// Which models are asked, in the real OpenCode: the user's session decides, on every path to a command.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import * as lab from "../provider/lab.mjs";
import { callTool, on, reply, rules } from "../provider/script.mjs";
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
const PANEL = {
  design_models: ["aurora/large", "borealis/small"],
  review_models: ["aurora/large", "borealis/small"],
  isolation: { enforce_design_isolation: true },
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

test("a vendor that the session doesn't use gets a project's files only after the user has heard of it and allowed it, once", async () => {
  const title = (/** @type {string} */ name) => ({
    topic: "A shop",
    design: { title: `The plan of ${name}` },
  });
  const setup = {
    scenario: {
      models: {
        mine: rules(
          on(/plan/i, () => reply(PLAN)),
          on(/./, () => verified(1)),
        ),
        large: lab.model(title("large")),
        small: lab.model({
          topic: "A shop",
          design: { title: "The plan of small", open_questions: [], risks: [] },
        }),
        talker: [callTool("design_lab", { action: "run", text: "A shop" }), reply("Noted.")],
      },
    },
    providers: { house: ["mine", "talker"], aurora: ["large"], borealis: ["small"] },
    away: ["house", "aurora", "borealis"],
    config: { model: "house/mine", disabled_providers: ["opencode"] },
    // A limit on what a run may cost says nothing about where files may go, nor does a project about itself.
    designLab: { ...PANEL, budget: { max_cost_usd: 100 } },
    files: { "package.json": '{ "type": "module" }\n' },
  };
  await withOpencode(setup, async (opencode) => {
    const { provider, project } = opencode;
    const { client, ask, stop } = await chat(opencode);
    const said = async (/** @type {string} */ command, args = "") =>
      (await ask(command, args)).replace(/\s+/g, " ");
    const away = () => provider.requests.filter(({ model }) => model === "large" || model === "small").length;

    assert.match(
      await said("flow-plan", GOAL),
      /new vendor\. The reviewer will be aurora\/large: your project's files go there\..*\/design-lab-vendors allow aurora/,
    );
    assert.match(
      await said("design-lab", "A shop"),
      /waits for you.*designers and reviewers will be aurora\/large and borealis\/small, and your project's files go there/,
    );
    assert.equal(provider.requests.length, 0);
    await project.write(".opencode/design-lab.json", JSON.stringify({ ...PANEL, confirm_vendors: false }));
    assert.match(await said("design-lab", "--new A shop"), /config\.vendors-elsewhere/);
    await project.write(".opencode/design-lab.json", JSON.stringify(PANEL));

    // A model's call is asked about twice: what it costs, and where the files go.
    const events = await client.event.subscribe();
    const { data } = await client.session.create({ body: { title: "A shop" } });
    const path = { id: data?.id ?? "" };
    const model = { providerID: "house", modelID: "talker" };
    const parts = [{ type: /** @type {const} */ ("text"), text: "Run a design lab" }];
    const turn = client.session.prompt({ path, body: { model, parts } });
    const asked = [];
    for await (const event of /** @type {AsyncIterable<any>} */ (events.stream)) {
      if (event.type !== "permission.asked") continue;
      const { id, sessionID, permission, patterns } = event.properties;
      asked.push([permission, ...patterns]);
      const response = asked.length === 1 ? "once" : "reject";
      await client.postSessionIdPermissionsPermissionId({
        path: { id: sessionID, permissionID: id },
        body: { response },
      });
      if (asked.length === 2) break;
    }
    await turn;
    assert.match(asked[0]?.[1], /^run A shop · 7 calls/);
    assert.deepEqual(asked[1], [
      "design_lab_vendors",
      "Designers and reviewers will be aurora/large and borealis/small: your project's files go there.",
    ]);
    assert.equal(away(), 0);

    assert.match(await said("design-lab-resume"), /Design Lab · ranked/);
    assert.equal(away(), 7);
    assert.match(await said("design-lab", "--new A shop"), /Design Lab · ranked/, "asked once");
    const planned = await said("flow-plan", GOAL);
    assert.match(planned, /Models: house\/mine plans, house\/mine builds, aurora\/large reviews\./);
    assert.match(
      await said("design-lab-vendors", "forget aurora"),
      /these may get this project's files: borealis\./,
    );
    await stop();
  });
});
