// Tool calls and rules of OpenCode 2, in the form in which they are judged.

import assert from "node:assert/strict";
import { test } from "node:test";
import { called, judged, knownRules, rulesOf, withhold } from "./calls.js";

test("a call is judged under OpenCode 1's names, and made under OpenCode 2's", () => {
  for (const tool of ["read", "write", "edit"]) {
    const { tool: known, args } = judged(tool, { path: "src/a.js", offset: 2 });
    assert.deepEqual([known, args], [tool, { filePath: "src/a.js", offset: 2 }]);
    assert.deepEqual(called(tool, args), { path: "src/a.js", offset: 2 });
  }
  assert.deepEqual(judged("grep", { pattern: "x", path: "src" }).args, { pattern: "x", path: "src" });
  assert.equal(judged("shell", { command: "ls" }).tool, "bash");
  assert.equal(judged("patch", { patchText: "" }).tool, "apply_patch");
  assert.equal(judged("subagent", { agent: "build" }).tool, "task");
  assert.deepEqual(judged("skill", undefined), { tool: "skill", args: {} });
});

test("a path in the home directory is judged and called as what it leads to", () => {
  process.env.OPENCODE_TEST_HOME = "/srv/ann";
  const read = judged("read", { path: "~/shop/.design-lab/x.md" });
  assert.equal(read.args.filePath, "/srv/ann/shop/.design-lab/x.md");
  assert.equal(called("read", read.args).path, "/srv/ann/shop/.design-lab/x.md");
  for (const tool of ["grep", "glob"]) assert.equal(judged(tool, { path: "~" }).args.path, "/srv/ann");
  assert.equal(judged("read", { path: "~ann/x" }).args.filePath, "~ann/x", "OpenCode reads it as a name");
});

test("an argument that only OpenCode 1 has can't hide another path", () => {
  const { args } = judged("read", { path: "secret", filePath: "src/a.js" });
  assert.deepEqual(args, { filePath: "secret" });
  assert.deepEqual(called("read", args), { path: "secret" });
});

test("no command of a run's model continues in the background", () => {
  assert.deepEqual(judged("shell", { command: "ls", background: true }).args, { command: "ls" });
});

test("rules keep their order, never ask, and have OpenCode 2's names", () => {
  const rules = rulesOf({ "*": "deny", read: { "*": "allow", "*.env": "ask" }, bash: "ask", task: "deny" });
  assert.deepEqual(rules, [
    { action: "*", resource: "*", effect: "deny" },
    { action: "read", resource: "*", effect: "allow" },
    { action: "read", resource: "*.env", effect: "deny" },
    { action: "shell", resource: "*", effect: "deny" },
    { action: "subagent", resource: "*", effect: "deny" },
  ]);
  assert.deepEqual(knownRules(rules).at(-1), { permission: "task", pattern: "*", action: "deny" });
  assert.deepEqual(rulesOf(undefined), []);
});

/** @param {(result: any) => void} after */
const guard = (after) => /** @type {any} */ ({ after: (/** @type {any} */ ...all) => after(all[2]) });

test("a guard sees which file was read, and its model doesn't", () => {
  const result = () => ({
    output: { uri: "file:///srv/shop/a%20b.md" },
    content: [{ type: "text", text: "Read file a b.md, lines 1-1\n1: x" }],
    metadata: { truncated: false },
  });
  const event = { tool: "read", id: "c1", result: /** @type {any} */ (result()) };
  withhold(
    event,
    guard((seen) => assert.match(seen.output, /^<path>\/srv\/shop\/a b\.md<\/path>\nRead file a b\.md/)),
    "/srv/shop",
  );
  assert.deepEqual(event.result, result(), "left as it was");
  withhold(
    event,
    guard((seen) => {
      seen.output = seen.output.replace("1: x", "(not available in this session)");
    }),
    "/srv/shop",
  );
  const kept = "Read file a b.md, lines 1-1\n(not available in this session)";
  assert.deepEqual(event.result, { content: [{ type: "text", text: kept }] });
});

test("a guard sees which directory was listed", () => {
  const content = [{ type: "text", text: "Read directory .design-lab, entries 1-1\n2026-01-02-heirloom/" }];
  for (const [given, seen] of [
    [".design-lab", "/srv/shop/.design-lab"],
    ["/srv/other/", "/srv/other"],
  ]) {
    const result = /** @type {any} */ ({ output: { type: "list-page", entries: [] }, content });
    const event = { tool: "read", id: "c1", input: { path: given }, result };
    withhold(
      event,
      guard(({ output }) => assert.equal(output, `<path>${seen}</path>\n${content[0]?.text}`)),
      "/srv/shop",
    );
    assert.deepEqual(event.result.content, content);
  }
});

test("a result that is withheld takes its pictures with it", () => {
  const content = [
    { type: "text", text: "Image read successfully" },
    { type: "file", uri: "data:image/png;base64,AA==" },
  ];
  const event = { tool: "read", id: "c1", result: { content } };
  withhold(
    event,
    guard((seen) => {
      seen.output = "This result is not available in this session.";
    }),
    "/srv/shop",
  );
  const kept = [{ type: "text", text: "This result is not available in this session." }];
  assert.deepEqual(event.result, { content: kept });
});
