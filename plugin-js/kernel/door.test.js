import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  truncate,
  writeFile,
} from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { Folder, StoreError } from "./door.js";

let base = "";
/** Files outside the output directory that must not change. */
let outside = "";
let output = "";

beforeEach(async () => {
  base = await mkdtemp(path.join(tmpdir(), "design-lab-door-"));
  outside = path.join(base, "outside");
  output = path.join(base, "out");
  await mkdir(path.join(outside, "folder"), { recursive: true });
  await writeFile(path.join(outside, "file"), "theirs");
  await writeFile(path.join(outside, "folder/file"), "theirs");
  await mkdir(path.join(output, "run"), { recursive: true });
});

afterEach(() => rm(base, { recursive: true, force: true }));

/** Every file below a directory with its text, links as links. @param {string} directory */
async function tree(directory) {
  /** @type {Record<string, string>} */
  const found = {};
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const at = path.join(directory, entry.name);
    if (entry.isDirectory()) Object.assign(found, await tree(at), { [at]: "a folder" });
    else found[at] = entry.isFile() ? await readFile(at, "utf8") : "something else";
  }
  return found;
}

/** @param {string} code @param {string} [file] below the output directory @returns {(error: unknown) => true} */
const problem = (code, file) => (error) => {
  assert.ok(error instanceof StoreError, String(error));
  assert.equal(error.code, code);
  if (file) assert.equal(error.file, path.join(output, file));
  return true;
};

/** The ways to access an entry by name. @type {Record<string, (folder: Folder, name: string) => Promise<unknown>>} */
const WAYS = {
  read: (folder, name) => folder.read(name),
  append: (folder, name) => folder.open(name, "append"),
  begin: (folder, name) => folder.open(name, "begin"),
  write: (folder, name) => folder.write(name, "ours"),
  create: (folder, name) => folder.create(name, "ours"),
  mark: (folder, name) => folder.mark(name),
};

/** The ways that concern an entry itself and not a link's target. @type {typeof WAYS} */
const BLUNT = {
  status: (folder, name) => folder.status(name),
  remove: (folder, name) => folder.remove(name),
  makeFolder: (folder, name) => folder.makeFolder(name),
  removeFolder: (folder, name) => folder.removeFolder(name),
};

test("what is written is read again, in folders that are made on the way", async () => {
  const run = new Folder(output, "run");
  await run.write("a/b/c.json", "1");
  await run.write("a/b/c.json", "2");
  assert.equal((await run.read("a/b/c.json")).toString(), "2");
  assert.equal(await run.create("a/b/c.json", "3"), false);
  assert.equal(await run.create("a/b/d.json", "3"), true);
  assert.equal(await run.mark("a/m"), true);
  assert.equal(await run.mark("a/m"), false);
  assert.deepEqual(
    (await run.folder("a/b").entries()).map((entry) => entry.name),
    ["c.json", "d.json"],
    "no temporary file is left",
  );
  assert.equal(await run.remove("a/b/d.json"), true);
  assert.equal(await run.remove("a/b/d.json"), false);
  assert.equal(await run.status("a/b/d.json"), undefined);
  assert.deepEqual(await run.folder("nowhere/at all").entries(), []);
});

test("a link in the place of a file is refused by name, and what it leads to stays", async () => {
  const before = await tree(outside);
  const run = new Folder(output, "run");
  for (const target of [
    path.join(outside, "file"),
    path.join(outside, "folder"),
    path.join(base, "nowhere"),
  ]) {
    await symlink(target, path.join(output, "run/x"));
    for (const [way, reach] of Object.entries(WAYS)) {
      await assert.rejects(reach(run, "x"), problem("LINK", "run/x"), `${way} ${target}`);
    }
    assert.ok((await run.status("x"))?.isSymbolicLink());
    await assert.rejects(run.makeFolder("x"), problem("LINK", "run/x"));
    assert.equal(await run.remove("x"), true, "the link itself can be taken away");
  }
  assert.deepEqual(await tree(outside), before);
  assert.deepEqual((await readdir(base)).sort(), ["out", "outside"]);
});

