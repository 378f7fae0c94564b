// What the sessions of Flow's models are refused, on a real disk.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { FlowGuard } from "./flow-guard.js";

const project = realpathSync(mkdtempSync(path.join(tmpdir(), "flow-guard-")));
after(() => rmSync(project, { recursive: true, force: true }));
mkdirSync(path.join(project, ".flow/sessions"), { recursive: true });
mkdirSync(path.join(project, "src"));
symlinkSync("../.flow", path.join(project, "src/link"));
const guard = new FlowGuard(project, [path.join(project, ".flow"), path.join(project, "out")]);

/** @param {string} role @param {string} tool @param {object} args */
const isRefused = (role, tool, args) =>
  guard.before(tool, "call", args, role).then(
    () => false,
    () => true,
  );

test("planner and reviewer read, and do nothing else", async () => {
  for (const role of ["planner", "reviewer"]) {
    for (const tool of ["read", "grep", "glob"])
      assert.equal(await isRefused(role, tool, { filePath: "a.js" }), false, tool);
    for (const tool of [
      "edit",
      "write",
      "apply_patch",
      "bash",
      "task",
      "skill",
      "webfetch",
      "todowrite",
      "acme_mcp",
    ])
      assert.equal(await isRefused(role, tool, { filePath: "a.js" }), true, tool);
  }
});

test("the worker changes the project, and nothing that Flow keeps", async () => {
  const writes = (/** @type {string} */ filePath) => isRefused("worker", "write", { filePath, content: "" });
  for (const open of ["src/a.js", path.join(project, "new/b.js"), ".flowing", "flow/a", "output.txt"])
    assert.equal(await writes(open), false, open);
  for (const kept of [
    ".flow/active",
    ".flow",
    "./src/../.flow/active",
    path.join(project, ".flow/sessions/x/journal.jsonl"),
    "src/link/active",
    "src/link/sessions/new/file",
    "out/run/journal.jsonl",
  ])
    assert.equal(await writes(kept), true, kept);
  assert.equal(
    await isRefused("worker", "edit", { filePath: ".flow/active", oldString: "a", newString: "b" }),
    true,
  );
  const patch = (/** @type {string} */ line) =>
    isRefused("worker", "apply_patch", { patchText: `*** Begin Patch\n${line}\n+x\n*** End Patch` });
  assert.equal(await patch("*** Add File: src/new.js"), false);
  for (const line of [
    "*** Add File: .flow/x",
    "*** Delete File: .flow/active",
    "*** Update File: src/a.js\n*** Move to: .flow/a.js",
  ])
    assert.equal(await patch(line), true, line);
  assert.equal(await isRefused("worker", "read", { filePath: ".flow/active" }), false);
});

test("the worker runs commands, but not OpenCode's, and none on Flow's files", async () => {
  const runs = (/** @type {string} */ command) => isRefused("worker", "bash", { command });
  for (const open of ["npm test", "git diff", "cat src/workflow.js", "ls opencode-plugin", "node my.flow.js"])
    assert.equal(await runs(open), false, open);
  for (const refused of [
    "opencode run --command flow-plan 'approve 1234'",
    "npx opencode run x",
    "cd /tmp && /usr/bin/opencode serve",
    "echo x > .flow/active",
    "cd .flow; rm -r sessions",
    'rm -rf "./.flow"',
  ])
    assert.equal(await runs(refused), true, refused);
  assert.equal(await isRefused("worker", "bash", { command: "ls", workdir: ".flow" }), true);
  for (const tool of ["task", "design_lab"]) assert.equal(await isRefused("worker", tool, {}), true, tool);
});
