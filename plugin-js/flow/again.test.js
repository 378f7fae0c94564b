// Repeated checks leave nothing behind, and what a killed process left is removed.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { Folder } from "../kernel/door.js";
import { Trees } from "../kernel/tree.js";
import { runAgain } from "./again.js";

const project = realpathSync(mkdtempSync(path.join(tmpdir(), "flow-again-")));
const flow = path.join(project, ".flow");
after(() => rmSync(project, { recursive: true, force: true }));

const core = /** @type {any} */ ({ tests: () => null, keptBack: () => [] });

/** The files that a process with this pid left. @param {string} name @param {number} pid */
function left(name, pid) {
  mkdirSync(path.join(flow, name, "run.lock"), { recursive: true });
  const lock = [encodeURIComponent(hostname()), pid, "", "abcdef012345"].join("~");
  writeFileSync(path.join(flow, name, "run.lock", lock), "");
}

test("a check runs in a copy, and nothing is left but what a living process has", async () => {
  writeFileSync(path.join(project, "a.txt"), "as it is\n");
  for (const args of [
    ["init", "-q"],
    ["add", "-A"],
  ])
    execFileSync("git", args, { cwd: project });
  const dead = spawnSync(process.execPath, ["-e", ""]).pid;
  left(".again-dead", dead);
  left(".again-alive", process.pid);
  left("sessions", dead);
  const scratch = mkdtempSync(path.join(tmpdir(), "flow-again-tree-"));
  after(() => rmSync(scratch, { recursive: true, force: true }));
  const trees = new Trees({ project, store: { folder: new Folder(scratch) }, leftOut: [flow] });
  const { id: tree } = await trees.take();

  const script = "console.log(process.cwd(), require('fs').readFileSync('a.txt', 'utf8'))";
  const seen = /** @type {any} */ (
    await runAgain(
      { core, project, kept: project, leftOut: [flow] },
      {
        command: "run_apart",
        effect: 9,
        tree,
        over: { overlay: "nothing" },
        link: [],
        setup: [],
        runs: [
          { check: "a/a", argv: ["node", "-e", script], timeout_ms: 60_000, output: "evidence/9-1-a.log" },
        ],
      },
    )
  );
  assert.equal(seen.unprepared, null);
  assert.match(seen.runs[0].output.tail, /\/flow-[0-9a-f]{8}-\w+ as it is\n/);
  assert.deepEqual(readdirSync(flow).sort(), [".again-alive", "sessions"]);
  assert.equal(readFileSync(path.join(project, "a.txt"), "utf8"), "as it is\n");
});