test("a link in the place of any folder on the way is refused by name", async () => {
  const before = await tree(outside);
  for (const [place, below] of /** @type {const} */ ([
    ["linked", "x"],
    ["linked too", "folder/x"],
    ["run/linked", "x"],
    ["run/deep/er/linked", "folder/file"],
  ])) {
    await mkdir(path.dirname(path.join(output, place)), { recursive: true });
    await symlink(outside, path.join(output, place));
    const folder = new Folder(output, place);
    for (const [way, reach] of Object.entries({ ...WAYS, ...BLUNT })) {
      await assert.rejects(reach(folder, below), problem("LINK", place), `${way} ${place}`);
      await assert.rejects(reach(new Folder(output), `${place}/${below}`), problem("LINK", place));
    }
    await assert.rejects(folder.entries(), problem("LINK", place));
    await assert.rejects(folder.makeUnique("x"), problem("LINK", place));
    await assert.rejects(folder.removeAll(), problem("LINK", place));
    await assert.rejects(folder.moveTo(new Folder(output, "moved")), problem("LINK", place));
  }
  assert.deepEqual(await tree(outside), before);
});

test("the output directory itself may be reached by a link: it is the user's choice", async () => {
  await symlink(output, path.join(base, "chosen"));
  const run = new Folder(path.join(base, "chosen"), "run");
  await run.write("a/b", "1");
  assert.equal(await readFile(path.join(output, "run/a/b"), "utf8"), "1");
});

test("pipes, sockets, devices and folders are no files, and nobody waits for them", async () => {
  const run = new Folder(output, "run");
  const at = (/** @type {string} */ name) => path.join(output, "run", name);
  execFileSync("mkfifo", [at("pipe")]);
  await mkdir(at("folder"));
  const server = createServer().listen(at("socket"));
  await new Promise((resolve) => server.once("listening", resolve));
  try {
    for (const [name, code] of /** @type {const} */ ([
      ["pipe", "NOT_A_FILE"],
      ["socket", "NOT_A_FILE"],
      ["folder", "EISDIR"],
    ])) {
      for (const [way, reach] of Object.entries(WAYS)) {
        await assert.rejects(reach(run, name), problem(code, `run/${name}`), `${way} ${name}`);
      }
    }
    await run.write("file", "");
    await assert.rejects(run.write("file/below", ""), problem("ENOTDIR", "run/file"));
  } finally {
    server.close();
  }
});

test("a name that leads elsewhere is refused before anything is touched", async () => {
  const before = await tree(base);
  const names = [
    "",
    ".",
    "..",
    "/",
    "a/",
    "/a",
    "a//b",
    "../outside/file",
    "a/../../outside/file",
    "a/./b",
    "a\0b",
  ];
  const run = new Folder(output, "run");
  for (const name of names) {
    for (const [way, reach] of Object.entries({ ...WAYS, ...BLUNT })) {
      await assert.rejects(
        async () => reach(run, name),
        problem("OUTSIDE"),
        `${way} ${JSON.stringify(name)}`,
      );
    }
    assert.throws(() => run.folder(name), problem("OUTSIDE"));
    assert.throws(() => new Folder(output, name), problem("OUTSIDE"));
  }
  assert.deepEqual(await tree(base), before);
});

test("a folder is taken away with the links in it, and not with what they lead to", async () => {
  const before = await tree(outside);
  await mkdir(path.join(output, "run/a"));
  await symlink(outside, path.join(output, "run/folder"));
  await symlink(path.join(outside, "file"), path.join(output, "run/a/file"));
  await new Folder(output, "run").removeAll();
  assert.deepEqual(await readdir(output), []);
  assert.deepEqual(await tree(outside), before);
});

test("a file with a second name elsewhere gets a new one here, and the other keeps its text", async () => {
  await link(path.join(outside, "file"), path.join(output, "run/a.json"));
  await new Folder(output, "run").write("a.json", "ours");
  assert.equal(await readFile(path.join(outside, "file"), "utf8"), "theirs");
  assert.equal((await lstat(path.join(output, "run/a.json"))).nlink, 1);
});

