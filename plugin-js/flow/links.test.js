import assert from "node:assert/strict";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { Links, linkable } from "./links.js";

let top = "";
let links = new Links("key", []);

beforeEach(() => {
  top = mkdtempSync(path.join(tmpdir(), "links-"));
  links = new Links("key", [".cache"]);
  put("deps/one/index.js", "1");
  put("deps/two.js", "2");
  put("deps/.cache/x", "x");
  symlinkSync("../one/index.js", path.join(top, "deps/one/link"));
});

afterEach(() => rmSync(top, { recursive: true, force: true }));

/** @param {string} file @param {string} text */
function put(file, text) {
  mkdirSync(path.dirname(path.join(top, file)), { recursive: true });
  writeFileSync(path.join(top, file), text);
}

const digests = async () => (await links.look(top, ["deps"], {})).map(({ digest }) => digest);

test("what is linked has another digest as soon as a file in it is another", async () => {
  const [begun] = await links.look(top, ["deps"]);
  const before = { deps: begun?.digest ?? "" };
  assert.deepEqual(await links.look(top, ["deps"], before), [begun]);

  /** @type {[string, () => void, string[]][]} */
  const changes = [
    ["written", () => put("deps/one/index.js", "!"), ["one/index.js"]],
    ["new", () => put("deps/one/more.js", ""), ["one/more.js"]],
    ["gone", () => rmSync(path.join(top, "deps/two.js")), ["two.js"]],
    ["runnable", () => chmodSync(path.join(top, "deps/one/index.js"), 0o755), ["one/index.js"]],
    [
      "led elsewhere",
      () => {
        rmSync(path.join(top, "deps/one/link"));
        symlinkSync("../two.js", path.join(top, "deps/one/link"));
      },
      ["one/link"],
    ],
  ];
  const seen = new Set([begun?.digest]);
  const all = new Set();
  for (const [name, change, files] of changes) {
    change();
    const [link] = await links.look(top, ["deps"], before);
    assert.ok(!seen.has(link?.digest), name);
    seen.add(link?.digest);
    for (const file of files) all.add(file);
    assert.deepEqual(link?.changed, [...all].sort(), name);
  }
  const [later] = await links.look(top, ["deps"]);
  const [named] = await links.look(top, ["deps"], before);
  assert.deepEqual(
    [named?.digest, named?.changed],
    [later?.digest, [...all].sort()],
    "each is compared with its own",
  );
  assert.equal(
    (await new Links("key", []).look(top, ["deps"], before))[0]?.changed,
    undefined,
    "another process",
  );
});

test("who puts the time of a change back is seen all the same", async () => {
  const before = await digests();
  const file = path.join(top, "deps/two.js");
  writeFileSync(file, "3");
  utimesSync(file, 0, 0);
  const after = await digests();
  writeFileSync(file, "4");
  utimesSync(file, 0, 0);
  assert.equal(new Set([...before, ...after, ...(await digests())]).size, 3);
});

test("a file that holds the same again, and what is left out, change nothing", async () => {
  const before = await digests();
  put("deps/two.js", "2");
  put("deps/.cache/x", "another");
  put("deps/one/.cache", "another");
  assert.deepEqual(await digests(), before);
});

test("a file may be linked, and its digest tells nobody what it holds", async () => {
  put("test/.env", "SECRET=1");
  const [link] = await links.look(top, ["test/.env"], {});
  const [other] = await new Links("another key", []).look(top, ["test/.env"], {});
  assert.notEqual(link?.digest, other?.digest);
  put("test/.env", "SECRET=2");
  assert.notEqual((await links.look(top, ["test/.env"], {}))[0]?.digest, link?.digest);
});

test("a file as large as a disk is not read", async () => {
  const file = path.join(top, "deps/large");
  writeFileSync(file, "");
  truncateSync(file, 2 ** 40);
  const before = await digests();
  assert.deepEqual(await digests(), before);
  utimesSync(file, 0, 0);
  assert.notDeepEqual(await digests(), before);
});

test("what can't be read is no fault", async () => {
  symlinkSync("nowhere", path.join(top, "deps/dangling"));
  assert.equal((await digests()).length, 1);
  assert.equal((await links.look(top, ["gone"], {})).length, 1);
});

test("what OpenCode installs for itself is never linked", () => {
  const ignored = ["web/node_modules", "node_modules", ".opencode/node_modules", "dist", "test/.env"];
  assert.deepEqual(linkable(ignored, ["node_modules", "test/.env"]), [
    "node_modules",
    "test/.env",
    "web/node_modules",
  ]);
});
