// What Validation's sessions may read, on a real disk.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { ValidationCore } from "../core/validation.js";
import { ValidationGuard } from "./validation-guard.js";

const project = realpathSync(mkdtempSync(path.join(tmpdir(), "validation-guard-")));
after(() => rmSync(project, { recursive: true, force: true }));
const hidden = path.join(project, ".design-lab");
mkdirSync(path.join(hidden, "validation"), { recursive: true });
mkdirSync(path.join(project, "src"));
symlinkSync("../.design-lab", path.join(project, "src/link"));
const guard = new ValidationGuard(new ValidationCore(), project, [hidden]);

/** @param {string} tool @param {object} [args] */
const call = (tool, args) => guard.before(tool, "call", args, "tester");

test("nothing is written, run or started", async () => {
  for (const tool of ["write", "edit", "apply_patch", "bash", "task", "webfetch"])
    await assert.rejects(call(tool, { filePath: "a" }), /only reads/, tool);
});

test("the project is read, and nothing that runs have left, however it is spelled", async () => {
  await call("read", { filePath: "src/a.js" });
  await call("read", { filePath: path.join(project, ".design-laboratory") });
  await call("glob", { pattern: "**/*.js" });
  await call("grep", { pattern: "design-lab", path: "src" });
  await call("list");
  for (const args of [
    { filePath: ".design-lab/validation/run/verify.json" },
    { filePath: path.join(hidden, "run.json") },
    { filePath: "src/../.design-lab" },
    { filePath: "src/link/validation/verify.json" },
    { pattern: ".design-lab/**/*.json" },
    { pattern: "x", path: hidden },
  ])
    await assert.rejects(call("read", args), /can't read files of runs/, JSON.stringify(args));
});

test("who only reads gets its role once, and nothing of what is for a chat", async () => {
  const host =
    "You are opencode.\nWorking directory: /p\n\nInstructions from: /p/AGENTS.md\nUse tabs.\n\nYou read.";
  const text = await guard.systemText("tester", "You read.", host);
  assert.match(text, /^You read\.\n\nWorking directory: \/p\n\n[\s\S]*Use tabs\.$/);
  assert.doesNotMatch(text, /opencode/);
});
