// Which journals a command replays if most runs have been read before.

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { DesignLabError, packageVersion } from "../core/load.js";
import { markRuns } from "./key.js";
import { survey } from "./runs.js";

const former = process.env.XDG_STATE_HOME;
let base = "";
let output = "";
/** The journals that were replayed. @type {string[]} */
let replayed = [];

/** Long after anything here was written, in ms. */
const LATER = Date.now() + 3_600_000;

/** A core that uses a journal as its own summary. */
const core = /** @type {any} */ ({
  replayRun(/** @type {string} */ journal) {
    replayed.push(journal);
    if (journal === "damaged")
      throw new DesignLabError([{ code: "journal.damaged", message: "Line 1 is damaged." }]);
    return { handle: replayed.length, whole: 0 };
  },
  summary: (/** @type {number} */ handle) => ({ task: replayed[handle - 1] }),
  closeRun() {},
  begun: (/** @type {any[]} */ found) => found,
  diskProblem: (/** @type {string} */ file, /** @type {string} */ code) => ({ code, message: file }),
});

/** @param {string} name @param {string} journal */
async function put(name, journal) {
  await mkdir(path.join(output, name), { recursive: true });
  await writeFile(path.join(output, name, "journal.jsonl"), journal);
}

/** The runs that are listed, and which of them were replayed for it. @param {number} [now] */
async function surveyed(now = LATER) {
  replayed = [];
  const found = await survey(core, output, now);
  const shown = found.map(({ name, summary, problem }) => [name, summary?.task ?? problem?.code]);
  return { shown, replayed };
}

beforeEach(async () => {
  base = await mkdtemp(path.join(tmpdir(), "design-lab-runs-"));
  process.env.XDG_STATE_HOME = path.join(base, "state");
  output = path.join(base, "out");
  markRuns();
  await put("one", "first");
  await put("three", "damaged");
  await put("two", "second");
});

afterEach(async () => {
  if (former === undefined) delete process.env.XDG_STATE_HOME;
  else process.env.XDG_STATE_HOME = former;
  await rm(base, { recursive: true, force: true });
});

const ALL = [
  ["one", "first"],
  ["three", "journal.damaged"],
  ["two", "second"],
];

/** The files in which the summaries are kept. */
async function kept() {
  const folder = path.join(base, "state/opencode-design-lab/summaries");
  return (await readdir(folder)).map((name) => path.join(folder, name));
}

test("a journal that looks as it did isn't replayed, and the runs are listed as before", async () => {
  assert.deepEqual(await surveyed(), { shown: ALL, replayed: ["first", "damaged", "second"] });
  assert.deepEqual(await surveyed(), { shown: ALL, replayed: [] });
  await appendFile(path.join(output, "two/journal.jsonl"), "!");
  const changed = [ALL[0], ALL[1], ["two", "second!"]];
  assert.deepEqual(await surveyed(), { shown: changed, replayed: ["second!"] });
  await put("one", "fiRst");
  assert.deepEqual((await surveyed()).replayed, ["fiRst"], "of the same length");
  await rm(path.join(output, "two"), { recursive: true });
  assert.deepEqual((await surveyed()).shown.length, 2);
  assert.doesNotMatch(await readFile((await kept())[0] ?? "", "utf8"), /second/);
});

test("a journal that was changed a moment ago is replayed each time", async () => {
  assert.equal((await surveyed(Date.now())).replayed.length, 3);
  assert.equal((await surveyed(Date.now())).replayed.length, 3);
});

test("what somebody else has written for summaries, or what is no text, isn't believed", async () => {
  await surveyed();
  const [file = ""] = await kept();
  const text = await readFile(file, "utf8");
  for (const forged of ["", "{", text.replace("first", "forged"), `${"0".repeat(64)}\n[]`]) {
    await writeFile(file, forged);
    assert.deepEqual(await surveyed(), { shown: ALL, replayed: ["first", "damaged", "second"] });
    assert.deepEqual((await surveyed()).replayed, [], "and they are written again");
  }
});

test("what was kept before summaries held more is read again from the journals", async () => {
  await surveyed();
  const [file = ""] = await kept();
  const text = (await readFile(file, "utf8")).split("\n").slice(1).join("\n");
  const mark = createHmac("sha256", await readFile(path.join(base, "state/opencode-design-lab/key")))
    .update(`summaries ${packageVersion()}\0${file}\0${text}`)
    .digest("hex");
  await writeFile(file, `${mark}\n${text}`);
  assert.deepEqual(await surveyed(), { shown: ALL, replayed: ["first", "damaged", "second"] });
});

test("a link in the place of the summaries is replaced, and nothing is written through it", async () => {
  await surveyed();
  const [file = ""] = await kept();
  await rm(file);
  await writeFile(path.join(base, "theirs"), "theirs");
  await symlink(path.join(base, "theirs"), file);
  assert.deepEqual((await surveyed()).shown, ALL);
  assert.deepEqual((await surveyed()).replayed, []);
  assert.equal(await readFile(path.join(base, "theirs"), "utf8"), "theirs");
});

test("without a key nothing is kept, and nothing is made for it", async () => {
  await rm(path.join(base, "state"), { recursive: true });
  assert.equal((await surveyed()).replayed.length, 3);
  assert.equal((await surveyed()).replayed.length, 3);
  assert.deepEqual(await readdir(base), ["out"]);
});
