// Where sessions are kept, and which one is active.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { rgPath } from "@vscode/ripgrep";
import { Folder } from "../kernel/door.js";
import { Store } from "../kernel/store.js";
import { activate, activeSession, deactivate, markOf, prepare, sessionsDirectory } from "./sessions.js";

const scratch = mkdtempSync(path.join(tmpdir(), "flow-sessions-"));
after(() => rmSync(scratch, { recursive: true, force: true }));

const project = () => mkdtempSync(path.join(scratch, "project-"));
const core = /** @type {any} */ ({
  noSession: () => ({ code: "flow.no-session", message: "There is none." }),
});

/** @param {string} directory @param {string} name */
async function stored(directory, name) {
  await prepare(directory);
  const store = await Store.stage(sessionsDirectory(directory));
  await store.claim(name);
  await store.append("line\n");
  await store.close();
}

test("one session of a project is the active one, and others stay", async () => {
  const directory = project();
  await stored(directory, "first");
  await activate(directory, "first");
  await stored(directory, "second");
  assert.equal(await activeSession(core, directory), "first");
  await activate(directory, "second");
  assert.equal(await activeSession(core, directory), "second");
  await deactivate(directory);
  await assert.rejects(activeSession(core, directory), { code: "flow.no-session" });
  assert.deepEqual(await Store.list(sessionsDirectory(directory)), ["first", "second"]);
});

test("of sessions searches find the page and nothing else, in a repository or not", async () => {
  const directory = project();
  await stored(directory, "first");
  await activate(directory, "first");
  const session = new Folder(sessionsDirectory(directory), "first");
  for (const name of ["docs/index.md", "docs/features/codes.md", "session.json", "evidence/1.log"])
    await session.write(name, "needle\n");
  const found = () => {
    const searched = ["--hidden", "--files", "--glob", "!.git/*"];
    return execFileSync(rgPath, searched, { cwd: directory }).toString().trim();
  };
  assert.equal(found(), ".flow/sessions/first/docs/index.md");
  execFileSync("git", ["init", "-q"], { cwd: directory });
  assert.equal(found(), ".flow/sessions/first/docs/index.md");
});

test("a project without sessions gets a clear message", async () => {
  const directory = project();
  const none = { code: "flow.no-session" };
  await assert.rejects(activeSession(core, directory), none);
  await prepare(directory);
  await assert.rejects(activeSession(core, directory), none);
  await activate(directory, "gone");
  await assert.rejects(activeSession(core, directory), none);
});

test("a name or a link that leads elsewhere is not followed", async () => {
  const directory = project();
  await prepare(directory);
  mkdirSync(path.join(directory, "src"));
  for (const name of ["../../src", "..", ".", "a/../../src", "", "\0"]) {
    writeFileSync(path.join(directory, ".flow/active"), name);
    await assert.rejects(activeSession(core, directory), /code|none|OUTSIDE/i, JSON.stringify(name));
  }
  const linked = project();
  symlinkSync(path.join(directory, "src"), path.join(linked, ".flow"));
  await assert.rejects(prepare(linked), { code: "LINK" });
  await assert.rejects(activeSession(core, linked), { code: "LINK" });
});

test("two sessions of one name in two projects have checks of their own", () => {
  const [one, other] = [project(), project()].map(
    (directory) => new Folder(sessionsDirectory(directory), "same"),
  );
  assert.ok(one && other);
  assert.notEqual(markOf(one), markOf(other));
  assert.equal(markOf(one), markOf(new Folder(one.path)));
});
