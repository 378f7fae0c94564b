// The demo's designs and opinions fit together, whatever order a reviewer sees them in.

import assert from "node:assert/strict";
import { test } from "node:test";
import { PROVIDERS, SCENARIO, TASK } from "./demo-scenario.mjs";
import { DIMENSIONS, design } from "./lab.mjs";
import { stepFor } from "./script.mjs";

/** Returns a model's final answer, after refusals and tool calls. @param {string} model @param {...string} questions */
function answer(model, ...questions) {
  const script = SCENARIO.models[model];
  assert.ok(script, `${model} has no script`);
  const counts = new Map();
  const messages = questions.map((content) => ({ role: "user", content, toolCalls: [] }));
  for (let n = 0; n < 5; n += 1) {
    const user = questions.at(-1) ?? "";
    const step = stepFor(
      script,
      { model, n, messages, system: "", user, tools: [], temperature: undefined },
      counts,
    );
    if (step.kind === "reply" && !step.toolCalls) return step.text;
  }
  throw new Error(`${model} never answers`);
}

/** @param {string} text */
const object = (text) =>
  JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1).replace(/,\s*\}$/, "}"));

const designs = PROVIDERS.forest.map((model) =>
  object(answer(model, `${TASK}\n{"architecture_overview": …}`)),
);

test("every designer writes a complete design of its own", () => {
  for (const written of designs) assert.deepEqual(Object.keys(written), Object.keys(design()));
  assert.equal(new Set(designs.map((written) => written.title)).size, 3);
});

for (const reviewer of PROVIDERS.stone) {
  test(`${reviewer} has an opinion on every design`, () => {
    const blocks = designs
      .map((written, i) => `<design id="D${i}">${JSON.stringify(written)}</design>`)
      .join("\n");
    assert.match(answer(reviewer, blocks), /^## D0\n[\s\S]*## D1\n[\s\S]*## D2\n/);
    const { evaluations } = object(answer(reviewer, blocks, '{"evaluations": …}'));
    for (const [i, { design_id, quantitative }] of evaluations.entries()) {
      assert.equal(design_id, `D${i}`);
      for (const dimension of DIMENSIONS)
        assert.ok(quantitative[dimension] >= 0 && quantitative[dimension] <= 10);
    }
  });
}
