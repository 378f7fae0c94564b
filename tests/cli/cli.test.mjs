// The command line of the package, as a script or a person uses it: its output, its streams, and its exit codes.
// `cargo xtask update` renews the golden files.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { pkg } from "../package/package.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));

/**
 * @param {string[]} args
 * @param {string} [input]
 * @param {string} [cwd]
 * @param {Record<string, string>} [further] environment
 */
async function cli(args, input = "", cwd = here, further = {}) {
  // Excludes the configuration of the person who runs the tests.
  const env = { ...process.env, XDG_CONFIG_HOME: `${here}/golden/none`, ...further };
  const program = spawn(process.execPath, [`${pkg}/plugin-js/cli.js`, ...args], { cwd, env });
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
  const golden = await readFile(file, "utf8").catch(() => "");
  assert.equal(
    actual,
    golden,
    `${name}: if it should differ: \`cargo xtask update\`, then read \`git diff\``,
  );
}

/** A recorded run of Validation, with some of its evidence. */
const VALIDATION = "validation/validate-20261122t223110z-a1b2";

/** @type {Record<string, { args: string[], code: number }>} */
const CASES = {
  help: { args: ["--help"], code: 0 },
  "help-rank": { args: ["rank", "--help"], code: 0 },
  "help-validate": { args: ["validate", "--help"], code: 0 },
  "help-schema": { args: ["schema", "--help"], code: 0 },
  "help-init": { args: ["init", "--help"], code: 0 },
  "init-file": { args: ["init", "mine.jsonc"], code: 2 },
  "rank-scores": { args: ["rank", "scores.csv"], code: 0 },
  "rank-scores-json": { args: ["rank", "scores.csv", "--json"], code: 0 },
  "rank-comparisons": { args: ["rank", "comparisons.csv"], code: 0 },
  "rank-comparisons-json": { args: ["rank", "--json", "comparisons.csv"], code: 0 },
  "rank-broken": { args: ["rank", "broken.csv"], code: 1 },
  "rank-duplicate": { args: ["rank", "duplicate.csv"], code: 1 },
  "validate-duplicate": { args: ["validate", "duplicate.csv"], code: 1 },
  "rank-one-to-five": { args: ["rank", "one-to-five.csv"], code: 0 },
  "rank-scale": { args: ["rank", "one-to-five.csv", "--scale", "1-5"], code: 0 },
  "rank-rubric": { args: ["rank", "one-to-five.csv", "--rubric", "rubric.jsonc"], code: 0 },
  "rank-no-rubric": { args: ["rank", "one-to-five.csv", "--rubric", "scores.csv"], code: 1 },
  "rank-percent": { args: ["rank", "percent.csv"], code: 1 },
  "rank-bad-scale": { args: ["rank", "one-to-five.csv", "--scale=five"], code: 1 },
  "validate-form": { args: ["validate", "form.csv", "run/journal.jsonl"], code: 0 },
  "validate-broken-form": { args: ["validate", "broken-form.csv"], code: 1 },
  "rank-no-file": { args: ["rank", "nowhere.csv"], code: 1 },
  "rank-no-run": { args: ["rank", "golden"], code: 1 },
  "rank-nothing": { args: ["rank"], code: 2 },
  "help-report": { args: ["report", "--help"], code: 0 },
  "report-no-run": { args: ["report", "golden"], code: 1 },
  "report-nothing": { args: ["report"], code: 2 },
  "report-nowhere": { args: ["report", "run", "--out", "scores.csv/report.html"], code: 1 },
  "help-open": { args: ["open", "--help"], code: 0 },
  "open-no-run": { args: ["open", "golden"], code: 1 },
  "open-two": { args: ["open", "run", "run"], code: 2 },
  "help-export": { args: ["export", "--help"], code: 0 },
  "export-adr": { args: ["export", "run", "adr"], code: 0 },
  "export-markdown": { args: ["export", "run", "markdown"], code: 0 },
  "export-form": { args: ["export", "run", "pdf"], code: 1 },
  "export-no-run": { args: ["export", "golden", "adr"], code: 1 },
  "export-nothing": { args: ["export"], code: 2 },
  "help-history": { args: ["history", "--help"], code: 0 },
  "history-run": { args: ["history", "run"], code: 2 },
  "history-option": { args: ["history", "--out", "history.json"], code: 2 },
  "history-nothing": { args: ["history"], code: 0 },
  "help-flow": { args: ["flow", "--help"], code: 0 },
  "flow-nothing": { args: ["flow"], code: 2 },
  "flow-no-session": { args: ["flow", "verify"], code: 1 },
  "flow-unknown": { args: ["flow", "status", "--session", "nowhere"], code: 1 },
  "flow-run": { args: ["flow", "status", "--run"], code: 2 },
  "flow-run-no-session": { args: ["flow", "verify", "--run"], code: 1 },
  "flow-head": { args: ["flow", "show", "--head", "3fa91c02"], code: 2 },
  "help-validation": { args: ["validation", "--help"], code: 0 },
  "validation-nothing": { args: ["validation"], code: 2 },
  "validation-no-run": { args: ["validation", "verify"], code: 1 },
  "validation-head": { args: ["validation", "report", "--head", "3fa91c02"], code: 2 },
  "validation-status": { args: ["validation", "status", VALIDATION], code: 0 },
  "validation-verify": { args: ["validation", "verify", VALIDATION], code: 0 },
  "validation-other-head": { args: ["validation", "verify", VALIDATION, "--head", "0".repeat(16)], code: 1 },
  "flow-junit": { args: ["flow", "show", "--junit", "results.xml"], code: 2 },
  "validation-one-file": { args: ["validation", "verify", "--junit", "a", "--sarif", "./a"], code: 2 },
  "validation-no-file": { args: ["validation", "verify", VALIDATION, "--summary", "golden"], code: 1 },
  schemas: { args: ["schema"], code: 0 },
  "schema-unknown": { args: ["schema", "confg"], code: 2 },
  "validate-good": {
    args: ["validate", "scores.csv", "../../schemas/design-lab/examples/task.jsonc"],
    code: 0,
  },
  "validate-broken": {
    args: ["validate", "scores.csv", "broken-config.jsonc", "broken-review.json"],
    code: 1,
  },
  "validate-percent": { args: ["validate", "percent.csv"], code: 1 },
  "validate-scale": { args: ["validate", "percent.csv", "--scale", "0-100"], code: 0 },
  "validate-scale-of-nothing": { args: ["validate", "broken-config.jsonc", "--scale", "0-100"], code: 2 },
  "validate-as": { args: ["validate", "scores.csv", "--as", "confg"], code: 1 },
  "unknown-command": { args: ["rnk"], code: 2 },
  "unknown-option": { args: ["rank", "scores.csv", "--jsn"], code: 2 },
  "foreign-option": { args: ["schema", "--json"], code: 2 },
  "option-without-value": { args: ["rank", "scores.csv", "--scale"], code: 2 },
  "option-with-value": { args: ["rank", "scores.csv", "--json=yes"], code: 2 },
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

test("files for build servers show a verification, whether it succeeds or not", async () => {
  const results = await mkdtemp(join(tmpdir(), "design-lab-ci-"));
  const names = /** @type {const} */ (["junit", "sarif", "summary"]);
  const verify = (/** @type {string[]} */ ...args) =>
    cli(["validation", "verify", ...args, ...names.map((name) => `--${name}=${join(results, "new", name)}`)]);
  const read = (/** @type {string} */ name) => readFile(join(results, "new", name), "utf8");
  try {
    assert.deepEqual(await verify(VALIDATION), await cli(["validation", "verify", VALIDATION]));
    for (const name of names) {
      const text = await read(name);
      const anywhere = text.replace(/("semanticVersion": )".*"/, '$1"0.0.0"').replaceAll("tests/cli/", "");
      await assertGolden(`validation-${name}`, anywhere);
    }
    const differs = await verify(VALIDATION, "--head", "0".repeat(16));
    assert.equal(differs.code, 1);
    assert.match(await read("junit"), /<failure message="[^"]+" type="validation\.head">/);
    assert.equal((await verify("nowhere")).code, 1);
    assert.match(await read("junit"), /tests="1" failures="1"[\s\S]*type="run\.unknown"/);
    assert.match(await read("summary"), /run\.unknown/);
    assert.equal(JSON.parse(await read("sarif")).runs[0].results[0].ruleId, "run.unknown");
  } finally {
    await rm(results, { recursive: true });
  }
});

test("report makes the page of a recorded run, on standard output or in a file", async () => {
  const printed = await cli(["report", "run", "--out", "-"]);
  assert.equal(printed.code, 0, printed.stderr);
  assert.match(printed.stdout, /^<!doctype html>/);
  for (const design of ["aspen", "birch", "cedar"])
    assert.ok(printed.stdout.includes(`<bdi>${design}</bdi>`));
  const directory = await mkdtemp(join(tmpdir(), "design-lab-report-"));
  try {
    await cp(join(here, "run"), directory, { recursive: true });
    const [own, named] = [join(directory, "results/report.html"), join(directory, "named.html")];
    assert.equal((await cli(["report", directory])).stdout, `${own}\n`);
    assert.equal((await cli(["report", directory, "--out", named])).stdout, `${named}\n`);
    for (const file of [own, named]) assert.equal(await readFile(file, "utf8"), printed.stdout);
    assert.deepEqual((await readdir(directory)).sort(), ["journal.jsonl", "named.html", "results"]);
  } finally {
    await rm(directory, { recursive: true });
  }
});

test("open has the system show the page of a run, and tells its address whatever comes of that", async () => {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "design-lab open-")));
  try {
    const runs = join(directory, ".design-lab");
    await cp(join(here, "run"), join(runs, "2026-11-20-rate-limiter"), { recursive: true });
    const opener = join(directory, process.platform === "darwin" ? "open" : "xdg-open");
    const says = (/** @type {number} */ code) => `#!/bin/sh\necho "asked for $1"\nexit ${code}\n`;
    const open = (/** @type {string[]} */ ...args) =>
      cli(["open", ...args], "", directory, { PATH: directory });
    const page = join(runs, "2026-11-20-rate-limiter/results/report.html");

    await writeFile(opener, says(0), { mode: 0o755 });
    const latest = await open();
    assert.deepEqual(latest, { code: 0, stdout: `${pathToFileURL(page)}\n`, stderr: `asked for ${page}\n` });
    const made = await readFile(page, "utf8");
    assert.match(made, /^<!doctype html>/, "it is made where it isn't there");
    await writeFile(page, "<script>somebody else's</script>");
    assert.deepEqual(await open("rate"), latest);
    assert.equal(await readFile(page, "utf8"), made, "nothing is shown but what the journal records");

    await writeFile(opener, says(3));
    const failed = await open("rate");
    assert.deepEqual([failed.code, failed.stdout], [1, latest.stdout]);
    assert.match(failed.stderr, /exited with code 3[\s\S]*\[cli\.no-browser\][\s\S]*address above/);
    await rm(opener);
    assert.match((await open()).stderr, /can't be run \(ENOENT\)/);
  } finally {
    await rm(directory, { recursive: true });
  }
});

