// What the sessions of runs may do on OpenCode 2.

import assert from "node:assert/strict";
import { test } from "node:test";
import { unconfigured } from "../hosts/workflows.js";
import { registerAgents, sessionRules } from "./agents.js";

const registration = unconfigured();

/** Whether the last matching rule allows it, as OpenCode decides. @param {any[]} rules @param {string} action */
function allows(rules, action, resource = "x") {
  const fits = (/** @type {string} */ pattern, /** @type {string} */ text) =>
    new RegExp(`^${pattern.replace(/[.]/g, "\\.").replaceAll("*", ".*")}$`).test(text);
  return (
    rules.findLast((rule) => fits(rule.action, action) && fits(rule.resource, resource))?.effect === "allow"
  );
}

test("who designs, reviews, plans or tests reads the project, whatever the user's rules allow", () => {
  const users = [
    { action: "*", resource: "*", effect: "allow" },
    { action: "external_directory", resource: "/tmp/*", effect: "allow" },
  ];
  const readers = Object.keys(registration.agents).filter((name) => name !== "flow-worker");
  assert.equal(readers.length, 9);
  for (const name of readers) {
    const rules = [...users, ...sessionRules(registration, name)];
    const mayRead = name !== "design-lab-topic";
    for (const tool of ["read", "glob", "grep"])
      assert.equal(allows(rules, tool), mayRead, `${name} ${tool}`);
    for (const tool of ["shell", "edit", "subagent", "execute", "question", "skill", "webfetch", "browser"])
      assert.equal(allows(rules, tool), false, `${name} ${tool}`);
    assert.equal(allows(rules, "read", ".env"), false, name);
    assert.equal(allows(rules, "external_directory", "/tmp/a"), false, name);
  }
});

test("a worker has no tool that it lacks on OpenCode 1", () => {
  const rules = [
    { action: "*", resource: "*", effect: "allow" },
    ...sessionRules(registration, "flow-worker"),
  ];
  for (const tool of ["read", "edit", "shell"]) assert.equal(allows(rules, tool), true, tool);
  for (const tool of ["execute", "browser", "opencode_session_move", "websearch", "subagent", "question"])
    assert.equal(allows(rules, tool), false, tool);
  assert.equal(allows(rules, "edit", ".flow/plan.json"), false);
});

test("no rule asks, and an agent that isn't registered may do nothing", () => {
  for (const name of [...Object.keys(registration.agents), "unknown"])
    assert.ok(
      sessionRules(registration, name).every(({ effect }) => /^(allow|deny)$/.test(effect)),
      name,
    );
  assert.equal(allows(sessionRules(registration, "unknown"), "read"), false);
});

test("a tool that the user's configuration allows is allowed", () => {
  const agents = { own: { permission: { "*": "deny", websearch: "allow" } } };
  assert.equal(allows(sessionRules({ ...registration, agents }, "own"), "websearch"), true);
});

test("the agents are hidden, and other agents can't start them", async () => {
  /** @type {Record<string, any>} */
  const drafts = { build: { permissions: [{ action: "*", resource: "*", effect: "allow" }] } };
  const editor = {
    list: () => [{ id: "build" }],
    update: (/** @type {string} */ name, /** @type {(draft: any) => void} */ change) => {
      drafts[name] ??= { permissions: [{ action: "*", resource: "*", effect: "allow" }] };
      change(drafts[name]);
    },
  };
  const agent = { transform: async (/** @type {any} */ change) => change(editor) };
  await registerAgents(/** @type {any} */ ({ agent }), registration);
  for (const name of Object.keys(registration.agents)) {
    const { hidden, mode, permissions } = drafts[name];
    assert.deepEqual([hidden, mode], [true, "subagent"], name);
    assert.equal(allows(drafts.build.permissions, "subagent", name), false, name);
    assert.equal(allows(permissions, "subagent", "build"), false, name);
  }
  assert.equal(allows(drafts.build.permissions, "subagent", "general"), true);
  assert.match(drafts["design-lab-designer"].system, /software architect/);
});
