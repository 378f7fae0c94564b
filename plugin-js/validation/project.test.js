// The files of a project that are read to find its servers: near its root, small, and never behind a link.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { ValidationCore } from "../core/validation.js";
import { lookAt } from "./project.js";
import { sourceOf } from "./runs.js";

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

test("files near the root are named, and the small ones that name servers are read", async () => {
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

test("settings that never end, or are larger than any, are refused and not read", {
  skip: process.platform === "win32",
}, async () => {
  const project = await projectOf({ ".opencode/validation.jsonc": "{}" });
  const settings = path.join(project, ".opencode/validation.jsonc");
  assert.equal(sourceOf(project)?.text, "{}");
  await truncate(settings, 500_000_000);
  assert.throws(() => sourceOf(project), { code: "TOO_LARGE", deed: "read" });
  await rm(settings);
  assert.equal(sourceOf(project), null);
  await symlink("/dev/zero", settings);
  assert.throws(() => sourceOf(project), { code: "NOT_A_FILE" });
  await rm(settings);
  execFileSync("mkfifo", [settings]);
  assert.throws(() => sourceOf(project), { code: "NOT_A_FILE" });
});
