// What a session has done, on a real project.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { Store } from "../kernel/store.js";
import { marked } from "./check.js";
import { effects } from "./effects.js";
import { markOf, prepare, sessionsDirectory } from "./sessions.js";

const scratch = realpathSync(mkdtempSync(path.join(tmpdir(), "flow-effects-")));
after(() => rmSync(scratch, { recursive: true, force: true }));

const NEVER = new AbortController().signal;

/** A project under git with a session. */
async function session() {
  const project = mkdtempSync(path.join(scratch, "project-"));
  writeFileSync(path.join(project, "a.js"), "a");
  for (const args of [
    ["init", "-q"],
    ["add", "-A"],
  ])
    execFileSync("git", args, { cwd: project });
  await prepare(project);
  const store = await Store.stage(sessionsDirectory(project));
  await store.claim("first");
  after(() => store.close());
  const seen = /** @type {string[]} */ ([]);
  const core = /** @type {any} */ ({
    tests(/** @type {string} */ output) {
      seen.push(output);
      return null;
    },
  });
  const environment = { PATH: process.env.PATH ?? "", GIVEN: "given" };
  const perform = effects({ core, project, store, leftOut: [path.join(project, ".flow")], environment });
  const check = (/** @type {string[]} */ argv, signal = NEVER, timeout_ms = 600_000) =>
    perform(
      { command: "run_check", effect: 7, check: "unit", argv, timeout_ms, output: "evidence/7-unit.log" },
      signal,
    );
  const tree = async (/** @type {string | null} */ since = null) =>
    /** @type {any} */ (await perform({ command: "take_tree", effect: 1, since }, NEVER));
  const log = () => readFileSync(path.join(store.directory, "evidence/7-unit.log"), "utf8");
  return { project, store, perform, check, tree, log, seen };
}

test("a session leaves nothing that git would see", async () => {
  const { project, store } = await session();
  await store.append("line\n");
  const status = execFileSync("git", ["status", "--porcelain"], { cwd: project, encoding: "utf8" });
  assert.equal(status, "A  a.js\n");
});

test("the tree is told with the paths that differ from an earlier one", async () => {
  const { project, tree } = await session();
  const { event, effect, tree: first, changed } = await tree();
  assert.deepEqual([event, effect, changed], ["tree_taken", 1, []]);
  assert.deepEqual((await tree(first)).changed, []);
  mkdirSync(path.join(project, "lib"));
  writeFileSync(path.join(project, "lib/b.js"), "b");
  writeFileSync(path.join(project, "a.js"), "A");
  assert.deepEqual((await tree(first)).changed, ["a.js", "lib/b.js"]);
  assert.deepEqual((await tree("0".repeat(40))).changed, ["."]);
});

test("a check is told with its end, its output and what it changed", async () => {
  const { store, check, tree, log, seen } = await session();
  const { tree: before } = await tree();
  const { duration_ms, ...told } = /** @type {any} */ (
    await check(["sh", "-c", 'echo "$GIVEN"; echo b > b.js; exit 3'])
  );
  const { tree: now } = await tree();
  assert.ok(duration_ms >= 0);
  assert.deepEqual(told, {
    event: "check_finished",
    effect: 7,
    tree_before: before,
    tree_after: now,
    changed: ["b.js"],
    end: { how: "exited", code: 3 },
    output: { bytes: 6, sha256: createHash("sha256").update("given\n").digest("hex"), tail: "given\n" },
    tests: null,
  });
  assert.deepEqual([log(), seen], ["given\n", ["given\n"]]);
  assert.deepEqual(marked(markOf(store.folder)), []);
});

test("the other ends of a check", async () => {
  const { check, log } = await session();
  const end = async (/** @type {Promise<any>} */ checked) => (await checked).end;
  assert.deepEqual(await end(check(["sh", "-c", "kill -SEGV $$"])), { how: "signalled", signal: "SIGSEGV" });
  assert.deepEqual(await end(check(["sleep", "600"], NEVER, 1)), { how: "timed_out" });
  assert.deepEqual(await end(check(["there-is-no-such-program"])), { how: "not_started", message: "ENOENT" });
  assert.equal(log(), "", "the log of the last time it was asked for");
});

test("of long output the event holds the end", async () => {
  const { check } = await session();
  const { output } = /** @type {any} */ (
    await check([process.execPath, "-e", 'console.log("x".repeat(5000) + "end")'])
  );
  assert.deepEqual([output.bytes, output.tail.length, output.tail.slice(-4)], [5004, 4000, "end\n"]);
});

test("what can't be done is told, and a fault of ours is not taken for it", async () => {
  const { project, perform, check, store } = await session();
  writeFileSync(path.join(store.directory, "evidence"), "in the way");
  const told = /** @type {any} */ (await check(["true"]));
  assert.deepEqual([told.event, told.effect], ["effect_failed", 7]);
  assert.match(told.message, /evidence/);
  rmSync(path.join(project, ".git/HEAD"));
  writeFileSync(path.join(project, ".git/HEAD"), "nonsense");
  await assert.rejects(perform(/** @type {any} */ ({ command: "fly", effect: 1 }), NEVER), TypeError);
});
