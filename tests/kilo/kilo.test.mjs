// The package in the real Kilo, which is made from OpenCode 1: a run in its chat and one in its terminal.

import assert from "node:assert/strict";
import { test } from "node:test";
import { flat, withOpencode } from "../e2e/harness.mjs";
import { tuiMissing } from "../e2e/tui.mjs";
import * as lab from "../provider/lab.mjs";
import { callTool, reply } from "../provider/script.mjs";
import { isInstalled, KILO } from "./install.mjs";

const missing = !isInstalled && "Kilo isn't installed: run `cargo xtask test kilo`";
const TASK = "Design a rate limiter for a public HTTP API";

const designer = (/** @type {string} */ title) => lab.model({ topic: "Rate limiter", design: { title } });
/** A designer that first reads the user's configuration. */
const curious = lab.byPhase({
  topic: reply("Rate limiter"),
  design: [callTool("read", { filePath: "kilo.json" }), reply(lab.design({ title: "Leaky pail" }))],
});
const SETUP = {
  program: KILO,
  // Fetched as a user's Kilo fetches it.
  fetches: true,
  scenario: {
    models: { quill: designer("Token bucket"), zeph: curious, judge: lab.model({ score: () => 7 }) },
  },
  designLab: { design_models: ["lab/quill", "lab/zeph"], review_models: ["lab/judge"] },
  files: { "kilo.json": '{ "provider": { "secret": { "options": { "apiKey": "sesame" } } } }\n' },
  env: {
    KILO_DISABLE_AUTOUPDATE: "1",
    KILO_DISABLE_MODELS_FETCH: "1",
    KILO_DISABLE_SESSION_INGEST: "1",
    KILO_NO_DAEMON: "1",
    KILO_TELEMETRY_LEVEL: "off",
  },
};

test("a run in Kilo: ranked, with no look at the user's settings, and known to the doctor", {
  skip: missing,
}, async () => {
  await withOpencode(SETUP, async ({ command, provider }) => {
    const ended = await command("design-lab", TASK);
    assert.match(ended.stdout, /Design Lab · ranked/, ended.stdout + ended.stderr);
    const [, after] = provider.requestsOf("zeph").slice(-2);
    assert.match(JSON.stringify(after?.messages), /This path is not available in this session/);
    assert.doesNotMatch(JSON.stringify(provider.requests), /sesame/);
    const doctor = await command("design-lab-doctor");
    assert.match(flat(doctor.stdout), /✓ Kilo 7\.7\.9, which is based on OpenCode 1/);
  });
});

test("the panel appears in Kilo's sidebar with a run", { skip: missing || tuiMissing }, async () => {
  await withOpencode({ ...SETUP, config: { plugin: [] } }, async ({ provider, run, tui }) => {
    const installed = await run(["plugin", "opencode-design-lab"]);
    assert.equal(installed.code, 0, installed.stdout + installed.stderr);
    provider.hold("zeph");
    const terminal = await tui({ columns: 200, rows: 60 });
    await terminal.command("design-lab", TASK);
    await terminal.waitFor([/2\/3 designing +1 of 2 done/, /✓ quill +\d+:\d\d/, /zeph +\d+:\d\d/]);
    provider.release("zeph");
    await terminal.waitFor(/Design Lab · ranked/);
    await terminal.command("design-lab-doctor", "");
    await terminal.waitFor(/The sidebar is set up: \.kilo\/tui\.json/);
  });
});
