// Lanes and takes, on real repositories.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { DesignLabError } from "../core/load.js";
import { shown } from "../kernel/host-files.js";
import { Store } from "../kernel/store.js";
import { git } from "../kernel/test/git.js";
import { effects } from "./effects.js";
import { prepare, sessionsDirectory } from "./sessions.js";
import { Lanes } from "./takes.js";
import { verify } from "./verify.js";
import { Workplace } from "./workplace.js";

const scratch = realpathSync(mkdtempSync(path.join(tmpdir(), "flow-takes-")));
const state = process.env.XDG_STATE_HOME;
before(() => {
  process.env.XDG_STATE_HOME = path.join(scratch, "state");
});
after(() => {
  if (state === undefined) delete process.env.XDG_STATE_HOME;
  else process.env.XDG_STATE_HOME = state;
  rmSync(scratch, { recursive: true, force: true });
});

const NUMBERS = Array.from({ length: 40 }, (_, index) => `${index}\n`);
/** Forty lines, some of them replaced. @param {Record<number, string>} [lines] */
const numbers = (lines = {}) => NUMBERS.map((line, index) => lines[index] ?? line).join("");

/**
 * A project with a session.
 * @param {Record<string, string>} files @param {{inside?: string, commits?: boolean}} [options]
 */
async function session(files, { inside = "", commits = true } = {}) {
  const top = mkdtempSync(path.join(scratch, "project-"));
  const project = path.join(top, inside);
  const at = (/** @type {string} */ name) => path.join(top, name);
  const put = (/** @type {string} */ name, /** @type {string} */ text) => {
    mkdirSync(path.dirname(at(name)), { recursive: true });
    writeFileSync(at(name), text);
  };
  for (const [name, text] of Object.entries(files)) put(name, text);
  git(top, "init", "-q");
  if (commits) {
    git(top, "add", "-A");
    git(top, "commit", "-qm", "first");
  }
  await prepare(project);
  const store = await Store.stage(sessionsDirectory(project));
  await store.claim("first");
  after(() => store.close());
  let made = false;
  const core = /** @type {any} */ ({ hasLane: () => made, laneGone: () => ({ code: "lane.gone" }) });
  const leftOut = [path.join(project, ".flow")];
  const workplace = new Workplace({ core, handle: 0, project, store, leftOut });
  const host = { refuses: /** @type {string | null} */ (null), left: /** @type {string[]} */ ([]) };
  const lanes = new Lanes({
    ...{ workplace, store },
    enters: async () => host.refuses,
    leaves: async (directory) => void host.left.push(directory),
  });
  const make = async () => {
    const command = /** @type {any} */ ({ effect: 1, link: ["node_modules"], setup: [] });
    const answer = await lanes.make(command, async () => null);
    made = answer.unprepared === null;
    return answer;
  };
  const weigh = async (/** @type {string} */ base, checked = null) =>
    lanes.weigh(/** @type {any} */ ({ effect: 2, base, checked }));
  const take = (
    /** @type {{project: string, merged: string | null}} */ { project: from, merged: to },
    /** @type {AbortSignal | undefined} */ signal = undefined,
  ) => lanes.take(/** @type {any} */ ({ effect: 3, from, to, undo: "undo/take-3.patch" }), signal);
  const read = (/** @type {string} */ name) => readFileSync(at(name), "utf8");
  const lane = (/** @type {string} */ name) => path.join(workplace.root, name);
  return { top, project, at, put, read, store, workplace, lanes, host, make, weigh, take, lane };
}

