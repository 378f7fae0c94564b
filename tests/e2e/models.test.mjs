// Which models are asked, in the real OpenCode: the user's session decides, on every path to a command.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { long } from "../long.mjs";
import * as lab from "../provider/lab.mjs";
import { callTool, on, reply, rules } from "../provider/script.mjs";
import { events } from "./artefacts.mjs";
import { APPROVED, chat, DONE, GOAL, PLAN, source, TEST } from "./flow.mjs";
import { flat, withOpencode } from "./harness.mjs";
import { tuiMissing } from "./tui.mjs";
import { analysed, verified } from "./validation.mjs";

/** One provider for each way to find the model, so that a request shows which was used. A catalogue would call `aurora`'s the best. */
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

/** A planner's answer to a plan prompt, and a verifier's to all others. */
const ANSWERS = rules(
  on(/^# Goal/, () => reply(PLAN)),
  on(/./, () => verified(1)),
);

/** OpenCode's built-in model, as its catalogue would describe it: a free model that looks better than the user's own. */
const FREE = {
  id: "claude-free",
  name: "Free",
  tool_call: true,
  reasoning: true,
  temperature: true,
  attachment: false,
  release_date: "2026-11-01",
  cost: { input: 0, output: 0 },
  limit: { context: 200_000, output: 128_000 },
};

/** @param {import("./harness.mjs").Lab} lab */
async function bringAlong({ home, provider }) {
  const zen = {
    id: "opencode",
    name: "OpenCode Zen",
    env: ["OPENCODE_API_KEY"],
    npm: "@ai-sdk/openai-compatible",
    api: provider.baseURL,
    models: { [FREE.id]: FREE },
  };
  await writeFile(join(home, "models.json"), JSON.stringify({ opencode: zen }));
}

test("the model of the user's session is asked: picked with the command, else of the last message, the session, the configuration", {
  skip: long(
    "Decided in `src/opencode/session_model.rs`. `unconfigured.test.mjs` has the session's model asked.",
  ),
}, async () => {
  const names = Object.values(PROVIDERS).flat();
  const setup = {
    scenario: {
      models: {
        ...Object.fromEntries(names.map((name) => [name, ANSWERS])),
        host: ANSWERS,
        "of-tool": rules(
          on(/^# Goal/, () => reply(PLAN)),
          on(/./, [
            callTool("design_lab", { action: "run", text: "--dry-run A shop" }),
            callTool("flow_plan", { text: GOAL }),
            reply("Noted."),
          ]),
        ),
      },
    },
    providers: PROVIDERS,
    models: { "aurora-large": { release_date: "2026-11-01", reasoning: true } },
    config: {
      model: "configured/of-configuration",
      disabled_providers: ["opencode"],
      permission: { "flow_*": "allow" },
    },
    files: { "package.json": '{ "type": "module" }\n' },
  };
  await withOpencode(setup, async ({ serve, run, provider, project }) => {
    const { client, stop } = await serve();
    /** @param {object} session @param {object} [body] @param {string} [model] the model that the user talked to before */
    const asked = async (session, body = {}, model) => {
      const { data } = await client.session.create({ body: { title: "A shop", ...session } });
      const path = { id: data?.id ?? "" };
      if (model) {
        const [providerID = "", modelID = ""] = model.split("/");
        const parts = [{ type: /** @type {const} */ ("text"), text: "Hello" }];
        await client.session.prompt({ path, body: { model: { providerID, modelID }, noReply: true, parts } });
      }
      /** Returns the model that a command asks, and the command's output. @param {string} command @param {string} text */
      const by = async (command, text) => {
        const before = provider.requests.length;
        const given = { command, arguments: text, ...body };
        const { error } = await client.session.command({ path, body: given });
        assert.equal(error, undefined, JSON.stringify(error));
        const of = provider.requests.slice(before).map((request) => request.model);
        const { data: messages } = await client.session.messages({ path });
        return { of: [...new Set(of)].join(), shown: JSON.stringify(messages?.slice(-2)) };
      };
      const { of } = await by("validate-work", WORK);
      assert.equal((await by("flow-plan", GOAL)).of, of, "Flow asks the same one");
      const { shown } = await by("design-lab", "--dry-run A shop");
      assert.match(shown, new RegExp(`of each vendor\\)[^:]*:[^,]*/${of},`), "and Design Lab has it first");
      return of;
    };
    const own = { model: { providerID: "session", id: "of-session" } };
    assert.equal(await asked({}), "of-configuration");
    assert.equal(await asked(own), "of-session");
    assert.equal(await asked(own, {}, "message/of-message"), "of-message");
    // What the TUI sends after `/models`.
    assert.equal(await asked(own, { model: "picked/of-picked" }, "message/of-message"), "of-picked");
    // A model calls a command within its turn.
    const { data } = await client.session.create({ body: { title: "A shop" } });
    const parts = [{ type: /** @type {const} */ ("text"), text: "Run a design lab" }];
    const model = { providerID: "tool", modelID: "of-tool" };
    const path = { id: data?.id ?? "" };
    const before = provider.requests.length;
    await client.session.prompt({ path, body: { model, parts } });
    assert.match(
      JSON.stringify(provider.requests.at(-1)?.messages),
      /connected providers[^:]*: tool\/of-tool,/,
    );
    const byTool = provider.requests.slice(before);
    assert.ok(
      byTool.some(({ user }) => user.startsWith("# Goal")),
      "Flow's tool has asked a planner",
    );
    assert.deepEqual([...new Set(byTool.map((request) => request.model))], ["of-tool"]);
    await stop();

    /** @param {...string} options */
    const byRun = async (...options) => {
      const before = provider.requests.length;
      const { stderr } = await run(["run", ...options, "--command", "validate-work", "--", WORK]);
      const of = provider.requests.slice(before).map((request) => request.model);
      return [...new Set(of)].join() || stderr;
    };
    assert.equal(await byRun("--model", "picked/of-picked"), "of-picked");
    assert.equal(await byRun("--session", path.id), "of-tool", "as the session's last message");
    const { model: _, ...unnamed } = await project.json("opencode.json");
    await project.write("opencode.json", JSON.stringify(unnamed));
    assert.equal(await byRun(), "host", "OpenCode's default: of the first provider that is configured");
  });
});

test("in the TUI the model is the one in the footer: of the configuration at first, then what `/models` picked", {
  skip:
    tuiMissing ||
    long(
      "Decided in `src/opencode/session_model.rs`. `unconfigured.test.mjs` has the session's model asked.",
    ),
}, async () => {
  const names = ["of-configuration", "of-picked", "aurora-large", "host"];
  const setup = {
    scenario: { models: Object.fromEntries(names.map((name) => [name, ANSWERS])) },
    providers: { configured: ["of-configuration"], picked: ["of-picked"], aurora: ["aurora-large"] },
    models: { "aurora-large": { release_date: "2026-11-01", reasoning: true } },
    config: { model: "configured/of-configuration", disabled_providers: ["opencode"] },
    files: { "package.json": '{ "type": "module" }\n' },
  };
  await withOpencode(setup, async ({ tui, provider }) => {
    const terminal = await tui({ columns: 120, rows: 60 });
    /** Returns the text on the screen in one line. @param {string} screen */
    const flowing = (screen) => screen.replace(/[\s┃]+/g, " ");
    /** @param {string} model in the footer @param {string} command @param {string} text */
    const asked = async (model, command, text) => {
      const before = provider.requests.length;
      await terminal.command(command, text, new RegExp(`Build · ${model} `));
      await provider.waitFor(before + 1);
      const [first] = provider.requests.slice(before);
      return first?.model;
    };
    assert.equal(await asked("of-configuration", "validate-work", WORK), "of-configuration");
    await terminal.waitFor(/▣ +Design Lab · of-configuration/);

    await terminal.type("/models");
    await terminal.waitFor(/\/models {2,}\w/);
    await terminal.press("Enter");
    await terminal.waitFor(/Select model[\s\S]*aurora-large/);
    await terminal.type("of-picked");
    await terminal.waitFor(/of-picked +picked/, { without: [/aurora-large/] });
    await terminal.press("Enter");
    await terminal.waitFor(/Build · of-picked /);

    assert.equal(await asked("of-picked", "validate-work", WORK), "of-picked");
    await terminal.waitFor(/▣ +Design Lab · of-picked/);
    assert.equal(await asked("of-picked", "flow-plan", GOAL), "of-picked");
    await terminal.waitFor(/plans, picked\/of-picked builds, aurora\/aurora-large reviews/, {
      part: flowing,
    });
    await terminal.command("design-lab", "--dry-run A shop", /Build · of-picked /);
    await terminal.waitFor(/vendor\): picked\/of-picked,/, { part: flowing });
    const { requests } = provider;
    const change = requests.findIndex(({ model }) => model === "of-picked");
    assert.ok(requests.slice(0, change).every(({ model }) => model === "of-configuration"));
    assert.ok(requests.slice(change).every(({ model }) => model === "of-picked"));
  });
});

test("free models that OpenCode brings along are not chosen, and another vendor that the user has set up reviews", {
  skip: long(
    "Decided in `src/design_lab/config/choose.rs`. `unconfigured.test.mjs` has models chosen in OpenCode.",
  ),
}, async () => {
  const setup = {
    scenario: { models: { mine: () => reply(PLAN), "gpt-5.1": [] } },
    providers: { llamacpp: ["mine"], openai: ["gpt-5.1"] },
    config: { model: "llamacpp/mine", enabled_providers: ["opencode", "llamacpp", "openai"] },
    files: { "package.json": '{ "type": "module" }\n' },
  };
  await withOpencode(setup, async (opencode) => {
    await bringAlong(opencode);
    const { client, ask, directory, stop } = await chat(opencode);
    const connected = (await client.config.providers()).data?.providers.map(({ id }) => id);
    assert.deepEqual(connected?.sort(), ["llamacpp", "openai", "opencode"]);
    assert.match(
      (await ask("design-lab", "--dry-run A shop")).replace(/\s+/g, " "),
      /connected providers \(one from each vendor\): llamacpp\/mine, openai\/gpt-5\.1\. /,
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

test("with a local model only no command asks anybody else, and each names its models before the first call", {
  skip: long("Decided in `src/design_lab/config/choose.rs`. `local.test.mjs` runs local models."),
}, async () => {
  const titles = ["Token bucket", "Sliding window", "Leaky bucket"];
  const mine = rules(
    on(/type Plan /, () => reply(PLAN)),
    on(/type Report /, [
      callTool("write", { filePath: "src/sum.js", content: source("+") }),
      callTool("write", { filePath: "test/sum.test.js", content: TEST }),
      DONE,
    ]),
    on(/type Review /, [callTool("read", { filePath: "src/sum.js" }), APPROVED]),
    on(/type Verification/, () => verified(1)),
    on(/type Analysis/, () => analysed()),
    on(
      /./,
      lab.byPhase({
        topic: reply("Rate limiter"),
        design: titles.map((title) => reply(lab.design({ title }))),
        review: (request) => reply(lab.writtenReview(request)),
        scores: (request) => reply(lab.evaluations(request)),
      }),
    ),
  );
  const setup = {
    // A request to any model other than `mine` finds no script.
    scenario: { models: { mine } },
    providers: { llamacpp: ["mine"] },
    config: { model: "llamacpp/mine", enabled_providers: ["opencode", "llamacpp"] },
    files: { "package.json": '{ "type": "module" }\n' },
  };
  await withOpencode(setup, async (opencode) => {
    const { provider } = opencode;
    await bringAlong(opencode);
    const { client, type, blocks, stop } = await chat(opencode);
    const connected = (await client.config.providers()).data?.providers.map(({ id }) => id);
    assert.deepEqual(connected?.sort(), ["llamacpp", "opencode"]);
    const only = "llamacpp/mine";
    const ofFlow = new RegExp(`Models: ${only} plans, ${only} builds, ${only} reviews`);
    /** @type {[command: string, text: string, named: RegExp][]} */
    const commands = [
      ["design-lab", "A shop", new RegExp(`Models designs by ${only}; reviews by ${only}`)],
      ["flow-plan", GOAL, ofFlow],
      ["flow-run", "", ofFlow],
      ["validate-work", WORK, new RegExp(`Model: ${only}`)],
      ["validate-flows", WORK, new RegExp(`Model: ${only}`)],
    ];
    for (const [command, text, named] of commands) {
      const before = provider.requests.length;
      provider.hold("mine");
      const ended = type(command, text);
      await provider.waitFor(before + 1);
      const shown = (await blocks()).at(-1) ?? "";
      provider.release("mine");
      const told = await ended;
      assert.match(flat(shown), named, `${command}, as its first call is made`);
      const [plan] = told.match(/\/flow-plan approve [0-9a-f]+/) ?? [];
      if (plan) await type("flow-plan", plan.slice("/flow-plan ".length));
      if (command === "flow-run") assert.match(told, /Flow · completed/);
    }
    assert.deepEqual([...new Set(provider.requests.map(({ model }) => model))], ["mine"]);
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
    // A cost limit grants no permission for where files may go, and neither does a project's own file.
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
      /new vendor\. The reviewer will be aurora\/large: your project's files will be sent to this vendor\..*\/design-lab-vendors allow aurora/,
    );
    assert.match(
      await said("design-lab", "A shop"),
      /waiting for you.*designers and reviewers will be aurora\/large and borealis\/small, and your project's files will be sent to these vendors/,
    );
    assert.equal(provider.requests.length, 0);
    await project.write(".opencode/design-lab.json", JSON.stringify({ ...PANEL, confirm_vendors: false }));
    assert.match(await said("design-lab", "--new A shop"), /config\.vendors-elsewhere/);
    await project.write(".opencode/design-lab.json", JSON.stringify(PANEL));

    // A model's call needs two permissions: for its cost, and for where the files go.
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
      "Designers and reviewers will be aurora/large and borealis/small: your project's files will be sent to these vendors.",
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
