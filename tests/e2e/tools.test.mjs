// Runs that a model starts on a plain-language request, through the plugin's tools, in the real OpenCode.

import assert from "node:assert/strict";
import { test } from "node:test";
import { long } from "../long.mjs";
import * as lab from "../provider/lab.mjs";
import * as script from "../provider/script.mjs";
import { artefacts, events, today, until } from "./artefacts.mjs";
import { withOpencode } from "./harness.mjs";

const TASK = "Design a rate limiter for a public HTTP API";
const WISH = `Run a design lab on this: ${TASK}`;
const NAME = `${today()}-rate-limiter`;
const RUN = `.design-lab/${NAME}`;
const TOOL = "design_lab";
const CONFIG = {
  design_models: ["lab/quill-4", "lab/brisk-10"],
  review_models: ["lab/judge-1", "lab/jury-2"],
};
const MODELS = Object.fromEntries(
  ["quill-4", "brisk-10", "judge-1", "jury-2"].map((name) => [
    name,
    lab.model({ topic: "Rate limiter", design: { title: `The plan of ${name.length}` } }),
  ]),
);

/**
 * The user's own model: calls these tools one after another, each in a separate step, and then reports it.
 * @param {[name: string, args: Record<string, unknown>][]} calls
 */
function caller(...calls) {
  return (/** @type {script.ModelRequest} */ request) => {
    if (request.tools.length === 0) return script.reply("A title");
    const last = request.messages.findLastIndex(({ role }) => role === "user");
    const done = request.messages.slice(last).filter(({ role }) => role === "tool").length;
    const call = calls[done];
    return call ? script.callTool(...call) : script.reply("That is the result.");
  };
}

/** Returns the results of a model's tools, in order. @param {script.ModelRequest | undefined} request */
const returned = (request) =>
  (request?.messages ?? []).filter(({ role }) => role === "tool").map(({ content }) => content);

test("a wish in plain language becomes a run, and its result reaches the model", async () => {
  const host = caller(
    [TOOL, { action: "run", text: TASK }],
    [TOOL, { action: "status", text: "" }],
    [TOOL, { action: "status", text: "rate" }],
    [TOOL, { action: "status", text: "nowhere" }],
    [TOOL, { action: "status", text: "rate --export adr" }],
    [TOOL, { action: "resume", text: "rate" }],
    [TOOL, { action: "cancel", text: "" }],
    [TOOL, { action: "rank", text: "rate" }],
    [TOOL, { action: "doctor", text: "" }],
    [TOOL, { action: "run", text: TASK }],
    [TOOL, { action: "design", text: TASK }],
  );
  const agent = { planner: { prompt: "You plan.", mode: "primary" } };
  await withOpencode(
    { scenario: { models: { host, ...MODELS } }, designLab: CONFIG, config: { agent } },
    async ({ run, provider, project, log }) => {
      const ended = await run(["run", "--auto", "--agent", "planner", WISH]);
      assert.equal(ended.code, 0, ended.stderr + (await log()).slice(-3000));
      assert.match(ended.stdout, /Design Lab · ranked/, "shown on the terminal");
      assert.match(ended.stdout, /That is the result\./);
      const ranking = await project.json(`${RUN}/results/ranking.json`);
      assert.equal(ranking.rankings.length, 2);
      const { problem_statement } = await project.json(`${RUN}/task.json`);
      assert.equal(problem_statement, TASK);

      const asked = provider.requestsOf("host").filter(({ tools }) => tools.length > 0);
      for (const { tools, system } of asked) {
        assert.deepEqual(
          tools.filter((name) => name.startsWith(TOOL)),
          [TOOL],
        );
        assert.equal(system.slice(0, 9), "You plan.", "the turn continues the agent that it began with");
      }
      const [result, list, status, unknown, exported, resumed, cancelled, ranked, doctor, again, wrong] =
        returned(asked.at(-1));
      assert.match(result ?? "", /^A Design Lab run has just ended[\s\S]*Design Lab · ranked/);
      assert.ok(result?.includes(ranking.verdict.sentence.split(" ")[0]));
      assert.match(list ?? "", new RegExp(`1 run in \\.design-lab[\\s\\S]*${NAME} +ranked`));
      assert.match(status ?? "", /^Design Lab · ranked/);
      assert.match(unknown ?? "", /run\.unknown/);
      const file = `${RUN}/results/adr.md`;
      assert.ok(exported?.includes(file), exported);
      assert.match(
        await project.read(file),
        /^---\nstatus: proposed\n[\s\S]*\n## Decision Outcome\n\nChosen option: /,
      );
      assert.match(resumed ?? "", /run\.finished/);
      assert.match(cancelled ?? "", /run\.none-running/);
      assert.match(ranked ?? "", /Design Lab · ranked/);
      assert.match(doctor ?? "", /Design Lab/);
      assert.match(again ?? "", /run\.exists[\s\S]*--new/);
      assert.match(wrong ?? "", /tool\.unknown-action/);
    },
  );
});

