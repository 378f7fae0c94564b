// ARCHITECTURE.md has a row for every file of the plugin, and names no file that doesn't exist.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import test from "node:test";

const map = readFileSync("ARCHITECTURE.md", "utf8").split("\n## plugin-js\n")[1] ?? "";

/** Returns the part of the map about a folder. */
const part = (/** @type {string} */ folder) => map.split(`\n### ${folder}\n`)[1]?.split("\n### ")[0] ?? "";

const folders = readdirSync("plugin-js", { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);

for (const folder of folders) {
  test(`the map of plugin-js/${folder} is complete`, () => {
    const files = readdirSync(`plugin-js/${folder}`).filter(
      (file) => /\.(js|d\.ts)$/.test(file) && !/\.test\.js$|^host-modules/.test(file),
    );
    const named = [...part(folder).matchAll(/`([\w-]+(?:\.d)?\.[jt]s)`/g)].map(([, name]) => name);
    assert.deepEqual(named.sort(), files.sort());
  });
}

test("every link and every file named with its folder exists", () => {
  const text = readFileSync("ARCHITECTURE.md", "utf8");
  const links = [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, target = ""]) => target);
  const named = [...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]*)`/g)].map(([, path = ""]) => path);
  const missing = [...links, ...named].filter((path) => !existsSync(path));
  assert.deepEqual(missing, []);
});
