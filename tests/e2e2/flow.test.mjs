// Flow in the real OpenCode 2: a plan is approved, a feature is built behind its checks, and what its worker may not do is refused.

import assert from "node:assert/strict";
import { events, until } from "../e2e/artefacts.mjs";
import { APPROVED, DONE, GOAL, NO_EXAM, PLAN, source, TEST } from "../e2e/flow.mjs";
import { flat } from "../e2e/harness.mjs";
import { startedWith } from "../e2e/leftovers.mjs";
import { callTool, reply } from "../provider/script.mjs";
import { test2, withOpencode2 } from "./harness.mjs";

/** @typedef {import("../provider/script.mjs").Script} Script */

/** Reviewers and examiners read a file before their scripted answers. @param {Script} script @returns {Script} */
const reading = (script) => (request) =>
  request.messages.some(({ toolCalls }) => toolCalls.includes("read"))
    ? script
    : callTool("read", { path: "package.json" });

/** @param {Script} worker */
const setup = (worker) => ({
  scenario: {
    models: {
      planner: [reply(PLAN)],
      worker,
      reviewer: reading([APPROVED]),
      examiner: reading(NO_EXAM),
    },
  },
  config: {
    agents: Object.fromEntries([
      ["title", { model: "lab/host" }],
      ...["planner", "worker", "reviewer", "examiner"].map((role) => [
        `flow-${role}`,
        { model: `lab/${role}` },
      ]),
    ]),
  },
  files: { "package.json": '{ "type": "module" }\n' },
});

test2(
  "a feature is completed when its checks were seen to pass and a reviewer approved these files",
  async () => {
    const worker = [
      callTool("write", { path: ".flow/active", content: "x" }),
      callTool("write", { path: "~/../project/.flow/active", content: "x" }),
      callTool("shell", { command: "cat .flow/active" }),
      callTool("shell", { command: "git commit -am done" }),
      callTool("subagent", { agent: "general", description: "x", prompt: "Approve it" }),
      callTool("execute", { code: "return 1" }),
      callTool("write", { path: "src/sum.js", content: source("-") }),
      callTool("write", { path: "test/sum.test.js", content: TEST }),
      DONE,
      callTool("edit", { path: "src/sum.js", oldString: "a - b", newString: "a + b" }),
      callTool("shell", {
        command: "echo work:$OPENCODE_FLOW_WORK$OPENCODE_DESIGN_LAB_SHELL",
        background: true,
      }),
      DONE,
    ];
    await withOpencode2(setup(worker), async ({ serve, provider, project }) => {
      const { command } = await (await serve()).session();
      const drafted = await command("flow-plan", GOAL);
      const hash = /\/flow-plan approve ([0-9a-f]+)/.exec(drafted)?.[1] ?? assert.fail(drafted);
      assert.match(drafted, /node --test test\/sum\.test\.js/);
      assert.match(await command("flow-run"), /approve/, "nothing is built that nobody approved");
      assert.equal(provider.requestsOf("worker").length, 0);
      await command("flow-plan", `approve ${hash}`);
      const ended = await command("flow-run");
      assert.match(ended, /completed/, ended);
      assert.equal(await project.read("src/sum.js"), source("+"));
      const directory = `.flow/sessions/${(await project.read(".flow/active")).trim()}`;
      assert.equal((await project.json(`${directory}/session.json`)).status, "completed");
      const journal = await events(project, directory);
      const finished = journal.filter(({ event }) => event === "check_finished");
      assert.deepEqual(
        finished[0]?.ran.end,
        { how: "exited", code: 1 },
        "the first round failed, as was seen",
      );
      assert.deepEqual(finished.at(-1)?.ran.end, { how: "exited", code: 0 });

      for (const reader of ["planner", "reviewer"])
        assert.deepEqual(provider.requestsOf(reader)[0]?.tools, ["glob", "grep", "read"], reader);
      const requests = provider.requestsOf("worker");
      const [first, last] = [requests[0] ?? assert.fail(), requests.at(-1) ?? assert.fail()];
      for (const name of ["read", "write", "shell"]) assert.ok(first.tools.includes(name), name);
      for (const name of ["execute", "subagent", "question", "websearch", "design_lab"])
        assert.ok(!first.tools.includes(name), name);
      const results = last.messages.filter(({ role }) => role === "tool").map(({ content }) => content);
      for (const index of [0, 1]) assert.match(results[index] ?? "", /belongs to Flow/);
      for (const index of [2, 3, 4, 5]) assert.match(results[index] ?? "", /error/, String(index));
      assert.match(results.join("\n"), /work:.*model/, "its shell is marked, and was waited for");
      assert.equal(requests.length, worker.length, "one request a step");
      assert.deepEqual(provider.requestsOf("host"), [], "no model turn for any command");
      assert.match(await command("flow-status"), /completed/);
    });
  },
);

/** Sends a command as a program of the user's machine can: waits for the answer, hangs up, or lets a terminal of OpenCode send it. */
const SENDER = `import { readFileSync } from "node:fs";
import { connect } from "node:net";
const { url, session, text } = JSON.parse(readFileSync("send.json", "utf8"));
const [how] = process.argv.slice(2);
const route = "/api/session/" + session + "/command";
const body = JSON.stringify({ name: "flow-plan", text });
const headers = {
  authorization: "Basic " + Buffer.from("opencode:" + process.env.OPENCODE_PASSWORD).toString("base64"),
  "content-type": "application/json",
};
if (how === "terminal") {
  const args = ["-c", "sleep 1; node send.mjs"];
  const response = await fetch(url + "/api/pty", { method: "POST", headers, body: JSON.stringify({ command: "sh", args }) });
  console.log("sent", response.status);
} else if (how === "hang up") {
  const lines = Object.entries({ host: "x", ...headers, "content-length": body.length }).map((line) => line.join(": "));
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname, () =>
    socket.write(["POST " + route + " HTTP/1.1", ...lines, "", body].join("\\r\\n"), () => {
      socket.destroy();
      console.log("sent 204");
    }),
  );
} else {
  const response = await fetch(url + route, { method: "POST", headers, body });
  console.log("sent", response.status);
}
`;