test("entries come by name, whatever order the file system has", async () => {
  const names = ["b", "a", "B", "10", "9", "é", "z", "_"];
  for (const name of names) await writeFile(path.join(output, "run", name), "");
  assert.deepEqual(
    (await new Folder(output, "run").entries()).map((entry) => entry.name),
    ["10", "9", "B", "_", "a", "b", "z", "é"],
  );
});

test("no other file of the plugin touches what lies below an output directory", async () => {
  const others = {
    "design-lab/attachments.js": "what the user attaches",
    "design-lab/doctor.js": "tries a directory of its own",
    "design-lab/ignore-file.js": "looks, at once, whether searches are kept out",
    "design-lab/init.js": "the project's configuration",
    "design-lab/isolated.js": "makes the output directory itself",
    "design-lab/outputs.js": "the user's own state",
    "design-lab/project-list.js": "looks when directories of the project were touched",
    "design-lab/sources.js": "configuration",
    "kernel/agreed-vendors.js": "the user's own state",
    "kernel/ci-files.js": "the files that the user names",
    "kernel/file-digests.js": "what it is handed a path for",
    "kernel/git-record.js": "looks at git's own directory",
    "kernel/git.js": "looks whether there is a repository",
    "kernel/group.js": "looks for programs",
    "kernel/key.js": "the user's own state",
    "kernel/look-up.js": "what models cite of the project",
    "kernel/manifest.js": "the project's files, and what it is handed a path for",
    "kernel/plain-file.js": "configuration, and what it is handed a path for",
    "kernel/proc.js": "the system's list of processes",
    "kernel/real-path.js": "looks where a path leads",
    "kernel/repository.js": "git's files, and what it is handed a path for",
    "kernel/stamps.js": "it looks when files were touched, and opens none",
    "kernel/store.js": "makes the output directory itself",
    "kernel/summaries.js": "the user's own state",
    "kernel/tree.js": "looks where a path leads",
    "kernel/whole-file.js": "is handed a path by the door",
    "validation/counterfeit.js": "a program of its own, which is handed a path",
    "validation/facts.js": "the system's list of processes",
    "validation/listener.js": "the system's list of sockets",
    "validation/live.js": "a program of its own, which is handed a path",
    "validation/look.js": "a program of its own, which is handed a path",
    "validation/playwright.js": "a file of the package",
    "validation/progress.js": "what Playwright's reporter writes, which is handed a path",
    "validation/reporter.js": "runs in Playwright, which is handed a path",
    "validation/tools.js": "looks for programs",
  };
  const found = [];
  for (const room of ["kernel", "design-lab", "validation"]) {
    const folder = new URL(`../${room}/`, import.meta.url);
    for (const file of await readdir(folder)) {
      if (!file.endsWith(".js") || file.includes(".test.") || file === "door.js") continue;
      const text = await readFile(new URL(file, folder), "utf8");
      if (/from "node:fs/.test(text)) found.push(`${room}/${file}`);
    }
  }
  assert.deepEqual(found.sort(), Object.keys(others));
  assert.match(
    await readFile(new URL("store.js", import.meta.url), "utf8"),
    /import { mkdir } from "node:fs\/promises"/,
  );
});

test("a file of a size that no run's file has is reported by name, and not read", async () => {
  const file = path.join(output, "run/journal.jsonl");
  await writeFile(file, "");
  await truncate(file, 600_000_000);
  await assert.rejects(
    new Folder(output, "run").read("journal.jsonl"),
    problem("TOO_LARGE", "run/journal.jsonl"),
  );
});

test("what failed says whether something was to be read or written", async () => {
  const run = new Folder(output, "run");
  const deeds = [];
  const actions = [
    () => run.read("gone"),
    () => run.open("gone", "append"),
    () => run.moveTo(run.folder("a/b")),
  ];
  for (const act of actions)
    deeds.push(await act().then(undefined, (/** @type {StoreError} */ error) => error.deed));
  assert.deepEqual(deeds, ["read", "write", "write"]);
});
