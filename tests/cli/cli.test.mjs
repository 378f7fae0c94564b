// The command line of the package, as a script or a person uses it: what it prints, where, and how it ends.
// `UPDATE=1 node --test tests/cli` rewrites the golden files.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { pkg } from "../package/package.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));

/**
 * @param {string[]} args
 * @param {string} [input]
 */
async function cli(args, input = "") {
  const program = spawn(process.execPath, [`${pkg}/plugin-js/cli.js`, ...args], { cwd: here });
  program.stdin.end(input);
  const [stdout, stderr, code] = await Promise.all([
    text(program.stdout),
    text(program.stderr),
    new Promise((resolve) => program.on("close", resolve)),
  ]);
  return { code, stdout, stderr };
}

/** @param {string} name @param {string} actual */
async function assertGolden(name, actual) {
  const file = new URL(`golden/${name}.txt`, import.meta.url);
  if (process.env.UPDATE) await writeFile(file, actual);
  assert.equal(actual, await readFile(file, "utf8").catch(() => ""), `${name}: read it after UPDATE=1`);
}

/** @type {Record<string, { args: string[], code: number }>} */
const CASES = {
  help: { args: ["--help"], code: 0 },
  "help-rank": { args: ["rank", "--help"], code: 0 },
  "help-validate": { args: ["validate", "--help"], code: 0 },
  "help-schema": { args: ["schema", "--help"], code: 0 },
  "rank-scores": { args: ["rank", "scores.csv"], code: 0 },
  "rank-scores-json": { args: ["rank", "scores.csv", "--json"], code: 0 },
  "rank-comparisons": { args: ["rank", "comparisons.csv"], code: 0 },
  "rank-comparisons-json": { args: ["rank", "--json", "comparisons.csv"], code: 0 },
  "rank-broken": { args: ["rank", "broken.csv"], code: 1 },
  "rank-duplicate": { args: ["rank", "duplicate.csv"], code: 1 },
  "validate-duplicate": { args: ["validate", "duplicate.csv"], code: 1 },
  "rank-no-file": { args: ["rank", "nowhere.csv"], code: 1 },
  "rank-no-run": { args: ["rank", "golden"], code: 1 },
  "rank-nothing": { args: ["rank"], code: 2 },
  schemas: { args: ["schema"], code: 0 },
  "schema-unknown": { args: ["schema", "confg"], code: 2 },
  "validate-good": { args: ["validate", "scores.csv", "../../schemas/examples/task.jsonc"], code: 0 },
  "validate-broken": {
    args: ["validate", "scores.csv", "broken-config.jsonc", "broken-review.json"],
    code: 1,
  },
  "validate-as": { args: ["validate", "scores.csv", "--as", "confg"], code: 1 },
  "unknown-command": { args: ["rnk"], code: 2 },
  "unknown-option": { args: ["rank", "scores.csv", "--jsn"], code: 2 },
  "foreign-option": { args: ["schema", "--json"], code: 2 },
  "no-command": { args: [], code: 2 },
};

for (const [name, { args, code }] of Object.entries(CASES)) {
  test(`${args.join(" ") || "no command"}: ends with ${code}`, async () => {
    const ended = await cli(args);
    assert.equal(ended.code, code, ended.stderr);
    assert.equal(code === 0, ended.stderr === "", "problems, and only they, go to stderr");
    await assertGolden(name, code === 0 ? ended.stdout : `${ended.stdout}── stderr\n${ended.stderr}`);
  });
}

test("what it prints as JSON satisfies the published schema's first level", async () => {
  const ranking = JSON.parse((await cli(["rank", "scores.csv", "--json"])).stdout);
  const schema = JSON.parse((await cli(["schema", "ranking"])).stdout);
  for (const key of schema.required) assert.ok(key in ranking, key);
  const validated = await cli(["validate", "-", "--as", "ranking"], JSON.stringify(ranking));
  assert.equal(validated.code, 0, validated.stderr);
});

test("rows as JSON on standard input rank as the CSV does", async () => {
  const [header, ...lines] = (await readFile(`${here}/scores.csv`, "utf8")).trim().split("\n");
  const rows = lines.map((line) =>
    Object.fromEntries(
      line
        .split(",")
        .map((field, index) => [
          header.split(",")[index],
          index === 2 || index === 4 ? Number(field) : field,
        ]),
    ),
  );
  const [csv, json] = await Promise.all([
    cli(["rank", "scores.csv", "--json"]),
    cli(["rank", "-", "--json"], JSON.stringify(rows)),
  ]);
  assert.equal(json.stdout, csv.stdout);
});

test("--version prints the package's version", async () => {
  const { version } = JSON.parse(await readFile(`${pkg}/package.json`, "utf8"));
  assert.equal((await cli(["--version"])).stdout, `${version}\n`);
});
