// The tree id, on real repositories.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
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
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { Folder } from "./door.js";
import { ENVIRONMENT, git as gitIn } from "./test/git.js";
import { Trees } from "./tree.js";

const scratch = realpathSync(mkdtempSync(path.join(tmpdir(), "flow-tree-")));
after(() => rmSync(scratch, { recursive: true, force: true }));

/**
 * A project that contains a session's state.
 * @param {Record<string, string>} files @param {{git?: boolean, base?: string}} [options]
 */
function project(files, { git: withGit = true, base = mkdtempSync(path.join(scratch, "base-")) } = {}) {
  const directory = path.join(base, "project");
  const at = (/** @type {string} */ name) => path.join(directory, name);
  const put = (/** @type {string} */ name, /** @type {string} */ text) => {
    mkdirSync(path.dirname(at(name)), { recursive: true });
    writeFileSync(at(name), text);
  };
  const git = (/** @type {string[]} */ ...args) => gitIn(directory, ...args);
  for (const [name, text] of Object.entries(files)) put(name, text);
  if (withGit) {
    git("init", "-q");
    git("add", "-A");
    git("commit", "-qm", "first");
  }
  put(".flow/session/note", "ours");
  const trees = treesOf(directory);
  return { base, directory, at, put, git, trees, take: async () => (await trees.take()).id };
}

/** @param {string} directory */
function treesOf(directory) {
  const store = { folder: new Folder(path.join(directory, ".flow"), "session") };
  return new Trees({
    project: directory,
    store,
    leftOut: [".flow", "out", ".opencode/rules.jsonc"].map((name) => path.join(directory, name)),
  });
}

/**
 * Everything in a directory, with modes, contents and links; with times except for objects, which git may renew.
 * @param {string} directory
 */
function manifest(directory) {
  /** @type {Record<string, string>} */
  const found = {};
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath ?? entry.path, entry.name);
    const status = lstatSync(file);
    const content = status.isFile()
      ? createHash("sha256").update(readFileSync(file)).digest("hex")
      : status.isSymbolicLink()
        ? readlinkSync(file)
        : "";
    const name = path.relative(directory, file);
    found[name] = [status.mode, name.startsWith("objects") ? "" : status.mtimeMs, content].join(" ");
  }
  return found;
}

test("the tree of a clean project is that of its commit", async () => {
  const { git, trees } = project({ "a.js": "a", "lib/b.js": "b" });
  assert.deepEqual(await trees.take(), { id: git("rev-parse", "HEAD^{tree}").trim(), kind: "git" });
});

test("our own directories may be ignored by name", async () => {
  const { git, put, take } = project({ "a.js": "a", ".gitignore": ".flow\nout/\n.opencode/\n" });
  put(".opencode/rules.jsonc", "ours");
  put("out/page.html", "ours");
  assert.equal(await take(), git("rev-parse", "HEAD^{tree}").trim());
});

test("each change is another tree, and the way back leads to the first one", async () => {
  const { at, put, trees, take } = project({ "a.js": "a", "lib/b.js": "b", ".gitignore": "ignored\n" });
  const first = await take();
  const seen = new Set([first]);
  const differs = async (/** @type {[string, string][]} */ ...paths) => {
    const now = await take();
    assert.ok(!seen.has(now));
    seen.add(now);
    assert.deepEqual(
      (await trees.changed(first, now))?.map(({ status, path: name }) => [status, name]),
      paths,
    );
  };
  put("a.js", "A");
  await differs(["M", "a.js"]);
  put("new file", "n");
  await differs(["M", "a.js"], ["A", "new file"]);
  rmSync(at("lib/b.js"));
  await differs(["M", "a.js"], ["D", "lib/b.js"], ["A", "new file"]);
  put("lib/b.js", "b");
  put("a.js", "a");
  rmSync(at("new file"));
  assert.equal(await take(), first);
  chmodSync(at("a.js"), 0o755);
  await differs(["M", "a.js"]);
  chmodSync(at("a.js"), 0o644);
  rmSync(at("a.js"));
  symlinkSync("lib/b.js", at("a.js"));
  await differs(["T", "a.js"]);
  rmSync(at("a.js"));
  put("a.js", "a");
  put("ignored", "no matter");
  put(".flow/session/other", "no matter");
  put("out/run/journal.jsonl", "no matter");
  assert.equal(await take(), first);
});

