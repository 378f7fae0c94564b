// The search of a project, with the real core and the real git.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { FlowCore } from "../core/flow.js";
import { searchProject } from "./search.js";

const scratch = mkdtempSync(path.join(tmpdir(), "flow-search-"));
after(() => rmSync(scratch, { recursive: true, force: true }));

const core = new FlowCore();
const WANTED = { id: "f1", pattern: "moment", files: [] };

/** @param {boolean} isRepository @param {Record<string, string>} files */
function project(isRepository, files) {
  const directory = mkdtempSync(path.join(scratch, "project-"));
  if (isRepository) execFileSync("git", ["init", "-q"], { cwd: directory });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(directory, name)), { recursive: true });
    writeFileSync(path.join(directory, name), text);
  }
  return directory;
}

const FILES = {
  "a.js": "moment();\nMoment();\n",
  "out/b.js": "moment();\n",
  "deep/c d.js": "x\nmoment();\n",
  "node_modules/m.js": "moment();\n",
  ".gitignore": "node_modules/\n",
  ".opencode/flow-rules.jsonc": '{ "rules": [ { "id": "a", "say": "no moment", "pattern": "moment" } ] }',
};

for (const isRepository of [true, false]) {
  test(`files are searched ${isRepository ? "in a repository" : "without git"}, and what isn't the project's is left out`, async () => {
    const directory = project(isRepository, FILES);
    const outside = path.join(scratch, "outside.js");
    writeFileSync(outside, "moment();\n");
    symlinkSync(outside, path.join(directory, "link.js"));
    const where = { core, project: directory, leftOut: [path.join(directory, "out")] };
    const { f1 } = await searchProject(where, [WANTED]);
    const found = f1?.found.map(([file, { exact, similar_count }]) => [file, exact[0]?.line, similar_count]);
    assert.deepEqual(found, [
      ["a.js", 1, 1],
      ["deep/c d.js", 2, 0],
    ]);
    assert.equal(f1?.unsearched, 0);
    assert.deepEqual(await searchProject(where, []), {});
  });
}

test("a search ends when its time is up, and large files are counted", async () => {
  const directory = project(true, { ...FILES, "large.js": "x".repeat((4 << 20) + 1) });
  const where = { core, project: directory, leftOut: [] };
  let clock = 0;
  const late = await searchProject(where, [WANTED], () => {
    clock += 3_000;
    return clock;
  });
  assert.deepEqual(late.f1?.found, []);
  assert.ok((late.f1?.unsearched ?? 0) >= 3);
  assert.equal((await searchProject(where, [WANTED])).f1?.unsearched, 1);
});
