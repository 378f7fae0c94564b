// A validation that was started on another machine, in the real OpenCode.

import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { test } from "node:test";
import { long } from "../long.mjs";
import { chat } from "./flow.mjs";
import { flat, withOpencode } from "./harness.mjs";
import { analysed, GAP, runOf, setup, verified } from "./validation.mjs";

test("a validation from another machine asks nobody until the user takes it over", {
  skip: long(
    "Decided in `src/validation/tests/taken_over.rs`. `elsewhere.test.mjs` and `flow-verify.test.mjs` show it of the other workflows.",
  ),
}, async () => {
  const scene = setup({ verifier: verified(4), analyst: analysed(GAP), tester: [] });
  await withOpencode(scene, async (lab) => {
    const { project, provider, home } = lab;
    const talk = await chat(lab);
    const type = async (/** @type {string} */ command, text = "") => flat(await talk.type(command, text));
    assert.match(await type("validate", "file 4.md"), /waiting for your decision/);
    const name = runOf(project).split("/").at(-1) ?? "";
    // Another machine has a different key.
    await rm(`${home}/.local/state/opencode-design-lab/key`);
    const asked = provider.requests.length;
    const refusal = new RegExp(
      `${name} was not written entirely on this machine\\. No model was called, and nothing was run\\.`,
    );
    for (const [command, text] of [
      ["validate-decide", "force-test"],
      ["validate-resume", ""],
      ["validate", "--again"],
      ["validate", `--keep e2e ${name}`],
    ]) {
      const told = await type(command ?? "", text);
      assert.match(told, refusal, `${command} ${text}`);
      assert.match(told, /\[run\.elsewhere\].*\/validate-resume validate-\S+ --trust/, command);
    }
    assert.match(await type("validate-status"), /waiting for your decision/, "it is shown");
    assert.equal(provider.requests.length, asked);
    assert.match(await type("validate-resume", `${name} --trust`), /waiting for your decision/);
    assert.match(await type("validate-decide", "stop"), /Validation · /);
    assert.equal(provider.requests.length, asked);
    await talk.stop();
  });
});
