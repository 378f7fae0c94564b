import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  access,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { rgPath } from "@vscode/ripgrep";
import { holdIgnoreFile, releaseIgnoreFile } from "../design-lab/ignore-file.js";
import { Folder, StoreError } from "./door.js";
import { LockedError } from "./lock.js";
import { keepOutOfGit, narrowSearchesIn } from "./out-of-git.js";
import { Store } from "./store.js";

let base = "";

beforeEach(async () => {
  base = await mkdtemp(path.join(tmpdir(), "design-lab-store-"));
});

afterEach(() => rm(base, { recursive: true, force: true }));

test("a run gets its directory with the journal that was begun before it had one", async () => {
  const output = path.join(base, "out");
  const store = await Store.stage(output);
  await store.append("one\n");
  assert.equal(await store.claim("2026-11-20-a"), true);
  await store.append("two\n");
  await store.write("designs/x.json", "{}\n");
  await store.close();
  assert.equal(await readFile(path.join(output, "2026-11-20-a/journal.jsonl"), "utf8"), "one\ntwo\n");
  assert.deepEqual((await readdir(output)).sort(), ["2026-11-20-a"]);
  assert.deepEqual((await readdir(path.join(output, "2026-11-20-a"))).sort(), [
    ".gitattributes",
    ".gitignore",
    ".ignore",
    "designs",
    "journal.jsonl",
  ]);
});

test("what happens while a run gets its directory is journaled all the same", async () => {
  const output = path.join(base, "out");
  const store = await Store.stage(output);
  const lines = Array.from({ length: 40 }, (_, number) => `${number}\n`);
  const appending = (async () => {
    for (const line of lines) await store.append(line);
  })();
  // The first name is taken.
  await mkdir(path.join(output, "2026-11-20-a"));
  await writeFile(path.join(output, "2026-11-20-a/mine"), "keep");
  assert.equal(await store.claim("2026-11-20-a"), false);
  assert.equal(await store.claim("2026-11-20-b"), true);
  await appending;
  await store.close();
  assert.equal(await readFile(path.join(output, "2026-11-20-b/journal.jsonl"), "utf8"), lines.join(""));
});

test("a directory that is there already is never entered", async () => {
  await mkdir(path.join(base, "taken"));
  await writeFile(path.join(base, "taken/mine"), "keep");
  const store = await Store.stage(base);
  assert.equal(await store.claim("taken"), false);
  await store.close();
  assert.deepEqual(await readdir(path.join(base, "taken")), ["mine"]);
  assert.deepEqual(await readdir(base), ["taken"], "a run without a directory leaves nothing");
});

test("of two writes to one file the later one stays, and no temporary file does", async () => {
  const store = await Store.stage(base);
  await store.claim("run");
  await Promise.all(Array.from({ length: 20 }, (_, n) => store.write("a/b.json", `${n}`)));
  assert.equal(await readFile(path.join(base, "run/a/b.json"), "utf8"), "19");
  assert.deepEqual(await readdir(path.join(base, "run/a")), ["b.json"]);
  await store.close();
});

test("a file that is there is never written over, and a folder's texts are read whole", async () => {
  const store = await Store.stage(base);
  await store.claim("run");
  assert.deepEqual(await store.texts("human", ".csv"), [], "no folder, no texts");
  assert.equal(await store.create("human/b.csv", "empty"), true);
  await writeFile(path.join(base, "run/human/b.csv"), "filled in");
  assert.equal(await store.create("human/b.csv", "empty"), false);
  await store.create("human/a.csv", "a");
  await store.create("human/a.md", "read me");
  await writeFile(path.join(base, "run/human/.a.csv"), "an editor's own");
  assert.deepEqual(await store.texts("human", ".csv"), [
    { name: "human/a.csv", text: "a" },
    { name: "human/b.csv", text: "filled in" },
  ]);
  // As a spreadsheet that writes Latin-1 saves it: nothing is guessed.
  await writeFile(path.join(base, "run/human/b.csv"), Buffer.from("gründlich", "latin1"));
  assert.deepEqual(await store.texts("human", ".csv"), [
    { name: "human/a.csv", text: "a" },
    { name: "human/b.csv", text: "\0" },
  ]);
  await writeFile(path.join(base, "run/other"), "");
  await assert.rejects(store.create("other/c.csv", ""), StoreError);
  await store.close();
});

