// The marks in the environment of shells that models start.

import assert from "node:assert/strict";
import { test } from "node:test";
import { MARK } from "../hosts/models-shell.js";
import { Shells } from "./shells.js";

const worker = /** @type {any} */ ({ role: "worker", guard: { shell: () => ({ RUN: "r1" }) } });
const marked = { ...MARK, OPENCODE_PASSWORD: "", RUN: "r1" };

test("a model's shell is marked, a worker's with its run, and a person's isn't", () => {
  const shells = new Shells();
  assert.deepEqual(shells.start("npm test"), {});
  shells.call("c1", "npm test", worker);
  shells.call("c2", "ls", undefined);
  assert.deepEqual(shells.start("npm test"), marked);
  assert.deepEqual(shells.start("ls"), MARK);
  assert.deepEqual(shells.start("npm test"), {}, "each call starts one");
});

test("a call that started no shell marks none", () => {
  const shells = new Shells();
  shells.call("c1", "npm start", worker);
  shells.end("c1");
  assert.deepEqual(shells.start("npm start"), {});
});

test("the same command of two sessions isn't marked as the run's: it might end the user's", () => {
  const shells = new Shells();
  shells.call("c1", "npm start", worker);
  shells.call("c2", "npm start", undefined);
  assert.deepEqual(shells.start("npm start"), MARK);
});