test("a run is named by a part of its name that no other has, wherever runs are kept", async () => {
  const project = await mkdtemp(join(tmpdir(), "design-lab-runs-"));
  try {
    for (const name of ["2026-11-20-rate-limiter", "2026-11-21-user-auth", "2026-11-22-user-auth-2"])
      await cp(join(here, "run"), join(project, "labs", name), { recursive: true });
    await mkdir(join(project, ".opencode"));
    await writeFile(
      join(project, ".opencode/design-lab.json"),
      JSON.stringify({ design_models: ["lab/a", "lab/b"], output_directory: "labs" }),
    );
    const whole = await cli(["rank", join(project, "labs/2026-11-20-rate-limiter")]);
    assert.equal(whole.code, 0, whole.stderr);
    assert.equal((await cli(["rank", "rate-lim"], "", project)).stdout, whole.stdout);
    assert.equal(
      (await cli(["report", "auth-2"], "", project)).stdout,
      "labs/2026-11-22-user-auth-2/results/report.html\n",
    );
    for (const [part, code] of /** @type {const} */ ([
      ["user", "run.ambiguous"],
      ["scores.csv", "run.unknown"],
    ])) {
      const refused = await cli(["rank", part], "", project);
      assert.equal(refused.code, 1);
      assert.ok(refused.stderr.includes(`[${code}]`), refused.stderr);
    }
  } finally {
    await rm(project, { recursive: true });
  }
});

