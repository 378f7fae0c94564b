import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { holdIgnoreFile, releaseIgnoreFile } from "./ignore-file.js";
import { Store, StoreError } from "./store.js";

let base = "";

beforeEach(async () => {
  base = await mkdtemp(path.join(tmpdir(), "design-lab-store-"));
});

afterEach(() => rm(base, { recursive: true, force: true }));

test("a run gets its directory with the journal that was begun before it had one", async () => {
  const output = path.join(base, "out");
  const store = await Store.stage(output);
  await store.append("one\n");
  assert.equal(await store.claim("2026-11-20-a"), true);
  await store.append("two\n");
  await store.write("designs/x.json", "{}\n");
  await store.close();
  assert.equal(await readFile(path.join(output, "2026-11-20-a/journal.jsonl"), "utf8"), "one\ntwo\n");
  assert.deepEqual((await readdir(output)).sort(), ["2026-11-20-a"]);
  assert.deepEqual((await readdir(path.join(output, "2026-11-20-a"))).sort(), ["designs", "journal.jsonl"]);
});

test("a directory that is there already is never entered", async () => {
  await mkdir(path.join(base, "taken"));
  await writeFile(path.join(base, "taken/mine"), "keep");
  const store = await Store.stage(base);
  assert.equal(await store.claim("taken"), false);
  await store.close();
  assert.deepEqual(await readdir(path.join(base, "taken")), ["mine"]);
  assert.deepEqual(await readdir(base), ["taken"], "a run without a directory leaves nothing");
});

test("of two writes to one file the later one stays, and no temporary file does", async () => {
  const store = await Store.stage(base);
  await store.claim("run");
  await Promise.all(Array.from({ length: 20 }, (_, n) => store.write("a/b.json", `${n}`)));
  assert.equal(await readFile(path.join(base, "run/a/b.json"), "utf8"), "19");
  assert.deepEqual(await readdir(path.join(base, "run/a")), ["b.json"]);
  await store.close();
});

test("what can't be written names its file, and what was there stays whole", async () => {
  const store = await Store.stage(base);
  await store.claim("run");
  await store.write("a.json", "whole");
  await writeFile(path.join(base, "run/b"), "a file where a directory should be");
  await assert.rejects(store.write("b/c.json", "x"), (error) => {
    assert.ok(error instanceof StoreError);
    assert.match(error.file, /run\/b\/c\.json$/);
    assert.match(error.code, /EEXIST|ENOTDIR/);
    return true;
  });
  assert.equal(await readFile(path.join(base, "run/a.json"), "utf8"), "whole");
  await store.write("d.json", "one failure doesn't stop the others");
  await store.close();
});

test("a torn tail is cut off before anything is appended", async () => {
  await mkdir(path.join(base, "run"));
  await writeFile(path.join(base, "run/journal.jsonl"), 'one\n{"n":2,"crc');
  const store = await Store.reopen(base, path.join(base, "run"), 4);
  await store.append("two\n");
  await store.close();
  assert.equal(await readFile(path.join(base, "run/journal.jsonl"), "utf8"), "one\ntwo\n");
});

test("searches are kept out while any run is on, and a file of the user's is left alone", async () => {
  const ignore = path.join(base, ".ignore");
  await holdIgnoreFile(base);
  await holdIgnoreFile(base);
  assert.ok((await readFile(ignore, "utf8")).split("\n").includes("*"));
  await releaseIgnoreFile(base);
  assert.ok((await readdir(base)).includes(".ignore"), "one run is still on");
  await releaseIgnoreFile(base);
  assert.deepEqual(await readdir(base), []);
  await writeFile(ignore, "*.log\n");
  await holdIgnoreFile(base);
  await releaseIgnoreFile(base);
  assert.equal(await readFile(ignore, "utf8"), "*.log\n");
});
