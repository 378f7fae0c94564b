import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Core } from "../core/design-lab.js";
import { definitions } from "./tools.js";

const { tools } = JSON.parse(readFileSync(new URL("../hosts/unconfigured.json", import.meta.url), "utf8"));
const core = new Core();
const understand = core.toolCall.bind(core);

/** Only a call that starts a run has an expected cost. @param {string} pattern @param {import("./tools.js").ToolCall} call */
const priced = async (pattern, { command }) => ({
  pattern: command === "design-lab" ? `${pattern} · 8 calls` : pattern,
});

/** @returns {any} a context that records permission requests */
function context(permitted = true) {
  /** @type {any[]} */
  const asked = [];
  const ask = async (/** @type {any} */ question) => {
    asked.push(question);
    if (!permitted) throw new Error("rejected");
  };
  return { sessionID: "ses_1", abort: new AbortController().signal, asked, ask };
}

test("the tool carries out a command with the text that the model gave", async () => {
  /** @type {string[][]} */
  const carried = [];
  const { design_lab: tool } = definitions(
    tools,
    understand,
    async ({ command, text }) => {
      carried.push([command, text]);
      return "done";
    },
    priced,
  );
  const cases = [
    [{ action: "run", text: "a cache" }, ["design-lab", "a cache"]],
    [{ action: "status", text: "cache" }, ["design-lab-status", "cache"]],
    [{ action: "status" }, ["design-lab-status", ""]],
    [{ action: "resume", text: null }, ["design-lab-resume", ""]],
    [{ action: "cancel", text: 7 }, ["design-lab-cancel", ""]],
  ];
  for (const [args, expected] of /** @type {[any, string[]][]} */ (cases)) {
    assert.equal(await tool?.execute(args, context()), "done");
    assert.deepEqual(carried.pop(), expected);
  }
  for (const args of [undefined, {}, { action: "design" }]) {
    await assert.rejects(async () => tool?.execute(args, context()), /no action/);
  }
  assert.deepEqual(carried, []);
});

test("Flow's tools mirror its commands, and none approves a plan", async () => {
  /** @type {string[][]} */
  const carried = [];
  const flow = definitions(
    tools,
    understand,
    async ({ command, text }) => {
      carried.push([command, text]);
      return "done";
    },
    priced,
  );
  const refused = context(false);
  await assert.rejects(async () => flow.flow_run?.execute({ text: "" }, refused), /rejected/);
  assert.deepEqual(refused.asked, [
    { permission: "flow_run", patterns: ["flow_run"], always: ["*"], metadata: {} },
  ]);
  await assert.rejects(
    async () => flow.flow_plan?.execute({ text: "approve 3fa91c02" }, context()),
    /a person/,
  );
  assert.deepEqual(carried, []);
  assert.equal(await flow.flow_status?.execute({}, context(false)), "done");
  assert.deepEqual(carried, [["flow-status", ""]]);
});

test("what costs is asked about first, and not done where that is refused", async () => {
  const { design_lab: tool } = definitions(tools, understand, async () => "done", priced);
  const permitted = context();
  await tool?.execute({ action: "status", text: "" }, permitted);
  assert.deepEqual(permitted.asked, []);
  await tool?.execute({ action: "run", text: "a cache" }, permitted);
  assert.deepEqual(permitted.asked, [
    { permission: "design_lab", patterns: ["run a cache · 8 calls"], always: ["run*"], metadata: {} },
  ]);
  await assert.rejects(
    async () => tool?.execute({ action: "run", text: "a cache" }, context(false)),
    /rejected/,
  );
});
