import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { Folder } from "../kernel/door.js";
import { foundAbove, sweepTemporary, withTemporary } from "./temporary.js";

const scratch = realpathSync(mkdtempSync(path.join(tmpdir(), "temporary-")));
after(() => rmSync(scratch, { recursive: true, force: true }));

const session = (/** @type {string} */ name) => new Folder(path.join(scratch, name));
const KINDS = /** @type {const} */ (["copy", "room"]);

test("a directory is readable by its owner alone, and goes whatever happens in it", async () => {
  for (const kind of KINDS) {
    let made = "";
    await assert.rejects(
      withTemporary(session("one"), kind, async (directory) => {
        made = directory;
        assert.equal(statSync(directory).mode & 0o777, 0o700);
        mkdirSync(path.join(directory, "deep"));
        writeFileSync(path.join(directory, "deep/file"), "");
        throw new Error("a bug");
      }),
      /a bug/,
    );
    assert.equal(existsSync(made), false);
  }
});

test("what has a name in any directory above is found, and nothing beside or below", () => {
  const directory = path.join(scratch, "a/b/c");
  mkdirSync(path.join(directory, "go.work"), { recursive: true });
  mkdirSync(path.join(scratch, "a/beside/go.work"), { recursive: true });
  assert.deepEqual(foundAbove(directory, ["go.work", "unlikely-name"]), []);
  writeFileSync(path.join(scratch, "a/b/go.work"), "");
  mkdirSync(path.join(scratch, "unlikely-name"));
  const expected = ["a/b/go.work", "unlikely-name"].map((name) => path.join(scratch, name));
  assert.deepEqual(foundAbove(directory, ["go.work", "unlikely-name"]), expected);
});

test("a sweep removes what this session left, and nothing of another session", async () => {
  for (const kind of KINDS) {
    await withTemporary(session("other"), kind, async (theirs) => {
      await withTemporary(session("mine"), kind, async (mine) => {
        await sweepTemporary(session("mine"));
        assert.deepEqual([existsSync(mine), existsSync(theirs)], [false, true]);
      });
    });
  }
});