test("a model has Flow's tools where a rule of the user's names them, and approves nothing by them", async () => {
  const host = caller(
    ["flow_status", { text: "" }],
    ["flow_plan", { text: "approve 3fa91c02" }],
    ["flow_plan", { text: "A rate limiter" }],
  );
  const config = { permission: { "flow_*": "ask" } };
  await withOpencode({ scenario: { models: { host } }, config }, async ({ run, provider, project }) => {
    const ended = await run(["run", "Plan a rate limiter by Flow"]);
    const asked = provider.requestsOf("host").filter(({ tools }) => tools.length > 0);
    const named = asked[0]?.tools.filter((name) => name.startsWith("flow_")).sort();
    const all = [
      "flow_auto",
      "flow_history",
      "flow_plan",
      "flow_pr",
      "flow_reset",
      "flow_run",
      "flow_status",
    ];
    assert.deepEqual(named, all);
    const [status, approval] = returned(asked.at(-1));
    assert.match(status ?? "", /session\.none[\s\S]*\/flow-plan/);
    assert.match(approval ?? "", /tool\.approval/);
    assert.match(ended.stdout + ended.stderr, /permission requested: flow_plan \(flow_plan A rate limiter\)/);
    assert.equal(await project.exists(".flow"), false, "nothing is begun without leave");
  });
});

test("to undo a turn takes away nothing that was paid for, whether the run was of that turn or beside it", {
  skip: long("What a run keeps doesn't depend on the turn. `tools.test.mjs` still has a model start a run."),
}, async () => {
  const host = caller([TOOL, { action: "run", text: TASK }]);
  await withOpencode(
    {
      scenario: { models: { host, talker: script.reply("Yes."), ...MODELS } },
      designLab: CONFIG,
      config: { permission: "allow" },
      snapshots: true,
    },
    async ({ serve, provider, project }) => {
      const { client, stop } = await serve();
      /** @param {string} text @param {string} modelID */
      const turn = async (text, modelID) => {
        const id = (await client.session.create({ body: { title: "A talk" } })).data?.id ?? "";
        const body = {
          model: { providerID: "lab", modelID },
          parts: [{ type: /** @type {const} */ ("text"), text }],
        };
        return { id, ended: client.session.prompt({ path: { id }, body }) };
      };
      provider.hold("talker");
      const beside = await turn("Is it late?", "talker");
      await provider.waitFor(1, { model: "talker" });
      const running = await turn(WISH, "host");
      await running.ended;
      provider.release("talker");
      await beside.ended;
      const before = await artefacts(project, RUN);
      const journal = await project.read(`${RUN}/journal.jsonl`);
      assert.ok(before["results/ranking.json"]);

      for (const { id } of [running, beside]) {
        const { data } = await client.session.messages({ path: { id } });
        const messageID = data?.find(({ info }) => info.role === "user")?.info.id ?? "";
        const undone = await client.session.revert({ path: { id }, body: { messageID } });
        assert.equal(undone.data?.revert?.messageID, messageID);
      }
      assert.deepEqual(await artefacts(project, RUN), before);
      assert.equal(await project.read(`${RUN}/journal.jsonl`), journal);
      await stop();
    },
  );
});

