// Small faults in features, in the real OpenCode: those that the checks don't notice go to the worker, and a check that notices none
// completes nothing. In each language whose tools are installed.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { homedir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { long } from "../long.mjs";
import { callTool, reply } from "../provider/script.mjs";
import { APPROVED, DONE, GOAL, planOf, setup, TEST } from "./flow.mjs";
import { flat, withOpencode } from "./harness.mjs";

/** The directory of the toolchains for Rust projects, because these tests use a new home. */
const RUSTUP_HOME = process.env.RUSTUP_HOME ?? path.join(homedir(), ".rustup");

const write = (/** @type {string} */ filePath, /** @type {string} */ content) =>
  callTool("write", { filePath, content });

/**
 * Builds the goal with this worker.
 * @param {Parameters<typeof setup>[0] & {files?: Record<string, string>}} scene
 * @param {(seen: {shown: string, state: any, feature: any, asked: string[], reviewed: string[], project: import("./harness.mjs").Lab["project"]}) => Promise<void> | void} look
 */
async function built({ files, ...models }, look) {
  const scene = { ...setup(models), env: { RUSTUP_HOME } };
  await withOpencode(
    { ...scene, files: { ...scene.files, ...files } },
    async ({ command, project, provider }) => {
      const { stdout } = await command("flow-auto", GOAL);
      const directory = `.flow/sessions/${(await project.read(".flow/active")).trim()}`;
      const last = (/** @type {string} */ model) =>
        provider.requestsOf(model).map(({ messages }) => JSON.stringify(messages.at(-1)));
      await look({
        shown: flat(stdout),
        state: await project.json(`${directory}/session.json`),
        feature: await project.json(`${directory}/features/sum.json`),
        asked: last("worker"),
        reviewed: provider.requestsOf("reviewer").map(({ messages }) => JSON.stringify(messages)),
        project,
      });
    },
  );
}

const LIMITED = `export function sum(a, b) {
  if (a > 100) {
    return 100;
  }
  return a + b;
}
`;
const OF_LIMIT = `${TEST}\ntest("has a limit", () => { assert.equal(sum(101, 1), 100); assert.equal(sum(100, 1), 101); });\n`;

test("what no check notices goes back to the worker once, who writes the tests that do", async () => {
  const worker = [
    write("src/sum.js", LIMITED),
    write("test/sum.test.js", TEST),
    DONE,
    write("test/sum.test.js", OF_LIMIT),
    DONE,
  ];
  await built({ worker, reviewer: [APPROVED] }, async ({ shown, state, feature, asked, project }) => {
    assert.equal(state.status, "completed", shown);
    assert.equal(state.execution.features[0].rounds, 2);
    const told = asked.find((text) => text.includes("No check notices these"));
    assert.match(told ?? "", /src\/sum\.js:3: `return 100;` becomes `return 101;`/);
    assert.match(shown, /Faults +the checks notice 5 of 5 small faults in the change/);
    assert.deepEqual([feature.mutation.tier, feature.mutation.left], ["re-executed", 0]);
    assert.equal(await project.read("src/sum.js"), LIMITED, "the project's files have no fault");
  });
});

test("a test that only asks whether the feature is there completes nothing, and no reviewer is paid", {
  skip: long(
    "Decided in `src/flow/tests/mutation.rs`. `flow-mutation.test.mjs` still tries faults in OpenCode.",
  ),
}, async () => {
  const hollow = TEST.replace("assert.equal(sum(2, 3), 5)", 'assert.equal(typeof sum, "function")');
  const worker = [write("src/sum.js", LIMITED), write("test/sum.test.js", hollow), DONE, DONE];
  await built({ worker, reviewer: [APPROVED] }, ({ shown, state, reviewed }) => {
    assert.equal(state.status, "blocked", shown);
    assert.match(
      shown,
      /The feature's checks noticed none of the 5 small faults that Flow put into the feature/,
    );
    assert.equal(reviewed.length, 0);
  });
});