test("a lane has the project's files as they are, and touches nothing of the user's", async () => {
  const { top, project, put, at, make, lane, workplace } = await session({
    "a.js": "a\n",
    "lib/b.js": "b\n",
    ".gitignore": "node_modules/\nopencode.json\n.opencode/\n*.log\n",
  });
  put("a.js", "changed, and not committed\n");
  put("new.js", "untracked\n");
  put("debug.log", "ignored");
  put("opencode.json", "{}");
  put(".opencode/plugin/own.js", "export {}");
  put(".opencode/node_modules/x/index.js", "x");
  put("node_modules/left-pad/index.js", "pad");
  chmodSync(at("lib/b.js"), 0o755);
  symlinkSync("a.js", at("link"));
  git(top, "stash", "list");
  const record = () => [
    git(top, "status", "--porcelain", "-uall"),
    git(top, "for-each-ref"),
    git(top, "worktree", "list"),
    git(top, "config", "--list", "--local"),
  ];
  const before = record();

  const { unprepared, tree, linked, copied, files } = await make();
  assert.equal(unprepared, null);
  assert.deepEqual([linked, copied], [["node_modules"], [".opencode", "opencode.json"]]);
  assert.equal(files, 5, "a.js, lib/b.js, new.js, link and .gitignore");
  assert.equal(readFileSync(lane("a.js"), "utf8"), "changed, and not committed\n");
  assert.equal(readFileSync(lane("new.js"), "utf8"), "untracked\n");
  assert.ok(lstatSync(lane("lib/b.js")).mode & 0o100);
  assert.equal(readlinkSync(lane("link")), "a.js");
  assert.equal(existsSync(lane("debug.log")), false);
  assert.equal(readFileSync(lane("opencode.json"), "utf8"), "{}");
  assert.equal(readFileSync(lane(".opencode/plugin/own.js"), "utf8"), "export {}");
  assert.ok(lstatSync(lane(".opencode/node_modules")).isSymbolicLink());
  assert.equal(readFileSync(lane("node_modules/left-pad/index.js"), "utf8"), "pad");
  assert.equal(git(lane("."), "status", "--porcelain"), "", "all of it is committed or ignored there");
  assert.equal(git(lane("."), "log", "--format=%s").trim(), "The project's files when the lane was made");

  const { trees, directory } = await workplace.here();
  assert.equal((await trees.take()).id, tree, "the same files have the same tree");
  assert.equal(directory, workplace.root);
  assert.deepEqual(record(), before);
  assert.equal(path.relative(project, workplace.root).startsWith(".."), true);
});

test("a package of a larger repository is worked on in its place, and a repository without commits has a lane", async () => {
  const within = { inside: "packages/shop" };
  const { make, workplace, lane } = await session(
    { "packages/shop/a.js": "a", "packages/lib/b.js": "b" },
    within,
  );
  const { unprepared } = await make();
  assert.equal(unprepared, null);
  assert.equal((await workplace.here()).directory, lane("packages/shop"));
  assert.equal(readFileSync(lane("packages/lib/b.js"), "utf8"), "b");

  const unborn = await session({ "a.js": "a" }, { commits: false });
  assert.equal((await unborn.make()).unprepared, null);
});

test("without git there is no lane, and a lane that is gone is named", async () => {
  const { top, make, workplace } = await session({ "a.js": "a" });
  rmSync(path.join(top, ".git"), { recursive: true });
  const { unprepared } = await make();
  assert.match(String(unprepared), /not in a git repository/);
  assert.equal(existsSync(path.dirname(workplace.root)), false, "nothing is left");

  const other = await session({ "a.js": "a" });
  await other.make();
  rmSync(other.workplace.root, { recursive: true });
  await assert.rejects(
    other.workplace.here(),
    (error) => /** @type {any} */ (error).name === "DesignLabError",
  );
});