test("a patch leads back to whatever a tree held, and git applies it", async () => {
  const { at, put, git, take, trees } = project({ "a.js": "a", "b.js": "b\n", "lib/c.js": "c" });
  put("b.js", "b\nnot committed\n");
  put("bytes", "\0\u{1}\r\n");
  const before = await take();
  put("a.js", "A");
  git("checkout-index", "-f", "-a");
  rmSync(at("bytes"));
  rmSync(at("lib/c.js"));
  put("new file", "n");
  symlinkSync("b.js", at("link"));
  const { top, patch } = await trees.patch(await take(), before);
  assert.equal(top, at("."));
  writeFileSync(at(".git/undo.patch"), patch ?? "");
  git("apply", ".git/undo.patch");
  assert.equal(await take(), before);
  assert.equal((await trees.patch(before, before)).patch?.length, 0);
});

test("nothing of the user's repository is touched", async () => {
  const { at, put, git, take } = project({ "a.js": "a", "b.js": "b", "c.js": "c" });
  put("a.js", "stashed");
  git("stash", "-q");
  put("a.js", "staged");
  git("add", "a.js");
  put("a.js", "and changed again");
  put("untracked", "u");
  rmSync(at("b.js"));
  git("update-index", "-q", "--refresh", "--really-refresh", "--unmerged");
  const before = manifest(at(".git"));
  const first = await take();
  put("untracked", "otherwise");
  assert.notEqual(await take(), first);
  assert.deepEqual(manifest(at(".git")), before);
  assert.match(git("status", "--porcelain"), /^MM a\.js\n D b\.js\n/);
});

test("what is staged but not in the files doesn't count, and flags in the user's index hide nothing", async () => {
  const { put, git, take } = project({ "a.js": "a", "b.js": "b" });
  const first = await take();
  put("a.js", "staged");
  git("add", "a.js");
  put("a.js", "a");
  assert.equal(await take(), first);
  git("update-index", "--assume-unchanged", "a.js");
  git("update-index", "--skip-worktree", "b.js");
  assert.equal(await take(), first);
  put("a.js", "hidden");
  const second = await take();
  assert.notEqual(second, first);
  put("b.js", "hidden, too");
  assert.notEqual(await take(), second);
});

test("a change of the same length within the same moment is seen", async () => {
  const { put, take } = project({ "a.js": "0" });
  for (let turn = 1; turn < 5; turn += 1) {
    const before = await take();
    put("a.js", String(turn));
    assert.notEqual(await take(), before);
  }
});

test("names with spaces, newlines, quotes and stars are names", async () => {
  const names = ["with space", "new\nline", 'quo"te', "st*r", ":(top)x", "-dash", "ünï/cödé", "tab\t"];
  const { put, trees, take } = project(Object.fromEntries(names.map((name) => [name, "1"])));
  const first = await take();
  for (const name of names) put(name, "2");
  const changes = await trees.changed(first, await take());
  assert.deepEqual(new Set(changes?.map((change) => change.path)), new Set(names));
});

test("tracked files count although they are ignored, also once they were gone", async () => {
  const { at, put, git, take } = project(
    { "a.js": "a", "dist/a.js": "made", ".gitignore": "dist\n" },
    { git: false },
  );
  git("init", "-q");
  git("add", "-A", "-f", "a.js", "dist/a.js", ".gitignore");
  git("commit", "-qm", "first");
  const first = await take();
  rmSync(at("dist/a.js"));
  const gone = await take();
  assert.notEqual(gone, first);
  put("dist/a.js", "made");
  assert.equal(await take(), first);
  git("rm", "-q", "--cached", "dist/a.js");
  assert.equal(await take(), gone);
});

test("an index of ours that somebody changed is made again", async () => {
  const { directory, put, git, take } = project({ "a.js": "a", "b.js": "b" });
  const first = await take();
  const index = path.join(directory, ".flow/session/tree/index");
  execFileSync("git", ["update-index", "--assume-unchanged", "a.js"], {
    cwd: directory,
    env: { ...ENVIRONMENT, GIT_INDEX_FILE: index },
  });
  put("a.js", "hidden");
  const second = await take();
  assert.notEqual(second, first);
  writeFileSync(index, "no index at all");
  assert.equal(await take(), second);
  rmSync(index);
  assert.equal(await take(), second);
  git("config", "core.fsmonitor", "true");
  put("a.js", "a");
  assert.equal(await take(), first);
});

