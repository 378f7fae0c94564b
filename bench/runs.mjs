// What a command costs in a project with many runs, before it does its own work: `cargo xtask bench runs`.
//
// Each command reads all runs first. The first time it replays every journal; later only those that have changed since. The run is a
// copy of the one in the command line's tests. Wall time, because the file system takes most of it.

import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { pkg } from "../tests/package/package.mjs";
import { median, print, smoke } from "./table.mjs";

const [SIZES, ROUNDS] = smoke ? [[5], 1] : [[1_000, 10_000], 5];
const RUN = fileURLToPath(new URL("../tests/cli/run", import.meta.url));

const load = (/** @type {string} */ file) => import(pathToFileURL(join(pkg, "plugin-js", file)).href);
const { Core } = await load("core/design-lab.js");
const { markRuns } = await load("kernel/key.js");
const { survey } = await load("kernel/runs.js");
const core = new Core();
const base = mkdtempSync(join(tmpdir(), "design-lab-bench-runs-"));
process.env.XDG_STATE_HOME = join(base, "state");

try {
  markRuns();
  const rows = [];
  for (const size of SIZES) rows.push(await measured(size));
  print(["runs", "first look, s", "a later look, s", "of that the list, s", "the list, characters"], rows);
} finally {
  rmSync(base, { recursive: true, force: true });
}

/** @param {number} size */
async function measured(size) {
  const output = join(base, `${size}`);
  mkdirSync(output);
  for (let run = 0; run < size; run += 1) {
    const at = join(output, `2026-11-20-run-${run}`);
    mkdirSync(at);
    cpSync(join(RUN, "journal.jsonl"), join(at, "journal.jsonl"));
  }
  // Makes the journals look as if they had been written a while ago.
  const later = Date.now() + 3_600_000;
  const seconds = (/** @type {number} */ since) => (performance.now() - since) / 1_000;
  const began = performance.now();
  await survey(core, output, later);
  const first = seconds(began);
  const looks = [];
  const lists = [];
  let characters = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    const found = await survey(core, output, later);
    const listing = performance.now();
    characters = core.listRuns(found, ".design-lab", later, "latest", false).length;
    lists.push(seconds(listing));
    looks.push(seconds(start));
  }
  return [size, first.toFixed(2), median(looks).toFixed(2), median(lists).toFixed(2), characters];
}
