import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { isOfModelsShell, MARK } from "./models-shell.js";

const SCRIPT = fileURLToPath(new URL("./models-shell.js", import.meta.url));
const ASKS = `import(${JSON.stringify(SCRIPT)}).then((it) => console.log(it.isOfModelsShell()))`;
const NODE = process.execPath;

/** @param {NodeJS.ProcessEnv} env @param {string[]} argv */
const asked = (env, [program = "", ...args]) =>
  execFileSync(program, args, { env, encoding: "utf8" }).trim() === "true";

test("what a model's shell started is known by its environment", () => {
  const { PATH } = process.env;
  assert.equal(isOfModelsShell({ ...process.env, ...MARK }), true);
  assert.equal(asked({ PATH, ...MARK }, [NODE, "-e", ASKS]), true);
  assert.equal(asked({ PATH }, [NODE, "-e", ASKS]), false);
});

test("one that dropped its environment is known by what it comes from", {
  skip: process.platform !== "linux",
}, () => {
  const { PATH = "" } = process.env;
  const quoted = (/** @type {string} */ word) => `'${word.replaceAll("'", `'\\''`)}'`;
  const inside = ["env", "-i", NODE, "-e", ASKS].map(quoted).join(" ");
  assert.equal(asked({ PATH, ...MARK }, ["sh", "-c", `${inside}; true`]), true);
  assert.equal(asked({ PATH }, ["sh", "-c", `${inside}; true`]), false);
});

test("one that an OpenCode started is known by that", { skip: process.platform !== "linux" }, () => {
  const directory = mkdtempSync(path.join(tmpdir(), "models-shell-"));
  const { PATH } = process.env;
  // A program of that name that starts another, like a shell that hands over to a single command.
  const script = `process.stdout.write(require("node:child_process").execFileSync(${JSON.stringify(NODE)}, ["-e", ${JSON.stringify(ASKS)}]))`;
  try {
    for (const [name, expected] of /** @type {const} */ ([
      ["opencode", true],
      ["other", false],
    ])) {
      copyFileSync(NODE, path.join(directory, name));
      assert.equal(asked({ PATH }, [path.join(directory, name), "-e", script]), expected, name);
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
});