test("what is taken is exactly the difference, with modes, links and deletions, and a patch undoes it", async () => {
  const { top, at, put, read, make, weigh, take, lane } = await session({
    "a.js": "a\n",
    "old/gone.js": "gone\n",
    tool: "#!/bin/sh\n",
    "stays.js": "stays\n",
  });
  const { tree } = await make();
  writeFileSync(lane("a.js"), "b\n");
  rmSync(lane("old"), { recursive: true });
  chmodSync(lane("tool"), 0o755);
  symlinkSync("a.js", lane("link"));
  mkdirSync(lane("new/deep"), { recursive: true });
  writeFileSync(lane("new/deep/ü .js"), "new\n");
  const weighed = await weigh(tree);
  assert.deepEqual(weighed.changed, ["a.js", "link", "new/deep/ü .js", "old/gone.js", "tool"]);
  assert.deepEqual([weighed.conflicts, weighed.moved], [[], []]);
  assert.equal(weighed.merged, weighed.lane);
  assert.equal(read("a.js"), "a\n", "weighing changes nothing");

  const taken = await take(weighed);
  assert.deepEqual([taken.refused, taken.tree], [[], weighed.merged]);
  assert.equal(read("a.js"), "b\n");
  assert.equal(existsSync(at("old")), false);
  assert.ok(lstatSync(at("tool")).mode & 0o100);
  assert.equal(readlinkSync(at("link")), "a.js");
  assert.equal(read("new/deep/ü .js"), "new\n");
  assert.equal(git(top, "log", "--format=%s").trim(), "first", "nothing is committed");

  put("own.js", "the user's own\n");
  git(top, "apply", String(taken.undo));
  assert.equal(read("a.js"), "a\n");
  assert.equal(read("old/gone.js"), "gone\n");
  assert.equal(existsSync(at("new")), false);
  assert.equal(read("own.js"), "the user's own\n");
});

test("changes of the user's are merged, and conflicts leave everything as it is", async () => {
  const { at, put, read, make, weigh, take, lane } = await session({
    "a.txt": numbers(),
    "b.txt": "b\n",
    "c.txt": "c\n",
  });
  const { tree } = await make();
  writeFileSync(lane("a.txt"), numbers({ 3: "lane\n" }));
  writeFileSync(lane("b.txt"), "lane\n");
  put("a.txt", numbers({ 30: "user\n" }));
  put("c.txt", "user\n");
  const weighed = await weigh(tree);
  assert.deepEqual([weighed.conflicts, weighed.moved], [[], ["a.txt", "c.txt"]]);
  assert.deepEqual(weighed.changed, ["a.txt", "b.txt"]);
  assert.notEqual(weighed.merged, weighed.lane);
  await take(weighed);
  assert.equal(read("a.txt"), numbers({ 3: "lane\n", 30: "user\n" }));
  assert.deepEqual([read("b.txt"), read("c.txt")], ["lane\n", "user\n"]);

  // From here on, both have the lane's tree in common.
  writeFileSync(lane("a.txt"), numbers({ 3: "lane again\n" }));
  put("a.txt", numbers({ 3: "user again\n", 30: "user\n" }));
  unlinkSync(at("b.txt"));
  writeFileSync(lane("b.txt"), "lane again\n");
  const conflicting = await weigh(weighed.lane);
  assert.deepEqual([conflicting.conflicts, conflicting.merged], [["a.txt", "b.txt"], null]);
  assert.equal(read("a.txt"), numbers({ 3: "user again\n", 30: "user\n" }));
  assert.equal(existsSync(at("b.txt")), false);
});

test("a take that was interrupted is completed, and a change meanwhile is never overwritten", async () => {
  const { at, put, read, make, weigh, take, lane } = await session({
    "a.js": "a\n",
    "b.js": "b\n",
    "c.js": "c\n",
  });
  const { tree } = await make();
  for (const name of ["a", "b", "c"]) writeFileSync(lane(`${name}.js`), `${name} of the lane\n`);
  const weighed = await weigh(tree);

  // The process was killed: one file is written, one is missing, one is as it was.
  put("a.js", "a of the lane\n");
  unlinkSync(at("b.js"));
  const completed = await take(weighed);
  assert.deepEqual(completed.refused, []);
  for (const name of ["a", "b", "c"]) assert.equal(read(`${name}.js`), `${name} of the lane\n`);

  put("b.js", "b of the user\n");
  put("c.js", "c\n");
  const refused = await take(weighed);
  assert.deepEqual(refused.refused, ["b.js"]);
  assert.deepEqual([read("b.js"), read("c.js")], ["b of the user\n", "c\n"], "nothing is written");
});

