// Videos of tests. Playwright's own ffmpeg is replaced by a program that takes the pictures and writes a file.

import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { each, project, ROOT, run, server } from "./test/run.js";

const TESTS = `import { expect, test } from "./validation";
test("passes", async ({ page }) => {
  await page.goto("/told");
  await expect(page.locator("body")).toHaveText("/told");
});
test("fails", async ({ page }) => {
  await page.goto("/told");
  await expect(page.locator("body")).toHaveText("/other", { timeout: 500 });
});\n`;

const FFMPEG = `#!${process.execPath}
process.stdin.on("data", () => {});
process.stdin.on("end", () => require("node:fs").writeFileSync(process.argv.at(-1), "a video"));
`;

/** A directory of Playwright's browsers that has only ffmpeg. @param {string} directory */
function withFfmpeg(directory) {
  const listed = path.join(ROOT, "node_modules/playwright-core/browsers.json");
  const { browsers } = JSON.parse(readFileSync(listed, "utf8"));
  const { revision } = browsers.find((/** @type {any} */ { name }) => name === "ffmpeg");
  const folder = path.join(directory, `ffmpeg-${revision}`);
  mkdirSync(folder, { recursive: true });
  for (const name of ["ffmpeg-linux", "ffmpeg-mac"]) {
    writeFileSync(path.join(folder, name), FFMPEG);
    chmodSync(path.join(folder, name), 0o755);
  }
  writeFileSync(path.join(folder, "INSTALLATION_COMPLETE"), "");
  return directory;
}

test("a video is kept of each test if the settings say so, and otherwise only of one that fails", async () => {
  const at = await project();
  const browsers = withFfmpeg(path.join(at.directory, "browsers"));
  const used = await run({ at, variables: { PLAYWRIGHT_BROWSERS_PATH: browsers } });
  used.write("tests/app.spec.ts", TESTS);
  const { servers } = await used.start(server());
  const films = async (/** @type {object} */ wanted) => {
    const { ran } = await used.test(servers[0].url, wanted);
    const films = ran.tests.map((/** @type {any} */ { title, attachments }) => [
      title,
      attachments.flatMap((/** @type {any} */ { name, path: file }) => (name === "video" ? [file] : [])),
    ]);
    return Object.fromEntries(films);
  };
  const { passes, fails } = await films({ video: true });
  assert.equal(passes.length, 1);
  assert.match(passes[0], /^playwright\/application-1\/artifacts\/.+\.webm$/);
  assert.equal(fails.length, 1);
  assert.notEqual(passes[0], fails[0]);
  const without = await films({ pass: 2 });
  assert.deepEqual([without.passes.length, without.fails.length], [0, 1]);
  const { evidence } = await used.tearDown();
  const kept = each(evidence, "path").filter((/** @type {string} */ file) => file.endsWith(".webm"));
  assert.deepEqual(kept.sort(), [...passes, ...fails, ...without.fails].sort(), "each with its digest");
});
