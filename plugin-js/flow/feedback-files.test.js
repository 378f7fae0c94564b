// The files of feedback: one command at a time changes them, and each is whole.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { readRules, rulesFile } from "../kernel/project-rules.js";
import { changeFeedback, readLog } from "./feedback-files.js";

const scratch = mkdtempSync(path.join(tmpdir(), "flow-feedback-"));
after(() => rmSync(scratch, { recursive: true, force: true }));

const project = () => mkdtempSync(path.join(scratch, "project-"));

test("changes at the same time happen one after another, and none is lost", async () => {
  const directory = project();
  assert.deepEqual([await readLog(directory), readRules(directory)], [null, null]);
  const add = () => changeFeedback(directory, (log) => ({ log: `${log ?? ""}x`, rules: null }));
  await Promise.all([add(), add(), add(), add()]);
  assert.equal(await readLog(directory), "xxxx");
  assert.equal(readRules(directory), null, "null keeps a file");
});

test("a change that fails leaves both files, and the lock is free again", async () => {
  const directory = project();
  await changeFeedback(directory, () => ({ log: "log", rules: "rules" }));
  const refuse = () => {
    throw new Error("refused");
  };
  await assert.rejects(changeFeedback(directory, refuse), /refused/);
  await changeFeedback(directory, (log, rules) => ({ log: `${log}!`, rules: `${rules}!` }));
  assert.deepEqual([await readLog(directory), readRules(directory)], ["log!", "rules!"]);
});

test("the rules are written first, and never through a link", async () => {
  const directory = project();
  const outside = path.join(scratch, "outside");
  mkdirSync(outside, { recursive: true });
  symlinkSync(outside, path.join(directory, ".opencode"));
  await assert.rejects(
    changeFeedback(directory, () => ({ log: "log", rules: "rules" })),
    { code: "LINK" },
  );
  assert.equal(await readLog(directory), null);
  writeFileSync(path.join(outside, "flow-rules.jsonc"), "{}");
  assert.equal(readRules(directory), "{}", "the user's own directory may be a link");
  assert.equal(readFileSync(rulesFile(directory), "utf8"), "{}");
});