test("files of a submodule are taken like others", async () => {
  const inner = mkdtempSync(path.join(scratch, "inner-"));
  writeFileSync(path.join(inner, "in.js"), "in\n");
  git(inner, "init", "-q");
  git(inner, "add", "-A");
  git(inner, "commit", "-qm", "inner");
  const { top, read, make, weigh, take, lane } = await session({ "a.js": "a\n" });
  git(top, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner, "sub");
  git(top, "commit", "-qm", "with a submodule");
  const { tree } = await make();
  assert.equal(readFileSync(lane("sub/in.js"), "utf8"), "in\n");
  writeFileSync(lane("sub/in.js"), "changed\n");
  const weighed = await weigh(tree);
  assert.deepEqual(weighed.changed, ["sub/in.js"]);
  await take(weighed);
  assert.equal(read("sub/in.js"), "changed\n");
  assert.match(git(path.join(top, "sub"), "status", "--porcelain"), /M in\.js/);
});

test("a change in the project while a worker works in the lane is seen", async () => {
  const { put, top, make, lanes } = await session({ "a.js": "a\n" });
  assert.deepEqual(await lanes.outside(null), {}, "there is no lane");
  await make();
  const first = (await lanes.outside(null)).outside;
  assert.deepEqual(first?.changed, []);
  put("a.js", "written by its absolute path\n");
  git(top, "commit", "-qam", "by git -C");
  const second = (await lanes.outside(first?.tree ?? null)).outside;
  assert.deepEqual(second?.changed, ["a.js"]);
  assert.notEqual(second?.recorded?.commit, first?.recorded?.commit);
});

test("what git ignores is never overwritten, and nothing is written through a link", async () => {
  const { top, at, put, read, make, weigh, take, lane } = await session({
    "a.js": "a\n",
    ".gitignore": "secret.env\ndata\nold/cache\n",
    "old/b.js": "b\n",
  });
  const { tree } = await make();
  writeFileSync(lane("a.js"), "b\n");
  writeFileSync(lane(".gitignore"), "");
  writeFileSync(lane("secret.env"), "of the lane\n");
  mkdirSync(lane("data"));
  writeFileSync(lane("data/x.txt"), "of the lane\n");
  rmSync(lane("old"), { recursive: true });
  writeFileSync(lane("old"), "a file now\n");
  const free = await weigh(tree);
  assert.deepEqual(free.conflicts, []);

  const outside = mkdtempSync(path.join(scratch, "outside-"));
  put("secret.env", "of the user\n");
  symlinkSync(outside, at("data"));
  put("old/cache/big", "of the user\n");
  const weighed = await weigh(tree);
  assert.deepEqual(weighed.conflicts, ["data/x.txt", "old", "secret.env"]);
  assert.deepEqual([weighed.merged, weighed.changed], [null, []]);
  const taken = await take(free);
  assert.deepEqual(taken.refused, ["data/x.txt", "old", "secret.env"]);
  assert.equal(taken.undo, null);
  assert.deepEqual([read("a.js"), read("secret.env"), read("old/b.js")], ["a\n", "of the user\n", "b\n"]);
  assert.equal(existsSync(path.join(outside, "x.txt")), false);
  assert.equal(git(top, "status", "--porcelain"), "");
});

test("files become directories, links become either, and a file takes the place of empty directories", async () => {
  const { at, put, read, make, weigh, take, lane } = await session({
    file: "file\n",
    "directory/in/a.js": "a\n",
    "other/b.js": "b\n",
    "c.js": "c\n",
  });
  symlinkSync("directory", at("link"));
  const { tree } = await make();
  for (const name of ["file", "directory", "other", "link"]) rmSync(lane(name), { recursive: true });
  mkdirSync(lane("file"));
  writeFileSync(lane("file/inside"), "inside\n");
  writeFileSync(lane("directory"), "a file\n");
  symlinkSync("c.js", lane("other"));
  mkdirSync(lane("link"));
  writeFileSync(lane("link/d.js"), "d\n");
  writeFileSync(lane("empty"), "not empty\n");
  mkdirSync(at("empty/deep"), { recursive: true });
  mkdirSync(at("directory/in/deeper"), { recursive: true });
  const weighed = await weigh(tree);
  assert.deepEqual(weighed.conflicts, []);
  const taken = await take(weighed);
  assert.deepEqual([taken.refused, taken.tree], [[], weighed.merged]);
  assert.equal(read("file/inside"), "inside\n");
  assert.equal(read("directory"), "a file\n");
  assert.equal(readlinkSync(at("other")), "c.js");
  assert.equal(read("link/d.js"), "d\n");
  assert.equal(read("empty"), "not empty\n");
  assert.deepEqual((await take(weighed)).refused, [], "all of it is as it will be");

  put("file/inside", "changed\n");
  assert.deepEqual((await take(weighed)).refused, ["file/inside"]);
});

