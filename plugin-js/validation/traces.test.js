// Traces of tests, which contain every request and can't be redacted.

import assert from "node:assert/strict";
import { test } from "node:test";
import { each, run, server } from "./test/run.js";

const TEST = `import { expect, test } from "./validation";
test("answers", async ({ page }) => {
  await page.goto("/told");
  await expect(page.locator("body")).toHaveText("/told");
});\n`;

/** The files that a test leaves behind. @param {string[]} secrets of the settings */
async function left(secrets) {
  const used = await run({ secrets });
  used.write("tests/app.spec.ts", TEST);
  const { servers } = await used.start(server());
  const { ran } = await used.test(servers[0].url);
  assert.equal(ran.tests[0].status, "passed");
  return each(ran.tests[0].attachments, "name").sort();
}

test("a trace is kept only where the settings name no secrets", async () => {
  assert.deepEqual(await left([]), ["screenshot", "trace"]);
  assert.deepEqual(await left(["API_KEY"]), ["screenshot"]);
});
