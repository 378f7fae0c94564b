// Flow in projects of every kind, in the real OpenCode: a feature is completed in each, and the user's files stay unchanged.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { createOpencodeClient } from "@opencode-ai/sdk";
import { long } from "../long.mjs";
import { callTool, reply } from "../provider/script.mjs";
import { APPROVED, DONE, GOAL, PLAN, setup, source, TEST } from "./flow.mjs";
import { withOpencode } from "./harness.mjs";

const SAME = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };

/** @param {string} directory @param {string[]} args */
function git(directory, ...args) {
  const own = [
    "-c",
    "user.name=user",
    "-c",
    "user.email=user@example.org",
    "-c",
    "protocol.file.allow=always",
  ];
  const quiet = ["-c", "maintenance.auto=false", "-c", "init.defaultBranch=main"];
  return execFileSync("git", [...own, ...quiet, ...args], { cwd: directory, env: SAME, encoding: "utf8" });
}

/** @param {string} directory @param {Record<string, string>} files */
function write(directory, files) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(directory, name)), { recursive: true });
    writeFileSync(path.join(directory, name), text);
  }
}

/** @param {string} directory */
function committed(directory) {
  git(directory, "init", "-q");
  git(directory, "add", "-A");
  git(directory, "commit", "-qm", "First");
}

/** Each makes a project and gives the directory in which OpenCode works, and what may not change. @type {Record<string, (root: string, files: Record<string, string>) => {directory: string, same: () => unknown}>} */
const PROJECTS = {
  "a dirty tree": (root, files) => {
    write(root, { ...files, "a.txt": "a", "b.txt": "b" });
    committed(root);
    write(root, { "a.txt": "staged", "c.txt": "untracked" });
    git(root, "add", "a.txt");
    write(root, { "a.txt": "changed after that", "b.txt": "changed" });
    const texts = () =>
      ["a.txt", "b.txt", "c.txt"].map((name) => readFileSync(path.join(root, name), "utf8"));
    return {
      directory: root,
      same: () => [texts(), git(root, "diff", "--cached"), git(root, "stash", "list")],
    };
  },
  "a submodule": (root, files) => {
    const library = `${root}-library`;
    write(library, { "index.js": "export {};\n" });
    committed(library);
    write(root, files);
    committed(root);
    git(root, "submodule", "--quiet", "add", library, "vendor/library");
    git(root, "commit", "-qm", "Take the library in");
    write(root, { "vendor/library/index.js": "export const changed = true;\n" });
    return { directory: root, same: () => git(root, "diff", "--submodule=diff", "--", "vendor") };
  },
  "no git": (root, files) => {
    write(root, files);
    return { directory: root, same: () => readdirSync(root).includes(".git") };
  },
  "a repository without a commit": (root, files) => {
    write(root, files);
    git(root, "init", "-q");
    return {
      directory: root,
      same: () => [git(root, "for-each-ref"), readFileSync(path.join(root, ".git/HEAD"), "utf8")],
    };
  },
  "a package of a larger repository": (root, files) => {
    write(root, { "packages/other/a.txt": "a" });
    write(path.join(root, "packages/sum"), files);
    committed(root);
    write(root, { "packages/other/a.txt": "changed" });
    return {
      directory: path.join(root, "packages/sum"),
      same: () => git(root, "diff", "--", "packages/other"),
    };
  },
};

test("a feature is completed in projects of every kind, and what was the user's stays as it was", {
  skip: long(
    "One feature for each kind of project. `plugin-js/kernel/tree.test.js` has the kinds, and `flow.test.mjs` completes a feature.",
  ),
}, async () => {
  const worker = [
    callTool("write", { filePath: "src/sum.js", content: source("+") }),
    callTool("write", { filePath: "test/sum.test.js", content: TEST }),
    DONE,
  ];
  const kinds = Object.entries(PROJECTS);
  const each = (/** @type {import("../provider/script.mjs").Step[]} */ steps) => kinds.flatMap(() => steps);
  const scene = setup({ planner: each([reply(PLAN)]), worker: each(worker), reviewer: each([APPROVED]) });
  await withOpencode(scene, async ({ home, project, provider, serve }) => {
    const { url } = await serve();
    const config = await project.read("opencode.json");
    for (const [index, [kind, make]] of kinds.entries()) {
      const root = path.join(home, `project-${index}`);
      mkdirSync(root);
      const { directory, same } = make(root, {
        "opencode.json": config,
        "package.json": '{ "type": "module" }\n',
      });
      const before = same();
      const client = createOpencodeClient({ baseUrl: url, directory });
      const id = (await client.session.create({ body: {} })).data?.id ?? "";
      const body = { command: "flow-auto", arguments: GOAL };
      const { error } = await client.session.command({ path: { id }, body });
      assert.equal(error, undefined, `${kind}: ${JSON.stringify(error)}`);
      const session = readFileSync(path.join(directory, ".flow/active"), "utf8").trim();
      const state = JSON.parse(
        readFileSync(path.join(directory, ".flow/sessions", session, "session.json"), "utf8"),
      );
      assert.equal(state.status, "completed", `${kind}: ${JSON.stringify(state.recovery)}`);
      assert.deepEqual(same(), before, kind);
    }
    assert.deepEqual(provider.unscripted, []);
  });
});
