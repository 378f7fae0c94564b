import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { Folder } from "./door.js";
import { isStale, LockedError, lock, ownerOf } from "./lock.js";
import { surroundings } from "./proc.js";

const HOST = encodeURIComponent(hostname());
/** Marks of processes that are gone: no process has such a high pid; this process started at another time. */
const DEAD = [`${HOST}~4194305~1~0`, `${HOST}~${process.pid}~1~0`, `${HOST}~4194305~1~${surroundings()}~0`];
/** Entries that may be there and aren't marks. */
const STRANGE = [
  "torn",
  "notes.txt",
  "%~1~1~0",
  "%E0%A4%A~1~1~0",
  "a~0~1~0",
  "a~-1~1~0",
  "a~1~x~0",
  "a~1~1",
  "a~1~1~zz~0",
  "~1~1~0",
  "%1B%5B2J~1~1~0",
  "a~99999999999~1~0",
];

let base = "";
let run = new Folder("/");

beforeEach(async () => {
  base = await mkdtemp(path.join(tmpdir(), "design-lab-lock-"));
  run = new Folder(base, "run");
  await mkdir(run.path);
});

afterEach(() => rm(base, { recursive: true, force: true }));

/** @param {string[]} names */
async function leave(names) {
  await mkdir(run.file("run.lock"), { recursive: true });
  for (const name of names) await writeFile(run.file(`run.lock/${name}`), "");
}

test("a run has one owner, which is reported by its process, until it lets go", async () => {
  const held = await lock(run);
  assert.deepEqual(await ownerOf(run), { kind: "process", name: `process ${process.pid}`, here: true });
  await assert.rejects(lock(run), (error) => {
    assert.ok(error instanceof LockedError);
    assert.equal(error.run, "run");
    assert.equal(error.owner, `process ${process.pid}`);
    return true;
  });
  assert.equal((await readdir(run.file("run.lock"))).length, 1, "who withdraws takes its mark along");
  await held.release(run);
  assert.deepEqual(await readdir(run.path), []);
  assert.deepEqual(await ownerOf(run), { kind: "nobody" });
});

test("who lets go does so under the name that the directory has by then", async () => {
  const held = await lock(run);
  const moved = new Folder(base, "moved");
  await run.moveTo(moved);
  await held.release(moved);
  assert.deepEqual(await readdir(moved.path), []);
});

test("of many that want a run at once at most one gets it", async () => {
  for (let round = 0; round < 20; round += 1) {
    const taken = await Promise.allSettled(Array.from({ length: 8 }, () => lock(run)));
    const owners = taken.filter((attempt) => attempt.status === "fulfilled");
    assert.ok(owners.length <= 1, `${owners.length} owners`);
    for (const owner of owners) await owner.value.release(run);
    assert.deepEqual(await readdir(run.path), []);
  }
});

test("what dead processes left is no obstacle, and is swept away", async () => {
  await leave(DEAD);
  assert.deepEqual(await ownerOf(run), { kind: "nobody" });
  assert.equal(await isStale(run), true);
  const held = await lock(run);
  assert.equal((await readdir(run.file("run.lock"))).length, 1);
  assert.equal(await isStale(run), false);
  await held.release(run);
});

test("a living process of this machine, and any of another, keeps it", async () => {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  try {
    await leave([`${HOST}~${child.pid}~~0`]);
    await assert.rejects(lock(run), new RegExp(`belongs to process ${child.pid}$`));
    assert.deepEqual(await ownerOf(run), { kind: "process", name: `process ${child.pid}`, here: false });
  } finally {
    child.kill("SIGKILL");
    await new Promise((resolve) => child.once("exit", resolve));
  }
  assert.equal(await isStale(run), true);
  await leave(["another%20machine~1~1~0"]);
  await assert.rejects(lock(run), /process 1 on another machine/);
  assert.equal(await isStale(run), false);
  assert.ok((await readdir(run.file("run.lock"))).includes("another%20machine~1~1~0"));
});

test("a process that can't be seen from here counts as alive, though the machine has the same name", {
  skip: process.platform !== "linux",
}, async () => {
  const [namespace, boot, machine] = surroundings().split(".");
  for (const place of [
    `4026539999.${boot}.${machine}`,
    `4026539999.0badb007.${machine}`,
    `${namespace}.0badb007.0a`,
  ]) {
    await leave([`${HOST}~4194305~1~${place}~0`]);
    await assert.rejects(lock(run), /process 4194305 in another container or on another machine$/);
    assert.equal((await ownerOf(run)).kind, "process");
    assert.equal(await isStale(run), false);
    // As the message instructs the user.
    await rm(run.file("run.lock"), { recursive: true });
    await (await lock(run)).release(run);
  }
});

test("what a machine left before it was started again is no obstacle", {
  skip: process.platform !== "linux" || !/^4026531836\..*\../.test(surroundings()),
}, async () => {
  const [namespace, , machine] = surroundings().split(".");
  await leave([`${HOST}~${process.pid}~1~${namespace}.0badb007.${machine}~0`]);
  assert.deepEqual(await ownerOf(run), { kind: "nobody" });
  await (await lock(run)).release(run);
});

test("what is no mark locks nothing, breaks nothing, and is left alone", async () => {
  await leave(STRANGE);
  await mkdir(run.file(`run.lock/${DEAD[0]}`));
  await symlink("/", run.file(`run.lock/${DEAD[1]}`));
  assert.deepEqual(await ownerOf(run), { kind: "nobody" });
  assert.equal(await isStale(run), false);
  const held = await lock(run);
  await held.release(run);
  assert.deepEqual((await readdir(run.file("run.lock"))).sort(), [...STRANGE, DEAD[0], DEAD[1]].sort());
});

test("a lock that is a link deletes nothing if it leads, and is told", async () => {
  const victim = path.join(base, "victim");
  await mkdir(victim);
  for (const name of ["AGENTS.md", ...DEAD]) await writeFile(path.join(victim, name), "theirs");
  await symlink(victim, run.file("run.lock"));
  for (const look of [lock, ownerOf, isStale]) {
    await assert.rejects(look(run), { code: "LINK", file: run.file("run.lock") });
  }
  assert.deepEqual((await readdir(victim)).sort(), ["AGENTS.md", ...DEAD].sort());
  assert.equal(await readFile(path.join(victim, "AGENTS.md"), "utf8"), "theirs");
});

test("a lock that is a file is told, and stays", async () => {
  await writeFile(run.file("run.lock"), "a file");
  await assert.rejects(lock(run), { code: "ENOTDIR", file: run.file("run.lock") });
  assert.equal(await readFile(run.file("run.lock"), "utf8"), "a file");
});

test("a run that is gone isn't made again by locking it", async () => {
  await rm(run.path, { recursive: true });
  await assert.rejects(lock(run), { code: "ENOENT" });
  assert.deepEqual(await readdir(base), []);
});
