import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, open, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { readPlain, readPlainIfThere } from "./plain-file.js";

const base = await mkdtemp(path.join(tmpdir(), "design-lab-plain-"));
after(() => rm(base, { recursive: true, force: true }));
const at = (/** @type {string} */ name) => path.join(base, name);
const onLinux = { skip: process.platform !== "linux" };

test("a plain file is read whole, also through a link, and one that isn't there is none", async () => {
  const text = "ä".repeat(100_000);
  await writeFile(at("plain"), text);
  await symlink("plain", at("link"));
  assert.equal(readPlain(at("plain")), text);
  assert.equal(readPlain(at("link")), text);
  assert.equal(readPlainIfThere(at("missing")), undefined);
  assert.equal(readPlainIfThere(at("plain/below")), undefined);
});

test("a file is read up to its bound and not a byte further", async () => {
  await writeFile(at("five"), "12345");
  assert.equal(readPlain(at("five"), 5), "12345");
  assert.throws(() => readPlain(at("five"), 4), { code: "TOO_LARGE" });
  await (await open(at("sparse"), "w")).close();
  await truncate(at("sparse"), 500_000_000);
  assert.throws(() => readPlain(at("sparse")), { code: "TOO_LARGE" });
});

test("what never ends, or says that it is empty, is refused", onLinux, async () => {
  await symlink("/dev/zero", at("zero"));
  assert.throws(() => readPlain(at("zero")), { code: "NOT_A_FILE" });
  // A plain file with a size of zero that returns more than the limit.
  await symlink("/proc/self/maps", at("maps"));
  assert.throws(() => readPlain(at("maps"), 100), { code: "TOO_LARGE" });
});

test("a pipe isn't waited for, and a directory is reported as one", onLinux, async () => {
  execFileSync("mkfifo", [at("pipe")]);
  assert.throws(() => readPlain(at("pipe")), { code: "NOT_A_FILE" });
  await mkdir(at("directory"));
  assert.throws(() => readPlain(at("directory")), { code: "EISDIR" });
});
