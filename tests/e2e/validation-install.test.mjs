// A project without Playwright: `/validate-init --install`, in the real OpenCode, has npm install it if the user allows it, and a
// validation runs with it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { long } from "../long.mjs";
import { honest } from "../validation/suites.mjs";
import { chat } from "./flow.mjs";
import { withOpencode } from "./harness.mjs";
import { packInstalled, startRegistry } from "./registry.mjs";
import {
  all,
  analysed,
  concluded,
  runOf,
  SETTINGS,
  settings,
  setup,
  tests,
  verified,
} from "./validation.mjs";

const MODULES = fileURLToPath(new URL("../../node_modules", import.meta.url));

test("with the user's leave npm installs Playwright Test out of the project's way, and /validate runs by it", {
  skip: long("`plugin-js/validation/install.test.js` has the real npm install it."),
}, async () => {
  const packages = ["@playwright/test", "playwright", "playwright-core", "fast-check", "pure-rand"];
  const registry = await startRegistry(
    await Promise.all(packages.map((name) => packInstalled(join(MODULES, name)))),
  );
  const scene = setup({ verifier: verified(1), analyst: analysed(), tester: tests(honest("broken-link")) });
  try {
    await withOpencode(scene, async (lab) => {
      const { project } = lab;
      const talk = await chat(lab);
      const below = () => readdirSync(project.path(".opencode"));
      rmSync(project.path(SETTINGS));
      assert.match(
        await talk.type("validate-init"),
        /Problem {2}Playwright Test[\s\S]*`\/validate-init --install`: npm\s+then\s+installs\s+@playwright\/test/,
      );
      assert.match(
        await talk.type("validate-init", "--instal"),
        /validation\.unknown-option[\s\S]*`--install`/,
      );

      // The registry in the user's own settings doesn't have it.
      const refused = await talk.type("validate-init", "--install");
      assert.match(refused, /validation\.not-installed[\s\S]*E404[\s\S]*\/validate-init --install again/);
      assert.deepEqual(
        below().filter((name) => name !== "validation.jsonc" && name.startsWith("validation")),
        [],
      );

      await project.write(".npmrc", `registry=${registry.url}/\n`);
      const written = settings({
        control: ["live"],
        playwright: { browser: process.env.CHROMIUM ?? null },
      });
      await project.write(SETTINGS, written);
      const shown = await talk.type("validate-init", "--install");
      assert.match(
        shown,
        /validation\.jsonc was not changed[\s\S]*Install {2}Playwright Test [\d.]+, with\s+fast-check [\d.]+,\s+is\s+now\s+in/,
      );
      assert.equal(await project.read(SETTINGS), written);
      assert.ok(!existsSync(project.path("node_modules")) && !existsSync(project.path("package.json")));
      assert.match(await talk.type("design-lab-doctor"), /Playwright Test is\s+in\s+\.opencode\/validation/);

      assert.match(await talk.type("validate", "file 1.md"), /Validation · validated/);
      assert.deepEqual(await concluded(project), { outcome: "validated", verdicts: all("met", 1) });
      const report = await project.read(`${runOf(project)}/FINAL-VALIDATION.md`);
      assert.match(report, /- Playwright: [\d.]+, in \.opencode\/validation/);
      const [, byHand = ""] = report.match(/^- `(npx .+)`$/m) ?? [];
      assert.match(byHand, /^npx --prefix \.opencode\/validation playwright test /);
      const listed = execFileSync(`${byHand} --list`, { shell: true, cwd: project.path(".") });
      assert.match(`${listed}`, /Total: 1 test/, byHand);
      await talk.stop();
    });
  } finally {
    await registry.close();
  }
});