test("another process takes the same tree, also after the session's directory was moved", async () => {
  const { directory, put, at, take } = project({ "a.js": "a" });
  put("new", "n");
  const first = await take();
  assert.equal((await treesOf(directory).take()).id, first);
  renameSync(at(".flow/session"), at(".flow/other"));
  mkdirSync(at(".flow/session"));
  assert.equal(await take(), first);
});

test("the files of a submodule count, changed ones as well, and those of a repository in a repository", async () => {
  const library = project({ "lib.js": "1", ".gitignore": "made\n" });
  const { directory, put, git, trees, take } = project({ "a.js": "a" });
  git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library.directory, "deps/lib");
  git("commit", "-qm", "with a submodule");
  const first = await take();
  put("deps/lib/lib.js", "2");
  const second = await take();
  assert.deepEqual(await trees.changed(first, second), [{ path: "deps/lib/lib.js", status: "M" }]);
  put("deps/lib/made", "no matter");
  assert.equal(await take(), second);
  put("deps/lib/lib.js", "1");
  assert.equal(await take(), first);
  const inside = path.join(directory, "own");
  mkdirSync(inside);
  gitIn(inside, "init", "-q");
  gitIn(inside, "commit", "-q", "--allow-empty", "-m", "own");
  const empty = await take();
  put("own/x.js", "1");
  const third = await take();
  assert.deepEqual(await trees.changed(empty, third), [{ path: "own/x.js", status: "A" }]);
  put("own/x.js", "2");
  assert.deepEqual(await trees.changed(third, await take()), [{ path: "own/x.js", status: "M" }]);
});

test("the files of a repository without a commit count", async () => {
  const { directory, put, take, trees, git } = project({ "a.js": "a" });
  git("commit", "--allow-empty", "-qm", "first");
  const before = await take();
  const inside = path.join(directory, "made by/it");
  mkdirSync(inside, { recursive: true });
  gitIn(inside, "init", "-q");
  assert.equal(await take(), before, "nothing is in it");
  put("made by/it/x.js", "1");
  const first = await take();
  assert.deepEqual(await trees.changed(before, first), [{ path: "made by/it/x.js", status: "A" }]);
  put("made by/it/x.js", "2");
  assert.deepEqual(await trees.changed(first, await take()), [{ path: "made by/it/x.js", status: "M" }]);
  put("made by/it/.gitignore", "x.js\n");
  const ignored = await take();
  assert.deepEqual(await trees.changed(before, ignored), [{ path: "made by/it/.gitignore", status: "A" }]);
  // Its first commit changes no file.
  gitIn(inside, "commit", "-q", "--allow-empty", "-m", "own");
  assert.equal(await take(), ignored);
  rmSync(path.join(directory, "made by"), { recursive: true });
  assert.equal(await take(), before);
});

test("a submodule that isn't there counts by its commit", async () => {
  const library = project({ "lib.js": "1" });
  const { base, git } = project({ "a.js": "a" });
  git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library.directory, "lib");
  git("commit", "-qm", "with a submodule");
  const clone = path.join(base, "clone");
  git("clone", "-q", ".", clone);
  mkdirSync(path.join(clone, ".flow/session"), { recursive: true });
  assert.equal((await treesOf(clone).take()).id, git("rev-parse", "HEAD^{tree}").trim());
});

test("a large file counts by what it holds, and its filter isn't run", async () => {
  const { put, git, trees, take } = project({ ".gitattributes": "*.bin filter=lfs -text\n" });
  git("config", "filter.lfs.clean", "exit 1");
  git("config", "filter.lfs.required", "true");
  put("large.bin", "one");
  const first = await take();
  put("large.bin", "two");
  const second = await take();
  assert.deepEqual(await trees.changed(first, second), [{ status: "M", path: "large.bin" }]);
  put("large.bin", "one");
  assert.equal(await take(), first);
});

/** @typedef {{git: (...args: string[]) => string, put: (name: string, text: string) => void}} Tricked */

