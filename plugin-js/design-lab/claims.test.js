import assert from "node:assert/strict";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { Core } from "../core/design-lab.js";
import { Folder } from "../kernel/door.js";
import { lookUpNames, MOST_LISTED, search } from "./claims.js";
import { projectList } from "./project-list.js";

const core = new Core();
let project = "";

before(async () => {
  project = await realpath(await mkdtemp(path.join(tmpdir(), "design-lab-claims-")));
  await mkdir(path.join(project, "src"));
  await writeFile(path.join(project, "src/store.js"), "// stores\nexport class Store {\n  open() {}\n}\n");
  await writeFile(path.join(project, "src/görev.js"), "const $jql = 1;\nconst ıStore = 2;\n");
  await writeFile(path.join(project, "package.json"), '{"dependencies": {"react": "^18.2.0"}}');
  await symlink("store.js", path.join(project, "src/link.js"));
});

after(() => rm(project, { recursive: true, force: true }));

/**
 * @param {string[][]} words
 * @param {{sources?: string[], partial?: boolean}} [options]
 */
async function searched(words, { sources = ["src/store.js", "src/görev.js"], partial = false } = {}) {
  const searches = words.map((words) => ({ name: words.join("."), words }));
  const found = await search(new Folder(project), { searches, sources, partial });
  return found.map(({ found, place }) => place ?? found);
}

test("a name is found as a whole word, and with all its words in one file", async () => {
  const words = [["Store"], ["Store", "open"], ["Stor"], ["$jql"], ["jql"], ["store", "$jql"], ["ıStore"]];
  assert.deepEqual(await searched(words), [
    "src/store.js:2",
    "src/store.js:3",
    "nothing",
    "src/görev.js:1",
    "nothing",
    "nothing",
    "src/görev.js:2",
  ]);
});

test("a name counts as missing only if every file was searched", async () => {
  assert.deepEqual(await searched([["gone"], ["Store"]], { partial: true }), ["other", "src/store.js:2"]);
  const sources = ["src/link.js", "src/deleted.js", "src/store.js"];
  assert.deepEqual(await searched([["gone"], ["Store"]], { sources }), ["other", "src/store.js:2"]);
});

test("an answer that can't be looked up is no reason to stop the run", async () => {
  const run = core.openRun();
  const reply = /** @type {any} */ ({ text: "", finish: "stop" });
  const naming = (/** @type {string} */ name) =>
    new Proxy(core, {
      get: (core, key) => (key === "cited" ? () => [name] : Reflect.get(core, key).bind(core)),
    });
  const gone = path.join(project, "gone");
  for (const name of ["$symbol/Store", "src/store.js", "$dependency/react"]) {
    const list = projectList(core, { project: gone, worktree: gone }, MOST_LISTED);
    const found = await lookUpNames({ core: naming(name), project: gone, list }, run, "design:a", reply);
    assert.ok(
      found.every(({ found }) => found !== "nothing"),
      JSON.stringify(found),
    );
  }
});

test("the names of an answer are looked up where each belongs", async () => {
  const names = ["$code", "$dependency/react@17", "$symbol/Store::open", "src/store.js"];
  const answering = new Proxy(core, {
    get: (core, key) => {
      if (key === "cited") return () => names;
      // Only a run's settings could hide a file.
      const value = Reflect.get(core, key);
      return typeof value === "function" ? value.bind(core) : value;
    },
  });
  const run = core.openRun();
  const reply = { text: "", finish: "stop" };
  const list = projectList(answering, { project, worktree: project }, MOST_LISTED);
  const where = { core: answering, project, list };
  const found = await lookUpNames(where, run, "design:a", /** @type {any} */ (reply));
  assert.deepEqual(found, [
    { path: "$code", found: "file", lines: null },
    { path: "src/store.js", found: "file", lines: 5 },
    { path: "$symbol/Store::open", found: "file", lines: null, place: "src/store.js:3" },
    { path: "$dependency/react@17", found: "nothing", lines: null, place: "package.json has ^18.2.0" },
  ]);
  names.length = 0;
  assert.deepEqual(await lookUpNames(where, run, "design:a", /** @type {any} */ (reply)), []);
});