test("a test that never waits for its assertion completes nothing, though it fails when the feature is removed", {
  skip: long(
    "Decided in `src/flow/tests/mutation.rs`. `flow-mutation.test.mjs` still tries faults in OpenCode.",
  ),
}, async () => {
  // The process ends before the assertion, so that the runner never hears of it.
  const late = "{ setTimeout(() => assert.equal(sum(2, 3), 5), 60_000).unref(); }";
  const unawaited = TEST.replace("assert.equal(sum(2, 3), 5)", late);
  const wrong = LIMITED.replace("a + b", "a - b");
  const worker = [write("src/sum.js", wrong), write("test/sum.test.js", unawaited), DONE, DONE];
  await built({ worker, reviewer: [APPROVED] }, ({ shown, state, reviewed }) => {
    assert.equal(state.status, "blocked", shown);
    assert.match(shown, /The feature's checks noticed none of the \d+ small faults/);
    assert.equal(reviewed.length, 0);
  });
});

test("a file into which no fault can be put is named to reviewer and user, with the reason", {
  skip: long(
    "Decided in `src/flow/tests/mutants.rs`. `flow-mutation.test.mjs` still tries faults in OpenCode.",
  ),
}, async () => {
  const worker = [
    write("src/sum.js", LIMITED),
    write("test/sum.test.js", OF_LIMIT),
    callTool("bash", { command: "printf '\\377\\376' > src/table.js", description: "x" }),
    DONE,
  ];
  await built({ worker, reviewer: [APPROVED] }, ({ shown, state, reviewed }) => {
    assert.equal(state.status, "completed", shown);
    const told = /src\/table\.js[^.]*it contains bytes that aren't text/;
    assert.match(shown, told);
    assert.match(reviewed.at(-1) ?? "", told);
  });
});

/**
 * A stand-in for a mutation testing tool: one mutant for each line of a file, in Stryker's format; lines with 100 survive.
 * @param {string} then its final action
 */
const tool = (then) => `import { mkdirSync, readFileSync, writeFileSync, existsSync } from "node:fs";
if (existsSync("reports/mutation.json")) throw new Error("a report was there before this run");
const source = readFileSync("src/sum.js", "utf8");
const mutants = source.split("\\n").slice(0, -1).map((line, index) => ({
  id: String(index), mutatorName: "Line", replacement: "0;",
  status: line.includes("100") ? "Survived" : "Killed",
  location: { start: { line: index + 1, column: 1 }, end: { line: index + 1, column: line.length + 1 } },
}));
const files = { "src/sum.js": { language: "javascript", source, mutants } };
mkdirSync("reports", { recursive: true });
const framework = { name: "Standin", version: "1.0" };
console.log("home", process.env.HOME);
${then}
writeFileSync("reports/mutation.json", JSON.stringify({ schemaVersion: "2", framework, files }));
process.exit(1);
`;

/** The tool and the settings that name it. @param {string} then */
const withTool = (then) => ({
  ".opencode/design-lab.jsonc": JSON.stringify({
    flow: {
      mutator: { command: ["node", "stand-in.mjs"], report: "reports/mutation.json", timeout_ms: 60_000 },
    },
  }),
  "stand-in.mjs": tool(then),
  // A report that was in the project beforehand is not read.
  "reports/mutation.json": JSON.stringify({ schemaVersion: "2", files: {} }),
});

test("a tool that the settings name tries the faults, in a copy and a clean room", {
  skip: long(
    "Decided in `src/flow/tests/mutation.rs`; `plugin-js/flow/mutator.test.js` reads the report of a tool.",
  ),
}, async () => {
  const worker = [
    write("src/sum.js", LIMITED),
    write("test/sum.test.js", TEST),
    write("stryker.config.json", "{}"),
    DONE,
    write("test/sum.test.js", OF_LIMIT),
    DONE,
  ];
  const scene = { worker, reviewer: [APPROVED], files: withTool("") };
  await built(scene, async ({ shown, state, feature, asked, reviewed, project }) => {
    assert.equal(state.status, "completed", shown);
    const told = asked.find((text) => text.includes("No check notices these"));
    assert.match(
      told ?? "",
      /Standin 1\.0 then put small faults .*src\/sum\.js:2: `if \(a > 100\) \{` becomes `0;`/,
    );
    assert.match(
      shown,
      /Faults +according to Standin 1\.0, the tests notice 4 of 6 small faults in the change/,
    );
    assert.match(shown, /test setup changed.*stryker\.config\.json/);
    assert.deepEqual([feature.mutation.tool, feature.mutation.tier], ["Standin 1.0", "re-executed"]);
    assert.deepEqual(feature.mutation.counts, { noticed: 4, unnoticed: 2, undecided: 0 });
    assert.match(
      reviewed.join(" "),
      /according to Standin 1\.0.*The tests don't notice these.*src\/sum\.js:3/,
    );
    assert.equal(await project.read("src/sum.js"), LIMITED, "the project's files are as they were");
    const directory = `.flow/sessions/${(await project.read(".flow/active")).trim()}`;
    const logs = (await project.files(`${directory}/evidence`)).filter((name) => name.includes("-mutator"));
    assert.equal(logs.length, 2, logs.join(" "));
    const log = await project.read(`${directory}/evidence/${logs[0]}`);
    assert.match(log, /home .*flow-[0-9a-f]{8}-/, "its home is the room's");
  });
});

test("where the tool leaves no report, Flow's own faults are tried, and that is told", {
  skip: long(
    "Decided in `src/flow/tests/mutation.rs`; `plugin-js/flow/mutator.test.js` reads the report of a tool.",
  ),
}, async () => {
  const worker = [write("src/sum.js", LIMITED), write("test/sum.test.js", OF_LIMIT), DONE];
  const files = withTool('console.log("no licence"); process.exit(3);');
  await built({ worker, reviewer: [APPROVED], files }, ({ shown, state, feature, reviewed }) => {
    assert.equal(state.status, "completed", shown);
    const why =
      /`node stand-in\.mjs` \(flow\.mutator\) wrote no report at reports\/mutation\.json \(exit code 3\); see evidence\/\d+-mutator\.log, so Flow made these faults itself/;
    assert.match(shown, /Faults +the checks notice 5 of 5 small faults in the change; `node stand-in\.mjs`/);
    for (const text of [shown, reviewed.join(" ")]) assert.match(text, why);
    assert.equal(feature.mutation.tool, null);
    assert.ok(feature.mutation.tried.length >= 5, JSON.stringify(feature.mutation));
  });
});

/** A feature of each language: its files, its check, and a fault that its tests don't notice. */
const LANGUAGES = {
  python: {
    needs: ["python3", "--version"],
    files: { ".gitignore": "__pycache__/\n" },
    written: {
      "total.py": "def total(a, b):\n    if a > 100:\n        return 100\n    return a + b\n",
      "test_total.py":
        "import unittest\nfrom total import total\n\nclass Total(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(total(2, 3), 5)\n",
    },
    check: ["python3", "-m", "unittest", "test_total"],
    unnoticed: /total\.py:3: `return 100` becomes `return 101`/,
  },
  go: {
    needs: ["go", "version"],
    files: { "go.mod": "module total\n\ngo 1.18\n" },
    written: {
      "total.go":
        "package total\n\nfunc Total(a, b int) int {\n\tif a > 100 {\n\t\treturn 100\n\t}\n\treturn a + b\n}\n",
      "total_test.go":
        'package total\n\nimport "testing"\n\nfunc TestTotal(t *testing.T) {\n\tif Total(2, 3) != 5 {\n\t\tt.Fatal("no")\n\t}\n}\n',
    },
    check: ["go", "test", "-v", "./..."],
    unnoticed: /total\.go:5: `return 100` becomes `return 101`/,
  },
  rust: {
    needs: ["cargo", "--version"],
    files: {
      "Cargo.toml": '[package]\nname = "total"\nversion = "0.1.0"\nedition = "2021"\n',
      ".gitignore": "target/\nCargo.lock\n",
      "src/lib.rs": "\n",
    },
    written: {
      "src/lib.rs":
        "pub fn total(a: i32, b: i32) -> i32 {\n    if a > 100 {\n        return 100;\n    }\n    a + b\n}\n",
      "tests/total.rs": "#[test]\nfn adds() {\n    assert_eq!(total::total(2, 3), 5);\n}\n",
    },
    check: ["cargo", "test", "--offline", "--test", "total"],
    unnoticed: /src\/lib\.rs:3: `return 100;` becomes `return 101;`/,
  },
};

for (const [language, { needs, files, written, check, unnoticed }] of Object.entries(LANGUAGES)) {
  const [program, ...args] = needs;
  const isThere = spawnSync(program ?? "", args).status === 0;
  test(`in ${language}`, {
    skip:
      (!isThere && `${program} is not there`) ||
      long(
        "One run for each language. `src/flow/tests/mutants.rs` has the faults of each, and `flow-mutation.test.mjs` still tries those of JavaScript.",
      ),
  }, async () => {
    const plan = planOf([
      { id: "unit", command: check, scope: "targeted", timeout_ms: 300_000 },
      { id: "all", command: check, scope: "broad", timeout_ms: 300_000 },
    ]);
    const steps = Object.entries(written).map(([name, content]) => write(name, content));
    const where = Object.keys(written)[0];
    const approved = reply({
      decision: "approved",
      criteria: [{ id: "adds", met: true, where: `${where}:1` }],
      findings: [],
    });
    const scene = { planner: [reply(plan)], worker: [...steps, DONE, DONE], reviewer: [approved], files };
    await built(scene, ({ shown, state, feature, reviewed }) => {
      assert.equal(state.status, "completed", shown);
      const judged = feature.mutation.tried.filter((/** @type {any} */ one) => one.noticed !== null);
      assert.ok(judged.length >= 4, JSON.stringify(feature.mutation));
      const missed = judged.filter((/** @type {any} */ one) => !one.noticed);
      assert.ok(
        missed.every((/** @type {any} */ one) => one.change.includes("100")),
        JSON.stringify(missed),
      );
      assert.match(/The tests don't notice these.*/.exec(reviewed.join(" "))?.[0] ?? shown, unnoticed);
    });
  });
}
