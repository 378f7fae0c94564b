import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { gitRecord } from "./git-record.js";

const scratch = mkdtempSync(path.join(tmpdir(), "git-record-"));
after(() => rmSync(scratch, { recursive: true }));
const at = (/** @type {string} */ file) => path.join(scratch, file);
const identity = ["-c", "user.name=user", "-c", "user.email=user@example.org"];
const git = (/** @type {string[]} */ ...args) =>
  execFileSync("git", [...identity, ...args], { cwd: scratch, encoding: "utf8" }).trim();

test("each part changes with what it is of, and with nothing else", async () => {
  git("init", "-q", "-b", "main");
  let before = await gitRecord(scratch);
  assert.deepEqual([before.branch, before.commit], ["refs/heads/main", null]);

  /** @type {[string, () => void, string[]][]} */
  const table = [
    ["a file", () => writeFileSync(at("a.js"), "a"), []],
    ["staged", () => git("add", "a.js"), ["staged"]],
    ["committed", () => git("commit", "-qm", "a"), ["commit", "refs"]],
    ["looked at", () => git("status"), []],
    ["a tag", () => git("tag", "v1"), ["refs"]],
    ["another branch", () => git("checkout", "-qb", "other"), ["branch", "refs"]],
    ["no branch", () => git("checkout", "-q", "--detach"), ["branch"]],
    ["a setting", () => git("config", "core.pager", "cat"), ["settings"]],
    ["an ignore rule", () => writeFileSync(at(".git/info/exclude"), "*.js\n"), ["settings"]],
    [
      "a hook",
      () => {
        mkdirSync(at(".git/hooks"), { recursive: true });
        writeFileSync(at(".git/hooks/pre-commit"), "exit 1\n");
      },
      ["settings"],
    ],
    [
      "a stash",
      () => {
        writeFileSync(at("a.js"), "b");
        git("stash", "-q");
      },
      ["refs"],
    ],
  ];
  for (const [what, act, expected] of table) {
    act();
    const now = await gitRecord(scratch);
    const changed = Object.entries(now).filter(([key, value]) => value !== /** @type {any} */ (before)[key]);
    assert.deepEqual(changed.map(([key]) => key).sort(), expected, what);
    before = now;
  }
  assert.equal(before.commit, git("rev-parse", "HEAD"));
});

test("it is the same from below the root", async () => {
  mkdirSync(at("below"));
  assert.deepEqual(await gitRecord(at("below")), await gitRecord(scratch));
});

test("a pipe or an endless file in the place of a hook keeps nobody waiting", {
  skip: process.platform !== "linux",
}, async () => {
  git("init", "-q");
  const before = await gitRecord(scratch);
  mkdirSync(at(".git/hooks"), { recursive: true });
  execFileSync("mkfifo", [at(".git/hooks/pre-push")]);
  symlinkSync("/dev/zero", at(".git/hooks/post-merge"));
  assert.notEqual((await gitRecord(scratch)).settings, before.settings);
  rmSync(at(".git/hooks/pre-push"));
  rmSync(at(".git/hooks/post-merge"));
});
