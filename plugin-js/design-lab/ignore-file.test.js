import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { holdIgnoreFile, isKeptOut, leftBehind, releaseIgnoreFile } from "./ignore-file.js";

let output = "";

beforeEach(async () => {
  output = await mkdtemp(path.join(tmpdir(), "design-lab-ignore-"));
});

afterEach(() => rm(output, { recursive: true, force: true }));

test("searches are kept out while one run is running, and let in again after the last", async () => {
  assert.equal(isKeptOut(output), false);
  await holdIgnoreFile(output);
  await holdIgnoreFile(output);
  assert.ok(isKeptOut(output));
  await releaseIgnoreFile(output);
  assert.ok(isKeptOut(output));
  assert.deepEqual(await leftBehind(output), []);
  await releaseIgnoreFile(output);
  assert.deepEqual(await readdir(output), []);
});

test("beside an .ignore of the user's searches are kept out all the same, and it stays as it is", async () => {
  const file = path.join(output, ".ignore");
  await writeFile(file, "!*\n");
  await holdIgnoreFile(output);
  assert.ok(isKeptOut(output));
  await releaseIgnoreFile(output);
  assert.equal(await readFile(file, "utf8"), "!*\n");
  assert.deepEqual(await readdir(output), [".ignore"]);
});

test("an .rgignore of the user's stays, and counts if it says the same", async () => {
  const file = path.join(output, ".rgignore");
  for (const [text, keepsOut] of /** @type {[string, boolean][]} */ ([
    ["*\n", true],
    ["# mine\r\n*\r\n", true],
    ["*.log\n", false],
    ["*\n!*.md\n", false],
  ])) {
    await writeFile(file, text);
    await holdIgnoreFile(output);
    assert.equal(isKeptOut(output), keepsOut, text);
    await releaseIgnoreFile(output);
    assert.equal(await readFile(file, "utf8"), text);
  }
});

test("a single run can be kept out of searches as well, though its own .ignore lets them in", async () => {
  const run = path.join(output, "2026-01-01-run");
  await mkdir(run);
  await writeFile(path.join(run, ".ignore"), "!*\n");
  await holdIgnoreFile(run);
  assert.ok(isKeptOut(run));
  await releaseIgnoreFile(run);
  assert.deepEqual(await readdir(run), [".ignore"]);
});

test("where one of the two can't be written, neither stays", async () => {
  await mkdir(path.join(output, ".rgignore"));
  await assert.rejects(holdIgnoreFile(output), { code: "EISDIR" });
  assert.deepEqual(await readdir(output), [".rgignore"]);
});

test("a pipe or a link in the place of the deciding file keeps nothing out, and isn't waited for", {
  skip: process.platform === "win32",
}, async () => {
  const script = `import { isKeptOut } from ${JSON.stringify(new URL("ignore-file.js", import.meta.url).href)};
    console.log(isKeptOut(process.argv[1]));`;
  // In a separate process, because one that waits for a pipe can't be interrupted.
  const said = () =>
    execFileSync(process.execPath, ["--input-type=module", "-e", script, output], {
      timeout: 30_000,
    }).toString();
  const file = path.join(output, ".rgignore");
  execFileSync("mkfifo", [file]);
  assert.equal(said(), "false\n");
  await rm(file);
  await writeFile(path.join(output, "theirs"), "*\n");
  await symlink("theirs", file);
  assert.equal(said(), "false\n");
  await rm(file);
  await writeFile(file, "*\n");
  assert.equal(said(), "true\n");
});
