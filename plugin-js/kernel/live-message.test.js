import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { Core } from "../core/design-lab.js";
import { settleLiveMessages } from "./live-message.js";

const base = await mkdtemp(path.join(tmpdir(), "design-lab-live-"));
after(() => rm(base, { recursive: true, force: true }));
const core = new Core();
const project = "/some/project";
const place = { session: "ses_1", message: "msg_1", part: "prt_1" };
const RUN = new URL("../../tests/cli/run/", import.meta.url);

/**
 * Settles the live message of a run that no process is driving, with this note.
 * @param {string} note
 * @param {{fails?: boolean, lines?: number}} [how] `lines`: how many lines of its journal are kept
 */
async function settled(note, { fails = false, lines = Number.POSITIVE_INFINITY } = {}) {
  const output = await mkdtemp(path.join(base, "output-"));
  const run = path.join(output, "2026-11-20-run");
  await mkdir(run);
  const journal = (await readFile(new URL("journal.jsonl", RUN), "utf8")).match(/.*\n/g) ?? [];
  await writeFile(path.join(run, "journal.jsonl"), journal.slice(0, lines).join(""));
  await writeFile(path.join(run, "block.json"), note);
  /** @type {[object, string][]} */
  const amended = [];
  const amend = async (/** @type {object} */ where, /** @type {string} */ text) => {
    if (fails) throw new Error("no answer");
    amended.push([where, text]);
  };
  await settleLiveMessages({ core, host: /** @type {any} */ ({ amend }), project }, output);
  return { amended, stays: (await readdir(run)).includes("block.json") };
}

test("a live message that a process left behind shows how its run stands, once", async () => {
  const { amended, stays } = await settled(JSON.stringify({ project, place }));
  assert.equal(stays, false);
  assert.equal(amended.length, 1);
  assert.deepEqual(amended[0]?.[0], place);
  assert.match(amended[0]?.[1] ?? "", /^Design Lab · /);
});

test("the live message of an interrupted run can still be found by whoever continues it", async () => {
  const { amended, stays } = await settled(JSON.stringify({ project, place }), { lines: 4 });
  assert.match(amended[0]?.[1] ?? "", /^Design Lab · interrupted/);
  assert.equal(stays, true);
});

test("a note that can't be followed changes nothing, and stays for whoever can", async () => {
  const notes = [
    JSON.stringify({ project: "/another/project", place }),
    JSON.stringify({ project, place: { ...place, message: "../../session/ses_2" } }),
    JSON.stringify({ project, place: { session: "ses_1" } }),
    "null",
    "{",
    "",
  ];
  for (const note of notes) {
    assert.deepEqual(await settled(note), { amended: [], stays: true }, note);
  }
  const note = JSON.stringify({ project, place });
  assert.deepEqual(await settled(note, { fails: true }), { amended: [], stays: true });
});