/** What a model may do to git so that a change goes unseen. @type {Record<string, (project: Tricked) => void>} */
const TRICKS = {
  "a clean filter": ({ git, put }) => {
    git("config", "filter.same.clean", "echo the same");
    put(".git/info/attributes", "a.js filter=same\n");
  },
  "a clean filter of the project": ({ git }) => git("config", "filter.same.clean", "echo the same"),
  "an object that is replaced": ({ git, put }) => {
    put("a.js", "bad");
    const bad = git("hash-object", "-w", "a.js").trim();
    git("replace", bad, git("rev-parse", "HEAD:a.js").trim());
  },
  "ignored line ends": ({ git }) => git("config", "core.autocrlf", "true"),
  "an attribute for line ends": ({ put }) => put(".git/info/attributes", "* text eol=lf\n"),
  "a watcher that sees nothing": ({ git }) => git("config", "core.fsmonitor", "true"),
  "a mode that isn't looked at": ({ git }) => git("config", "core.checkStat", "minimal"),
};

for (const [name, trick] of Object.entries(TRICKS))
  test(`${name} hides no change`, async () => {
    const used = project({ ".gitattributes": "b.js filter=same\n", "a.js": "one\n", "b.js": "one\n" });
    const { put, take, trees, directory } = used;
    const clean = await take();
    trick(used);
    for (const file of ["a.js", "b.js"]) put(file, "one\r\n");
    const changed = await trees.changed(clean, await take());
    assert.deepEqual(changed?.map(({ path: file }) => file).sort(), ["a.js", "b.js"]);
    put("a.js", "bad");
    const bad = await take();
    assert.equal(await trees.text(bad, "a.js"), "bad");
    const copy = path.join(directory, "out/copy");
    mkdirSync(copy, { recursive: true });
    await trees.lay(bad, copy, () => []);
    const held = ["a.js", "b.js"].map((file) => readFileSync(path.join(copy, file), "utf8"));
    assert.deepEqual(held, ["bad", "one\r\n"]);
    assert.deepEqual(await trees.unlike(bad, ["a.js", "b.js"], copy), []);
    writeFileSync(path.join(copy, "b.js"), "other");
    assert.deepEqual(await trees.unlike(bad, ["a.js", "b.js"], copy), ["b.js"]);
  });

test("what git ignores now doesn't count, whatever was so before", async () => {
  const { directory, at, put, take } = project({ "a.js": "a" });
  put("report.json", "1");
  put("made/x.js", "1");
  const before = await take();
  put(".gitignore", "report.json\nmade\n");
  const ignored = await take();
  assert.notEqual(ignored, before);
  assert.equal((await treesOf(directory).take()).id, ignored, "as for somebody who never saw another state");
  put("report.json", "2");
  put("made/x.js", "2");
  assert.equal(await take(), ignored);
  rmSync(at(".gitignore"));
  put("report.json", "1");
  put("made/x.js", "1");
  assert.equal(await take(), before);
  put(".git/info/exclude", "report.json\n");
  const excluded = await take();
  assert.notEqual(excluded, before);
  put("report.json", "3");
  assert.equal(await take(), excluded);
});

test("what the user has git ignore everywhere doesn't count", async () => {
  const { base, git, put, take } = project({ "a.js": "a" });
  const first = await take();
  writeFileSync(path.join(base, "everywhere"), ".idea\n");
  git("config", "core.excludesFile", path.join(base, "everywhere"));
  put(".idea/workspace.xml", "x");
  assert.equal((await treesOf(path.join(base, "project")).take()).id, first);
});

test("a linked worktree has a tree of its own", async () => {
  const { base, git, take } = project({ "a.js": "a" });
  const first = await take();
  const linked = path.join(base, "linked");
  git("worktree", "add", "-q", linked);
  mkdirSync(path.join(linked, ".flow/session"), { recursive: true });
  assert.equal((await treesOf(linked).take()).id, first);
  writeFileSync(path.join(linked, "a.js"), "A");
  assert.notEqual((await treesOf(linked).take()).id, first);
  assert.equal(await take(), first);
});

