// The GitHub action: its steps run here as a runner would run them, with the built package and without a network.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { pkg } from "../package/package.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const action = parse(await readFile(join(root, "action.yml"), "utf8"));

/** A recorded validation. */
const RUN = "validate-20261122t223110z-a1b2";

/** The package as npm would publish it. */
let archive = "";

before(async () => {
  const at = await mkdtemp(join(tmpdir(), "packed-"));
  const packed = execFileSync("npm", ["pack", "--silent", "--pack-destination", at], { cwd: pkg });
  archive = join(at, packed.toString().trim().split("\n").at(-1) ?? "");
});

/**
 * Runs the action's steps in a project until one fails.
 * @param {string} project
 * @param {Record<string, string>} inputs
 */
async function run(project, inputs) {
  const temporary = await mkdtemp(join(tmpdir(), "runner-"));
  const files = { GITHUB_STEP_SUMMARY: join(temporary, "summary"), GITHUB_OUTPUT: join(temporary, "output") };
  for (const file of Object.values(files)) await writeFile(file, "");
  const given = Object.entries(action.inputs).map(([name, { default: value }]) => [name, value]);
  const all = { ...Object.fromEntries(given), package: archive, ...inputs };
  const filled = (/** @type {string} */ text) =>
    text.replace(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, name) => all[name] ?? assert.fail(name));
  let [code, stderr] = [0, ""];
  for (const step of action.runs.steps) {
    assert.equal(step.shell, "bash");
    assert.doesNotMatch(step.run, /\$\{\{/, "an input that is part of a script would be code");
    const own = Object.entries(step.env ?? {}).map(([name, value]) => [name, filled(String(value))]);
    const env = {
      ...process.env,
      RUNNER_TEMP: temporary,
      npm_config_offline: "true",
      ...files,
      ...Object.fromEntries(own),
    };
    const cwd = step["working-directory"] ? join(project, filled(step["working-directory"])) : project;
    // As GitHub runs `shell: bash`.
    const shell = ["--noprofile", "--norc", "-eo", "pipefail", "-c", step.run];
    const ended = spawnSync("bash", shell, { cwd, env, encoding: "utf8" });
    code = ended.status ?? -1;
    stderr += ended.stderr;
    if (code !== 0) break;
  }
  const read = (/** @type {string} */ file) => readFile(file, "utf8").catch(() => "");
  return {
    code,
    stderr,
    summary: await read(files.GITHUB_STEP_SUMMARY),
    output: await read(files.GITHUB_OUTPUT),
    junit: await read(join(temporary, "design-lab-results/results.xml")),
    sarif: await read(join(temporary, "design-lab-results/results.sarif")),
  };
}

/** A project with a validation. */
async function project() {
  const at = await mkdtemp(join(tmpdir(), "project-"));
  const runs = join(at, "app/.design-lab/validation");
  await mkdir(runs, { recursive: true });
  await cp(join(root, "tests/cli/validation", RUN), join(runs, RUN), { recursive: true });
  return at;
}

const VALIDATION = { workflow: "validation", "working-directory": "app" };

test("the action verifies, writes the step summary and names the other files", async () => {
  const at = await project();
  const ended = await run(at, VALIDATION);
  assert.equal(ended.code, 0, ended.stderr);
  assert.match(ended.summary, /^## Validation: .*[\s\S]*\| criterion \| check \| result \| tier \|/);
  assert.match(ended.output, /^junit=.*results\.xml\nsarif=.*results\.sarif\n$/);
  assert.match(ended.junit, /<testsuites name="Validation: /);
  assert.equal(JSON.parse(ended.sarif).version, "2.1.0");
});

test("the action fails with the command, and the summary shows why", async () => {
  const at = await project();
  for (const [inputs, code, expected] of /** @type {const} */ ([
    [{ head: "0".repeat(16) }, 1, /The verification failed[\s\S]*validation\.head/],
    [{ name: "nowhere" }, 1, /run\.unknown/],
    [{ name: "--help" }, 1, /run\.unknown/],
    [{ workflow: "flow" }, 1, /session\.none/],
    [{ workflow: "init; touch pwned" }, 2, /^$/],
  ])) {
    const ended = await run(at, { ...VALIDATION, ...inputs });
    assert.equal(ended.code, code, ended.stderr);
    assert.match(ended.summary, expected);
  }
});
