// The test harness itself, tested with the smallest plugin that works as Design Lab does.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { long } from "../long.mjs";
import * as script from "../provider/script.mjs";
import { withOpencode } from "./harness.mjs";
import { tuiMissing } from "./tui.mjs";

const echo = fileURLToPath(new URL("fixtures/echo", import.meta.url));

test("the plugin is installed from the registry and its command asks models in child sessions", async () => {
  const scenario = {
    models: {
      host: script.reply("The host says hello."),
      alpha: script.reply("I am alpha", { usage: { input: 1000, output: 100 } }),
      beta: script.reply("I am beta", { finish: "length", usage: { input: 2000, output: 200 } }),
      broken: script.unauthorized(),
    },
  };
  await withOpencode({ package: echo, fetches: true, scenario, options: { loud: true } }, async (lab) => {
    const models = ["alpha", "beta", "broken"];
    for (const model of models) lab.provider.hold(model);
    const running = lab.startCommand("echo", models.join(" "));
    for (const model of models) await lab.provider.waitFor(1, { model });
    for (const model of models) lab.provider.release(model);
    const ended = await running.ended;
    assert.equal(ended.code, 0, ended.stderr);
    assert.match(ended.stdout, /The host says hello\./);
    assert.deepEqual(await lab.project.json("echo.json"), {
      options: { loud: true },
      answers: {
        alpha: { text: "I am alpha", finish: "stop", cost: 0.0045 },
        beta: {
          text: "I am beta",
          finish: "length",
          cost: 0.009,
        },
        broken: { text: "", error: "APIError", cost: 0 },
      },
    });

    const [alpha] = lab.provider.requestsOf("alpha");
    assert.equal(alpha?.user, "Echo, alpha");
    assert.equal(alpha?.temperature, 0.3);
    assert.deepEqual(alpha?.tools, ["glob", "grep", "read"]);
    assert.deepEqual(lab.provider.unscripted, []);
    assert.equal(lab.provider.peak, 3);
    assert.ok(lab.registry.requests.includes("GET /opencode-echo"), lab.registry.requests.join("\n"));
  });
});

test("a model's tools really run: grep, glob and read give their results to its next request", {
  skip: long("`isolation.test.mjs` needs tools that really run: its designer works on undisturbed."),
}, async () => {
  const alpha = [
    script.callTool("grep", { pattern: "orders" }),
    script.callTool("glob", { pattern: "src/*.js" }),
    script.callTool("read", { filePath: "src/server.js" }),
    script.callTool("bash", { command: "id" }),
    script.reply("read them"),
  ];
  await withOpencode({ package: echo, scenario: { models: { alpha } } }, async (lab) => {
    const ended = await lab.command("echo", "alpha");
    assert.equal(ended.code, 0, ended.stderr);
    const results = lab.provider
      .requestsOf("alpha")
      .map((request) => request.messages.findLast((message) => message.role === "tool")?.content ?? "");
    assert.match(results[1] ?? "", /src\/store\.js/);
    assert.match(results[2] ?? "", /src\/server\.js/);
    assert.match(results[3] ?? "", /export function handle/);
    assert.match(results[4] ?? "", /unavailable tool|bash/);
    assert.equal((await lab.project.json("echo.json")).answers.alpha.text, "read them");
  });
});

test("a run that is killed leaves nothing running and nothing behind", async () => {
  let directory = "";
  await withOpencode({ package: echo, scenario: { models: { alpha: script.hang() } } }, async (lab) => {
    directory = lab.project.directory;
    const running = lab.startCommand("echo", "alpha");
    await lab.provider.waitFor(1, { model: "alpha" });
    running.kill("SIGKILL");
    const ended = await running.ended;
    assert.equal(ended.signal, "SIGKILL");
    const [request] = await lab.provider.waitFor(1, { model: "alpha", ended: true });
    assert.equal(request?.outcome, "disconnected");
  });
  assert.equal(existsSync(directory), false);
});

test("a server is driven by the SDK", {
  skip: long("Every test that types in a chat drives a server, first `flow.test.mjs`."),
}, async () => {
  await withOpencode({ package: echo, scenario: { models: { alpha: script.reply("hi") } } }, async (lab) => {
    const { client } = await lab.serve();
    const session = await client.session.create({ body: { title: "T" } });
    assert.ok(session.data);
    const answer = await client.session.command({
      path: { id: session.data.id },
      body: { command: "echo", arguments: "alpha" },
    });
    assert.ok(answer.data, JSON.stringify(answer.error));
    assert.equal((await lab.project.json("echo.json")).answers.alpha.text, "hi");
    const children = await client.session.children({ path: { id: session.data.id } });
    assert.deepEqual(
      children.data?.map((child) => child.title),
      ["alpha"],
    );
  });
});

test("the TUI takes the command and shows the answer", { skip: tuiMissing }, async () => {
  const models = { host: script.reply("Shown to the user."), alpha: script.reply("hi") };
  await withOpencode({ package: echo, scenario: { models } }, async (lab) => {
    const tui = await lab.tui();
    await tui.command("echo", "alpha");
    await tui.waitFor(/Shown to the user\./);
    assert.equal((await lab.project.json("echo.json")).answers.alpha.text, "hi");
  });
});