test("the history is of all runs that can be read, wherever they are kept, and names the others", async () => {
  const project = await mkdtemp(join(tmpdir(), "design-lab-history-"));
  try {
    for (const name of ["2026-11-20-rate-limiter", "2026-11-21-rate-limiter-2"])
      await cp(join(here, "run"), join(project, "labs", name), { recursive: true });
    await mkdir(join(project, "labs/2026-11-22-foreign"));
    await writeFile(join(project, "labs/2026-11-22-foreign/journal.jsonl"), '{"not": "ours"}\n');
    await mkdir(join(project, ".opencode"));
    await writeFile(
      join(project, ".opencode/design-lab.json"),
      JSON.stringify({ design_models: ["lab/a", "lab/b"], output_directory: "labs" }),
    );
    const printed = await cli(["history", "--json"], "", project);
    assert.equal(printed.code, 0, printed.stderr);
    const history = JSON.parse(printed.stdout);
    assert.deepEqual([history.version, history.runs, history.scored_runs, history.tasks], [1, 2, 2, 1]);
    assert.deepEqual(
      history.left_out.map((/** @type {any} */ left) => left.run),
      ["2026-11-22-foreign"],
    );
    assert.equal(history.designers.length, 3);
    for (const designer of history.designers)
      assert.deepEqual([designer.tasks, designer.points], [1, null], "one task shows nothing");
    assert.equal(history.proposal, null);
    assert.match(history.no_proposal, /A proposal needs 5 tasks with scores[^.]*, and\s+so far there is 1\./);
    const told = await cli(["history"], "", project);
    assert.equal(told.code, 0, told.stderr);
    assert.match(told.stdout, /^Design Lab · history of 2 runs in labs\n/);
    assert.match(told.stdout, /Runs of the same\s+task\s+are\s+not\s+independent/);
    assert.match(told.stdout, /Left out {2}2026-11-22-foreign: /);
  } finally {
    await rm(project, { recursive: true });
  }
});

