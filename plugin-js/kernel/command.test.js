// Commands, as real processes. Each has its own mark in its environment, by which everything that it started is found again.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { runCommand } from "./command.js";
import { endMarked } from "./group.js";
import { marked } from "./proc.js";

const scratch = mkdtempSync(path.join(tmpdir(), "command-"));
after(() => rmSync(scratch, { recursive: true, force: true }));

/** Long enough that a test that waits this long has failed. */
const NEVER_MS = 600_000;

/**
 * @param {string[]} argv
 * @param {{timeout?: number, grace?: number, signal?: AbortSignal, cwd?: string, env?: Record<string, string>}} [options]
 */
async function run(argv, { timeout = NEVER_MS, grace = 50, signal, cwd = scratch, env = {} } = {}) {
  const mark = `COMMAND_TEST=${randomBytes(8).toString("hex")}`;
  const file = path.join(scratch, `${mark.replace("=", "-")}.log`);
  const log = await open(file, "ax");
  const command = { argv, cwd, timeout_ms: timeout, mark, env: { PATH: process.env.PATH ?? "", ...env } };
  try {
    const seen = await runCommand(command, log, signal, grace);
    assert.deepEqual(marked(mark), [], "a process is left behind");
    return { ...seen, log: readFileSync(file, "utf8") };
  } finally {
    await log.close();
  }
}

/** A command in JavaScript. @param {string} program */
const node = (program) => [process.execPath, "-e", program];

/** @param {string} text */
const sha256 = (text) => createHash("sha256").update(text).digest("hex");

test("a command that passes is reported with all that it wrote, in its order", async () => {
  const { duration_ms, ...seen } = await run(["sh", "-c", "echo one; echo two >&2; echo three"]);
  const text = "one\ntwo\nthree\n";
  assert.deepEqual(seen, {
    not_started: null,
    exit: 0,
    signal: null,
    ended_by: "itself",
    bytes: 14,
    sha256: sha256(text),
    kept: 14,
    log: text,
  });
  assert.ok(Number.isInteger(duration_ms));
});

test("a command that fails is reported by its exit code", async () => {
  const { exit, signal, ended_by } = await run(["sh", "-c", "exit 3"]);
  assert.deepEqual({ exit, signal, ended_by }, { exit: 3, signal: null, ended_by: "itself" });
});

test("a command that a signal ended is reported by the signal", async () => {
  const { exit, signal, ended_by } = await run(node('process.kill(process.pid, "SIGSEGV")'));
  assert.deepEqual({ exit, signal, ended_by }, { exit: null, signal: "SIGSEGV", ended_by: "itself" });
});

test("no shell reads the arguments, input is empty, the directory and the environment are the given ones", async () => {
  const program =
    "console.log(JSON.stringify([process.argv.slice(1), process.cwd(), process.env.GIVEN, process.env.HOME]));";
  const { log } = await run([...node(program), "$HOME; echo *", "", "a\nb", "--x"], { env: { GIVEN: "1" } });
  assert.deepEqual(JSON.parse(log), [["$HOME; echo *", "", "a\nb", "--x"], scratch, "1", null]);
  assert.equal((await run(["cat"])).exit, 0);
});

test("what can't be started is no command that failed", async () => {
  const file = path.join(scratch, "no-program");
  writeFileSync(file, "text");
  const word = async (/** @type {string[]} */ argv, /** @type {string} */ cwd = scratch) => {
    const { not_started, exit, bytes } = await run(argv, { cwd });
    assert.deepEqual([exit, bytes], [null, 0]);
    return not_started;
  };
  assert.equal(await word(["there-is-no-such-program"]), "ENOENT");
  assert.equal(await word(["./there-is-no-such-program"]), "ENOENT");
  assert.equal(await word(["./no-program"]), "EACCES");
  assert.equal(await word([scratch]), "EACCES");
  assert.equal(await word([""]), "ENOENT");
  assert.equal(await word(["true"], path.join(scratch, "nowhere")), "ENOENT");
  assert.equal(await word(["true"], file), "ENOTDIR");
});

test("at the time-out all of it is ended, also what doesn't want to be", async () => {
  const stubborn = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000);';
  const parent = `
    const { spawn } = require("node:child_process");
    ${stubborn}
    spawn(process.execPath, ["-e", ${JSON.stringify(`${stubborn} console.log("grandchild");`)}], { stdio: "inherit" });
    spawn(process.execPath, ["-e", ${JSON.stringify(`${stubborn} console.log("escaped");`)}], { stdio: "inherit", detached: true });
  `;
  const { exit, signal, ended_by, log } = await ripe(2, (timeout) => run(node(parent), { timeout }));
  assert.deepEqual({ exit, signal, ended_by }, { exit: null, signal: "SIGKILL", ended_by: "timeout" });
  assert.deepEqual(log.trim().split("\n").sort(), ["escaped", "grandchild"]);
});

test("a command gets the time to end by itself, and has not passed by that", async () => {
  const program =
    'process.on("SIGTERM", () => { console.log("bye"); process.exit(0); }); console.log("up"); setInterval(() => {}, 1000);';
  const { exit, ended_by, log } = await ripe(1, (timeout) =>
    run(node(program), { timeout, grace: NEVER_MS }),
  );
  assert.deepEqual({ exit, ended_by, log }, { exit: 0, ended_by: "timeout", log: "up\nbye\n" });
});

test("a command that has closed its output and stays is ended at the time-out", async () => {
  const { signal, ended_by } = await run(["sh", "-c", "exec >&- 2>&-; exec sleep 600"], { timeout: 300 });
  assert.deepEqual({ signal, ended_by }, { signal: "SIGTERM", ended_by: "timeout" });
});