test("in a package of a larger repository the whole repository counts", async () => {
  const { directory, put } = project({ "packages/one/a.js": "a", "packages/two/b.js": "b" });
  put("packages/one/.flow/session/note", "ours");
  const trees = treesOf(path.join(directory, "packages/one"));
  const first = (await trees.take()).id;
  put("packages/one/.flow/session/other", "ours");
  assert.equal((await trees.take()).id, first);
  put("packages/two/b.js", "B");
  assert.deepEqual(await trees.changed(first, (await trees.take()).id), [
    { path: "packages/two/b.js", status: "M" },
  ]);
});

test("a repository without a commit has trees, and its first commit changes none", async () => {
  const { put, git, take } = project({ "a.js": "a", ".gitignore": "ignored\n" }, { git: false });
  git("init", "-q");
  put("ignored", "no matter");
  const first = await take();
  assert.match(first, /^[0-9a-f]{40}$/);
  git("add", "a.js", ".gitignore");
  git("commit", "-qm", "first");
  assert.equal(await take(), first);
  assert.equal(first, git("rev-parse", "HEAD^{tree}").trim());
});

test("without git the tree is a manifest", async () => {
  const { at, put, trees, take } = project({ "a.js": "a", "lib/b\nc.js": "b" }, { git: false });
  const first = await trees.take();
  assert.equal(first.kind, "manifest");
  put("node_modules/x/index.js", "installed");
  put(".flow/session/other", "ours");
  assert.equal(await take(), first.id);
  put("a.js", "A");
  symlinkSync("a.js", at("link"));
  rmSync(at("lib"), { recursive: true });
  put("lib", "a file now");
  assert.deepEqual(await trees.changed(first.id, await take()), [
    { path: "a.js", status: "M" },
    { path: "lib", status: "A" },
    { path: "lib/b\nc.js", status: "D" },
    { path: "link", status: "A" },
  ]);
  const plain = await take();
  chmodSync(at("a.js"), 0o755);
  assert.deepEqual(await trees.changed(plain, await take()), [{ path: "a.js", status: "M" }]);
  assert.equal(await trees.changed("0".repeat(64), plain), null);
});

test("a project that the repository around it ignores is one without git", async () => {
  const { directory, put } = project({ ".gitignore": "inner\n", "a.js": "a" });
  put("inner/b.js", "b");
  put("inner/.flow/session/note", "ours");
  assert.equal((await treesOf(path.join(directory, "inner")).take()).kind, "manifest");
});

test("other repositories that the environment names are ignored", async () => {
  const other = project({ "x.js": "x" });
  const { git, take } = project({ "a.js": "a" });
  process.env.GIT_DIR = other.at(".git");
  process.env.GIT_INDEX_FILE = other.at(".git/index");
  try {
    const id = await take();
    delete process.env.GIT_DIR;
    delete process.env.GIT_INDEX_FILE;
    assert.equal(id, git("rev-parse", "HEAD^{tree}").trim());
  } finally {
    delete process.env.GIT_DIR;
    delete process.env.GIT_INDEX_FILE;
  }
});

test("a tree that is no longer known is reported as such", async () => {
  const { trees, take } = project({ "a.js": "a" });
  assert.equal(await trees.changed("0".repeat(40), await take()), null);
});

test("of 10,000 files only those that changed are read again", async (context) => {
  const files = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, index) => [
      `d${index % 100}/e${index % 7}/f${index}.js`,
      `export const x = ${index};\n`,
    ]),
  );
  const { directory, put, take } = project(files);
  const first = await take();
  const spent = [];
  for (let turn = 0; turn < 5; turn += 1) {
    const began = performance.now();
    assert.equal(await take(), first);
    spent.push(performance.now() - began);
  }
  put("d0/e0/f0.js", "changed");
  const began = performance.now();
  assert.notEqual(await take(), first);
  context.diagnostic(
    `unchanged: ${spent.map(Math.round).join(", ")} ms; one file changed: ${Math.round(performance.now() - began)} ms`,
  );
  const objects = readdirSync(path.join(directory, ".flow/session/tree/objects"), {
    recursive: true,
    withFileTypes: true,
  });
  // The file, its two directories and the root; nothing of the other files.
  assert.equal(objects.filter((entry) => entry.isFile()).length, 4);
  assert.ok(existsSync(path.join(directory, ".flow/session/tree/index")));
});