test("what can't be written names its file, and what was there stays whole", async () => {
  const store = await Store.stage(base);
  await store.claim("run");
  await store.write("a.json", "whole");
  await writeFile(path.join(base, "run/b"), "a file where a directory should be");
  await assert.rejects(store.write("b/c.json", "x"), (error) => {
    assert.ok(error instanceof StoreError);
    assert.equal(error.file, path.join(base, "run/b"), "what stands in the way is named");
    assert.match(error.code, /EEXIST|ENOTDIR/);
    return true;
  });
  assert.equal(await readFile(path.join(base, "run/a.json"), "utf8"), "whole");
  await store.write("d.json", "one failure doesn't stop the others");
  await store.close();
});

test("a torn tail is cut off before anything is appended", async () => {
  await mkdir(path.join(base, "run"));
  await writeFile(path.join(base, "run/journal.jsonl"), 'one\n{"n":2,"crc');
  const { store, journal } = await Store.reopen(base, "run");
  assert.equal(journal.toString(), 'one\n{"n":2,"crc');
  await store.cut(4);
  await store.append("two\n");
  await store.close();
  assert.equal(await readFile(path.join(base, "run/journal.jsonl"), "utf8"), "one\ntwo\n");
});

test("a run belongs to one at a time", async () => {
  const run = path.join(base, "run");
  await mkdir(run);
  await writeFile(path.join(run, "journal.jsonl"), "one\n");
  const { store } = await Store.reopen(base, "run");
  await assert.rejects(Store.reopen(base, "run"), LockedError);
  await store.close();
  assert.deepEqual(await readdir(run), ["journal.jsonl"]);
});

test("a run directory that was deleted is not made again in silence", {
  skip: process.platform === "win32",
}, async () => {
  const store = await Store.stage(base);
  await store.claim("run");
  await store.append("one\n");
  await rm(path.join(base, "run"), { recursive: true });
  await assert.rejects(store.restore(), /ENOENT/);
  await assert.rejects(store.append("two\n"), /ENOENT/);
  await assert.rejects(store.write("a.json", "x"), /ENOENT/);
  assert.deepEqual(await readdir(base), [], "nothing grows in its place");
  await store.close();
});

test("a journal that somebody else has changed is written again, and what is appended goes there", async () => {
  const file = path.join(base, "run/journal.jsonl");
  /** @type {[string, () => Promise<unknown>][]} */
  const changes = [
    ["changed in its middle, as long as before", () => writeFile(file, "ONE\ntwo\n")],
    ["appended to", () => writeFile(file, "one\ntwo\nthree\n")],
    ["emptied", () => writeFile(file, "")],
    ["deleted", () => rm(file)],
    ["replaced", () => writeFile(`${file}.new`, "other\n").then(() => rename(`${file}.new`, file))],
  ];
  for (const [how, change] of changes) {
    const store = await Store.stage(base);
    await store.claim("run");
    await store.append("one\n");
    await store.append("two\n");
    assert.equal(await store.restore(), false, how);
    await change();
    assert.equal(await store.restore(), true, how);
    assert.equal(await readFile(file, "utf8"), "one\ntwo\n", how);
    await store.append("three\n");
    assert.equal(await store.restore(), false, how);
    await store.close();
    const { store: again } = await Store.reopen(base, "run");
    await again.cut("one\ntwo\n".length);
    await change();
    assert.equal(await again.restore(), true, `${how}, in another process`);
    assert.equal(await readFile(file, "utf8"), "one\ntwo\n", how);
    await again.close();
    await rm(path.join(base, "run"), { recursive: true });
  }
});

test("a lock that somebody removes is taken again; if another process drives the run by then, this one stops", async () => {
  const marks = path.join(base, "run/run.lock");
  const first = await Store.stage(base);
  await first.claim("run");
  await first.append("one\n");
  await rm(marks, { recursive: true });
  assert.equal(await first.restore(), false);
  await assert.rejects(Store.reopen(base, "run"), LockedError);

  await rm(marks, { recursive: true });
  const { store: second } = await Store.reopen(base, "run");
  await assert.rejects(first.restore(), LockedError);
  await first.close();
  assert.equal((await readdir(marks)).length, 1, "the other one's mark stays");
  await second.append("two\n");
  assert.equal(await second.restore(), false);
  assert.equal(await readFile(path.join(base, "run/journal.jsonl"), "utf8"), "one\ntwo\n");

  // The other one has come and gone.
  const { store: third } = await Store.reopen(base, "run").catch(async () => {
    await second.close();
    return Store.reopen(base, "run");
  });
  await third.append("three\n");
  await rm(marks, { recursive: true });
  const { store: fourth } = await Store.reopen(base, "run");
  await fourth.append("four\n");
  await fourth.close();
  await assert.rejects(third.restore(), LockedError);
  assert.equal(third.isLost, true);
  await third.close();
  assert.equal(await readFile(path.join(base, "run/journal.jsonl"), "utf8"), "one\ntwo\nthree\nfour\n");
});