test("a file that can't be laid out is no deletion", async () => {
  const { at, make, weigh, take, lane, workplace } = await session({ "a.js": "a\n", "b.js": "b\n" });
  const { tree } = await make();
  writeFileSync(lane("a.js"), "c\n");
  rmSync(lane("b.js"));
  const weighed = await weigh(tree);
  const { trees } = workplace.project;
  const layPaths = trees.layPaths.bind(trees);
  trees.layPaths = async (id, paths, root) => layPaths(id, id === weighed.merged ? [] : paths, root);
  await assert.rejects(take(weighed), /could not write a copy of a\.js/);
  assert.ok(existsSync(at("a.js")));
  assert.ok(existsSync(at("b.js")));
});

test("a fault midway restores the earlier files, and a change meanwhile is refused", async () => {
  const { at, put, read, make, weigh, take, lane, workplace, store } = await session({
    "a.js": "a\n",
    "gone/b.js": "b\n",
    "z/z.js": "z\n",
  });
  chmodSync(at("a.js"), 0o600);
  chmodSync(at("gone/b.js"), 0o600);
  const { tree } = await make();
  writeFileSync(lane("a.js"), "changed\n");
  mkdirSync(lane("new"));
  writeFileSync(lane("new/n.js"), "new\n");
  rmSync(lane("gone"), { recursive: true });
  writeFileSync(lane("z/z.js"), "changed\n");
  const weighed = await weigh(tree);
  const asBefore = () => {
    assert.deepEqual([read("a.js"), read("gone/b.js")], ["a\n", "b\n"]);
    assert.equal(lstatSync(at("gone/b.js")).mode & 0o777, 0o600);
    assert.equal(existsSync(at("new")), false);
    assert.deepEqual(
      readdirSync(store.folder.path).filter((name) => name.startsWith("taking")),
      [],
    );
  };

  // Something changes a file after everything was looked at.
  const { trees } = workplace.project;
  const patch = trees.patch.bind(trees);
  trees.patch = async (...wanted) => {
    put("z/z.js", "of the user\n");
    return patch(...wanted);
  };
  assert.deepEqual((await take(weighed)).refused, ["z/z.js"]);
  assert.equal(read("z/z.js"), "of the user\n");
  asBefore();

  put("z/z.js", "z\n");
  trees.patch = async () => ({ top: await trees.top(), patch: null });
  await assert.rejects(take(weighed), /patch that undoes/);
  asBefore();

  trees.patch = patch;
  const stopped = AbortSignal.abort();
  await assert.rejects(take(weighed, stopped), /stopped/);
  asBefore();

  trees.patch = async (...wanted) => {
    const [staged = ""] = readdirSync(store.folder.path).filter((name) => name.startsWith("taking"));
    rmSync(path.join(store.folder.path, staged, "to/z/z.js"));
    return patch(...wanted);
  };
  await assert.rejects(take(weighed), { code: "ENOENT" });
  assert.equal(read("z/z.js"), "z\n");
  asBefore();

  trees.patch = patch;
  await take(weighed);
  assert.equal(read("a.js"), "changed\n");
  assert.equal(lstatSync(at("a.js")).mode & 0o777, 0o600, "permissions stay");
});

