import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { notedOutputs, noteOutput, outputsStamp } from "./outputs.js";

let base = "";

beforeEach(async () => {
  base = await mkdtemp(path.join(tmpdir(), "design-lab-outputs-"));
  process.env.XDG_STATE_HOME = path.join(base, "state");
});

afterEach(() => rm(base, { recursive: true, force: true }));

test("output directories are remembered once, whatever their names, as long as they are there", async () => {
  const long = path.join(base, "x".repeat(200), "y".repeat(200));
  const gone = path.join(base, "gone");
  await mkdir(long, { recursive: true });
  for (const directory of [long, gone, long]) noteOutput(directory);
  assert.deepEqual(notedOutputs(base), [long]);
});

test("the usual directory of a project counts without having been noted", async () => {
  const usual = path.join(base, ".design-lab");
  assert.deepEqual(notedOutputs(base), []);
  await mkdir(usual);
  assert.deepEqual(notedOutputs(base), [usual]);
  noteOutput(usual);
  assert.deepEqual(notedOutputs(base), [usual]);
});

test("the stamp tells that something was noted, and else stays", (context) => {
  assert.equal(outputsStamp(), outputsStamp());
  context.mock.timers.enable({ apis: ["Date"], now: Date.now() + 60_000 });
  const before = outputsStamp();
  noteOutput(base);
  const after = outputsStamp();
  assert.notEqual(after, before);
  assert.equal(outputsStamp(), after);
});
