import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { Core } from "../core/design-lab.js";
import { readSources } from "./sources.js";

const core = new Core();
let base = "";
let project = "";

beforeEach(async () => {
  base = await mkdtemp(path.join(tmpdir(), "design-lab-sources-"));
  project = path.join(base, "repo/app");
  await mkdir(path.join(project, ".opencode"), { recursive: true });
  process.env.XDG_CONFIG_HOME = path.join(base, "config");
});

afterEach(() => rm(base, { recursive: true, force: true }));

const read = (/** @type {unknown} */ options) =>
  readSources(core, { project, worktree: path.join(base, "repo"), options });

test("sources come lowest first, named as a user would name them", async () => {
  await mkdir(path.join(base, "config/opencode"), { recursive: true });
  await writeFile(path.join(base, "config/opencode/design-lab.jsonc"), "{}");
  await writeFile(path.join(project, ".opencode/design-lab.json"), '{"concurrency": 2}');
  const { sources } = read({ seed: 7 });
  assert.deepEqual(sources, [
    { origin: "global", file: "~/.config/opencode/design-lab.jsonc", text: "{}" },
    { origin: "project", file: ".opencode/design-lab.json", text: '{"concurrency": 2}' },
    { origin: "options", file: "opencode.json (plugin options)", text: '{"seed":7}' },
  ]);
});

test("a project's configuration is looked for up to the root of its repository, and no further", async () => {
  await mkdir(path.join(base, "repo/.opencode"), { recursive: true });
  await writeFile(path.join(base, "repo/.opencode/design-lab.json"), "{}");
  assert.deepEqual(
    read(undefined).sources.map((source) => source.file),
    ["../.opencode/design-lab.json"],
  );
  await rm(path.join(base, "repo/.opencode"), { recursive: true });
  await mkdir(path.join(base, ".opencode"), { recursive: true });
  await writeFile(path.join(base, ".opencode/design-lab.json"), "{}");
  assert.deepEqual(read(undefined).sources, []);
});

test("a prompt file is read beside its configuration, and it is told where it really lies", async () => {
  const entry = (/** @type {string} */ name) => ({
    model_id: `acme/${name}`,
    prompt_template: `{file:./${name}.md}`,
  });
  const config = { design_models: ["inside", "outside", "missing", "folder", "huge"].map(entry) };
  await writeFile(path.join(project, ".opencode/design-lab.json"), JSON.stringify(config));
  await writeFile(path.join(project, ".opencode/inside.md"), "Be brief.");
  await writeFile(path.join(base, "secret"), "s3cret");
  await symlink(path.join(base, "secret"), path.join(project, ".opencode/outside.md"));
  await mkdir(path.join(project, ".opencode/folder.md"));
  await writeFile(path.join(project, ".opencode/huge.md"), Buffer.alloc((1 << 20) + 1));
  const found = Object.fromEntries(
    read(undefined).files.map(({ path, text, error, leads }) => [path, [text ?? error, leads]]),
  );
  assert.deepEqual(found, {
    "./inside.md": ["Be brief.", "inside.md"],
    "./missing.md": ["ENOENT", undefined],
    "./outside.md": ["s3cret", "../../../secret"],
    "./folder.md": ["it is not a regular file", "folder.md"],
    "./huge.md": ["it is larger than 1 MB", "huge.md"],
  });
});

test("what a link in the project leads to is no prompt", async () => {
  const models = ["acme/a", { model_id: "acme/b", prompt_template: "{file:./outside.md}" }];
  await writeFile(path.join(project, ".opencode/design-lab.json"), JSON.stringify({ design_models: models }));
  await writeFile(path.join(base, "secret"), "s3cret");
  await symlink(path.join(base, "secret"), path.join(project, ".opencode/outside.md"));
  const { sources, files } = read(undefined);
  assert.throws(
    () => core.outputDirectory({ sources, files }, { models: [], current: null, agreed: null }),
    (/** @type {any} */ error) =>
      error.problems[0].code === "config.template-path" && !JSON.stringify(error.problems).includes("s3cret"),
  );
});

test("a configuration that can't be read is told, and doesn't keep OpenCode from starting", async () => {
  await mkdir(path.join(project, ".opencode/design-lab.json"));
  const { sources, unreadable } = read(undefined);
  assert.deepEqual(sources, []);
  assert.deepEqual([unreadable[0]?.file, unreadable[0]?.code], [".opencode/design-lab.json", "EISDIR"]);
});

test("a configuration of more bytes than any has, or without an end, is told and not read", {
  skip: process.platform === "win32",
}, async () => {
  await writeFile(path.join(project, ".opencode/design-lab.json"), "");
  await truncate(path.join(project, ".opencode/design-lab.json"), 500_000_000);
  await symlink("/dev/zero", path.join(project, ".opencode/design-lab.jsonc"));
  const { sources, unreadable } = read(undefined);
  assert.deepEqual(sources, []);
  assert.deepEqual(
    unreadable.map(({ file, code, deed }) => [file, code, deed]),
    [
      [".opencode/design-lab.json", "TOO_LARGE", "read"],
      [".opencode/design-lab.jsonc", "NOT_A_FILE", "read"],
    ],
  );
});

test("a configuration that is a pipe is told, and isn't waited for", {
  skip: process.platform === "win32",
}, async () => {
  await mkdir(path.join(base, "config/opencode"), { recursive: true });
  const pipes = [
    "config/opencode/design-lab.json",
    "config/opencode/tui.json",
    "repo/app/.opencode/design-lab.json",
    "repo/app/.opencode/design-lab.jsonc",
  ];
  for (const pipe of pipes) execFileSync("mkfifo", [path.join(base, pipe)]);
  const modules = ["../core/design-lab.js", "./sources.js"].map(
    (name) => new URL(name, import.meta.url).href,
  );
  const script = `const [{ Core }, { readSources, tuiFiles }] = await Promise.all(${JSON.stringify(modules)}.map((it) => import(it)));
    const where = { project: process.argv[1], worktree: process.argv[1] };
    const core = new Core();
    const { sources, unreadable } = readSources(core, where);
    const shown = unreadable.map(({ file, code }) => [file, code, core.describe([core.diskProblem(file, code, "read")])]);
    console.log(JSON.stringify({ sources, shown, tui: tuiFiles(where) }));`;
  // In a separate process, because one that waits for a pipe can't be interrupted.
  const said = execFileSync(process.execPath, ["--input-type=module", "-e", script, project], {
    timeout: 60_000,
    env: { ...process.env, HOME: base },
  });
  const { sources, shown, tui } = JSON.parse(said.toString());
  assert.deepEqual([sources, tui], [[], []]);
  assert.deepEqual(
    shown.map((/** @type {string[]} */ [file, code]) => [file, code]),
    [
      ["~/.config/opencode/design-lab.json", "NOT_A_FILE"],
      [".opencode/design-lab.json", "NOT_A_FILE"],
      [".opencode/design-lab.jsonc", "NOT_A_FILE"],
    ],
  );
  assert.match(shown[1][2], /disk\.not-a-file/);
});
