import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { Core } from "../core/design-lab.js";
import { hiddenOutputs, notedOutputs, noteOutput, outputsStamp } from "./outputs.js";

const core = new Core();
let base = "";
let project = "";

beforeEach(async () => {
  base = await realpath(await mkdtemp(path.join(tmpdir(), "design-lab-outputs-")));
  project = path.join(base, "project");
  await mkdir(project);
  process.env.XDG_STATE_HOME = path.join(base, "state");
});

afterEach(() => rm(base, { recursive: true, force: true }));

const where = () => ({ project, worktree: project });
/** This package's usual directories in the project are hidden, whether they exist or not. */
const usual = () => [".design-lab", ".flow"].map((name) => path.join(project, name));
/** The other hidden directories. */
const hidden = () => {
  const all = hiddenOutputs(core, where());
  assert.deepEqual(all.slice(0, 2), usual());
  return all.slice(2);
};

/** @param {string} output @param {string} name */
async function putRun(output, name) {
  await mkdir(path.join(output, name), { recursive: true });
  await writeFile(path.join(output, name, "journal.jsonl"), "{}\n");
}

test("output directories are remembered once, whatever their names, as long as they are there", async () => {
  const long = path.join(base, "x".repeat(200), "y".repeat(200));
  const gone = path.join(base, "gone");
  await putRun(long, "2026-01-01-run");
  for (const directory of [long, gone, long]) await noteOutput(directory);
  assert.deepEqual(hidden(), [long]);
});

test("of many that note a directory at once each succeeds, and nothing is written through a link", async () => {
  const folder = path.join(base, "state/opencode-design-lab/outputs");
  const victim = path.join(base, "victim");
  await mkdir(folder, { recursive: true });
  await writeFile(victim, "theirs");
  await symlink(victim, path.join(folder, `.${process.pid}.tmp`));
  await putRun(path.join(base, "labs"), "2026-01-01-run");
  await Promise.all(Array.from({ length: 5 }, () => noteOutput(path.join(base, "labs"))));
  assert.equal(await readFile(victim, "utf8"), "theirs");
  assert.deepEqual(hidden(), [path.join(base, "labs")]);
});

test("the usual directories of a project count without having been noted, also where they really are", async () => {
  const [lab = "", flow = ""] = usual();
  await mkdir(lab);
  assert.deepEqual(hidden(), []);
  await noteOutput(lab);
  assert.deepEqual(hidden(), []);
  const elsewhere = path.join(project, "data/sessions");
  await mkdir(elsewhere, { recursive: true });
  await symlink(elsewhere, flow);
  assert.deepEqual(hiddenOutputs(core, where()), [lab, flow, elsewhere]);
});

test("of a directory with other files in it the runs alone are hidden", async () => {
  const src = path.join(project, "src");
  await putRun(src, "2026-01-01-run");
  await mkdir(path.join(src, ".starting-x"));
  await noteOutput(src);
  assert.deepEqual(hidden(), [src]);
  await writeFile(path.join(src, "index.js"), "");
  assert.deepEqual(hidden(), [path.join(src, ".starting-x"), path.join(src, "2026-01-01-run")]);
  const outputs = notedOutputs(where());
  assert.deepEqual(outputs.noted, [
    { directory: src, runs: [".starting-x", "2026-01-01-run"], others: true },
  ]);
});

test("a note lapses when its directory holds no run any more", async () => {
  const src = path.join(project, "src");
  await putRun(src, "2026-01-01-run");
  await writeFile(path.join(src, "index.js"), "");
  await noteOutput(src);
  await rm(path.join(src, "2026-01-01-run"), { recursive: true });
  assert.deepEqual(hidden(), []);
  assert.deepEqual(await readdir(path.join(base, "state/opencode-design-lab/outputs")), []);
});

test("what is no note hides nothing and stops nothing", async () => {
  const folder = path.join(base, "state/opencode-design-lab/outputs");
  const secret = path.join(base, "labs");
  await putRun(secret, "2026-01-01-run");
  await mkdir(path.join(folder, "a-folder"), { recursive: true });
  await writeFile(path.join(folder, "relative"), "src");
  await writeFile(path.join(folder, "another-name"), secret);
  await writeFile(path.join(folder, "huge"), Buffer.alloc(5000, "/"));
  await symlink(path.join(folder, "another-name"), path.join(folder, "a-link"));
  assert.deepEqual(hidden(), []);
});

test("the stamp tells that something was noted, or begun where something was, and else stays", async (context) => {
  assert.equal(outputsStamp(), outputsStamp());
  context.mock.timers.enable({ apis: ["Date"], now: Date.now() + 60_000 });
  const before = outputsStamp();
  const labs = path.join(base, "labs");
  await mkdir(labs);
  await noteOutput(labs);
  const after = outputsStamp();
  assert.notEqual(after, before);
  assert.equal(outputsStamp(), after);
  notedOutputs(where());
  const looked = outputsStamp();
  await putRun(labs, "2026-01-01-run");
  assert.notEqual(outputsStamp(), looked);
});
