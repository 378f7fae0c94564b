// Full disks and places without write permission: each failure names its file and leaves nothing half done.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { asNobody, isRoot, NOBODY } from "../../tests/as-nobody.mjs";
import { holdIgnoreFile } from "../design-lab/ignore-file.js";
import { noteOutput } from "../design-lab/outputs.js";
import { StoreError } from "./door.js";
import { Store } from "./store.js";

let base = "";
let output = "";

beforeEach(async () => {
  base = await mkdtemp(path.join(tmpdir(), "design-lab-disk-"));
  output = path.join(base, "out");
  await mkdir(output);
  if (isRoot) for (const directory of [base, output]) await chown(directory, NOBODY, NOBODY);
});

afterEach(() => rm(base, { recursive: true, force: true }));

/** Every file below a directory with its text. @param {string} directory */
async function tree(directory) {
  /** @type {Record<string, string>} */
  const found = {};
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    const at = path.join(entry.parentPath ?? entry.path, entry.name);
    found[at.slice(directory.length + 1)] = entry.isFile() ? await readFile(at, "utf8") : "a folder";
  }
  return found;
}

/**
 * The operation tried in a folder of the output directory without write permission, and the file that the failure names.
 * @type {Record<string, {closed: string, file: string, act: (store: Store) => Promise<unknown>}>}
 */
const STEPS = {
  "claiming a name": { closed: "", file: "named", act: (store) => store.claim("named") },
  "writing a file": { closed: "run", file: "run/a.json", act: (store) => store.write("a.json", "new") },
  "writing into a folder": {
    closed: "run/designs",
    file: "run/designs/a.json",
    act: (store) => store.write("designs/a.json", "new"),
  },
  "making a folder": { closed: "run", file: "run/b/a.json", act: (store) => store.write("b/a.json", "new") },
  "making a form": {
    closed: "run/designs",
    file: "run/designs/b.csv",
    act: (store) => store.create("designs/b.csv", "new"),
  },
  "restoring a file": {
    closed: "run/designs",
    file: "run/designs/a.json",
    act: (store) => store.ensure("designs/a.json", "new"),
  },
  "taking a file away": {
    closed: "run/designs",
    file: "run/designs/a.json",
    act: (store) => store.discard("designs/a.json"),
  },
  "keeping searches out": { closed: "", file: ".ignore", act: () => holdIgnoreFile(output) },
  "beginning a run": { closed: "", file: "", act: () => Store.stage(output) },
  "making the output directory": {
    closed: "",
    file: "further/down",
    act: () => Store.stage(path.join(output, "further/down")),
  },
};

for (const [name, { closed, file, act }] of Object.entries(STEPS)) {
  test(`no permission: ${name}`, { skip: process.platform === "win32" }, async () => {
    await asNobody(async () => {
      const store = await Store.stage(output);
      await store.append("one\n");
      if (name !== "claiming a name") await store.claim("run");
      if (closed.startsWith("run")) await store.write("designs/a.json", "old");
      const before = await tree(output);
      const directory = path.join(output, closed);
      await chmod(directory, 0o500);
      await assert.rejects(act(store), (error) => {
        assert.ok(error instanceof StoreError, String(error));
        assert.equal(error.code, "EACCES");
        assert.equal(error.file, path.join(output, file));
        return true;
      });
      await chmod(directory, 0o700);
      assert.deepEqual(await tree(output), before);
      await store.append("two\n");
      await store.close();
    });
  });
}

test("no permission: taking a run over", { skip: process.platform === "win32" }, async () => {
  await asNobody(async () => {
    const run = path.join(output, "run");
    await mkdir(run);
    await writeFile(path.join(run, "journal.jsonl"), "one\n");
    await chmod(run, 0o500);
    await assert.rejects(Store.reopen(output, "run"), { code: "EACCES", file: path.join(run, "run.lock") });
    await chmod(run, 0o700);
    await chmod(path.join(run, "journal.jsonl"), 0o400);
    await assert.rejects(Store.reopen(output, "run"), {
      code: "EACCES",
      file: path.join(run, "journal.jsonl"),
    });
    assert.deepEqual(await readdir(run), ["journal.jsonl"], "the lock is let go");
  });
});

test("no permission: noting an output directory", { skip: process.platform === "win32" }, async () => {
  const state = path.join(output, "state");
  process.env.XDG_STATE_HOME = state;
  await asNobody(async () => {
    await chmod(output, 0o500);
    const note = path.join(state, "opencode-design-lab/outputs");
    await assert.rejects(noteOutput(base), (error) => {
      assert.ok(error instanceof StoreError);
      assert.equal(error.code, "EACCES");
      assert.equal(path.dirname(error.file), note);
      return true;
    });
    await chmod(output, 0o700);
    assert.deepEqual(await readdir(output), []);
  });
});

test("no space: what was there stays whole, the journal but for a torn end, and the file is named", {
  skip: process.platform === "win32",
}, async () => {
  const store = JSON.stringify(fileURLToPath(new URL("store.js", import.meta.url)));
  const script = `import { Store } from ${store};
    const output = ${JSON.stringify(output)};
    const store = await Store.stage(output);
    await store.append("one\\n");
    await store.claim("run");
    await store.write("a/b.json", "old");
    const large = "x".repeat(100_000);
    const failed = [];
    for (const act of [
      () => store.write("a/b.json", large),
      () => store.create("a/c.csv", large),
      () => store.ensure("a/b.json", large),
      () => store.append(large + "\\n"),
    ]) await act().then(() => failed.push("done"), ({ code, file }) => failed.push(code + " " + file));
    await store.close();
    console.log(JSON.stringify(failed));`;
  const limited = ["-c", 'ulimit -f 8; exec "$0" --input-type=module -e "$1"', process.execPath, script];
  const { stdout } = await promisify(execFile)("bash", limited);
  const run = path.join(output, "run");
  assert.deepEqual(
    JSON.parse(stdout),
    ["a/b.json", "a/c.csv", "a/b.json", "journal.jsonl"].map((file) => `EFBIG ${path.join(run, file)}`),
  );
  const { "journal.jsonl": journal, ...files } = await tree(run);
  assert.deepEqual(Object.keys(files).sort(), [".gitattributes", ".gitignore", ".ignore", "a", "a/b.json"]);
  assert.equal(files["a/b.json"], "old");
  assert.match(journal ?? "", /^one\nx*$/);
  const { store: again } = await Store.reopen(output, "run");
  await again.cut(4);
  await again.append("two\n");
  await again.close();
  assert.equal(await readFile(path.join(run, "journal.jsonl"), "utf8"), "one\ntwo\n");
});