test("a journal that was only touched, or copied to its place, is no other one", async () => {
  const file = path.join(base, "run/journal.jsonl");
  const store = await Store.stage(base);
  await store.claim("run");
  await store.append("one\n");
  await utimes(file, 0, 0);
  assert.equal(await store.restore(), false);
  await copyFile(file, `${file}.copy`);
  await rename(`${file}.copy`, file);
  assert.equal(await store.restore(), false);
  await store.append("two\n");
  assert.equal(await readFile(file, "utf8"), "one\ntwo\n");
  await store.close();
});

test("what a crash left half written is repaired", async () => {
  const run = path.join(base, "run");
  await mkdir(path.join(run, "designs"), { recursive: true });
  await writeFile(path.join(run, "journal.jsonl"), "one\n");
  await writeFile(path.join(run, "designs/.a.json.17-3.tmp"), "{");
  await writeFile(path.join(run, "designs/a.json"), "{");
  const { store } = await Store.reopen(base, "run");
  await store.ensure("designs/a.json", "{}");
  await store.ensure("designs/b.json", "{}");
  assert.deepEqual((await readdir(path.join(run, "designs"))).sort(), ["a.json", "b.json"]);
  assert.equal(await readFile(path.join(run, "designs/a.json"), "utf8"), "{}");
  await store.close();
});

test("runs are listed by name; a link isn't one, and one that can't be read is reported by its journal", async () => {
  const output = path.join(base, "out");
  const run = (/** @type {string} */ name) => path.join(output, name);
  for (const name of ["b", "a", "c", "empty", "piped", "linked"]) await mkdir(run(name), { recursive: true });
  for (const name of ["b", "a", "c"]) await writeFile(path.join(run(name), "journal.jsonl"), "one\n");
  await symlink(run("a"), run("a link"));
  await symlink(path.join(run("a"), "journal.jsonl"), path.join(run("linked"), "journal.jsonl"));
  execFileSync("mkfifo", [path.join(run("piped"), "journal.jsonl")]);
  await writeFile(run("a file"), "");
  assert.deepEqual(await Store.list(output), ["a", "b", "c", "linked", "piped"]);
  assert.equal((await Store.journal(new Folder(output, "a"))).toString(), "one\n");
  await assert.rejects(Store.journal(new Folder(output, "linked")), { code: "LINK" });
  await assert.rejects(Store.journal(new Folder(output, "piped")), { code: "NOT_A_FILE" });
  await assert.rejects(Store.reopen(output, "a link"), { code: "LINK" });
  assert.deepEqual(await Store.list(path.join(base, "nowhere")), []);
});

test("names that differ by case only are two runs, or one that is taken, as the file system has it", async () => {
  const store = await Store.stage(base);
  await store.append("one\n");
  assert.equal(await store.claim("2026-11-20-a"), true);
  const isOne = await access(path.join(base, "2026-11-20-A")).then(
    () => true,
    () => false,
  );
  const second = await Store.stage(base);
  await second.append("two\n");
  assert.equal(await second.claim("2026-11-20-A"), !isOne);
  await Promise.all([store.close(), second.close()]);
  assert.equal(await readFile(path.join(base, "2026-11-20-a/journal.jsonl"), "utf8"), "one\n");
});

test("old leftovers of runs that never began are swept, and nothing else", async () => {
  const victim = path.join(base, "victim");
  const output = path.join(base, "out");
  const left = (/** @type {string} */ name) => path.join(output, `.starting-${name}`);
  await mkdir(victim);
  await writeFile(path.join(victim, "AGENTS.md"), "theirs");
  const old = ["begun", "empty", "linked-lock", "locked", "piped"];
  for (const name of ["young", ...old]) await mkdir(left(name), { recursive: true });
  await writeFile(path.join(left("begun"), "journal.jsonl"), "one\n");
  await writeFile(path.join(left("empty"), "journal.jsonl"), "torn");
  await symlink(victim, path.join(left("empty"), "designs"));
  await symlink(victim, path.join(left("linked-lock"), "run.lock"));
  execFileSync("mkfifo", [path.join(left("piped"), "journal.jsonl")]);
  await mkdir(path.join(left("locked"), "run.lock"));
  await writeFile(path.join(left("locked"), "run.lock/elsewhere~1~1~0"), "");
  await symlink(victim, left("link"));
  await writeFile(left("file"), "");
  for (const name of old) await utimes(left(name), 1, 1);
  const store = await Store.stage(output);
  await store.close();
  const stay = ["begun", "file", "link", "linked-lock", "locked", "piped", "young"];
  assert.deepEqual(
    (await readdir(output)).sort(),
    stay.map((name) => `.starting-${name}`),
  );
  assert.deepEqual(await readdir(victim), ["AGENTS.md"]);
  assert.equal(await readFile(path.join(victim, "AGENTS.md"), "utf8"), "theirs");
});

