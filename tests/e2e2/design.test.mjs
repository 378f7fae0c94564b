// A whole /design-lab run in the real OpenCode 2: what models are asked and may do, and what the user gets.

import assert from "node:assert/strict";
import { readFileSync, symlinkSync } from "node:fs";
import { events, pageIn } from "../e2e/artefacts.mjs";
import { flat } from "../e2e/harness.mjs";
import * as lab from "../provider/lab.mjs";
import { callTool, httpError, rateLimited, reply, unauthorized } from "../provider/script.mjs";
import { test2, withOpencode2 } from "./harness.mjs";
import { CONFIG, DESIGNERS, RUN, scenario, TASK } from "./lab.mjs";

const REGISTERED = new URL("../../plugin-js/hosts/unconfigured.json", import.meta.url);
const COMMANDS = Object.keys(JSON.parse(readFileSync(REGISTERED, "utf8")).commands);

test2("three designers, two reviewers: a complete run, seen by the user and left on disk", async () => {
  const designLab = { ...CONFIG, topic_generator_model: "lab/namer" };
  const setup = { scenario: scenario({ namer: reply("Rate limiter") }), designLab };
  await withOpencode2(setup, async ({ serve, provider, project }) => {
    const { session, api } = await serve();
    const { id, command, results } = await session();
    provider.hold("zeph-3");
    const running = command("design-lab", TASK);
    await provider.waitFor(1, { model: "zeph-3" });
    const start = flat((await results())[0] ?? "");
    provider.release("zeph-3");
    const shown = await running;
    assert.match(
      start,
      /^Design Lab · 1\/3 .* Expected 8 calls: .* about \$/,
      "the chat shows what a run may cost",
    );
    assert.match(shown, /^Design Lab · ranked/);
    assert.match(shown, /Expected {2}about \$/);
    assert.match(readFileSync(pageIn(shown), "utf8"), /<title>/);
    assert.equal((await results()).length, 2, "one message for the start, one is the result");

    const temperatures = { "quill-4": 0.4, "brisk-10": 0.9, "zeph-3": 0.7, "judge-1": 0.1, "jury-2": 0.2 };
    for (const [model, temperature] of Object.entries(temperatures)) {
      const requests = provider.requestsOf(model);
      assert.ok(requests.length > 0, `${model} was asked`);
      for (const request of requests) {
        assert.equal(request.temperature, temperature, model);
        assert.deepEqual(request.tools, ["glob", "grep", "read"], model);
        assert.doesNotMatch(request.system, /Your Model|session_move|running in OpenCode/, model);
      }
    }
    assert.deepEqual(provider.requestsOf("namer")[0]?.tools, []);
    assert.deepEqual(provider.unscripted, []);
    await api("POST", `/experimental/session/${id}/wait`, {});
    // the topic, three designs, two turns of two reviewers, and one turn of the user's own model
    assert.equal(provider.requests.length, 1 + 3 + 4 + 1);
    assert.match(provider.requestsOf("host")[0]?.user ?? "", /A Design Lab run has just ended/);

    const ranking = await project.json(`.design-lab/${RUN}/results/ranking.json`);
    assert.deepEqual(
      ranking.rankings.map((/** @type {any} */ row) => [row.design_id, row.rank]),
      [
        ["brisk-10", 1],
        ["quill-4", 2],
        ["zeph-3", 3],
      ],
    );
    const answered = (await events(project, `.design-lab/${RUN}`)).filter(
      ({ event }) => event === "answered",
    );
    assert.equal(answered.length, 8);
    const written = provider.requestsOf("zeph-3")[0];
    const { reply: design } = answered.find(({ reply }) => reply.model === "lab/zeph-3");
    const { input, output } = design.tokens;
    assert.ok(input > 0 && output > 0);
    assert.ok(Math.abs(design.cost - (3 * input + 15 * output) / 1e6) < 1e-9, "the cost is the provider's");
    assert.equal(design.requests, 1);
    assert.ok(written?.system.startsWith("You are a senior software architect."));

    assert.match(await command("design-lab-status", RUN), /ranked/);
    const doctor = flat(await command("design-lab-doctor"));
    assert.match(
      doctor,
      /✓ Design Lab [\d.]+, the newest version ✓ OpenCode 2\.0\.15 \(Design Lab is tested with it\)/,
    );
    assert.match(doctor, /✓ The sidebar comes with the plugin/);
    assert.equal(provider.requestsOf("host").length, 1, "other commands call no model");
  });
});

test2("reviewers' prompts hold no author, model or vendor", async () => {
  await withOpencode2({ scenario: scenario(), designLab: CONFIG }, async ({ serve, provider }) => {
    const { command } = await (await serve()).session();
    await command("design-lab", TASK);
    for (const reviewer of ["judge-1", "jury-2"])
      for (const request of provider.requestsOf(reviewer)) {
        const text = JSON.stringify(request.messages).toLowerCase();
        for (const name of [...Object.keys(DESIGNERS), "quill", "brisk", "zeph", "judge-1", "lab/"])
          assert.equal(text.includes(name), false, `${reviewer} reads ${name}`);
      }
  });
});

