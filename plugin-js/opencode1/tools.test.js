import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { definitions } from "./tools.js";

const { tools } = JSON.parse(readFileSync(new URL("./unconfigured.json", import.meta.url), "utf8"));

/** @returns {any} a context that notes what is asked */
function context(permitted = true) {
  /** @type {any[]} */
  const asked = [];
  const ask = async (/** @type {any} */ question) => {
    asked.push(question);
    if (!permitted) throw new Error("rejected");
  };
  return { sessionID: "ses_1", abort: new AbortController().signal, asked, ask };
}

test("a tool carries out its command with the text that the model gave", async () => {
  /** @type {string[][]} */
  const carried = [];
  const made = definitions(tools, async (command, text) => {
    carried.push([command, text]);
    return "done";
  });
  const cases = [
    ["design_lab_run", { task: "a cache" }, ["design-lab", "a cache"]],
    ["design_lab_status", { run: "cache" }, ["design-lab-status", "cache"]],
    ["design_lab_status", {}, ["design-lab-status", ""]],
    ["design_lab_status", { run: null }, ["design-lab-status", ""]],
    ["design_lab_resume", { run: 7 }, ["design-lab-resume", ""]],
    ["design_lab_cancel", undefined, ["design-lab-cancel", ""]],
  ];
  for (const [name, args, expected] of /** @type {[string, any, string[]][]} */ (cases)) {
    assert.equal(await made[name]?.execute(args, context()), "done");
    assert.deepEqual(carried.pop(), expected);
  }
});

test("what costs is asked about first, and not done where that is refused", async () => {
  const made = definitions(tools, async () => "done");
  for (const [name, { paid }] of Object.entries(tools)) {
    const permitted = context();
    await made[name]?.execute({ task: "a cache" }, permitted);
    assert.deepEqual(
      permitted.asked.map((/** @type {any} */ { permission }) => permission),
      paid ? [name] : [],
    );
    if (paid) await assert.rejects(async () => made[name]?.execute({}, context(false)), /rejected/);
  }
});

test("every argument is described by plain JSON Schema", () => {
  for (const { args } of Object.values(definitions(tools, async () => ""))) {
    for (const schema of Object.values(args)) {
      assert.deepEqual(Object.keys(schema), ["type", "description"]);
    }
  }
});