test("what a command leaves running in the background is ended with it, and is not waited for", async () => {
  const { exit, ended_by, log } = await run(["sh", "-c", "sleep 600 & (sleep 600 &) ; echo done"]);
  assert.deepEqual({ exit, ended_by, log }, { exit: 0, ended_by: "itself", log: "done\n" });
});

test("a command that waits for all its children waits for its own alone", async () => {
  const program = "import os\ntry:\n  while True: os.wait()\nexcept ChildProcessError: print('none')";
  const { log, not_started } = await run(["python3", "-c", program]);
  if (!not_started) assert.equal(log, "none\n");
});

test("an abort ends it half way", async () => {
  const stopping = new AbortController();
  const ready = path.join(scratch, "ready");
  const program = `
    const { writeFileSync, writeSync } = require("node:fs");
    writeSync(1, "half\\n");
    writeFileSync(${JSON.stringify(ready)}, "");
    setInterval(() => {}, 1000);`;
  const running = run(node(program), { signal: stopping.signal });
  await until(() => readable(ready));
  stopping.abort();
  const { signal, ended_by, log } = await running;
  assert.deepEqual({ signal, ended_by, log }, { signal: "SIGTERM", ended_by: "abort", log: "half\n" });
  const { not_started, ended_by: before } = await run(["true"], { signal: stopping.signal });
  assert.deepEqual([not_started, before], ["ABORTED", "abort"]);
});

test("of long output all is counted, and the beginning and the end are kept", async () => {
  const program = 'for (let n = 0; n < 400000; n += 1) process.stdout.write("line " + n + "\\n");';
  const { bytes, kept, sha256: digest, log, exit } = await run(node(program));
  const text = Array.from({ length: 400_000 }, (_, n) => `line ${n}\n`).join("");
  assert.deepEqual([exit, bytes, digest], [0, text.length, sha256(text)]);
  assert.equal(kept, 2 << 20);
  assert.equal(
    log,
    `${text.slice(0, 1 << 20)}\n[${text.length - kept} bytes left out]\n${text.slice(-(1 << 20))}`,
  );
  for (const length of [(1 << 20) - 1, 1 << 20, (1 << 20) + 1, 2 << 20]) {
    const seen = await run(node(`process.stdout.write("x".repeat(${length}))`));
    assert.deepEqual([seen.log.length, seen.kept, seen.bytes], [length, length, length]);
  }
});

test("endless output ends at the time-out", async () => {
  const { ended_by, signal, bytes, kept } = await run(["yes"], { timeout: 300 });
  assert.deepEqual([ended_by, signal, kept], ["timeout", "SIGTERM", Math.min(bytes, 2 << 20)]);
});

test("a log that can't be written ends the command", async () => {
  const mark = `COMMAND_TEST=${randomBytes(8).toString("hex")}`;
  const full = Object.assign(new Error("no space left"), { code: "ENOSPC" });
  const log = { appendFile: () => Promise.reject(full) };
  const command = {
    argv: ["yes"],
    cwd: scratch,
    timeout_ms: NEVER_MS,
    mark,
    env: { PATH: process.env.PATH ?? "" },
  };
  await assert.rejects(runCommand(command, log, undefined, 50), full);
  assert.deepEqual(marked(mark), []);
});

test("nothing of a command is left when its host is killed, and what left the group is found afterwards", async () => {
  const mark = `COMMAND_TEST=${randomBytes(8).toString("hex")}`;
  const up = path.join(scratch, "up");
  const lone = 'require("node:fs").writeFileSync(process.argv[1], ""); setInterval(() => {}, 1000);';
  const command = {
    argv: node(`
      const { spawn } = require("node:child_process");
      process.on("SIGTERM", () => {});
      spawn(process.execPath, ["-e", ${JSON.stringify(lone)}, ${JSON.stringify(up)}], { detached: true, stdio: "ignore" });
      setInterval(() => {}, 1000);`),
    cwd: scratch,
    timeout_ms: NEVER_MS,
    mark: `${mark}~1`,
    env: { PATH: process.env.PATH ?? "" },
  };
  const host = spawn(process.execPath, [
    "--input-type=module",
    "-e",
    `
    import { runCommand } from ${JSON.stringify(fileURLToPath(new URL("./command.js", import.meta.url)))};
    await runCommand(${JSON.stringify(command)}, { appendFile: async () => {} });`,
  ]);
  await until(() => readable(up));
  assert.equal(marked(mark).length, 3, "the command, its guard, and what left the group");
  host.kill("SIGKILL");
  await until(() => marked(mark).length === 1);
  await endMarked(`${mark.slice(0, -1)}`);
  assert.equal(marked(mark).length, 1, "another mark");
  await endMarked(mark);
  assert.deepEqual(marked(mark), []);
});

/**
 * Runs a command with longer and longer timeouts until it has printed this many lines before the timeout.
 * @template {{log: string}} T
 * @param {number} lines
 * @param {(timeout: number) => Promise<T>} attempt
 */
async function ripe(lines, attempt) {
  for (let timeout = 250; ; timeout *= 2) {
    const seen = await attempt(timeout);
    if (seen.log.split("\n").length > lines) return seen;
  }
}

/** Waits, without a clock, for a condition that soon becomes true. @param {() => unknown} condition */
async function until(condition) {
  while (!condition()) await new Promise(setImmediate);
}

/** @param {string} file */
function readable(file) {
  try {
    readFileSync(file);
    return true;
  } catch {
    return false;
  }
}