test("what to know of a table goes beside its JSON, not into it", async () => {
  const ranked = await cli(["rank", "one-to-five.csv", "--json"]);
  assert.equal(ranked.code, 0);
  assert.match(ranked.stderr, /^Note: No score in this table is above 4\.5/);
  assert.ok(JSON.parse(ranked.stdout).rankings);
});

test("a run that came from elsewhere is neither read nor written through its links", async () => {
  const directory = await mkdtemp(join(tmpdir(), "design-lab-elsewhere-"));
  try {
    const run = join(directory, "run");
    await cp(join(here, "run"), run, { recursive: true });
    await mkdir(join(directory, "mine"));
    await writeFile(join(directory, "mine/report.html"), "mine");
    await symlink(join(directory, "mine"), join(run, "results"));
    const written = await cli(["report", run]);
    assert.equal(written.code, 1);
    assert.match(written.stderr, /disk\.link/);
    assert.match(written.stderr, /run\/results/);
    assert.equal(await readFile(join(directory, "mine/report.html"), "utf8"), "mine");
    await rename(join(run, "journal.jsonl"), join(directory, "journal.jsonl"));
    await symlink(join(directory, "journal.jsonl"), join(run, "journal.jsonl"));
    assert.match((await cli(["rank", run])).stderr, /disk\.link/);
  } finally {
    await rm(directory, { recursive: true });
  }
});