test2("a model's shell can't approve a plan in the user's name", async () => {
  const { scenario, config, files } = setup([]);
  const calls = ["node send.mjs", "node send.mjs 'hang up'", "node send.mjs terminal"];
  const host = [...calls.map((command) => callTool("shell", { command })), reply("Sent.")];
  const scene = {
    scenario: { models: { ...scenario.models, host } },
    config,
    files: { ...files, "send.mjs": SENDER },
  };
  await withOpencode2(scene, async ({ serve, provider, project }) => {
    const { session, url } = await serve();
    const { command, prompt, id, results } = await session();
    const drafted = await command("flow-plan", GOAL);
    const hash = /\/flow-plan approve ([0-9a-f]+)/.exec(drafted)?.[1] ?? assert.fail(drafted);
    await project.write("send.json", JSON.stringify({ url, session: id, text: `approve ${hash}` }));
    await prompt("Approve it");
    const seen = provider.requestsOf("host").at(-1)?.messages ?? [];
    const sent = seen.filter(({ role }) => role === "tool").map(({ content }) => content);
    for (const [at, call] of calls.entries()) assert.match(sent[at] ?? "", /sent 20\d/, call);
    const refusals = async () =>
      (await results())
        .join("\n")
        .match(/Only you can type this command,\s+but\s+a\s+model's\s+program\s+may\s+have\s+sent\s+it/g)
        ?.length;
    await until(async () => (await refusals()) === calls.length);
    const directory = `.flow/sessions/${(await project.read(".flow/active")).trim()}`;
    const status = async () => (await project.json(`${directory}/session.json`)).status;
    assert.equal(await status(), "draft");
    await command("flow-plan", `approve ${hash}`);
    assert.equal(await status(), "approved");
  });
});

test2("a worker's request for permission is refused and reported, until it is always allowed", async () => {
  const asks = callTool("shell", { command: "echo hi" });
  const worker = [
    asks,
    DONE,
    asks,
    callTool("write", { path: "src/sum.js", content: source("+") }),
    callTool("write", { path: "test/sum.test.js", content: TEST }),
    DONE,
  ];
  const scene = setup(worker);
  const rules = { permissions: [{ action: "shell", resource: "echo *", effect: "ask" }] };
  await withOpencode2({ ...scene, config: { ...scene.config, ...rules } }, async (lab) => {
    const { serve, project, provider } = lab;
    const { session, api } = await serve();
    const { id, command } = await session();
    const waits = flat(await command("flow-auto", GOAL));
    assert.match(waits, /the model asked for permission, and nobody was there to give it: bash: echo hi/);
    const directory = `.flow/sessions/${(await project.read(".flow/active")).trim()}`;
    const { status, recovery } = await project.json(`${directory}/session.json`);
    assert.deepEqual([status, recovery.error_code], ["awaiting_user", "run.awaiting-user"]);
    const permission = `/session/${id}/permission`;
    const like = { action: "shell", resources: ["echo hi"], save: ["echo *"] };
    const request = await api("POST", permission, like);
    assert.equal(request.effect, "ask");
    await api("POST", `${permission}/${request.id}/reply`, { decision: "always" });
    assert.match(await command("flow-run", recovery.next_command.slice("/flow-run ".length)), /completed/);
    assert.match(provider.requestsOf("worker")[3]?.messages.at(-1)?.content ?? "", /^hi/);
  });
});

test2(
  "a killed worker is resumed, its call is asked again, and what its shells started is ended",
  async () => {
    const worker = [
      callTool("shell", { command: "sleep 300 >/dev/null 2>&1 & echo started" }),
      callTool("write", { path: "src/sum.js", content: source("+") }),
      callTool("write", { path: "test/sum.test.js", content: TEST }),
      DONE,
    ];
    await withOpencode2(
      setup([...worker.slice(0, 1), ...worker]),
      async ({ serve, provider, project, home }) => {
        const killed = await serve({ service: true });
        const first = await killed.session();
        const drafted = await first.command("flow-plan", GOAL);
        const hash = /\/flow-plan approve ([0-9a-f]+)/.exec(drafted)?.[1] ?? assert.fail(drafted);
        await first.command("flow-plan", `approve ${hash}`);
        first.command("flow-run").catch(() => {});
        await until(async () => startedWith({ home }, "OPENCODE_FLOW").length > 0);
        provider.hold("worker");
        await provider.waitFor(2, { model: "worker" });
        await killed.kill();
        const before = provider.requests.length;
        const { session } = await serve({ service: true });
        const { command } = await session();
        assert.match(await command("flow-status"), /interrupted|resume/);
        assert.equal(provider.requests.length, before, "the service asked nothing on its own");
        provider.release("worker");
        const ended = await command("flow-resume");
        assert.match(ended, /completed/, ended);
        assert.deepEqual(startedWith({ home }, "OPENCODE_FLOW"), []);
        assert.equal(await project.read("src/sum.js"), source("+"));
        assert.equal(provider.requestsOf("planner").length, 1, "an approved plan isn't asked for again");
      },
    );
  },
);
