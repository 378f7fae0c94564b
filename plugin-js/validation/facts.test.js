// What systems without /proc report about a process.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { byPs, compare, tell } from "./facts.js";

test("`ps` reports when a process began, its group and its command, and nothing for one that is gone", async () => {
  const child = spawn(process.execPath, ["-e", 'console.log("up"); setInterval(() => {}, 1000)'], {
    detached: true,
  });
  const pid = child.pid ?? 0;
  await once(child.stdout, "data");
  const facts = byPs(pid) ?? assert.fail("it lives");
  assert.deepEqual([facts.pid, facts.pgid, facts.user], [pid, pid, process.getuid?.()]);
  assert.ok(
    Math.abs(Date.parse(`${facts.start_ticks}`) - Date.now()) < 48 * 3_600_000,
    "a date, of whatever zone",
  );
  assert.match(facts.cmd?.[0] ?? "", /node.* -e console\.log/);
  assert.deepEqual([facts.boot_id, facts.cwd], [null, null]);
  const { checked, differing } = compare(facts, { facts, marked: null });
  assert.deepEqual([checked, differing], [["start time", "user", "group", "command"], []]);
  child.kill("SIGKILL");
  await once(child, "exit");
  assert.equal(byPs(pid), undefined);
  assert.equal(tell(pid, "A=b"), undefined);
});

test("what was known has to be told again, and what never was isn't asked for", () => {
  const nothing = { pgid: null, boot_id: null, start_ticks: null, user: null, cwd: null, cmd: null };
  const written = { ...nothing, pid: 4711, start_ticks: "1", cwd: "/a" };
  const seen = (/** @type {object} */ facts, /** @type {boolean | null} */ marked = null) =>
    compare(written, { facts: { ...written, ...facts }, marked });
  assert.deepEqual(seen({}, true), { checked: ["start time", "directory", "mark"], differing: [] });
  assert.deepEqual(seen({ cwd: null }), { checked: ["start time"], differing: ["directory"] });
  assert.deepEqual(seen({ start_ticks: "2", pgid: 1 }, false), {
    checked: ["directory"],
    differing: ["start time", "mark"],
  });
  assert.deepEqual(compare({ ...nothing, pid: 1 }, { facts: { ...nothing, pid: 1 }, marked: null }), {
    checked: [],
    differing: [],
  });
});
