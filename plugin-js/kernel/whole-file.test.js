import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { createFile, replaceFile, TEMPORARY } from "./whole-file.js";

let base = "";

beforeEach(async () => {
  base = await mkdtemp(path.join(tmpdir(), "design-lab-whole-"));
});

afterEach(() => rm(base, { recursive: true, force: true }));

test("a file is replaced, or made where none is, and nothing else is left", async () => {
  const file = path.join(base, "a.json");
  assert.equal(await createFile(file, "one"), true);
  assert.equal(await createFile(file, "two"), false);
  assert.equal(await readFile(file, "utf8"), "one");
  assert.equal(await replaceFile(file, "three"), true);
  assert.equal(await readFile(file, "utf8"), "three");
  assert.deepEqual(await readdir(base), ["a.json"]);
});

test("of many that make one file at once one does", async () => {
  const file = path.join(base, "a.json");
  const texts = Array.from({ length: 10 }, (_, n) => `${n}`.repeat(1000));
  const made = await Promise.all(texts.map((text) => createFile(file, text)));
  assert.equal(made.filter(Boolean).length, 1);
  assert.equal(await readFile(file, "utf8"), texts[made.indexOf(true)]);
  assert.deepEqual(await readdir(base), ["a.json"]);
});

test("a link in the file's place is replaced or respected, and never written through", async () => {
  const victim = path.join(base, "victim");
  await writeFile(victim, "theirs");
  await symlink(victim, path.join(base, "link"));
  assert.equal(await createFile(path.join(base, "link"), "ours"), false);
  assert.equal(await replaceFile(path.join(base, "link"), "ours"), true);
  assert.equal(await readFile(victim, "utf8"), "theirs");
  assert.equal(await readFile(path.join(base, "link"), "utf8"), "ours");
});

test("what fails leaves what was there, and no temporary file", async () => {
  await mkdir(path.join(base, "taken/full"), { recursive: true });
  await assert.rejects(replaceFile(path.join(base, "taken"), "ours"));
  assert.equal(await createFile(path.join(base, "taken"), "ours"), false);
  assert.deepEqual(await readdir(base), ["taken"]);
  await assert.rejects(replaceFile(path.join(base, "nowhere/a.json"), "ours"), { code: "ENOENT" });
  const long = `${"x".repeat(240)}.json`;
  assert.equal(await replaceFile(path.join(base, long), "ours"), true, "the temporary name is shorter");
});

test("temporary files are told from others by their names, those of earlier versions too", async () => {
  const table = {
    ".a.json.0123456789abcdef.tmp": true,
    ".a.json.17-3.tmp": true,
    ".a.tmp": false,
    "a.json.0123456789abcdef.tmp": false,
    ".a.json.0123456789abcdeg.tmp": false,
    ".0123456789abcdef.tmp": false,
    ".gitignore": false,
  };
  for (const [name, is] of Object.entries(table)) assert.equal(TEMPORARY.test(name), is, name);
});