test("what it prints as JSON satisfies the published schema's first level", async () => {
  const ranking = JSON.parse((await cli(["rank", "scores.csv", "--json"])).stdout);
  const schema = JSON.parse((await cli(["schema", "ranking"])).stdout);
  for (const key of schema.required) assert.ok(key in ranking, key);
  const validated = await cli(["validate", "-", "--as", "ranking"], JSON.stringify(ranking));
  assert.equal(validated.code, 0, validated.stderr);
});

test("rows as JSON on standard input rank as the CSV does", async () => {
  const [header = "", ...lines] = (await readFile(`${here}/scores.csv`, "utf8")).trim().split("\n");
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

test("init writes a configuration that is right, and never over another", async () => {
  const project = await mkdtemp(join(tmpdir(), "design-lab-init-"));
  const file = join(project, ".opencode/design-lab.jsonc");
  const init = (/** @type {string[]} */ ...args) => cli(["init", ...args], "", project);
  try {
    const broken = await init("--models", "gpt-5.1,lab/a");
    assert.equal(broken.code, 1);
    await assertGolden("init-broken", `── stderr\n${broken.stderr}`);

    const first = await init();
    assert.equal(first.code, 0, first.stderr);
    await assertGolden("init", first.stdout);
    const { version } = JSON.parse(await readFile(`${pkg}/package.json`, "utf8"));
    const golden = await readFile(`${here}/../design_lab/config/starter/offline.jsonc`, "utf8");
    assert.equal(await readFile(file, "utf8"), golden.replace("@0.1.0", `@${version}`));
    assert.match((await cli(["validate", file])).stdout, /: config, valid/);

    const again = await init("--models", "lab/a,lab/b");
    assert.equal(again.code, 1);
    await assertGolden("init-again", `── stderr\n${again.stderr}`);

    await rename(file, join(project, ".opencode/design-lab.json"));
    assert.equal((await init()).code, 1, "nor beside one");
    // A project within the repository uses that configuration, too.
    await mkdir(join(project, ".git"));
    await mkdir(join(project, "inner"));
    const inner = await cli(["init"], "", join(project, "inner"));
    assert.match(inner.stderr, /^\.\.\/\.opencode\/design-lab\.json: .*init\.exists/);

    await rm(join(project, ".opencode"), { recursive: true });
    const named = await init("--models=lab/a,lab/b");
    assert.equal(named.code, 0, named.stderr);
    await assertGolden("init-models", named.stdout);
    assert.match(await readFile(file, "utf8"), /"design_models": \[\n {4}"lab\/a",\n {4}"lab\/b",\n/);

    await rm(join(project, ".opencode"), { recursive: true });
    await writeFile(join(project, ".opencode"), "");
    const blocked = await init();
    assert.equal(blocked.code, 1);
    assert.match(blocked.stderr, /^\.opencode\/design-lab\.jsonc: .*\[disk\.failed\]/);
  } finally {
    await rm(project, { recursive: true });
  }
});

test("the settings of a validation are checked, with what this machine lacks for them", async () => {
  const project = await mkdtemp(join(tmpdir(), "design-lab-validation-"));
  after(() => rm(project, { recursive: true }));
  const check = () => cli(["validation", "check"], "", project);
  const none = await check();
  assert.equal(none.code, 1);
  assert.match(none.stderr, /validation\.no-settings[\s\S]*\/validate-init/);
  const file = join(project, ".opencode/validation.jsonc");
  await mkdir(dirname(file));
  await writeFile(file, '{\n  "servers": [],\n  "repaet": 3\n}\n');
  const broken = await check();
  assert.equal(broken.code, 1);
  await assertGolden("validation-check-broken", `── stderr\n${broken.stderr}`);
  const playwright = {
    directory: fileURLToPath(new URL("../..", import.meta.url)),
    browser: process.execPath,
  };
  await writeFile(
    file,
    JSON.stringify({ servers: [{ name: "web", command: ["node", "server.js"] }], playwright }),
  );
  assert.deepEqual(await check(), {
    code: 0,
    stdout: "Valid: .opencode/validation.jsonc (servers: web)\n",
    stderr: "",
  });
});

test("the reports of a validation aren't written through a link in the place of the runs", async () => {
  const project = await mkdtemp(join(tmpdir(), "design-lab-validation-"));
  try {
    await cp(join(here, "validation"), join(project, "theirs"), { recursive: true });
    await mkdir(join(project, ".design-lab"));
    await symlink(join(project, "theirs"), join(project, ".design-lab/validation"));
    const before = await readdir(join(project, "theirs"), { recursive: true });
    const refused = await cli(["validation", "report"], "", project);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /\[disk\.link\]/);
    assert.deepEqual(await readdir(join(project, "theirs"), { recursive: true }), before);
  } finally {
    await rm(project, { recursive: true });
  }
});

test("the reports of a validation are made again, with the pictures that are still as they were", async () => {
  const project = await mkdtemp(join(tmpdir(), "design-lab-validation-"));
  try {
    const run = join(".design-lab", VALIDATION);
    await cp(join(here, VALIDATION), join(project, run), { recursive: true });
    const validation = (/** @type {string[]} */ ...args) => cli(["validation", ...args], "", project);
    const files = ["FINAL-VALIDATION.md", "FINAL-VALIDATION.json", "report.html"].map(
      (file) => `${run}/${file}`,
    );
    const made = await validation("report");
    assert.deepEqual([made.stderr, made.stdout], ["", files.map((file) => `${file}\n`).join("")]);
    const read = (/** @type {string} */ file) => readFile(join(project, file), "utf8");
    const [text, data, page] = await Promise.all(files.map(read));
    assert.match(text ?? "", /^# Validation: failed\n/);
    assert.equal(JSON.parse(data ?? "").versions.browser, "chromium 139.0.7258.5");
    assert.equal(page?.match(/<img src="data:image\/png;base64,/g)?.length, 2);

    await writeFile(join(project, files[0] ?? ""), "# Validation: validated\n");
    const picture = `${run}/playwright/application-1/artifacts/signs-in/test-finished-1.png`;
    await rm(join(project, picture));
    await writeFile(join(project, run, "servers/web.log"), "listening\nGET / 200\nPOST /session 200\n");
    await writeFile(join(project, run, "servers/more.log"), "");
    await writeFile(join(project, run, "gate-decision.json"), "{}");
    const told = await validation("verify", "a1b2");
    assert.deepEqual([told.code, told.stdout], [1, ""]);
    await assertGolden("validation-differs", `── stderr\n${told.stderr}`);
    assert.equal((await validation("report", run)).code, 0);
    assert.equal(await read(files[0] ?? ""), text, "the journal says what the report says");
    const without = await read(files[2] ?? "");
    assert.equal(without.match(/<img /g)?.length, 1);
    assert.match(without, /1 picture isn&#39;t on this page: it is missing/);

    const journal = await read(`${run}/journal.jsonl`);
    await writeFile(
      join(project, run, "journal.jsonl"),
      journal.replace('"status":"failed"', '"status":"passed"'),
    );
    const forged = await validation("verify");
    assert.equal(forged.code, 1);
    assert.match(forged.stderr, /journal\.damaged/);
  } finally {
    await rm(project, { recursive: true });
  }
});

test("--version prints the package's version", async () => {
  const { version } = JSON.parse(await readFile(`${pkg}/package.json`, "utf8"));
  assert.equal((await cli(["--version"])).stdout, `${version}\n`);
});