test("a repository that a worker makes in the lane is taken, and an unknown tree is an error", async () => {
  const { read, make, weigh, take, lane } = await session({ "a.js": "a\n" });
  const { tree } = await make();
  await weigh(tree);
  mkdirSync(lane("lib"));
  writeFileSync(lane("lib/in.js"), "in\n");
  git(lane("lib"), "init", "-q");
  git(lane("lib"), "add", "-A");
  git(lane("lib"), "commit", "-qm", "inner");
  const weighed = await weigh(tree);
  assert.deepEqual(weighed.changed, ["lib/in.js"]);
  await take(weighed);
  assert.equal(read("lib/in.js"), "in\n");

  const unknown = "0123456789012345678901234567890123456789";
  await assert.rejects(weigh(tree, /** @type {any} */ (unknown)), { name: "CopyError" });
  await assert.rejects(weigh(unknown), (error) => /** @type {any} */ (error).name !== "TypeError");
  await assert.rejects(take({ project: unknown, merged: tree }), { name: "CopyError" });
});

test("a lane that can't be made or used leaves nothing, and one that exists is kept", async () => {
  const { top, make, workplace, host, lane } = await session({ "a.js": "a\n" });
  const parent = path.dirname(workplace.root);
  const left = () => (existsSync(parent) ? readdirSync(parent).sort() : []);
  const PATH = process.env.PATH;
  const bin = mkdtempSync(path.join(scratch, "bin-"));
  const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  const script = `#!/bin/sh\nfor word; do [ "$word" = version ] && echo 'git version 2.9.5' && exit; done\nexec ${real} "$@"\n`;
  writeFileSync(path.join(bin, "git"), script, { mode: 0o755 });
  process.env.PATH = `${bin}${path.delimiter}${PATH}`;
  const old = await make().finally(() => {
    process.env.PATH = PATH;
  });
  assert.match(String(old.unprepared), /lanes need git 2\.38 or later, and this is git version 2\.9\.5/);
  assert.deepEqual(left(), []);

  process.env.XDG_STATE_HOME = path.join(top, "state");
  const within = await make().finally(() => {
    process.env.XDG_STATE_HOME = path.join(scratch, "state");
  });
  assert.match(String(within.unprepared), /inside the project.*XDG_STATE_HOME/);
  assert.equal(existsSync(path.join(top, "state")), false);

  host.refuses = "OpenCode doesn't load this plugin";
  const refused = await make();
  assert.equal(refused.unprepared, host.refuses);
  assert.deepEqual([left(), host.left], [[], [workplace.root]]);

  host.refuses = null;
  mkdirSync(`${workplace.root}.making-x1`, { recursive: true });
  await make();
  writeFileSync(lane("a.js"), "work\n");
  await make();
  assert.deepEqual(left(), ["lane", "lane.1"]);
  assert.equal(readFileSync(path.join(`${workplace.root}.1`, "a.js"), "utf8"), "work\n");
  assert.equal(readFileSync(lane("a.js"), "utf8"), "a\n");
});

test("a lane ignores what the project ignores, and its files count as they are on disk", async () => {
  const attributes = "*.txt text eol=lf\n*.bin filter=lfs\n";
  const files = { ".gitattributes": attributes, "a.txt": "a\n", "b.bin": "b\n", rules: "*.local\n" };
  const { top, put, make, weigh, lane } = await session(files);
  put("a.txt", "windows\r\n");
  git(top, "config", "core.excludesFile", "rules");
  writeFileSync(path.join(top, ".git/info/exclude"), "*.secret");
  put("mine.secret", "ignored\n");
  const { tree } = await make();
  git(lane("."), "config", "filter.lfs.clean", "echo pointer");
  assert.equal(git(lane("."), "status", "--porcelain"), "");
  execFileSync("touch", [lane("a.txt"), lane("b.bin")]);
  assert.equal(git(lane("."), "status", "--porcelain"), "");
  writeFileSync(lane("their.secret"), "of the lane\n");
  writeFileSync(lane("their.local"), "of the lane\n");
  writeFileSync(lane("new.txt"), "new\n");
  assert.deepEqual((await weigh(tree)).changed, ["new.txt"]);
});

