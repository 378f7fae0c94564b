// The files on which passes run, and those that change meanwhile, in a real repository and without one.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { Folder } from "../kernel/door.js";
import { Trees } from "../kernel/tree.js";
import { Versions } from "./versions.js";

for (const isGit of [true, false])
  test(`what changes between passes and within them is told, ${isGit ? "with" : "without"} git`, async () => {
    const top = await mkdtemp(path.join(tmpdir(), "validation-versions-"));
    after(() => rm(top, { recursive: true }));
    // The project is a part of the repository.
    const project = path.join(top, "app");
    const run = new Folder(project, ".design-lab");
    await mkdir(run.path, { recursive: true });
    const write = (/** @type {string} */ name, /** @type {string} */ text) =>
      writeFile(path.join(project, name), text);
    if (isGit) execFileSync("git", ["init", "-q"], { cwd: top });
    await write(".gitignore", "*.log\n");
    await write("server.js", "1");
    const store = { folder: run };
    const versions = () => new Versions(new Trees({ project, store, leftOut: [run.path] }));

    const first = versions();
    await first.look();
    await write("at-start.db", "1");
    const one = await first.begin();
    assert.equal(one.files, "tree");
    assert.equal(one.files === "tree" && one.changed, null, "there is nothing to compare it with");
    await write("data.db", "1");
    if (isGit) await write("server.log", "1");
    await write(".design-lab/journal.jsonl", "1");
    assert.deepEqual(await first.end(), { paths: ["at-start.db", "data.db"], count: 2 });
    const since = one.files === "tree" ? one.tree : "";
    const two = await first.begin(since);
    assert.deepEqual(two.files === "tree" && two.changed, { paths: ["data.db"], count: 1 });
    assert.deepEqual(await first.end(), { paths: [], count: 0 });

    const second = versions();
    await write("server.js", "2");
    await write("../README.md", "2");
    await second.look();
    const three = await second.begin(since);
    const paths = [...(isGit ? ["../README.md"] : []), "data.db", "server.js"];
    assert.deepEqual(three.files === "tree" && three.changed?.paths.toSorted(), paths);
    assert.deepEqual(await second.end(), { paths: [], count: 0 });
    const lost = await second.begin("0".repeat(40));
    assert.equal(lost.files === "tree" && lost.changed, null, "nobody knows that tree");
  });

test("what can't be read is reported as that", async () => {
  const broken = new Versions(
    /** @type {any} */ ({ take: () => Promise.reject(new Error("git was killed")) }),
  );
  await broken.look();
  assert.deepEqual(await broken.begin("a"), { files: "untold", message: "git was killed" });
  assert.equal(await broken.end(), undefined);
});
