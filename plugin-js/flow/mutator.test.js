// A mutation testing tool in a copy: which reports count as this run's.

import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { runMutator } from "./mutator.js";

let scratch = "";
let root = "";

beforeEach(() => {
  scratch = realpathSync(mkdtempSync(path.join(tmpdir(), "mutator-")));
  root = path.join(scratch, "copy");
  put("packages/a/src/a.py", "a");
});

afterEach(() => rmSync(scratch, { recursive: true, force: true }));

/** @param {string} file of the copy @param {string} text */
function put(file, text) {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
}

/**
 * Runs a tool in `packages/a`.
 * @param {string} report
 * @param {() => void} [tool]
 */
function left(report, tool = () => {}) {
  const copy = /** @type {any} */ ({ root, directory: path.join(root, "packages/a"), touched: () => ["x"] });
  const mutator = { argv: ["tool"], report, timeout_ms: 1_000, output: "evidence/7-mutator.log" };
  const changed = ["packages/a/src/a.py", "b.py"].map((file) => ({ path: file, before: null, now: "a" }));
  return runMutator(copy, mutator, changed, async () => {
    tool();
    return /** @type {any} */ ({ end: { how: "exited", code: 3 } });
  });
}

test("what the tool wrote is read, and where it is told from the root of the tree", async () => {
  const seen = await left("out/report.json", () => put("packages/a/out/report.json", "{}"));
  const { files, directory, roots, touched, end, refused } = seen;
  assert.deepEqual(files, [{ path: "packages/a/out/report.json", text: "{}" }]);
  assert.deepEqual([directory, roots, touched, refused], ["packages/a", [root], ["x"], null]);
  assert.deepEqual(end, { how: "exited", code: 3 });
});

test("a report that was there before counts for nothing", async () => {
  put("packages/a/out/report.json", "{}");
  put("packages/a/mutants.out/outcomes.json", "{}");
  for (const report of ["out/report.json", "mutants.out"]) {
    const { files } = await left(report, () => {
      assert.ok(!existsSync(path.join(root, "packages/a", report)), "the tool can't even read it");
    });
    assert.equal(files, null);
  }
});

test("of a directory, the files of the known formats are read", async () => {
  const { files } = await left("mutants/", () => {
    put("packages/a/mutants/src/a.py", "mutants");
    put("packages/a/mutants/src/a.py.meta", "{}");
    put("packages/a/mutants/src/other.py.meta", "{}");
  });
  assert.deepEqual(
    files?.map((file) => file.path),
    ["packages/a/mutants/src/a.py.meta", "packages/a/mutants/src/a.py"],
  );
  const ofCargo = await left("mutants.out", () => put("packages/a/mutants.out/outcomes.json", "{}"));
  assert.deepEqual(ofCargo.files, [{ path: "packages/a/mutants.out/outcomes.json", text: "{}" }]);
});

test("nothing is read or removed through a link that leads out of the copy", async () => {
  const outside = path.join(scratch, "modules");
  mkdirSync(outside);
  writeFileSync(path.join(outside, "report.json"), "{}");
  symlinkSync(outside, path.join(root, "packages/a/node_modules"), "junction");
  const before = await left("node_modules/report.json", () => assert.fail("it is not even run"));
  assert.equal(before.refused, "outside");
  assert.ok(existsSync(path.join(outside, "report.json")));
  const after = await left("out/report.json", () =>
    symlinkSync(outside, path.join(root, "packages/a/out"), "junction"),
  );
  assert.deepEqual([after.refused, after.files], ["outside", null]);
});

test("a report that is too large is not read", async () => {
  const { refused, files } = await left("report.json", () => {
    put("packages/a/report.json", " ".repeat((32 << 20) + 1));
  });
  assert.deepEqual([refused, files], ["too_large", null]);
});
