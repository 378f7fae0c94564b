import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Folder } from "./door.js";
import { lock } from "./lock.js";
import { askToStop, isStopRequested } from "./stop.js";

const core = {
  notStopped: (/** @type {string} */ run, /** @type {string} */ process) => ({
    code: "run.not-stopped",
    message: `${run} is running in ${process}`,
  }),
};
let base = "";
let run = new Folder("/");

beforeEach(async () => {
  base = await mkdtemp(path.join(tmpdir(), "design-lab-cancel-"));
  run = new Folder(base, "run");
  await mkdir(run.path);
});

afterEach(() => rm(base, { recursive: true, force: true }));

test("a request to stop is seen once", async () => {
  assert.equal(await isStopRequested(run), false);
  await writeFile(run.file("cancel.request"), "");
  assert.equal(await isStopRequested(run), true);
  assert.equal(await isStopRequested(run), false);
});

test("asking waits until the other process has let go, and leaves nothing", async () => {
  const held = await lock(run);
  const asked = askToStop(core, run, { patience: 10_000, pause: 1 });
  while (!(await isStopRequested(run))) await new Promise(setImmediate);
  await held.release(run);
  await asked;
  assert.deepEqual(await readdir(run.path), []);
});

test("a process that doesn't look is named, and the request stays for it", async () => {
  const held = await lock(run);
  await assert.rejects(askToStop(core, run, { patience: 3, pause: 1 }), {
    message: new RegExp(`run is running in process ${process.pid}`),
  });
  assert.deepEqual((await readdir(run.path)).sort(), ["cancel.request", "run.lock"]);
  await assert.rejects(askToStop(core, run, { patience: 0, pause: 1 }));
  await held.release(run);
});

test("a request that is a link empties and deletes nothing elsewhere", async () => {
  const victim = path.join(base, "AGENTS.md");
  await writeFile(victim, "theirs");
  await symlink(victim, run.file("cancel.request"));
  await assert.rejects(askToStop(core, run, { patience: 0, pause: 1 }), {
    code: "LINK",
    file: run.file("cancel.request"),
  });
  assert.equal(await readFile(victim, "utf8"), "theirs");
  await isStopRequested(run);
  assert.equal(await readFile(victim, "utf8"), "theirs");
});

test("nor does one in a run directory that is a link, and what can't be looked at is no request", async () => {
  const elsewhere = path.join(base, "elsewhere");
  await mkdir(elsewhere);
  await writeFile(path.join(elsewhere, "cancel.request"), "theirs");
  await symlink(elsewhere, path.join(base, "linked"));
  const linked = new Folder(base, "linked");
  assert.equal(await isStopRequested(linked), false);
  await assert.rejects(askToStop(core, linked, { patience: 0, pause: 1 }), { code: "LINK" });
  assert.equal(await readFile(path.join(elsewhere, "cancel.request"), "utf8"), "theirs");
  await mkdir(run.file("cancel.request"));
  assert.equal(await isStopRequested(run), false);
});

test("a signal stops the run first, and then ends the process as it would have", {
  skip: process.platform === "win32",
}, async () => {
  const module = JSON.stringify(fileURLToPath(new URL("stop.js", import.meta.url)));
  const script = `import { stopOnSignals } from ${module};
    const run = { cancel: async (reason) => console.log("stopped:", reason) };
    stopOnSignals({ cancel: () => console.log("never") })();
    stopOnSignals(run);
    setInterval(() => {}, 1000);
    console.log("ready");`;
  for (const signal of /** @type {const} */ (["SIGTERM", "SIGINT", "SIGHUP"])) {
    const child = spawn(process.execPath, ["--input-type=module", "-e", script]);
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      said += text;
      if (text.includes("ready")) child.kill(signal);
    });
    const ended = await new Promise((resolve) => child.once("close", (_, by) => resolve(by)));
    assert.equal(ended, signal);
    assert.equal(said, `ready\nstopped: the process received ${signal}\n`);
  }
});
