import assert from "node:assert/strict";
import { test } from "node:test";
import { inParts } from "./parts.mjs";
import { reply, stepFor } from "./script.mjs";

/** @param {string} user */
const request = (user) => ({ model: "m", n: 0, messages: [], system: "", user, tools: [], temperature: 0 });
const part = (/** @type {string} */ ids) =>
  `Now judge it:\n\ntype Judgement = {\n};\n\nJudge this criterion and no other: ${ids}.`;

test("each request gets the part that it asks for, and only a new answer takes the next entry", () => {
  const answer = (/** @type {string} */ where) => ({
    decision: "approved",
    criteria: ["a", "b"].map((id) => ({ id, met: true, where })),
    findings: [],
  });
  const script = inParts([reply(answer("first")), reply(answer("second"))]);
  const counts = new Map();
  const said = (/** @type {string} */ user) => {
    const step = stepFor(script, request(user), counts);
    return step.kind === "reply" ? JSON.parse(step.text) : assert.fail(step.kind);
  };
  assert.deepEqual(said("type Findings = {"), answer("first"), "a core ignores what it hasn't asked for");
  assert.deepEqual(said(part("a")), { criteria: [{ id: "a", met: true, where: "first" }] });
  assert.deepEqual(said(part("b, a")), { criteria: answer("first").criteria });
  assert.deepEqual(said("type Review = {"), answer("second"));
  assert.throws(() => said("type Review = {"), /its script ends/);
});
