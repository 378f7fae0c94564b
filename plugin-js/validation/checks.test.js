// Checks' commands, as real processes: the result of each, what is kept of its output, and that nothing of it is left.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { living, marked } from "../kernel/proc.js";
import { markOf } from "./processes.js";
import { leftover, run, server } from "./test/run.js";

const NODE = process.execPath;

/** @param {import("./test/run.js").Run} used @param {string[]} command @param {object} [further] */
async function checked(used, command, further = {}) {
  const check = {
    id: "build",
    command,
    cwd: ".",
    timeout_ms: 60_000,
    criteria: [],
    allow: true,
    ...further,
  };
  return used.perform({ command: "run_check", check, pass: 1, output: "checks/build-1.log" });
}

test("a command passes by its exit code, and what runners report about tests is read", async () => {
  const used = await run();
  for (const [program, end, tests] of [
    ["process.exit(0)", { how: "exited", code: 0 }, null],
    ["process.exit(3)", { how: "exited", code: 3 }, null],
    ["process.kill(process.pid, 'SIGKILL')", { how: "signalled", signal: "SIGKILL" }, null],
    // The passed test that Node counts is the file itself, which ended before one of its tests did.
    [
      "console.log('# Subtest: a.test.js\\nok 1 - a.test.js\\n# tests 1\\n# pass 1')",
      { how: "exited", code: 0 },
      { runners: ["node"], ran: 0, skipped: 0 },
    ],
    ["console.log('# pass 0')", { how: "exited", code: 0 }, { runners: ["node"], ran: 0, skipped: 0 }],
  ]) {
    const { event, ran } = await checked(used, [NODE, "-e", /** @type {string} */ (program)]);
    assert.equal(event, "check_ran");
    assert.deepEqual([ran.end, ran.tests], [end, tests], `${program}`);
  }
  const { ran } = await checked(used, ["/nonexistent/program"]);
  assert.deepEqual(ran.end, { how: "not_started", message: "ENOENT" });
});

test("it runs in its directory, and its output is evidence without the secrets in it", async () => {
  process.env.CHECKED_SECRET = "very-secret-value";
  const used = await run({ secrets: ["CHECKED_SECRET"] });
  used.write("../inner/here", "");
  const program = "console.log(process.cwd()); console.error('told very-secret-value')";
  const cwd = path.relative(used.directory, used.path("../inner"));
  const { ran } = await checked(used, [NODE, "-e", program], { cwd });
  assert.match(ran.output.tail, /inner\n/);
  assert.match(ran.output.tail, /told \[redacted\]/);
  const { evidence } = await used.tearDown();
  const kept = evidence.find((/** @type {any} */ file) => file.path === "checks/build-1.log");
  const text = readFileSync(used.path("checks/build-1.log"), "utf8");
  assert.equal(kept?.bytes, text.length);
  assert.ok(text.includes("told [redacted]") && !text.includes("very-secret-value"), text);
});

test("its time is up, and nothing that it started is left", async () => {
  const used = await run();
  const program =
    "require('node:child_process').spawn('sleep', ['600'], { detached: true }); setInterval(() => {}, 1000)";
  const { ran } = await checked(used, [NODE, "-e", program], { timeout_ms: 500 });
  assert.deepEqual(ran.end, { how: "timed_out" });
  assert.deepEqual(marked(`${markOf(used.store.folder)}-checks`), []);
});

test("the teardown ends a check that is under way; what a killed process left of one is ended at the next start", async () => {
  const used = await run();
  await used.start(server());
  const running = checked(used, [NODE, "-e", "console.log('up'); setInterval(() => {}, 1000)"]);
  while (marked(`${markOf(used.store.folder)}-checks`).length === 0)
    await new Promise((resolve) => setImmediate(resolve));
  await used.tearDown();
  assert.equal((await running).event, "effect_failed", "whose answer nobody waits for");
  assert.deepEqual(marked(`${markOf(used.store.folder)}-checks`), []);
  const left = await leftover(`${markOf(used.store.folder)}-checks~7`);
  await used.effects.begin();
  assert.ok(!living(left));
});
