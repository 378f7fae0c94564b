import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { DesignLabError } from "../core/load.js";
import { CiFiles } from "./ci-files.js";

const TEXTS = { junit: "<a/>", sarif: "{}", summary: "# b" };

/** @param {import("./ci-files.js").Names} names @param {unknown} [error] what the verification ends with */
function ran(names, error) {
  return new CiFiles(names).around(
    async (write) => {
      if (error) throw error;
      await write(TEXTS);
    },
    () => ({ junit: "failed", sarif: "failed", summary: "failed" }),
  );
}

/** @param {string} code */
const refusal = (code) => (/** @type {unknown} */ error) =>
  error instanceof DesignLabError && error.problems[0]?.code === code;

test("files are written whole, also into new directories, and replace earlier ones", async () => {
  const at = await mkdtemp(path.join(tmpdir(), "ci-files-"));
  const file = (/** @type {string} */ name) => path.join(at, name);
  await writeFile(file("b.sarif"), "an earlier one");
  await ran({ junit: file("new/a.xml"), sarif: file("b.sarif"), summary: undefined });
  assert.equal(await readFile(file("new/a.xml"), "utf8"), TEXTS.junit);
  assert.equal(await readFile(file("b.sarif"), "utf8"), TEXTS.sarif);
  assert.deepEqual((await readdir(at)).sort(), ["b.sarif", "new"], "nothing temporary is left");
  await assert.rejects(ran({ junit: file("a.xml") }, new Error("no session")), /no session/);
  assert.equal(await readFile(file("a.xml"), "utf8"), "failed", "a build server sees the failure, too");
});

test("what isn't a file is refused before anything runs, and stays", async () => {
  const at = await mkdtemp(path.join(tmpdir(), "ci-files-"));
  const file = (/** @type {string} */ name) => path.join(at, name);
  await mkdir(file("directory"));
  await writeFile(file("plain"), "stays");
  await symlink(file("plain"), file("link"));
  await symlink(file("nowhere"), file("dangling"));
  const names = ["directory", "link", "dangling"].map(file);
  if (process.platform !== "win32") {
    execFileSync("mkfifo", [file("pipe")]);
    names.push(file("pipe"), "/dev/null", "/dev/stdout");
  }
  for (const name of names) {
    let began = false;
    const files = new CiFiles({ summary: name });
    const perform = async () => {
      began = true;
    };
    await assert.rejects(
      files.around(perform, () => undefined),
      refusal("cli.not-a-file"),
      name,
    );
    assert.equal(began, false, name);
  }
  assert.equal(await readFile(file("plain"), "utf8"), "stays");
  await assert.rejects(ran({ junit: file("plain/a.xml") }), refusal("cli.unwritable"));
  if (process.getuid?.() === 0 || process.platform === "win32") return;
  await chmod(file("directory"), 0o555);
  await assert.rejects(ran({ junit: file("directory/a.xml") }), refusal("cli.unwritable"));
});

test("two options can't name one file", () => {
  assert.equal(new CiFiles({ junit: "a.xml", sarif: "b", summary: "./a.xml" }).twice, "summary");
  assert.equal(new CiFiles({ junit: "a.xml", sarif: "b" }).twice, undefined);
  assert.equal(new CiFiles({ junit: undefined }).wanted, false);
});
