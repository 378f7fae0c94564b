// A session's effects, on a real project.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { marked } from "../kernel/proc.js";
import { isBelow } from "../kernel/real-path.js";
import { Store } from "../kernel/store.js";
import { Trees } from "../kernel/tree.js";
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
  const environment = { PATH: process.env.PATH ?? "", GIVEN: "given" };
  const core = /** @type {any} */ ({
    testFiles: (/** @type {string[]} */ paths) => paths.filter((file) => file.includes("test")),
    countTests: (/** @type {string} */ text) => ({ tests: text.length, assertions: 0, skipped: 0 }),
    comparedFiles: (/** @type {string[]} */ paths) => paths.filter((file) => file === "package.json"),
    testSettings: (/** @type {string} */ path, /** @type {unknown} */ texts) => [{ path, texts }],
    leftOutOfLinks: () => [],
    foundAbove: () => ["tmp"],
    keptBack: (/** @type {string[]} */ paths) => paths.filter((file) => file.endsWith(".env")),
    cleanRoom: () => ({
      folders: [],
      files: [],
      links: [],
      places: {},
      environment: { PATH: environment.PATH },
    }),
    setupFailed: (/** @type {string[]} */ argv) => `${argv[0]} failed`,
    faults: (/** @type {any[]} */ files) => ({
      mutants: ["one", "two", "three"].map((text) => ({ path: files[0].path, line: 1, change: text, text })),
      without: [{ path: "b.js", why: "it contains bytes that aren't text" }],
    }),
  });
  const trees = new Trees({ project, store, leftOut: [path.join(project, ".flow")] });
  const here = async () => ({ directory: project, trees });
  const perform = effects({ core, store, here, environment });
  const check = (/** @type {string[]} */ argv, signal = NEVER, timeout_ms = 600_000) =>
    perform(
      { command: "run_check", effect: 7, check: "unit", argv, timeout_ms, output: "evidence/7-unit.log" },
      signal,
    );
  const tree = async (/** @type {string | null} */ since = null) =>
    /** @type {any} */ (await perform({ command: "take_tree", effect: 1, since }, NEVER));
  const log = () => readFileSync(path.join(store.directory, "evidence/7-unit.log"), "utf8");
  return { project, store, perform, check, tree, log };
}

test("a session leaves nothing that git would see", async () => {
  const { project, store } = await session();
  await store.append("line\n");
  const status = execFileSync("git", ["status", "--porcelain"], { cwd: project, encoding: "utf8" });
  assert.equal(status, "A  a.js\n");
});

