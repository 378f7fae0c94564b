import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, rmSync, symlinkSync } from "node:fs";
import { mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { Core } from "../core/design-lab.js";
import { DesignLabError } from "../core/load.js";
import { StoreError } from "../kernel/door.js";
import { ownDesigns, places, readAttachments } from "./attachments.js";
import { begin } from "./design.js";

const base = await realpath(await mkdtemp(path.join(tmpdir(), "design-lab-attachments-")));
after(() => rm(base, { recursive: true, force: true }));
const project = path.join(base, "project");
const where = { project, worktree: project };
const core = new Core();

/** @param {string} name @param {string | Buffer} content */
async function put(name, content) {
  const file = path.join(base, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content);
  return file;
}

/** @param {string} name @param {string} [file] */
const named = (name, file = path.join(project, name)) => ({ name, mime: "text/plain", file, lines: null });

/** @param {import("./attachments.js").Named[]} attached */
async function codes(attached) {
  const failed = await readAttachments(core, attached, where).catch((error) => error);
  assert.ok(failed instanceof DesignLabError, JSON.stringify(failed));
  return failed.problems.map((problem) => problem.code);
}

await put("project/notes.md", "\uFEFFNotes: ä");
await put("project/src/b.rs", "fn b() {}");
await put("project/src/a/a.rs", "fn a() {}");
await put("project/src/logo.bin", Buffer.from([0, 159, 146, 150]));
await put("project/src/.env", "KEY=secret");
await put("project/src/node_modules/x.js", "noise");
await put("project/.design-lab/run/designs/x.md", "a design");
await put("outside/secret.txt", "secret");
await symlink(path.join(base, "outside/secret.txt"), path.join(project, "src/out.txt"));
await symlink(path.join(base, "outside"), path.join(project, "src/out"));

test("files and pasted texts are read; a folder gives what belongs to it, and nothing through links", async () => {
  const pasted = { name: "pasted", mime: "text/plain", bytes: Buffer.from("P"), lines: null };
  const { attachments: read } = await readAttachments(
    core,
    [named("notes.md"), pasted, named("src/"), named(".", project)],
    where,
  );
  const texts = read.map((one) => one.read);
  const src = [
    { path: "a/a.rs", text: "fn a() {}", image: null },
    { path: "b.rs", text: "fn b() {}", image: null },
    { path: "logo.bin", text: null, image: null },
  ];
  assert.deepEqual(texts, [
    [{ path: "", text: "Notes: ä", image: null }],
    [{ path: "", text: "P", image: null }],
    src,
    [
      { path: "notes.md", text: "Notes: ä", image: null },
      ...src.map((one) => ({ ...one, path: `src/${one.path}` })),
    ],
  ]);
});

test("what git ignores is left out of a folder and counted, unless the folder itself is meant", async () => {
  const repository = path.join(base, "repository");
  for (const name of [".gitignore", "a.js", "b.log", "dist/x.js", "lib/c.js", "lib/c.log", "tracked.log"])
    await put(`repository/${name}`, name === ".gitignore" ? "*.log\ndist/\n" : name);
  await put("repository/.npmrc", "//registry/:_authToken=1");
  await put("repository/.flow/sessions/x/journal.jsonl", "{}");
  execFileSync("git", ["init", "-q"], { cwd: repository });
  execFileSync("git", ["add", "-f", "tracked.log"], { cwd: repository });
  const at = { project: repository, worktree: repository };
  const taken = async (/** @type {string} */ name) => {
    const { attachments } = await readAttachments(core, [named(name, path.join(repository, name))], at);
    const content = /** @type {any} */ (attachments[0]?.attached.content);
    return [attachments[0]?.read.map((one) => one.path), content.left_out];
  };
  assert.deepEqual(await taken("."), [
    [".gitignore", "a.js", "lib/c.js", "tracked.log"],
    { keys: 1, ignored: 3 },
  ]);
  assert.deepEqual(await taken("lib"), [["c.js"], { keys: 0, ignored: 1 }]);
  assert.deepEqual(await taken("dist"), [["x.js"], { keys: 0, ignored: 0 }]);
  assert.deepEqual((await taken("b.log"))[0], [""], "by its own name");
});

test("what runs keep is refused by name, and left out of a folder", async () => {
  await put("project/.flow/sessions/x/journal.jsonl", "by claude");
  await put("project/.flow/sessions/x/docs/index.md", "the page");
  assert.deepEqual(
    await codes([named(".flow/sessions/x/journal.jsonl"), named(".flow"), named(".design-lab/run")]),
    Array(3).fill("attachment.kept"),
  );
  const { attachments } = await readAttachments(core, [named(".flow/sessions/x/docs/index.md")], where);
  assert.equal(attachments[0]?.read[0]?.text, "the page");
  const { attachments: all } = await readAttachments(core, [named("src/../", project)], where);
  assert.doesNotMatch(JSON.stringify(all), /by claude|the page|a design/);
  await rm(path.join(project, ".flow"), { recursive: true });
});

test("what can't be taken is refused, and all of it at once", async () => {
  const large = await put("project/large.log", Buffer.alloc(6_000_000, "x"));
  const resource = { name: "resource", mime: "text/plain", lines: null };
  assert.deepEqual(
    await codes([
      named("src/out.txt"),
      named("src/out"),
      named("nowhere"),
      resource,
      named("large.log", large),
    ]),
    [
      "attachment.outside",
      "attachment.outside",
      "attachment.not-text",
      "attachment.not-text",
      "attachment.too-large",
    ],
  );
});

test("designs of the user's own are found from the project, by @ from the repository, and are no part of what is attached", async () => {
  const inner = { project: path.join(project, "src"), worktree: project };
  const files = ownDesigns(
    core,
    "--with b.rs --with @src/b.rs --with=../notes.md --with '~/x y.md' it",
    inner,
  );
  assert.deepEqual(
    files.map(({ file }) => file),
    [
      path.join(project, "src/b.rs"),
      path.join(project, "src/b.rs"),
      path.join(project, "notes.md"),
      path.join(homedir(), "x y.md"),
    ],
  );
  const own = ownDesigns(core, "--with src/b.rs it", where);
  const { attachments: read } = await readAttachments(core, [...own, named("src"), named("src/b.rs")], where);
  assert.deepEqual(
    read.map(({ attached, read }) => [attached.own, read.map((one) => one.path)]),
    [
      [true, [""]],
      [false, ["a/a.rs", "logo.bin"]],
      [false, []],
    ],
  );
  assert.deepEqual(await places(where), { project: [project], worktree: [project] });
  assert.deepEqual(await places({ project, worktree: "/" }), { project: [project], worktree: [] });
});

test("an image is what its bytes are, and no more is read of a file than was seen of it", async () => {
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );
  await put("project/shot", png);
  const svg = { ...named("drawing.png", await put("project/drawing.png", "<svg/>")), mime: "image/png" };
  const { attachments, images } = await readAttachments(core, [named("shot"), svg, named("notes.md")], where);
  const [shot, drawing, notes] = attachments.map(({ read }) => read[0]);
  assert.deepEqual([shot?.text, shot?.image?.width, shot?.image?.file.mime], [null, 1, "image/png"]);
  assert.deepEqual([...images], [[shot?.image?.file.sha256, png]]);
  assert.deepEqual([drawing?.text, drawing?.image, notes?.image], ["<svg/>", null, null]);

  // Between the inspection and the reading, the core is asked what to read.
  /** @param {() => void} meanwhile */
  const swapping = async (meanwhile) => {
    const swapped = Object.create(core, {
      screen: {
        value: (/** @type {Parameters<Core["screen"]>} */ ...asked) => {
          meanwhile();
          return core.screen(...asked);
        },
      },
    });
    const read = await readAttachments(swapped, [named("log.txt")], where);
    return read.attachments[0]?.read[0]?.text;
  };
  const log = await put("project/log.txt", "one\n");
  assert.equal(await swapping(() => appendFileSync(log, "two\n".repeat(100_000))), "one\n");
  const outside = path.join(base, "outside/secret.txt");
  const replacedBy = (/** @type {() => void} */ make) => () => {
    rmSync(log);
    make();
  };
  assert.equal(await swapping(replacedBy(() => symlinkSync(outside, log))), null);
  await rm(log);
  await put("project/log.txt", "one\n");
  assert.equal(
    await swapping(replacedBy(() => execFileSync("mkfifo", [log]))),
    null,
    "nobody waits for a pipe",
  );
});

const mayMount = process.platform === "linux" && process.getuid?.() === 0;

test("a run whose image finds no room on the disk doesn't begin, and leaves nothing", {
  skip: !mayMount,
}, async () => {
  const output = path.join(base, "small-disk");
  await mkdir(output);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=128k", "tmpfs", output], { stdio: "pipe" });
  } catch {
    return; // a container that may not mount
  }
  try {
    const file = { path: `attachments/${"0".repeat(64)}.png`, mime: "image/png", bytes: 1, sha256: "x" };
    const opening = /** @type {any} */ ({ images: [{ name: "x.png", file }] });
    const request = /** @type {any} */ ({ core: Object.create(core, { admit: { value: () => opening } }) });
    const failed = await begin(request, opening, output, new Map([["x", Buffer.alloc(1_000_000)]])).catch(
      (error) => error,
    );
    assert.ok(failed instanceof StoreError, String(failed));
    assert.deepEqual([failed.code, path.basename(failed.file)], ["ENOSPC", path.basename(file.path)]);
    assert.deepEqual(await readdir(output), []);
  } finally {
    execFileSync("umount", [output]);
  }
});
