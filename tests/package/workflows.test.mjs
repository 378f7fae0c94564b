// The workflows of continuous integration run only this project's own commands, and each of these exists.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import { parse } from "yaml";

const FOLDER = ".github/workflows/";

/** @typedef {{run?: string, uses?: string}} Step */
/** @typedef {{steps: Step[], strategy?: {matrix: Record<string, string[]>}}} Job */

const help = process.env.XTASK
  ? execFileSync(process.env.XTASK, ["help"], { encoding: "utf8" })
  : execFileSync("cargo", ["xtask", "help"], { encoding: "utf8" });

/** The names in each section of `cargo xtask help`: the first words of its lines. */
const [commands = new Set(), steps = new Set()] = help
  .split("\n\n")
  .map((section) => section.split("\n").filter((line) => line.startsWith("  ")))
  .filter((lines) => lines.length > 0)
  .map((lines) => new Set(lines.map((line) => line.trim().split(" ")[0] ?? "")));

/** Returns each command that a job runs, with the values of its matrix filled in. */
function runs(/** @type {Job} */ job) {
  const matrix = Object.entries(job.strategy?.matrix ?? {});
  return job.steps.flatMap(({ run }) => {
    if (run === undefined) return [];
    const filled = matrix.reduce(
      (lines, [key, values]) =>
        lines.flatMap((line) =>
          line.includes(`matrix.${key} `)
            ? values.map((value) => line.replaceAll(`\${{ matrix.${key} }}`, value))
            : [line],
        ),
      [run],
    );
    return filled;
  });
}

const workflows = readdirSync(FOLDER).map((file) => ({
  file,
  text: readFileSync(`${FOLDER}${file}`, "utf8"),
}));

test("there is a workflow for changes, one for each night and one for releases", () => {
  assert.deepEqual(workflows.map(({ file }) => file).sort(), ["ci.yml", "nightly.yml", "release.yml"]);
  assert.ok(commands.has("test") && steps.has("e2e"), help);
});

for (const { file, text } of workflows) {
  /** @type {{jobs: Record<string, Job>}} */
  const { jobs } = parse(text, { strict: true, uniqueKeys: true });
  const lines = Object.values(jobs).flatMap(runs);

  test(`${file} calls only commands that exist`, () => {
    assert.notEqual(lines.length, 0);
    for (const line of lines) {
      const [cargo, xtask, command = "", ...rest] = line.trim().split(/\s+/);
      assert.deepEqual([cargo, xtask], ["cargo", "xtask"], line);
      assert.ok(commands.has(command), `${line}: there is no command ${command}`);
      if (command !== "test") continue;
      const named = rest[0] === "--long" ? rest.slice(1) : rest;
      for (const step of named) assert.ok(steps.has(step), `${line}: there is no step ${step}`);
    }
  });

  test(`${file} uses only actions of a fixed major version`, () => {
    const actions = Object.values(jobs).flatMap((job) => job.steps.flatMap(({ uses }) => uses ?? []));
    for (const action of actions) assert.match(action, /^actions\/[a-z-]+@v\d+$/);
  });
}

/** Returns what a workflow says. @param {string} name */
const workflow = (name) => parse(workflows.find(({ file }) => file === name)?.text ?? assert.fail(name));

test("on Linux every step of the ordinary suite runs", () => {
  const onlyLong = [...steps].filter((step) =>
    new RegExp(`^  ${step} .*only in the long suite$`, "m").test(help),
  );
  assert.deepEqual(onlyLong, ["kilo", "fuzz"]);
  const run = runs(workflow("ci.yml").jobs.linux).flatMap((line) => line.split(/\s+/).slice(3));
  assert.deepEqual([...run, ...onlyLong].sort(), [...steps].sort());
});

test("the whole long suite runs every night and before a release, and keeps nobody's change waiting", () => {
  const long = "cargo xtask test --long";
  const nightly = workflow("nightly.yml");
  assert.deepEqual(Object.values(nightly.jobs).flatMap(runs), [long]);
  assert.equal(nightly.on.schedule.length, 1);
  assert.deepEqual(Object.keys(nightly.on), ["schedule", "workflow_dispatch"]);
  assert.deepEqual(runs(workflow("release.yml").jobs.publish).indexOf(long), 0);
  for (const job of Object.values(workflow("ci.yml").jobs))
    for (const line of runs(job)) assert.doesNotMatch(line, /--long/);
});
