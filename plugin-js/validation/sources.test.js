// Which files of a project aren't committed, in a real repository.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { Folder } from "../kernel/door.js";
import { Trees } from "../kernel/tree.js";
import { sourcesOf } from "./sources.js";

test("files that no commit has are named, and those that git ignores or that are ours aren't", async () => {
  const project = await mkdtemp(path.join(tmpdir(), "validation-sources-"));
  after(() => rm(project, { recursive: true }));
  const git = (/** @type {string[]} */ ...args) => execFileSync("git", args, { cwd: project });
  await writeFile(path.join(project, ".gitignore"), "*.log\n");
  await writeFile(path.join(project, "server.js"), "1");
  git("init", "-q");
  git("add", "--all");
  git("-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "first");
  const run = new Folder(project, ".design-lab");
  await mkdir(run.path);
  await writeFile(path.join(run.path, ".rgignore"), "*\n");
  const trees = new Trees({ project, store: { folder: run }, leftOut: [run.path] });
  const uncommitted = async () => {
    const sources = await sourcesOf(project, trees);
    return sources.sources === "git" ? sources.uncommitted : sources;
  };
  assert.deepEqual(await uncommitted(), { files: [], count: 0 });
  await writeFile(path.join(project, "server.js"), "2");
  await writeFile(path.join(project, "a b.js"), "");
  await writeFile(path.join(project, "x.log"), "");
  assert.deepEqual(await uncommitted(), { files: ["server.js", "a b.js"], count: 2 });
});
