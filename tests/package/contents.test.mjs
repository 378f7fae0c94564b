// What the package contains, and what it doesn't.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join, posix } from "node:path";
import { test } from "node:test";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { pkg, publishedFiles, root } from "./package.mjs";

const manifest = JSON.parse(await readFile(join(pkg, "package.json"), "utf8"));

test("npm publishes exactly the files listed in files.txt", async () => {
  const list = new URL("files.txt", import.meta.url);
  const published = `${(await publishedFiles()).join("\n")}\n`;
  if (process.env.UPDATE) await writeFile(list, published);
  assert.equal(published, await readFile(list, "utf8"), "`cargo xtask update` writes files.txt again");
});

test("the package installs without scripts, dependencies or a compiler", () => {
  assert.equal(manifest.scripts, undefined);
  for (const kind of ["dependencies", "optionalDependencies", "peerDependencies"]) {
    assert.equal(manifest[kind], undefined, kind);
  }
});

test("the package has the version of the workspace", async () => {
  const cargo = await readFile(join(root, "Cargo.toml"), "utf8");
  assert.equal(manifest.version, /\[workspace\.package\]\s+version = "([^"]+)"/.exec(cargo)?.[1]);
});

test("publint finds nothing to complain about", async () => {
  const { messages } = await publint({ pkgDir: pkg, strict: true });
  assert.deepEqual(
    messages.map((message) => formatMessage(message, manifest, { color: false })),
    [],
  );
});

test("what a page of the package links to is in the package", async () => {
  const files = await publishedFiles();
  const pages = files.filter((file) => file.endsWith(".md"));
  assert.ok(pages.includes("README.md") && pages.includes("docs/guide.md"));
  for (const page of pages) {
    const text = await readFile(join(pkg, page), "utf8");
    for (const [, target = ""] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^(https?:|#)/.test(target)) continue;
      const file = posix.join(posix.dirname(page), target.replace(/#.*$/, ""));
      assert.ok(files.includes(file), `${page} links to ${target}`);
    }
  }
});

test("no file holds a path of the machine that built it", async () => {
  // The core itself contains the prefixes of home directories, to remove them from messages. It must not contain a whole path.
  const traces = [root, `${homedir()}/.`, process.env.CARGO_HOME ?? "/.cargo/", "/.cargo/", "/.rustup/"];
  const theirs = /\/(home|Users)\/[\w.-]+\/|\/root\/\./;
  for (const file of await publishedFiles()) {
    const text = await readFile(join(pkg, file), "latin1");
    for (const trace of traces) assert.equal(text.includes(trace), false, `${file} holds ${trace}`);
    assert.equal(theirs.exec(text)?.[0], undefined, file);
  }
});