test2("a designer reads the project and never another's design", async () => {
  const other = `.design-lab/${RUN}/designs/brisk-10.json`;
  /** The paths of the home directory that lead to the project. @type {string} */
  let atHome = "";
  const attempts = [
    callTool("read", { path: "src/deep/server.js" }),
    callTool("grep", { pattern: "orders" }),
    callTool("glob", { pattern: "**/*.js" }),
    callTool("read", { path: other }),
    () => callTool("read", { path: `${atHome}/${other}` }),
    callTool("read", { path: `src/../${other}` }),
    callTool("grep", { pattern: "title", path: ".design-lab" }),
    callTool("grep", { pattern: "Sliding" }),
    callTool("glob", { pattern: "**/*.json", hidden: true }),
    callTool("shell", { command: `cat ${other}` }),
    callTool("execute", { code: `return await tools.read({ path: "${other}" })` }),
    callTool("subagent", { agent: "general", description: "x", prompt: `Read ${other}` }),
    callTool("read", { path: ".env" }),
    callTool("read", { path: "/etc/hostname" }),
  ];
  // Asked last, one call after another, so that the others' designs are on disk and can be found.
  const design = reply(lab.design({ title: "Token bucket" }));
  const models = scenario({ "quill-4": lab.byPhase({ design: [...attempts, design] }) });
  const design_models = ["lab/zeph-3", "lab/brisk-10", "lab/quill-4"];
  const files = {
    ".env": "KEY=sesame\n",
    "src/deep/AGENTS.md": "Mention otters.\n",
    "src/deep/server.js": "export const handle = 1;\n",
  };
  const setup = { scenario: models, designLab: { ...CONFIG, concurrency: 1, design_models }, files };
  await withOpencode2(setup, async ({ serve, provider, project, home }) => {
    atHome = `~/${project.directory.slice(project.directory.lastIndexOf("/") + 1)}`;
    // The project is reachable from the home directory.
    symlinkSync(project.directory, `${home}/${atHome.slice(2)}`);
    const { command } = await (await serve()).session();
    const shown = await command("design-lab", TASK);
    assert.match(shown, /ranked/);
    assert.ok(await project.exists(other), "there was something to find");
    const requests = provider.requestsOf("quill-4").filter((request) => request.tools.length > 0);
    assert.equal(requests.length, attempts.length + 1, "each refusal was an answer");
    const last = requests.at(-1) ?? assert.fail();
    const results = last.messages.filter(({ role }) => role === "tool").map(({ content }) => content);
    const [read = "", grep = "", glob = "", ...refused] = results;
    assert.match(read, /export const handle/);
    assert.match(grep, /src\/store\.js/);
    assert.match(glob, /src\/store\.js/);
    const all = JSON.stringify(last.messages);
    for (const secret of ["Sliding window", "Leaky pail", "as brisk-10", "sesame", "Mention otters"])
      assert.equal(all.includes(secret), false, `a designer reads ${secret}`);
    for (const result of [...glob.split("\n"), ...refused])
      assert.equal(result.includes("brisk-10.json"), false, result);
    for (const index of [0, 1, 2, 3]) assert.match(refused[index] ?? "", /not available in this session/);
  });
});

test2("a failing designer is retried, and a dead one leaves a complete run", async () => {
  const zeph = lab.byPhase({
    design: [httpError(503), rateLimited(1), reply(lab.design({ title: "Leaky pail" }))],
  });
  const models = scenario({ "zeph-3": zeph, "quill-4": unauthorized() });
  const designLab = { ...CONFIG, topic_generator_model: "lab/brisk-10" };
  await withOpencode2({ scenario: models, designLab }, async ({ serve, provider, project }) => {
    const { command } = await (await serve()).session();
    const shown = await command("design-lab", TASK);
    assert.match(flat(shown), /quill-4 \(design\): the provider refused the credentials \(HTTP 401\)/);
    assert.equal(provider.requestsOf("quill-4").length, 1, "no further request would help");
    assert.equal(provider.requestsOf("zeph-3").length, 3);
    const journal = await events(project, `.design-lab/${RUN}`);
    const failed = journal.filter(({ event, job }) => event === "call_failed" && /zeph/.test(job));
    const { host_retries } = journal.find(
      ({ event, reply }) => event === "answered" && reply.model === "lab/zeph-3",
    ).reply;
    assert.equal(failed.length + host_retries, 2, "each failure counts once");
    const ranking = await project.json(`.design-lab/${RUN}/results/ranking.json`);
    assert.equal(ranking.metadata.failed[0].id, "quill-4");
  });
});

test2("the user's own sessions stay as they were, and every command answers in them", async () => {
  const host = [
    callTool("shell", { command: "echo $OPENCODE_DESIGN_LAB_SHELL" }),
    callTool("subagent", { agent: "design-lab-designer", description: "x", prompt: "Design" }),
    reply("Done."),
  ];
  await withOpencode2({ scenario: scenario({ host }), designLab: CONFIG }, async ({ serve, provider }) => {
    const { session, api } = await serve();
    const { id, prompt, command } = await session();
    await prompt("Hello");
    const [first, second, third] = provider.requestsOf("host");
    const listed = (await api("GET", "/command")).map((/** @type {any} */ { name }) => name);
    assert.equal(COMMANDS.length, 32);
    for (const name of COMMANDS) {
      assert.ok(listed.includes(name), name);
      assert.match(await command(name), /^(Design Lab|Flow|Feedback|Validation) · /, name);
    }
    assert.equal(provider.requests.length, 3, "none of these calls a model");
    assert.ok(first?.tools.includes("shell") && first.tools.includes("execute"));
    assert.match(first?.system ?? "", /running in OpenCode/);
    assert.doesNotMatch(
      first?.definitions ?? "",
      /design-lab-designer|flow-worker/,
      "no agent of a run is listed",
    );
    assert.match(second?.messages.at(-1)?.content ?? "", /model/, "a model's shell is marked");
    assert.match(third?.messages.at(-1)?.content ?? "", /error|denied|not available/i);
    const ended = await api("GET", `/session/${id}`);
    assert.equal(ended.outcome, "succeeded");
  });
});