test("what keeps a run out of git is written unless it is there; line ends stay as they are in a clone", async () => {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  const settings = ["user.name=user", "user.email=user@example.org", "maintenance.auto=false"];
  const user = settings.flatMap((setting) => ["-c", setting]);
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync("git", [...user, ...args], { cwd: base, env, stdio: "pipe" });
  const run = path.join(base, ".design-lab/run");
  await mkdir(run, { recursive: true });
  await writeFile(path.join(run, ".gitignore"), "the user's own\n");
  await keepOutOfGit(new Folder(path.dirname(run), "run"));
  assert.equal(await readFile(path.join(run, ".gitignore"), "utf8"), "the user's own\n");
  await writeFile(path.join(run, "journal.jsonl"), "one\ntwo\n");
  git("init", "-q");
  git("add", "-f", "-A");
  git("commit", "-qm", "a run");
  git("-c", "core.autocrlf=true", "clone", "-q", base, path.join(base, "clone"));
  const clone = path.join(base, "clone/.design-lab/run/journal.jsonl");
  assert.equal(await readFile(clone, "utf8"), "one\ntwo\n");
});

test("of a run searches find what people read, in a repository or not, and older runs are narrowed", async () => {
  const run = path.join(base, ".design-lab/run");
  const older = path.join(base, ".design-lab/older");
  const theirs = path.join(base, ".design-lab/theirs");
  const names = [
    "designs/a.json",
    "designs/a.md",
    "journal.jsonl",
    "results/report.html",
    "results/results.md",
  ];
  for (const folder of [run, older, theirs]) {
    for (const name of [...names, "reviews/a.md", "task.json"]) {
      await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
      await writeFile(path.join(folder, name), "needle\n");
    }
  }
  const former = "# Written by Design Lab: searches find this run although git ignores it.\n!*\n";
  await keepOutOfGit(new Folder(path.dirname(run), "run"));
  for (const folder of [older, theirs]) {
    await writeFile(path.join(folder, ".gitignore"), "*\n");
    await writeFile(path.join(folder, ".ignore"), former);
  }
  await writeFile(path.join(theirs, ".ignore"), "# mine\n!*\n");
  await narrowSearchesIn(new Folder(path.join(base, ".design-lab")));
  await narrowSearchesIn(new Folder(path.join(base, "nowhere")));
  const found = (/** @type {string} */ folder) =>
    execFileSync(rgPath, ["--hidden", "--files-with-matches", "needle", folder], { cwd: base })
      .toString()
      .trim()
      .split("\n")
      .map((name) => name.slice(folder.length + 1))
      .sort();
  for (const inGit of [false, true]) {
    if (inGit) execFileSync("git", ["init", "-q"], { cwd: base });
    for (const folder of [".design-lab/run", ".design-lab/older"])
      assert.deepEqual(found(folder), ["designs/a.md", "results/results.md"], `${folder} ${inGit}`);
    assert.equal(found(".design-lab/theirs").length, 7, "what the user has changed stays");
  }
});

test("searches are kept out while any run is running, and a file of the user's is left alone", async () => {
  const ignore = path.join(base, ".ignore");
  await holdIgnoreFile(base);
  await holdIgnoreFile(base);
  assert.ok((await readFile(ignore, "utf8")).split("\n").includes("*"));
  await releaseIgnoreFile(base);
  assert.ok((await readdir(base)).includes(".ignore"), "one run is still on");
  await releaseIgnoreFile(base);
  assert.deepEqual(await readdir(base), []);
  await writeFile(ignore, "*.log\n");
  await holdIgnoreFile(base);
  await releaseIgnoreFile(base);
  assert.equal(await readFile(ignore, "utf8"), "*.log\n");
});
