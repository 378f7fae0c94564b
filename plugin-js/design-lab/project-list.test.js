import assert from "node:assert/strict";
import { mkdir, mkdtemp, realpath, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { Core } from "../core/design-lab.js";
import { projectList } from "./project-list.js";

const core = new Core();
let project = "";
/** How many folders were listed. */
let listed = 0;

/** The core, with its calls counted. */
const counting = new Proxy(core, {
  get: (core, key) => {
    if (key === "listing") listed += 1;
    const value = Reflect.get(core, key);
    return typeof value === "function" ? value.bind(core) : value;
  },
});

before(async () => {
  project = await realpath(await mkdtemp(path.join(tmpdir(), "design-lab-list-")));
  await mkdir(path.join(project, "src"));
  await writeFile(path.join(project, "src/store.js"), "export class Store {}\n");
  await writeFile(path.join(project, ".gitignore"), "dist\n");
});

after(() => rm(project, { recursive: true, force: true }));

/** @param {number} [latelyMs] */
function lister(latelyMs) {
  const list = projectList(counting, { project, worktree: project }, 100, latelyMs);
  return async () => {
    listed = 0;
    const { content } = await list();
    return [listed > 0, content.kind === "folder" ? content.files.map((file) => file.path).sort() : []];
  };
}

test("a project is listed once, and again after each change of its entries", async () => {
  // Folders count as unchanged for long enough.
  const list = lister(-60_000);
  const both = [".gitignore", "src/store.js"];
  assert.deepEqual(await list(), [true, both]);
  assert.deepEqual(await list(), [false, both]);
  await writeFile(path.join(project, "src/store.js"), "export class Store { open() {} }\n");
  assert.deepEqual(await list(), [false, both], "a text may change: it is read when it is searched");
  const at = (/** @type {string} */ name) => path.join(project, name);
  const changes = [
    () => writeFile(at("src/added.js"), ""),
    () => rename(at("src/added.js"), at("src/renamed.js")),
    () => mkdir(at("src/deep")),
    () => writeFile(at("src/deep/added.js"), ""),
    () => rm(at("src/renamed.js")),
    () => writeFile(at(".gitignore"), "build and dist\n"),
  ];
  for (const change of changes) {
    await change();
    assert.equal((await list())[0], true, String(change));
    assert.equal((await list())[0], false, String(change));
  }
  assert.deepEqual((await list())[1], [".gitignore", "src/deep/added.js", "src/store.js"]);
});

test("answers that arrive together share a list, and a folder that has just changed is listed again", async () => {
  const list = projectList(counting, { project, worktree: project }, 100, -60_000);
  listed = 0;
  await Promise.all([list(), list(), list()]);
  assert.equal(listed, 3, "each of the three folders once");
  // However slow the machine is, the changes of the test before count as recent.
  const fresh = lister(3_600_000);
  assert.deepEqual([(await fresh())[0], (await fresh())[0]], [true, true]);
});

test("a project that can't be listed is looked at again each time", async () => {
  const gone = path.join(project, "gone");
  const list = projectList(core, { project: gone, worktree: gone }, 100, -60_000);
  assert.equal((await list()).content.kind, "other");
  await mkdir(gone);
  assert.equal((await list()).content.kind, "folder");
});
