// Touching a file is detected even if its content is restored.

import assert from "node:assert/strict";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { sealOf, stampsOf, touchedSince } from "./stamps.js";

const scratch = mkdtempSync(path.join(tmpdir(), "stamps-"));
after(() => rmSync(scratch, { recursive: true, force: true }));

const FILES = ["a.js", "lib/deep/b.js"];

function project() {
  const root = mkdtempSync(path.join(scratch, "project-"));
  mkdirSync(path.join(root, "lib/deep"), { recursive: true });
  for (const file of FILES) writeFileSync(path.join(root, file), "bad");
  return root;
}

/** @type {Record<string, [(at: (file: string) => string) => void, string[]]>} */
const ATTEMPTS = {
  "writes, and writes back with the old times": [
    (at) => {
      const { atime, mtime } = statSync(at("a.js"));
      writeFileSync(at("a.js"), "goo");
      writeFileSync(at("a.js"), "bad");
      utimesSync(at("a.js"), atime, mtime);
    },
    ["a.js"],
  ],
  "moves the file away and back": [
    (at) => {
      renameSync(at("a.js"), at("aside"));
      writeFileSync(at("a.js"), "good");
      renameSync(at("aside"), at("a.js"));
    },
    ["a.js"],
  ],
  "swaps a directory and swaps it back": [
    (at) => {
      mkdirSync(at("good"));
      renameSync(at("lib/deep"), at("aside"));
      renameSync(at("good"), at("lib/deep"));
      renameSync(at("lib/deep"), at("good"));
      renameSync(at("aside"), at("lib/deep"));
    },
    ["lib/deep"],
  ],
  "puts another directory in its place": [
    (at) => {
      renameSync(at("lib"), at("aside"));
      mkdirSync(at("lib/deep"), { recursive: true });
      renameSync(at("aside/deep/b.js"), at("lib/deep/b.js"));
    },
    ["lib", "lib/deep", "lib/deep/b.js"],
  ],
  "changes a mode": [(at) => chmodSync(at("a.js"), 0o755), ["a.js"]],
  "removes a file": [(at) => rmSync(at("lib/deep/b.js")), ["lib/deep/b.js"]],
  "makes caches beside the files": [
    (at) => {
      writeFileSync(at("lib/deep/cache"), "");
      mkdirSync(at("lib/__pycache__"));
    },
    [],
  ],
};

for (const [name, [attempt, expected]] of Object.entries(ATTEMPTS))
  test(`a program that ${name}`, () => {
    const root = project();
    const before = stampsOf(root, FILES);
    assert.deepEqual(touchedSince(root, before), []);
    attempt((file) => path.join(root, file));
    assert.deepEqual(touchedSince(root, before), expected);
  });

test("a seal is another one after anything, and the same after nothing", () => {
  const root = project();
  const seal = sealOf(root);
  assert.equal(sealOf(root), seal);
  writeFileSync(path.join(root, "lib/cache"), "");
  assert.notEqual(sealOf(root), seal);
});