test("the tree is reported with the paths that differ from an earlier one", async () => {
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

test("what OpenCode loads when it starts is looked at, also where git ignores it, but not what it installs itself", async () => {
  const { project, tree } = await session();
  const plugin = path.join(project, ".opencode/plugin/later.js");
  const digest = async () => {
    const { loaded = [] } = await tree();
    return loaded.find((/** @type {any} */ one) => one.path === ".opencode");
  };
  writeFileSync(path.join(project, ".gitignore"), ".opencode/\n");
  assert.equal(await digest(), undefined, "there is none");
  mkdirSync(path.dirname(plugin), { recursive: true });
  const empty = await digest();
  assert.deepEqual(Object.keys(empty), ["path", "digest"]);
  mkdirSync(path.join(project, ".opencode/node_modules"));
  for (const installed of ["bun.lock", "node_modules/x.js"])
    writeFileSync(path.join(project, ".opencode", installed), "");
  assert.deepEqual(await digest(), empty);
  writeFileSync(plugin, "1");
  const added = await digest();
  assert.deepEqual(added.changed, ["plugin/later.js"]);
  assert.notEqual(added.digest, empty.digest);
  assert.deepEqual(await digest(), { path: ".opencode", digest: added.digest });
});

test("what decides how tests are run is compared where the tree changed it", async () => {
  const { project, tree } = await session();
  const manifest = path.join(project, "package.json");
  const { tree: first } = await tree();
  writeFileSync(manifest, "{}");
  const added = await tree(first);
  assert.deepEqual(added.test_settings, [{ path: "package.json", texts: [null, "{}"] }]);
  writeFileSync(manifest, '{"scripts":{}}');
  const changed = await tree(added.tree);
  assert.deepEqual(changed.test_settings, [{ path: "package.json", texts: ["{}", '{"scripts":{}}'] }]);
  assert.equal((await tree(changed.tree)).test_settings, undefined);
});

test("a check is reported with its end, its output and what it changed", async () => {
  const { store, check, tree, log } = await session();
  const { tree: before } = await tree();
  const shown = /** @type {any} */ (await check(["sh", "-c", 'echo "$GIVEN"; echo b > b.js; exit 3']));
  const { duration_ms } = shown.ran;
  delete shown.ran.duration_ms;
  const { tree: now } = await tree();
  assert.ok(duration_ms >= 0);
  assert.deepEqual(shown, {
    event: "check_finished",
    effect: 7,
    tree_before: before,
    tree_after: now,
    changed: ["b.js"],
    ran: {
      end: { how: "exited", code: 3 },
      output: { bytes: 6, sha256: createHash("sha256").update("given\n").digest("hex"), tail: "given\n" },
      tests: null,
    },
  });
  assert.equal(log(), "given\n");
  assert.deepEqual(marked(markOf(store.folder)), []);
});

test("the other ends of a check", async () => {
  const { check, log } = await session();
  const end = async (/** @type {Promise<any>} */ checked) => (await checked).ran.end;
  assert.deepEqual(await end(check(["sh", "-c", "kill -SEGV $$"])), { how: "signalled", signal: "SIGSEGV" });
  assert.deepEqual(await end(check(["sleep", "600"], NEVER, 1)), { how: "timed_out" });
  assert.deepEqual(await end(check(["there-is-no-such-program"])), { how: "not_started", message: "ENOENT" });
  assert.equal(log(), "", "the log of the last time it was asked for");
});

test("of long output the event holds the end", async () => {
  const { check } = await session();
  const { output } = /** @type {any} */ (
    await check([process.execPath, "-e", 'console.log("x".repeat(5000) + "end")'])
  ).ran;
  assert.deepEqual([output.bytes, output.tail.length, output.tail.slice(-4)], [5004, 4000, "end\n"]);
});

test("what can't be done is told, and a fault of ours is not taken for it", async () => {
  const { project, perform, check, store } = await session();
  writeFileSync(path.join(store.directory, "evidence"), "in the way");
  const shown = /** @type {any} */ (await check(["true"]));
  assert.deepEqual([shown.event, shown.effect], ["effect_failed", 7]);
  assert.match(shown.message, /evidence/);
  rmSync(path.join(project, ".git/HEAD"));
  writeFileSync(path.join(project, ".git/HEAD"), "nonsense");
  await assert.rejects(perform(/** @type {any} */ ({ command: "fly", effect: 1 }), NEVER), TypeError);
});

/**
 * @param {Awaited<ReturnType<typeof session>>} session
 * @param {Partial<Extract<import("../core/types.js").FlowEffect, {command: "run_apart"}>>} wanted
 * @param {string[]} commands for a shell
 * @returns {Promise<any>}
 */
function apart({ perform }, wanted, ...commands) {
  const runs = commands.map((command, index) => ({
    check: `check-${index}`,
    argv: ["sh", "-c", command],
    timeout_ms: 600_000,
    output: `evidence/9-${index + 1}.log`,
  }));
  const nothing = /** @type {const} */ ({ overlay: "nothing" });
  const asked = { effect: 9, tree: "", over: nothing, link: [], setup: [], runs, ...wanted };
  return perform({ command: "run_apart", ...asked }, NEVER);
}

/** Everything in `.git`, with its content. @param {string} project */
function repository(project) {
  const files = readdirSync(path.join(project, ".git"), { recursive: true, withFileTypes: true });
  const held = files
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
  return held.map((file) => [file, readFileSync(file, "hex")]);
}

test("a copy holds the files of a tree and nothing else, is a repository of its own, and goes", async () => {
  const used = await session();
  const { project, store, tree, log } = used;
  writeFileSync(path.join(project, ".gitignore"), "built/\nnode_modules/\n");
  for (const directory of ["built", "node_modules", "src", ".opencode/node_modules"])
    mkdirSync(path.join(project, directory), { recursive: true });
  writeFileSync(path.join(project, "built/x"), "ignored");
  writeFileSync(path.join(project, ".opencode/design-lab.json"), "{}");
  writeFileSync(path.join(project, "local.env"), "KEY=secret");
  writeFileSync(path.join(project, "src/new\nline.js"), "untracked");
  symlinkSync("../a.js", path.join(project, "src/link"));
  const { tree: first } = await tree();
  writeFileSync(path.join(project, "a.js"), "changed since");
  const before = repository(project);
  const seen = await apart(
    used,
    { tree: first, link: ["node_modules"] },
    "cat a.js; ls -A . src; readlink node_modules src/link; git rev-parse --show-toplevel; echo left > left",
    "cat left; exit 4",
  );
  const shown = readFileSync(path.join(store.directory, "evidence/9-1.log"), "utf8");
  const root = shown.trim().split("\n").at(-1) ?? "";
  assert.ok(!isBelow(root, project), "no directory of the project is above it");
  assert.equal(
    shown,
    `a.:\n.git\n.gitignore\n.opencode\na.js\nnode_modules\nsrc\n\nsrc:\nlink\nnew\nline.js\n${project}/node_modules\n../a.js\n${root}\n`,
  );
  assert.deepEqual(
    [seen.event, seen.effect, seen.unprepared, seen.linked],
    ["ran_apart", 9, null, ["node_modules"]],
  );
  assert.deepEqual(
    seen.runs.map((/** @type {any} */ ran) => [ran.end, ran.output.tail]).at(1),
    [{ how: "exited", code: 4 }, "left\n"],
    "what one leaves the next finds",
  );
  assert.equal(existsSync(root), false);
  assert.deepEqual(repository(project), before, "nothing of the user's repository was touched");
  assert.equal(readFileSync(path.join(project, "a.js"), "utf8"), "changed since");
  assert.throws(log, "nothing was run in the project itself");
});

test("files of another tree, and files that a reviewer wrote, are laid over a copy", async () => {
  const used = await session();
  const { project, store, tree } = used;
  mkdirSync(path.join(project, "test"));
  writeFileSync(path.join(project, "test/gone.test.js"), "gone later");
  const { tree: base } = await tree();
  rmSync(path.join(project, "test/gone.test.js"));
  writeFileSync(path.join(project, "test/new.test.js"), "new");
  writeFileSync(path.join(project, "a.js"), "the feature");
  const { tree: now, changed, tests } = await tree(base);
  assert.deepEqual(changed, ["a.js", "test/gone.test.js", "test/new.test.js"]);
  const counted = (/** @type {number} */ count) => ({ tests: count, assertions: 0, skipped: 0 });
  assert.deepEqual(tests, [
    { path: "test/gone.test.js", before: counted(10), after: null },
    { path: "test/new.test.js", before: null, after: counted(3) },
  ]);
  const output = () => readFileSync(path.join(store.directory, "evidence/9-1.log"), "utf8");
  const paths = ["test/gone.test.js", "test/new.test.js"];
  await apart(used, { tree: base, over: { overlay: "paths", tree: now, paths } }, "cat a.js; echo; ls test");
  assert.equal(output(), "a\nnew.test.js\n");
  const file = { overlay: /** @type {const} */ ("file"), path: "deep/er/x.js", text: "claimed" };
  await apart(used, { tree: now, over: file }, "cat a.js deep/er/x.js");
  assert.equal(output(), "the featureclaimed");
});

test("faults are tried in a copy that is shown to tell them, the first ones however long they take", async () => {
  const used = await session();
  const { project, store, perform, tree } = used;
  const { tree: base } = await tree();
  writeFileSync(path.join(project, "a.js"), "the feature");
  const { tree: now } = await tree(base);
  const run = {
    ...{ check: "unit", argv: ["sh", "-c", "cat a.js; grep -q feature a.js"], timeout_ms: 60_000 },
    output: "evidence/9-unit.log",
  };
  const wanted = {
    ...{ effect: 9, tree: now, base, paths: ["a.js"], most: 3, budget_ms: 0, least: 2 },
    ...{ link: [], setup: [], runs: [run], clean: true },
  };
  const seen = /** @type {any} */ (await perform({ command: "mutate", ...wanted }, NEVER));
  assert.equal(seen.event, "mutated", seen.message);
  const codes = (/** @type {any[]} */ runs) => runs.map(({ end }) => end.code);
  assert.deepEqual(
    seen.tried.map((/** @type {any} */ one) => [one.change, codes(one.runs)]),
    [
      ["one", [1]],
      ["two", [1]],
    ],
  );
  assert.deepEqual([seen.left, codes(seen.broken), codes(seen.after)], [1, [1], [0]]);
  assert.deepEqual(seen.without, [{ path: "b.js", why: "it contains bytes that aren't text" }]);
  const log = (/** @type {string} */ name) =>
    readFileSync(path.join(store.directory, `evidence/9-unit-${name}.log`), "utf8");
  assert.deepEqual([log("1"), log("2"), log("after")], ["one", "two", "the feature"]);
  assert.doesNotMatch(log("broken"), /\w/);
});

test("each test of an exam is alone in a copy, and replaces nothing there", async () => {
  const used = await session();
  const { project, store, perform, tree } = used;
  const { tree: base } = await tree();
  mkdirSync(path.join(project, "test"));
  writeFileSync(path.join(project, "test/own.test.js"), "its own");
  writeFileSync(path.join(project, "a.js"), "the change");
  symlinkSync("test", path.join(project, "linked"));
  const { tree: now } = await tree(base);
  const run = (/** @type {string} */ name, script = "cat a.js; ls test; echo left >> left") => ({
    ...{ check: "unit", argv: ["sh", "-c", script], timeout_ms: 60_000 },
    output: `evidence/9-${name}.log`,
  });
  const tests = [
    { path: "test/one.test.js", text: "one", run: run("one") },
    { path: "test/own.test.js", text: "another", run: run("own") },
    { path: "test/own.test.js", text: "its own", run: run("same") },
    {
      path: "test/own.test.js",
      text: "as it was",
      replaces: true,
      run: run("again", "cat test/own.test.js"),
    },
    { path: "test/own.test.js", text: "its own", replaces: true, run: run("kept", "ls test") },
    { path: `test/${"long".repeat(99)}.test.js`, text: "too long a name", run: run("long") },
    { path: "linked/b.test.js", text: "elsewhere", run: run("linked") },
    { path: "a.js/b.test.js", text: "below a file", run: run("below") },
    { path: "test/two.test.js", text: "two", run: run("two", "echo > a.js; exit 3") },
  ];
  const exam = { effect: 9, tree: now, base, link: [], setup: [], before: [run("before")], tests };
  const seen = /** @type {any} */ (await perform({ command: "examine", ...exam }, NEVER));
  assert.equal(seen.event, "examined", seen.message);
  const log = (/** @type {string} */ name) =>
    readFileSync(path.join(store.directory, `evidence/9-${name}.log`), "utf8");
  assert.deepEqual(
    seen.tests.map((/** @type {any} */ one) => [
      one.place,
      one.runs.length,
      one.before?.end.code,
      one.touched,
    ]),
    [
      ["free", 2, 0, undefined],
      ["other", 0, undefined, undefined],
      ["same", 0, undefined, undefined],
      ["replaced", 2, undefined, undefined],
      ["same", 2, undefined, undefined],
      ["other", 0, undefined, undefined],
      ["other", 0, undefined, undefined],
      ["other", 0, undefined, undefined],
      ["free", 2, 3, true],
    ],
  );
  assert.deepEqual(
    [log("one-1"), log("one-before")],
    ["the changeone.test.js\nown.test.js\n", "aone.test.js\n"],
  );
  assert.equal(log("again-2"), "as it was");
  assert.deepEqual([log("kept-1"), log("kept-without")], ["own.test.js\n", ""]);
  assert.match(log("before"), /^als: /, "without any of the tests, and without the change");
  assert.equal(readFileSync(path.join(project, "test/own.test.js"), "utf8"), "its own");
});

test("settings of tools above a copy are named, if it has to be clean", async () => {
  const used = await session();
  const { tree: now } = await used.tree();
  const place = process.env.TMPDIR;
  const below = path.join(scratch, "below");
  mkdirSync(path.join(below, "tmp"), { recursive: true });
  process.env.TMPDIR = path.join(below, "tmp");
  try {
    const seen = await apart(used, { tree: now, clean: true }, "true");
    assert.deepEqual(
      seen.above?.filter((/** @type {string} */ file) => file.startsWith(scratch)),
      [path.join(below, "tmp")],
    );
    assert.equal((await apart(used, { tree: now }, "true")).above, undefined);
  } finally {
    if (place === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = place;
  }
});

test("links that lead out of the tree are named, and no copy has them", async () => {
  const used = await session();
  const { project, store, tree } = used;
  writeFileSync(path.join(scratch, "outside.js"), "good");
  mkdirSync(path.join(project, "lib"));
  for (const [target, link] of [
    [path.join(scratch, "outside.js"), "absolute.js"],
    ["../../outside.js", "lib/up.js"],
    ["absolute.js", "chained.js"],
    ["../a.js", "lib/inside.js"],
    ["nothing-there", "dangling"],
  ])
    symlinkSync(/** @type {string} */ (target), path.join(project, /** @type {string} */ (link)));
  const { tree: now } = await tree();
  const seen = await apart(used, { tree: now, review: true }, "ls -R; cat lib/inside.js");
  assert.deepEqual(seen.outside, ["absolute.js", "chained.js", "lib/up.js"]);
  assert.equal(seen.runs[0].output.tail, ".:\na.js\ndangling\nlib\n\n./lib:\ninside.js\na");
  assert.deepEqual(readdirSync(path.join(store.directory, "review/files")).sort(), [
    "a.js",
    "dangling",
    "lib",
  ]);
});

test("who touches a file of a copy is told, and its seal is broken", async () => {
  const used = await session();
  const { store, tree, perform } = used;
  const { tree: now } = await tree();
  const run = (/** @type {string} */ command) => apart(used, { tree: now, review: true }, command, "true");
  const { touched, seal } = await run("cp a.js b; mv a.js c; cp b a.js; mv c a.js");
  assert.deepEqual(touched, [["a.js"], ["a.js"]], "who runs later runs on the same files");
  const look = (/** @type {string} */ sealed) =>
    perform({ command: "take_tree", effect: 2, since: null, seal: sealed }, NEVER);
  assert.equal("unsealed" in (await look(seal)), false);
  assert.equal("unsealed" in (await look(seal)), false, "a look whose line wasn't written is repeated");
  await perform({ command: "take_tree", effect: 2, since: null, ends_work: true }, NEVER);
  assert.ok(!readdirSync(store.directory).includes("review"), "no check of the next round finds its tests");
  const quiet = await run("cat a.js; touch b");
  assert.equal("touched" in quiet, false);
  writeFileSync(path.join(store.directory, "review/files/a.js"), "a");
  assert.equal(/** @type {any} */ (await look(quiet.seal)).unsealed, true);
});

test("the patch that leads back is kept where one is asked for, and where the earlier tree is known", async () => {
  const { project, perform, store, tree } = await session();
  const { tree: before } = await tree();
  writeFileSync(path.join(project, "a.js"), "changed");
  const undo = "undo/sum.patch";
  const look = async (/** @type {string | null} */ since) =>
    /** @type {any} */ (await perform({ command: "take_tree", effect: 1, since, undo }, NEVER));
  const shown = await look(before);
  assert.equal(path.join(project, shown.undo), path.join(store.directory, undo));
  execFileSync("git", ["apply", shown.undo], { cwd: project });
  assert.equal((await tree()).tree, before);
  assert.equal("undo" in (await look(before)), false, "nothing differs");
  const unknown = await look("0".repeat(40));
  assert.deepEqual([unknown.event, unknown.changed, "undo" in unknown], ["tree_taken", ["."], false]);
});

test("a copy that was made ready is what the tree is", async () => {
  const used = await session();
  const { tree: now } = await used.tree();
  const seen = await apart(
    used,
    { tree: now, setup: ["sh", "-c", "echo b > a.js; echo b > b.js"] },
    "cat a.js b.js",
  );
  assert.deepEqual([seen.runs[0].output.tail, seen.touched], ["ab\n", undefined]);
});

test("a copy is made ready by a command, and where that fails nothing runs in it", async () => {
  const used = await session();
  const { store, tree } = used;
  const { tree: now } = await tree();
  const ready = await apart(used, { tree: now, setup: ["sh", "-c", "echo made > made"] }, "cat made");
  assert.deepEqual([ready.unprepared, ready.runs[0].output.tail], [null, "made\n"]);
  const broken = await apart(used, { tree: now, setup: ["sh", "-c", "echo no registry; exit 3"] }, "true");
  assert.deepEqual([broken.unprepared, broken.runs], ["sh failed", []]);
  assert.equal(readFileSync(path.join(store.directory, "evidence/9-setup.log"), "utf8"), "no registry\n");
});

test("without git there is a copy of the present files, and none of earlier ones", async () => {
  const used = await session();
  const { project, tree } = used;
  rmSync(path.join(project, ".git"), { recursive: true });
  const { tree: before } = await tree();
  const present = await apart(used, { tree: before }, "cat a.js");
  assert.deepEqual([present.unprepared, present.runs[0].output.tail], [null, "a"]);
  writeFileSync(path.join(project, "a.js"), "changed");
  const { tests } = await tree(before);
  assert.deepEqual(tests, []);
  const earlier = await apart(used, { tree: before }, "cat a.js");
  assert.deepEqual(
    [earlier.unprepared, earlier.runs],
    ["without git, the earlier content of a.js isn't kept", []],
  );
});

test("where git can't make a copy, that is told", async () => {
  const used = await session();
  await used.tree();
  const none = await apart(used, { tree: "0".repeat(40) }, "true");
  assert.match(none.unprepared, /^git read-tree: /);
  assert.deepEqual(none.runs, []);
});
