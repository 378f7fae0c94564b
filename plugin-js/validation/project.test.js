// What is read of a project to find its servers: near its root, small, and never behind a link.

import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { ValidationCore } from "../core/validation.js";
import { lookAt } from "./project.js";

const core = new ValidationCore();

/** @param {Record<string, string>} files */
async function projectOf(files) {
  const project = await mkdtemp(path.join(tmpdir(), "validation-project-"));
  after(() => rm(project, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(project, name)), { recursive: true });
    await writeFile(path.join(project, name), text);
  }
  return project;
}

test("files near the root are named, and the small ones that tell of servers are read", async () => {
  const project = await projectOf({
    "package.json": "{}",
    "web/package.json": "x".repeat((1 << 16) + 1),
    "web/notes.txt": "",
    ".venv/pyvenv.cfg": "",
    ".git/config": "",
    "node_modules/a/package.json": "{}",
    "a/b/c/four.txt": "",
    "a/b/c/d/five.txt": "",
  });
  const elsewhere = await projectOf({ "manage.py": "DJANGO_SETTINGS_MODULE" });
  await symlink(elsewhere, path.join(project, "linked"));
  await symlink(path.join(elsewhere, "manage.py"), path.join(project, "manage.py"));
  assert.deepEqual(await lookAt({ core, project }), {
    files: ["package.json", ".venv/pyvenv.cfg", "web/notes.txt", "web/package.json", "a/b/c/four.txt"],
    texts: { "package.json": "{}" },
  });
});

test("of very many files those near the root are named", async () => {
  const project = await projectOf({ "a/deep.txt": "", "near.txt": "" });
  await Promise.all(
    Array.from({ length: 4_000 }, (_, index) => writeFile(path.join(project, `a/${index}`), "")),
  );
  const { files } = await lookAt({ core, project });
  assert.equal(files.length, 4_000);
  assert.equal(files[0], "near.txt");
});
