import assert from "node:assert/strict";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { asNobody } from "../../tests/as-nobody.mjs";
import { machineKey, markRuns, recogniseRuns } from "./key.js";

let state = "";
const former = process.env.XDG_STATE_HOME;
const folder = () => path.join(state, "opencode-design-lab");
const file = () => path.join(folder(), "key");

beforeEach(async () => {
  state = await mkdtemp(path.join(tmpdir(), "design-lab-key-"));
  process.env.XDG_STATE_HOME = state;
});

afterEach(async () => {
  if (former === undefined) delete process.env.XDG_STATE_HOME;
  else process.env.XDG_STATE_HOME = former;
  await rm(state, { recursive: true, force: true });
});

test("a key is made once, of 32 bytes, for its user alone", async () => {
  const key = machineKey();
  assert.match(key, /^[0-9a-f]{64}$/);
  assert.equal(machineKey(), key);
  assert.equal((await readFile(file())).toString("hex"), key);
  assert.deepEqual(await readdir(folder()), ["key"]);
  if (process.platform !== "win32") assert.equal((await stat(file())).mode & 0o777, 0o600);
});

test("what is no key, or a link to one, is replaced and not written through", async () => {
  await mkdir(folder(), { recursive: true });
  for (const put of [
    () => writeFile(file(), "too short"),
    async () => {
      await writeFile(path.join(state, "theirs"), "x".repeat(32));
      await symlink(path.join(state, "theirs"), file());
    },
  ]) {
    await put();
    const key = machineKey();
    assert.notEqual(key, Buffer.from("x".repeat(32)).toString("hex"));
    assert.equal(machineKey(), key);
    await rm(file());
  }
  assert.equal(await readFile(path.join(state, "theirs"), "utf8"), "x".repeat(32));
});

test("what only looks makes no key", async () => {
  assert.equal(recogniseRuns(), "");
  assert.deepEqual(await readdir(state), []);
  const key = markRuns();
  assert.equal(recogniseRuns(), key);
});

test("a key that can't be made is told, and runs do without", async () => {
  await chmod(state, 0o555);
  await asNobody(async () => {
    assert.throws(machineKey, { name: "StoreError" });
    assert.equal(markRuns(), "");
  });
});
