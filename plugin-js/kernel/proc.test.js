// What Linux reports about processes, from text and for real processes.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Writable } from "node:stream";
import { test } from "node:test";
import { commandOf, environmentOf, holdsFiles, isMarked, living, marked, parseStat, pids } from "./proc.js";

const onLinux = { skip: process.platform !== "linux" };

/** @param {string} name @param {string} [state] */
const stat = (name, state = "S") =>
  `4711 (${name}) ${state} 1 4700 4690 34816 4711 4194304 100 0 0 0 1 2 0 0 20 0 7 0 987654 1000 200 18446744073709551615\n`;

for (const name of [
  "node",
  "tmux: server",
  "a) S 1 2 3 (b",
  "))",
  "",
  "two\nlines",
  "(",
  "node) Z 1 1 1 (",
]) {
  test(`a program called ${JSON.stringify(name)} is told like any other`, () => {
    const shown = { pid: 4711, name, state: "S", parent: 1, pgid: 4700, threads: 7, started: "987654" };
    assert.deepEqual(parseStat(stat(name)), shown);
    assert.deepEqual(parseStat(stat(name, "Z")), { ...shown, state: "Z" });
  });
}

for (const text of [
  "",
  "4711",
  "4711 (node",
  "4711 node) S 1 4700",
  "4711 (node) S 1 4700",
  "0 (node) S 1 4700 4690 34816 4711 4194304 100 0 0 0 1 2 0 0 20 0 7 0 987654",
  "x (node) S 1 4700 4690 34816 4711 4194304 100 0 0 0 1 2 0 0 20 0 7 0 987654",
  "4711 (node) 5 1 4700 4690 34816 4711 4194304 100 0 0 0 1 2 0 0 20 0 7 0 987654",
  "4711 (node) S x 4700 4690 34816 4711 4194304 100 0 0 0 1 2 0 0 20 0 7 0 987654",
  "4711 (node) S 1 x 4690 34816 4711 4194304 100 0 0 0 1 2 0 0 20 0 7 0 987654",
  "4711 (node) S 1 4700 4690 34816 4711 4194304 100 0 0 0 1 2 0 0 20 0 7 0 never",
]) {
  test(`${JSON.stringify(text)} describes no process`, () => assert.equal(parseStat(text), undefined));
}

const ENVIRONMENT = "PATH=/bin\0A=b~1\0LAST=x\0";
for (const [mark, carried] of /** @type {[string, boolean][]} */ ([
  ["PATH=/bin", true],
  ["LAST=x", true],
  ["A=b", true],
  ["A=b~1", true],
  ["A=", false],
  ["A=b~", false],
  ["PATH=/bi", false],
  ["TH=/bin", false],
  ["NONE=x", false],
])) {
  test(`${mark} is ${carried ? "carried" : "not carried"}`, () => {
    assert.equal(isMarked(ENVIRONMENT, mark), carried);
    assert.equal(isMarked("", mark), false);
  });
}

test("a process is told while it lives, and one that nobody has reaped is dead", onLinux, async () => {
  const mark = `PROC_TEST=${process.pid}`;
  // The shell becomes a program that reaps nothing; its child ends after that, when its pipe closes.
  const child = spawn("sh", ["-c", "sh -c 'read told <&3' & echo $!; exec sleep 600"], {
    env: { PATH: process.env.PATH, PROC_TEST: `${process.pid}` },
    stdio: ["ignore", "pipe", "ignore", "pipe"],
  });
  try {
    const [first] = await once(child.stdout ?? assert.fail("a pipe"), "data");
    const { pid = 0 } = child;
    const zombie = Number(`${first}`);
    while (commandOf(pid)[0] !== "sleep") await new Promise(setImmediate);
    const end = child.stdio[3];
    assert.ok(end instanceof Writable);
    end.end("now\n");
    const { started, ...shown } = living(pid) ?? assert.fail("it lives");
    assert.equal(shown.pid, pid);
    assert.match(started, /^\d+$/);
    assert.ok(pids().includes(pid));
    assert.ok(isMarked(environmentOf(pid), mark));
    while (living(zombie)) await new Promise(setImmediate);
    assert.deepEqual(commandOf(pid), ["sleep", "600"]);
    assert.deepEqual(marked(mark), [pid], "the dead aren't among them");
    const dead =
      parseStat(readFileSync(`/proc/${zombie}/stat`, "utf8"))?.started ?? assert.fail("nobody reaped it");
    assert.deepEqual([holdsFiles(pid, started), holdsFiles(zombie, dead)], [true, false]);
    assert.equal(holdsFiles(pid, `${Number(started) - 1}`), false, "that was another process");
  } finally {
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  assert.deepEqual(marked(mark), []);
  assert.equal(living(child.pid ?? 0), undefined);
  assert.deepEqual([commandOf(0), environmentOf(0)], [[""], ""]);
});