test("our own directories are no part of a lane, and its workers can't change what makes it one", async () => {
  const { make, weigh, workplace, lane, put } = await session(
    { "packages/shop/a.js": "a\n", ".gitignore": ".flow\n" },
    { inside: "packages/shop" },
  );
  const { tree, unprepared } = await make();
  assert.equal(unprepared, null);
  const { directory } = await workplace.here();
  writeFileSync(lane(".gitignore"), "");
  mkdirSync(path.join(directory, ".flow"));
  writeFileSync(path.join(directory, ".flow/active"), "mine\n");
  put(".gitignore", ".flow\n");
  assert.deepEqual((await weigh(tree)).changed, [".gitignore"]);
  const entered = workplace.lane;
  assert.equal(entered?.root, workplace.root);
  for (const name of ["packages/shop/.flow", ".git", "opencode.json", "packages/shop/.opencode"])
    assert.ok(entered?.kept.includes(lane(name)), name);
});

test("what OpenCode loads is looked at in the lane and in the project, each under its own path", async () => {
  const { project, make, lanes, workplace, store, put } = await session({
    "a.js": "a\n",
    "opencode.json": "{}",
  });
  await make();
  const core = /** @type {any} */ ({ leftOutOfLinks: () => [] });
  const perform = effects({ core, store, here: () => workplace.here(), environment: {}, lanes });
  const look = async () => {
    const command = /** @type {any} */ ({ command: "take_tree", effect: 9, since: null });
    const { loaded } = /** @type {any} */ (await perform(command, new AbortController().signal));
    return new Map(loaded.map((/** @type {any} */ one) => [one.path, one.digest]));
  };
  const ofProject = shown(path.join(project, "opencode.json"), workplace.root);
  const before = await look();
  assert.ok(before.has("opencode.json") && before.has(ofProject));
  put("opencode.json", '{"plugin": []}');
  const now = await look();
  assert.equal(now.get("opencode.json"), before.get("opencode.json"));
  assert.notEqual(now.get(ofProject), before.get(ofProject));
});

test("paths of the project that a model names lead to the lane", async () => {
  const { top, project, make, workplace, lane } = await session(
    { "packages/shop/a.js": "a" },
    { inside: "packages/shop" },
  );
  assert.equal(await workplace.inLane(path.join(project, "a.js")), path.join(project, "a.js"), "no lane");
  await make();
  for (const [given, leads] of [
    ["a.js", "a.js"],
    [path.join(project, "a.js"), lane("packages/shop/a.js")],
    [path.join(top, "packages/lib/b.js"), lane("packages/lib/b.js")],
    ["/etc/hosts", "/etc/hosts"],
    [`${top}/../x`, `${top}/../x`],
  ])
    assert.equal(await workplace.inLane(given ?? ""), leads);
});

test("the journal and the outputs are checked although the lane is gone", async () => {
  const { project, make, store, workplace } = await session({ "a.js": "a\n" });
  await make();
  rmSync(workplace.root, { recursive: true });
  await store.append('{"event":"opened"}');
  await store.close();
  const core = /** @type {any} */ ({
    replayRun: () => ({ handle: 0 }),
    ci: () => ({}),
    closeRun: () => {},
    toVerify: () => ({ tree: "a tree", outputs: ["evidence/1.log"] }),
    hasLane: () => true,
    laneGone: () => ({ code: "lane.gone", message: "The lane is gone." }),
    verify: (/** @type {number} */ _handle, /** @type {any} */ { tree, outputs }) => {
      assert.deepEqual([tree, outputs], [null, { "evidence/1.log": null }]);
      throw new DesignLabError([{ code: "verify.output", message: "An output is missing." }]);
    },
  });
  const how = { head: undefined, run: false, report: async () => {} };
  const refused = verify({ core, project, outputs: [] }, "first", how);
  await assert.rejects(refused, (error) => {
    assert.ok(error instanceof DesignLabError);
    assert.deepEqual(
      error.problems.map(({ code }) => code),
      ["lane.gone", "verify.output"],
    );
    return true;
  });
});
