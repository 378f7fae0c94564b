// A short validation in the real OpenCode 2, with a real application and a real browser.

import assert from "node:assert/strict";
import {
  APP,
  all,
  analysed,
  concluded,
  criteria,
  SETTINGS,
  settings,
  started,
  tests,
  verified,
} from "../e2e/validation.mjs";
import { callTool } from "../provider/script.mjs";
import { honest } from "../validation/suites.mjs";
import { test2, withOpencode2 } from "./harness.mjs";

/** @typedef {import("../provider/script.mjs").Script} Script */

/** Verifiers and analysts read the application before their scripted answers. @param {Script} script @returns {Script} */
const reading = (script) => (request) =>
  request.messages.some(({ toolCalls }) => toolCalls.includes("read"))
    ? script
    : callTool("read", { path: "app/server.mjs" });

/** @param {Record<string, Script>} models @param {object} [server] settings of the application's server */
const setup = (models, server = {}) => ({
  scenario: { models },
  files: {
    "1.md": criteria(1)
      .map(({ text }) => `- ${text}\n`)
      .join(""),
    "app/server.mjs": APP,
    [SETTINGS]: settings({ control: ["live"], server }),
  },
});

test2("a good build is validated, and its models only read the project", async () => {
  const models = {
    verifier: reading([verified(1)]),
    analyst: reading([analysed()]),
    tester: [
      callTool("read", { path: ".design-lab/validation/x" }),
      callTool("read", { path: "~/../project/.design-lab/validation/x" }),
      callTool("shell", { command: "ls" }),
      tests(honest("broken-link")),
    ],
  };
  await withOpencode2(setup(models), async ({ serve, provider, project }) => {
    const { command } = await (await serve()).session();
    const ended = await command("validate", "file 1.md");
    assert.match(ended, /Validation · validated/, ended);
    assert.deepEqual(await concluded(project), { outcome: "validated", verdicts: all("met", 1) });
    for (const model of Object.keys(models))
      assert.deepEqual(provider.requestsOf(model)[0]?.tools, ["glob", "grep", "read"], model);
    const last = provider.requestsOf("tester").at(-1) ?? assert.fail();
    const results = last.messages.filter(({ role }) => role === "tool").map(({ content }) => content);
    for (const index of [0, 1]) assert.match(results[index] ?? "", /can't read files of runs/);
    assert.match(results[2] ?? "", /error/);
    assert.deepEqual(provider.requestsOf("host"), []);
    assert.match(await command("validate-status"), /validated/);
  });
});

test2("a planted fault is found, and its criterion named", async () => {
  const models = {
    verifier: reading([verified(1)]),
    analyst: reading([analysed()]),
    tester: [tests(honest("broken-link"))],
  };
  const planted = setup(models, { env: { FAULT: "broken-link" } });
  await withOpencode2(planted, async (lab) => {
    const { command } = await (await lab.serve()).session();
    const ended = await command("validate", "file 1.md");
    assert.match(ended, /Validation · failed/, ended);
    assert.match(ended, /C1 +not met/, ended);
    assert.deepEqual(await concluded(lab.project), { outcome: "failed", verdicts: all("not_met", 1) });
    assert.deepEqual(started(lab), []);
  });
});

test2("/validate-cancel stops a validation, its servers end, and it can be resumed", async () => {
  const models = {
    verifier: reading([verified(1)]),
    analyst: reading([analysed()]),
    tester: [tests(honest("broken-link")), tests(honest("broken-link"))],
  };
  await withOpencode2(setup(models), async (lab) => {
    const { provider, serve, project } = lab;
    const { session } = await serve();
    const [first, second] = [await session(), await session()];
    provider.hold("tester");
    const running = first.command("validate", "file 1.md");
    await provider.waitFor(1, { model: "tester" });
    await second.command("validate-cancel");
    assert.match(await running, /cancelled|stopped/);
    assert.deepEqual(started(lab), []);
    const [verifier, analyst] = ["verifier", "analyst"].map((model) => provider.requestsOf(model).length);
    provider.release("tester");
    assert.match(await first.command("validate-resume"), /Validation · validated/);
    assert.deepEqual(
      ["verifier", "analyst"].map((model) => provider.requestsOf(model).length),
      [verifier, analyst],
      "nothing that was answered is asked again",
    );
    assert.deepEqual(await concluded(project), { outcome: "validated", verdicts: all("met", 1) });
    assert.deepEqual(started(lab), []);
  });
});