test("nothing is paid for without the user's leave", async () => {
  const host = caller([TOOL, { action: "run", text: TASK }]);
  const paid = (/** @type {import("../provider/server.mjs").Provider} */ provider) =>
    provider.requests.filter(({ model }) => model !== "host").length;
  const scenario = { models: { host, ...MODELS } };
  await withOpencode({ scenario, designLab: CONFIG }, async ({ run, provider, project }) => {
    const ended = await run(["run", WISH]);
    const asked =
      /permission requested: design_lab \(run Design .* · 7 calls: .* Estimated from the length of the prompts: about \$/;
    assert.match(ended.stdout + ended.stderr, asked, "with what it is expected to cost");
    assert.equal(paid(provider), 0);
    assert.equal(await project.exists(".design-lab"), false);
  });
  // The user's own rules count; the next test uses their other form.
  const config = { permission: "allow" };
  await withOpencode({ scenario, designLab: CONFIG, config }, async ({ run, project }) => {
    const ended = await run(["run", WISH]);
    assert.equal(ended.code, 0, ended.stderr);
    assert.ok(await project.exists(`${RUN}/results/ranking.json`));
  });
});

test("whoever stops the turn stops the run, which can be continued", {
  skip: long("`plugin-js/kernel/drive.test.js` stops a run with its turn. `control.test.mjs` resumes one."),
}, async () => {
  const host = caller([TOOL, { action: "run", text: TASK }]);
  await withOpencode(
    {
      scenario: { models: { host, ...MODELS } },
      designLab: CONFIG,
      config: { permission: { "*": "allow" } },
    },
    async ({ serve, provider, project }) => {
      const { client, stop } = await serve();
      const id = (await client.session.create({ body: { title: "A talk" } })).data?.id ?? "";
      provider.hold("brisk-10");
      const turn = client.session.prompt({ path: { id }, body: { parts: [{ type: "text", text: WISH }] } });
      await provider.waitFor(1, { model: "brisk-10" });
      await until(() => project.exists(`${RUN}/designs/quill-4.md`));
      // The file exists a moment before the run records its directory.
      await until(async () =>
        (await events(project, RUN)).some(({ event }) => event === "directory_claimed"),
      );
      await client.session.abort({ path: { id } });
      await turn;
      await until(() => project.exists(".design-lab/.ignore").then((there) => !there));
      const told = (await events(project, RUN)).map(({ event }) => event);
      // The host may still report the failure of the call that was stopped.
      const last = told.slice(told.indexOf("cancelled")).filter((event) => event !== "call_failed");
      assert.deepEqual(last, ["cancelled", "closed"]);
      assert.equal(provider.requestsOf("brisk-10")[0]?.outcome, "disconnected");
      assert.deepEqual((await client.session.status()).data, {}, "no session is busy");

      provider.release("brisk-10");
      await client.session.command({ path: { id }, body: { command: "design-lab-resume", arguments: "" } });
      assert.ok(await project.exists(`${RUN}/results/ranking.json`));
      const { data } = await client.session.messages({ path: { id } });
      const texts = (data ?? []).flatMap(({ parts }) =>
        parts.map((part) => (part.type === "text" ? part.text : "")),
      );
      assert.match(
        texts.join("\n"),
        /stopped by you[\s\S]*Design Lab · ranked/,
        "both blocks stand in the chat",
      );
      await stop();
    },
  );
});

test("a designer is not offered the tool, and can't call it", {
  skip: long(
    "Decided in `src/opencode/registration.rs`. `isolation.test.mjs` has a designer try every tool.",
  ),
}, async () => {
  const greedy = lab.byPhase({
    topic: script.reply("Rate limiter"),
    design: [
      script.callTool(TOOL, { action: "run", text: "Another lab" }),
      script.callTool(TOOL, { action: "status", text: "" }),
      script.reply(lab.design({ title: "Token bucket" })),
    ],
  });
  const models = { ...MODELS, "quill-4": greedy };
  // With isolation switched off, nothing is refused and the user's list applies: these tools remain unavailable nevertheless.
  for (const isolation of [{}, { enforce_design_isolation: false, allowed_tools: ["read", TOOL] }]) {
    const designLab = { ...CONFIG, isolation };
    await withOpencode({ scenario: { models }, designLab }, async ({ command, provider, project }) => {
      const ended = await command("design-lab", TASK);
      assert.equal(ended.code, 0, ended.stderr);
      const answers = returned(provider.requestsOf("quill-4").at(-1));
      assert.equal(answers.length, 2);
      for (const answer of answers) {
        assert.doesNotMatch(answer, /Design Lab|rate-limiter/, "it learns nothing");
      }
      const runs = (await project.files(".design-lab")).filter((file) => file.endsWith("journal.jsonl"));
      assert.deepEqual(runs, [`${NAME}/journal.jsonl`], "one run, the user's");
      if (!("allowed_tools" in isolation)) {
        for (const { tools } of provider.requestsOf("quill-4").slice(1)) {
          assert.deepEqual(
            tools.filter((name) => name.startsWith(TOOL)),
            [],
          );
        }
      }
    });
  }
});
