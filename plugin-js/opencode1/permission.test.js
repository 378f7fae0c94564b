// Whose rule counts, by the order of all rules: the last matching rule wins.

import assert from "node:assert/strict";
import { test } from "node:test";
import { withUsers } from "./permission.js";

const OURS = { design_lab: "ask", "flow_*": "deny", task: { "flow-*": "deny" } };

/** @param {Parameters<typeof withUsers>[1]} users */
const whole = (users) => withUsers(OURS, users);
const spelled = (/** @type {object} */ rules) => Object.entries(rules).map((rule) => rule.join(" "));
/** @param {any} task */
const tasks = (task) => spelled(/** @type {object} */ (whole({ task }).task));
/** @param {Parameters<typeof withUsers>[1]} users */
const rules = (users) => {
  const { task: _, ...others } = whole(users);
  return spelled(others);
};

test("our agents are hidden unless the user says otherwise of them", () => {
  assert.deepEqual(whole(undefined).task, OURS.task);
  assert.deepEqual(whole("allow").task, OURS.task);
  assert.deepEqual(tasks("allow"), ["* allow", "flow-* deny"]);
  assert.deepEqual(tasks({ "flow-worker": "allow", "*": "ask", explore: "deny" }), [
    "* ask",
    "explore deny",
    "flow-* deny",
    "flow-worker allow",
  ]);
  assert.deepEqual(tasks({ "flow-*": "allow" }), ["flow-* allow"]);
});

test("Flow's tools are hidden unless the user says otherwise of them, and our questions give way to any rule", () => {
  assert.deepEqual(rules(undefined), ["design_lab ask", "flow_* deny"]);
  assert.deepEqual(rules("allow"), ["design_lab ask", "* allow", "flow_* deny"]);
  assert.deepEqual(rules({ flow_status: "allow", "*": "allow", design_lab: "deny" }), [
    "design_lab deny",
    "* allow",
    "flow_* deny",
    "flow_status allow",
  ]);
  assert.deepEqual(rules({ "flow_*": "ask" }), ["design_lab ask", "flow_* ask"]);
  assert.deepEqual(withUsers({ design_lab: "ask" }, { bash: "deny" }), { design_lab: "ask", bash: "deny" });
});
