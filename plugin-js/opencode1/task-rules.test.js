// Which agents OpenCode's `task` lists, by the order of its rules: the last one that fits counts.

import assert from "node:assert/strict";
import { test } from "node:test";
import { withHidden } from "./task-rules.js";

const HIDDEN = { "flow-*": "deny" };

/** @param {Parameters<typeof withHidden>[1]} users */
const rules = (users) => Object.entries(withHidden(HIDDEN, users)?.task ?? {}).map((rule) => rule.join(" "));

test("our agents are hidden unless the user says otherwise of them", () => {
  assert.deepEqual(rules(undefined), ["flow-* deny"]);
  assert.deepEqual(rules("allow"), ["* allow", "flow-* deny"]);
  assert.deepEqual(rules({ "flow-worker": "allow", "*": "ask", explore: "deny" }), [
    "* ask",
    "explore deny",
    "flow-* deny",
    "flow-worker allow",
  ]);
  assert.deepEqual(rules({ "flow-*": "allow" }), ["flow-* allow"]);
  assert.equal(withHidden(undefined, "allow"), undefined);
});
