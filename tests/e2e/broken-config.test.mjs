// Ten broken configurations in the real OpenCode: the chat's text for each, stored as a golden file, and no model call.
// `cargo xtask update` rewrites the files.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { test } from "node:test";
import * as script from "../provider/script.mjs";
import { withOpencode } from "./harness.mjs";

const TESTS = new URL("../", import.meta.url);
const NAMES = [
  "dimension-fields",
  "directory-above",
  "duplicate-ids",
  "duplicate-keys",
  "out-of-bounds",
  "prompts",
  "syntax-missing-comma",
  "too-few-models",
  "unknown-keys",
  "wrong-types",
];

test("ten broken configurations are reported so that a newcomer can fix them", async () => {
  const scenario = { models: { host: script.reply("unused") } };
  await withOpencode({ scenario }, async ({ serve, project, provider }) => {
    const { client, stop } = await serve();
    for (const name of NAMES) {
      const text = await readFile(new URL(`design_lab/config/broken/${name}.jsonc`, TESTS), "utf8");
      await project.write(".opencode/design-lab.jsonc", text);
      const id = (await client.session.create({ body: {} })).data?.id ?? "";
      const body = { command: "design-lab", arguments: "Design a rate limiter" };
      await client.session.command({ path: { id }, body });
      const messages = (await client.session.messages({ path: { id } })).data ?? [];
      const parts = messages.flatMap((message) => message.parts);
      const shown = parts.map((part) => (part.type === "text" ? part.text : "")).join("");
      const golden = new URL(`e2e/golden/${name}.txt`, TESTS);
      if (process.env.UPDATE) await writeFile(golden, `${shown}\n`);
      assert.equal(`${shown}\n`, await readFile(golden, "utf8"), `${name}: \`cargo xtask update\` renews it`);
      assert.match(shown, /\[config\.[a-z-]+\]/);
      assert.match(shown, /\.opencode\/design-lab\.jsonc:\d+:\d+/);
    }
    assert.equal(provider.requests.length, 0, "nothing is asked");
    await stop();
  });
});
