// Validation in the real OpenCode, with scripted models, a real application and a real browser: it reports what works, what fails, by
// criterion, and what only appears to be tested, as hollow.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { long } from "../long.mjs";
import { inParts } from "../provider/parts.mjs";
import { reading } from "../provider/script.mjs";
import { BREAKS, DECEIVING_AS_TAKEN, HONEST, honest } from "../validation/suites.mjs";
import { pageIn } from "./artefacts.mjs";
import { chat } from "./flow.mjs";
import { withOpencode } from "./harness.mjs";
import {
  all,
  analysed,
  concluded,
  decoy,
  GAP,
  MODELS,
  runOf,
  SETTINGS,
  settings,
  setup,
  started,
  tests,
  verified,
} from "./validation.mjs";

const PLAYWRIGHT = fileURLToPath(new URL("../../node_modules/@playwright", import.meta.url));

test("a good build is validated, each fault of a bad one is named, and tests that show nothing are hollow", {
  skip: long(
    "`plugin-js/validation/playwright.test.js` and `plugin-js/validation/faults.test.js` use the same application and a real browser. `validation-again.test.mjs` takes the path through OpenCode.",
  ),
}, async () => {
  const { url, isAlive } = await decoy();
  const scene = setup({
    verifier: [verified(10), verified(10), verified(4)],
    analyst: [analysed(GAP), analysed(), analysed(), analysed(GAP)],
    // One criterion is left to one of the project's own tests.
    tester: [tests(honest(...Object.keys(BREAKS).slice(1))), tests(HONEST), tests(DECEIVING_AS_TAKEN)],
  });
  const models = { ...scene.scenario?.models, host: reading("app/server.mjs", inParts(verified(4))) };
  // The analyst's price is known, the tester's isn't.
  const free = { input: 0, output: 0 };
  const priced = {
    models: { analyst: { cost: free }, tester: { cost: free } },
    designLab: { prices: { "lab/analyst": free } },
  };
  await withOpencode({ ...scene, ...priced, scenario: { models } }, async (lab) => {
    const { command, project, provider } = lab;
    const talk = await chat(lab);
    assert.match(await talk.type("validate-init"), /validation\.settings-exist/, "what is there stays");
    rmSync(project.path(SETTINGS));
    await project.write(
      "app/package.json",
      '{ "scripts": { "start": "node server.mjs" }, "dependencies": { "express": "5" } }',
    );
    assert.match(
      await talk.type("validate-init"),
      /app: Express, in app\/package\.json[\s\S]*Problem {2}Playwright/,
    );
    assert.match(
      await talk.type("design-lab-doctor"),
      /Valid: \.opencode\/validation\.jsonc \(servers:\s+app\)/,
    );
    const checks = [{ id: "build", command: ["node", "--check", "app/server.mjs"] }];
    mkdirSync(project.path("node_modules"));
    symlinkSync(PLAYWRIGHT, project.path("node_modules/@playwright"));
    const about = honest("broken-link").replace("./validation", "@playwright/test").replace("@C1", "@about");
    await project.write("e2e/about.spec.ts", about);
    const map = [{ file: "about.spec.ts", criteria: ["C1"] }];
    await project.write(
      SETTINGS,
      settings({
        control: ["frozen", "live"],
        server: { allow: false },
        tests: { directory: "e2e", map },
        checks,
        a11y: true,
        budget: { max_cost_usd: 5 },
      }),
    );
    const waiting = await talk.type("validate", "file 10.md");
    assert.doesNotMatch(waiting, /doesn't limit/, "a model on this machine is free, whatever the cap");
    assert.match(waiting, /waiting for your decision[\s\S]*\/validate-decide/);
    assert.equal(provider.requestsOf("tester").length, 0, "nothing is tested that nobody decided about");
    assert.match(await talk.type("validate-decide", "perhaps"), /force-test/);
    const asking = await talk.type("validate-decide", "force-test");
    assert.match(
      asking,
      /node app\/server\.mjs[\s\S]*node --check app\/server\.mjs[\s\S]*\/validate-resume/,
      "what would run is shown",
    );
    assert.deepEqual(started(lab), [], "and doesn't run yet");
    const ended = await talk.type("validate-resume");
    assert.match(ended, /Validation · validated/, ended);
    const run = runOf(project);
    assert.deepEqual(await concluded(project), { outcome: "validated", verdicts: all("met") });
    const report = await project.read(`${run}/FINAL-VALIDATION.md`);
    assert.match(report.split("\n")[0] ?? "", /tested despite/);
    const { evidence } = await project.json(`${run}/FINAL-VALIDATION.json`);
    const [, byHand = ""] = report.match(/^- `(npx .+)`$/m) ?? [];
    const said = execFileSync(byHand, {
      shell: true,
      cwd: project.path("."),
      env: { ...process.env, BASE_URL: url },
    });
    assert.match(`${said}`, /10 passed/, byHand);
    for (const { path, sha256 } of evidence) {
      const now = createHash("sha256").update(readFileSync(project.path(`${run}/${path}`)));
      assert.equal(now.digest("hex"), sha256, `${path} is as it was`);
    }
    const { versions, checks: checked, criteria } = await project.json(`${run}/FINAL-VALIDATION.json`);
    const { whose, file } = criteria[0].tests[0];
    assert.deepEqual([whose, file, criteria[0].tests.length], ["project", "e2e/about.spec.ts", 1]);
    assert.match(provider.requestsOf("tester")[0]?.user ?? "", /- C1: the page about it is linked \(e2e/);
    assert.deepEqual(
      checked.map((/** @type {any} */ { id, verdict }) => [id, verdict]),
      [
        ["build", "passed"],
        ["a11y", "passed"],
      ],
    );
    assert.equal(checked[0].seen.length, 1);
    assert.match(checked[0].evidence[0].sha256, /^[0-9a-f]{64}$/);
    assert.match(versions.browser, /^chromium \d+\./);
    assert.match(versions.playwright, /^\d+\.\d+\./);
    assert.match(versions.application.sources, /^(?:git|no_git)$/);
    assert.match(ended, new RegExp(`${run}/report\\.html`));
    const page = readFileSync(pageIn(ended), "utf8");
    assert.equal(page.match(/<img src="data:image\/png;base64,/g)?.length, 10, "a picture of each test");
    const { processes } = await project.json(`${run}/processes.json`);
    assert.deepEqual(
      processes.map((/** @type {any} */ { name, end }) => [name, end.end]),
      [
        ["web", "terminated"],
        ["counterfeit: frozen", "terminated"],
        ["web", "terminated"],
        // Its first pass decides every test.
        ["counterfeit: live", "terminated"],
      ],
    );
    for (const model of MODELS) {
      const requests = provider.requestsOf(model);
      const asked = requests.filter(({ messages }) => messages.at(-1)?.role === "user").length;
      assert.equal(asked, model === "verifier" ? 10 : 1, "a verifier is asked each criterion by itself");
      assert.deepEqual(provider.requestsOf(model)[0]?.tools, ["glob", "grep", "read"], model);
    }
    assert.deepEqual(provider.requestsOf("host"), [], "no model turn for any command");
    const success = await talk.type("validate-status");
    assert.match(success, /validated[\s\S]*\/validate --keep e2e validate-/);

    const faulty = { control: ["nothing"], server: { env: { FAULT: "all" } }, a11y: true };
    await project.write(SETTINGS, settings(faulty));
    const { stdout, code } = await command("validate", "file 10.md");
    assert.match(stdout, /failed/);
    assert.equal(code, 1, "who runs it in a script sees that");
    assert.deepEqual(await concluded(project), { outcome: "failed", verdicts: all("not_met") });
    const [a11y] = (await project.json(`${runOf(project)}/FINAL-VALIDATION.json`)).checks;
    assert.equal(a11y.verdict, "failed");
    assert.match(a11y.findings.join("\n"), /\/search: label \(critical\)/);

    await project.write(SETTINGS, settings());
    assert.match(await talk.type("validate", "file 4.md"), /incomplete/);
    const hollow = { ...all("hollow", 4), C3: "untested" };
    assert.deepEqual(await concluded(project), { outcome: "incomplete", verdicts: hollow });

    const gaps = await talk.type("validate-flows", "file 4.md");
    assert.match(gaps, /Validation · incomplete[\s\S]*G1 \(J1\): no way back[\s\S]*\/validate file 4\.md\n/);
    assert.deepEqual(await concluded(project, runOf(project, "flows")), {
      outcome: "incomplete",
      verdicts: all("untested", 4),
    });
    rmSync(project.path(SETTINGS));
    const read = await talk.type("validate-work", "file 4.md");
    assert.match(read, /Validation · incomplete[\s\S]*In a model's opinion:\n {2}C1 {2}met/);
    const work = runOf(project, "work");
    assert.equal((await concluded(project, work)).outcome, "incomplete");
    assert.equal((await project.json(`${work}/verify.json`)).tier, "a model's opinion");
    assert.ok(existsSync(project.path(`${work}/report.html`)));
    const latest = await talk.type("validate-status");
    assert.match(latest, new RegExp(work), "it is the latest");
    assert.match(
      latest,
      /\d validations, the newest first\n\n {2}work-\S+ +\d{4}-\d\d-\d\d {2}incomplete +a model's opinion\n/,
    );
    const every = await talk.type("validate-status", "--all");
    assert.match(every, /^\d validations, the newest first\n/, "without a run of its own");
    assert.match(every, /validate-\S+ +\d{4}-\d\d-\d\d {2}failed +\d+ not met, \d checks? failed\n/);
    assert.match(every, /validate-\S+ +\d{4}-\d\d-\d\d {2}validated +\d+ met\n/);
    assert.match(await talk.type("validate-resume"), /is finished/, "without settings, too");
    assert.deepEqual([provider.unscripted, started(lab), isAlive()], [[], [], true]);
    await talk.stop();
  });
});
