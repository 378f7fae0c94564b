import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { lookUp } from "./look-up.js";

let base = "";
let project = "";

before(async () => {
  base = await realpath(await mkdtemp(path.join(tmpdir(), "design-lab-look-up-")));
  project = path.join(base, "project");
  await mkdir(path.join(project, "src"), { recursive: true });
  await mkdir(path.join(base, "outside"));
  await writeFile(path.join(base, "outside/secret.txt"), "a\nb\n");
  await writeFile(path.join(project, "src/a.js"), "one\ntwo\n");
  await writeFile(path.join(project, "src/empty.js"), "");
  await writeFile(path.join(project, "large.bin"), "");
  await truncate(path.join(project, "large.bin"), 64 * 1024 * 1024);
  await symlink(path.join(base, "outside"), path.join(project, "linked"));
  await symlink("src/a.js", path.join(project, "link.js"));
  if (process.platform !== "win32") execFileSync("mkfifo", [path.join(project, "pipe")]);
});

after(() => rm(base, { recursive: true, force: true }));

/** @param {string[]} paths */
const found = async (...paths) =>
  (await lookUp(project, paths)).map(({ found, lines }) => (lines === null ? found : `${found} ${lines}`));

test("a file is reported with its lines, however the model writes its path", async () => {
  const absolute = path.join(project, "src/a.js");
  assert.deepEqual(
    await found("src/a.js", "./src//a.js", "src/../src/a.js", absolute),
    Array(4).fill("file 3"),
  );
  assert.deepEqual(await found("src/empty.js"), ["file 1"]);
});

test("what isn't there is nothing", async () => {
  const long = "a".repeat(400);
  const paths = ["src/b.js", "src/a.js/b.js", "the file that shows it", long];
  assert.deepEqual(await found(...paths), Array(paths.length).fill("nothing"));
});

test("nothing outside is looked at, by its name or by a link", async () => {
  const secret = path.join(base, "outside/secret.txt");
  assert.deepEqual(
    await found("../outside/secret.txt", secret, "/etc/passwd", "a\0b"),
    Array(4).fill("outside"),
  );
  assert.deepEqual(await found("linked/secret.txt", "linked/nothing", "link.js"), Array(3).fill("other"));
});

test("what is no plain file is refused at once, and of a large one no line is counted", async () => {
  assert.deepEqual(await found("src", ".", "large.bin"), ["other", "other", "file"]);
  if (process.platform !== "win32") assert.deepEqual(await found("pipe"), ["other"]);
});

test("a project that is reached by a link is looked at by either name", async () => {
  const other = path.join(base, "by-link");
  await symlink(project, other);
  const paths = [path.join(other, "src/a.js"), path.join(project, "src/a.js"), "src/a.js"];
  const seen = await lookUp(other, paths);
  assert.deepEqual(
    seen.map(({ lines }) => lines),
    [3, 3, 3],
  );
});

test("a package of a larger repository is looked at from either root, and its repository is the limit", async () => {
  const top = path.join(base, "repository");
  const inner = path.join(top, "packages/sum");
  await mkdir(path.join(top, ".git"), { recursive: true });
  await mkdir(inner, { recursive: true });
  await writeFile(path.join(inner, "a.js"), "one\n");
  await writeFile(path.join(top, "b.js"), "one\n");
  const paths = ["a.js", "packages/sum/a.js", "../../b.js", "b.js", "c.js", "../../../outside/secret.txt"];
  const seen = await lookUp(inner, paths);
  assert.deepEqual(
    seen.map(({ found }) => found),
    ["file", "file", "file", "file", "nothing", "outside"],
  );
});

test("a program is looked for in the directories of PATH", async () => {
  const bin = path.join(base, "bin");
  await mkdir(bin);
  await writeFile(path.join(bin, "checker"), "", { mode: 0o755 });
  await writeFile(path.join(bin, "notes"), "", { mode: 0o644 });
  const directories = [path.join(base, "none"), bin].join(path.delimiter);
  const names = ["$PATH/checker", "$PATH/program"];
  const seen = await lookUp(project, names, directories);
  assert.deepEqual(
    seen.map(({ found }) => found),
    ["file", "nothing"],
  );
  if (process.platform !== "win32") {
    assert.equal((await lookUp(project, ["$PATH/notes"], directories))[0]?.found, "nothing");
  }
  assert.equal((await lookUp(project, ["$PATH/checker"]))[0]?.found, "nothing", "only where it is asked for");
});
