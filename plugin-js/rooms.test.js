// Each room of the plugin depends only on those below it: the code that runs any workflow knows no workflow, and no host.

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";

/** @type {Record<string, string[]>} */
const STANDS_ON = {
  core: [],
  kernel: ["core"],
  "design-lab": ["core", "kernel"],
  flow: ["core", "kernel"],
  validation: ["core", "kernel"],
  hosts: ["core", "design-lab", "flow", "kernel", "validation"],
  "opencode1-tui": ["opencode1"],
  "opencode2-tui": ["opencode1-tui"],
  opencode1: ["core", "hosts", "kernel"],
  opencode2: ["core", "hosts", "kernel"],
};

for (const [room, below] of Object.entries(STANDS_ON)) {
  test(`${room}/ imports from itself and ${below.join(", ") || "nothing"} alone`, async () => {
    const folder = new URL(`./${room}/`, import.meta.url);
    const files = (await readdir(folder)).filter((file) => file.endsWith(".js") && !file.includes(".test."));
    assert.notEqual(files.length, 0);
    for (const file of files) {
      const text = await readFile(new URL(file, folder), "utf8");
      for (const [, name = ""] of text.matchAll(/^(?:import|export|\}) .*?from "(\.[^"]*)";$/gm)) {
        const [other = ""] = path.posix.relative("/", path.posix.join("/", room, name)).split("/");
        assert.ok(other === room || below.includes(other), `${file} imports ${name}`);
      }
    }
  });
}
