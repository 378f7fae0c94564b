// The agents of configured models, which a user calls with `@`.

import assert from "node:assert/strict";
import { test } from "node:test";
import { long } from "../long.mjs";
import * as script from "../provider/script.mjs";
import { withOpencode } from "./harness.mjs";

test("an agent called by @ answers with model, temperature, prompt and brief of the configuration", {
  skip: long(
    "The agent's model, prompt and brief come from `src/opencode/registration.rs`. `run.test.mjs` has OpenCode use them.",
  ),
}, async () => {
  const NAMES = { design: "design-lab-design-quill-4", review: "design-lab-review-judge-1" };
  const call = (/** @type {string} */ subagent_type) =>
    script.callTool("task", { description: "Ask it", prompt: "Shard the orders table", subagent_type });
  const scenario = {
    models: {
      host: [call(NAMES.design), call(NAMES.review), script.reply("Both have answered.")],
      "quill-4": script.reply("By customer."),
      "judge-1": script.reply("A sound choice."),
    },
  };
  const designLab = {
    design_models: [
      { model_id: "lab/quill-4", temperature: 0.9, brief: "Think of cost first." },
      "lab/judge-1",
    ],
    review_models: [{ model_id: "lab/judge-1", prompt_template: "You are strict." }],
  };
  await withOpencode({ scenario, designLab }, async ({ serve, provider }) => {
    const { client, stop } = await serve();
    const path = { id: (await client.session.create({ body: { title: "Chat" } })).data?.id ?? "" };
    const parts = [
      { type: /** @type {const} */ ("text"), text: `@${NAMES.design} and @${NAMES.review}, please` },
      ...Object.values(NAMES).map((name) => ({ type: /** @type {const} */ ("agent"), name })),
    ];
    const { data } = await client.session.prompt({ path, body: { parts } });
    assert.match(
      data?.parts.map((part) => (part.type === "text" ? part.text : "")).join("") ?? "",
      /Both have/,
    );
    const [designer] = provider.requestsOf("quill-4");
    assert.match(
      designer?.system ?? "",
      /^You are a senior software architect[\s\S]*\n\nThink of cost first\./,
    );
    assert.equal(designer?.temperature, 0.9);
    assert.match(designer?.user ?? "", /Shard the orders table/);
    const [reviewer] = provider.requestsOf("judge-1");
    assert.match(reviewer?.system ?? "", /^You are strict\./);
    for (const request of [designer, reviewer])
      assert.deepEqual(request?.tools.toSorted(), ["glob", "grep", "read"]);
    const answers =
      provider
        .requestsOf("host")
        .at(-1)
        ?.messages.map(({ content }) => content)
        .join("\n") ?? "";
    assert.match(answers, /By customer\.[\s\S]*A sound choice\./);
    await stop();
  });
});
