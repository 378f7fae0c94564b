// Exams in the real OpenCode: tests that no worker could aim at find faults that the visible tests miss, and count only if they can
// fail. In each language whose tools are installed.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { homedir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { long } from "../long.mjs";
import { callTool, reply } from "../provider/script.mjs";
import { APPROVED, DONE, GOAL, NO_EXAM, planOf, setup, TEST } from "./flow.mjs";
import { flat, withOpencode } from "./harness.mjs";

/** The directory of the toolchains for Rust projects, because these tests use a new home. */
const RUSTUP_HOME = process.env.RUSTUP_HOME ?? path.join(homedir(), ".rustup");

const write = (/** @type {string} */ filePath, /** @type {string} */ content) =>
  callTool("write", { filePath, content });

/** @param {Record<string, string>} files @param {string} [left_out] */
const exam = (files, left_out = "") =>
  reply({
    tests: Object.entries(files).map(([path, text]) => ({
      path,
      text,
      check: "sum/all",
      criteria: ["adds"],
    })),
    left_out,
  });

/**
 * Builds the goal with these models, without mutation.
 * @param {Parameters<typeof setup>[0] & {files?: Record<string, string>}} scene
 * @param {(seen: {shown: string, state: any, feature: any, told: (model: string) => string[], project: import("./harness.mjs").Lab["project"], provider: import("./harness.mjs").Lab["provider"]}) => Promise<void> | void} look
 */
async function built({ files, ...models }, look) {
  const scene = { ...setup(models), designLab: { flow: { mutation: 0 } }, env: { RUSTUP_HOME } };
  await withOpencode(
    { ...scene, files: { ...scene.files, ...files } },
    async ({ command, project, provider }) => {
      const { stdout } = await command("flow-auto", GOAL);
      const directory = `.flow/sessions/${(await project.read(".flow/active")).trim()}`;
      await look({
        shown: flat(stdout),
        state: await project.json(`${directory}/session.json`),
        feature: await project.json(`${directory}/features/sum.json`),
        told: (model) => provider.requestsOf(model).map(({ user }) => user),
        project,
        provider,
      });
    },
  );
}

/** Code that aims at the visible test. */
const AIMED = "export const sum = (a, b) => (a === 2 && b === 3 ? 5 : 0);\n";
const RIGHT = "export const sum = (a, b) => a + b;\n";
const EXAM = TEST.replace("sum(2, 3), 5", "sum(20, 22), 42");

test("what aims at the tests that it knows is found, fixed and examined again", {
  skip: long(
    "Decided in `src/flow/tests/examining.rs`, and `plugin-js/flow/effects.test.js` runs the tests in copies. `flow.test.mjs` asks an examiner in OpenCode.",
  ),
}, async () => {
  const worker = [
    write("src/sum.js", AIMED),
    write("test/sum.test.js", TEST),
    DONE,
    write("src/sum.js", RIGHT),
    write("test/exam.test.js", EXAM),
    DONE,
  ];
  const examiner = [
    exam({ "test/exam.test.js": EXAM }),
    exam({ "test/other.test.js": TEST.replace("sum(2, 3), 5", "sum(-1, 1), 0") }),
  ];
  await built(
    { worker, examiner, reviewer: [APPROVED] },
    async ({ shown, state, feature, told, project }) => {
      assert.equal(state.status, "completed", shown);
      assert.equal(state.execution.features[0].rounds, 2);
      const asked = told("worker").find((text) => text.includes("These tests fail on your change")) ?? "";
      assert.match(
        asked,
        /test\/exam\.test\.js \(adds\):[\s\S]*sum\(20, 22\), 42[\s\S]*Expected values to be/,
      );
      assert.match(shown, /Exam +2 of 2 new tests by lab\/examiner pass/);
      const grades = feature.exam.tests.map((/** @type {any} */ one) => `${one.path} ${one.grade}`);
      assert.deepEqual(grades, ["test/exam.test.js kept", "test/other.test.js passed"]);
      assert.match(
        told("reviewer").at(-1) ?? "",
        /wrote tests for it[\s\S]*2 of 2 new tests by lab\/examiner pass/,
      );
      assert.equal(await project.exists("test/other.test.js"), false, "what passes stays out of the project");
    },
  );
});

test("a worker can't put another test in the place of one that it failed", {
  skip: long(
    "Decided in `src/flow/tests/examining.rs`. `plugin-js/flow/effects.test.js` shows that an exam replaces nothing.",
  ),
}, async () => {
  const worker = [
    write("src/sum.js", AIMED),
    write("test/sum.test.js", TEST),
    DONE,
    write("test/exam.test.js", TEST),
    DONE,
  ];
  const examiner = [exam({ "test/exam.test.js": EXAM }), NO_EXAM];
  await built({ worker, examiner, reviewer: [APPROVED] }, ({ shown, feature, told }) => {
    assert.deepEqual(
      feature.exam.tests.map((/** @type {any} */ one) => one.grade),
      ["failed"],
      shown,
    );
    assert.match(
      told("reviewer").at(-1) ?? "",
      /These tests fail\. If a test is right[\s\S]*sum\(20, 22\), 42/,
    );
  });
});

test("a test counts only where it can fail, and one that fails to the end is left to the reviewer", {
  skip: long("Decided in `src/flow/tests/examining.rs`."),
}, async () => {
  const worker = [write("src/sum.js", RIGHT), write("test/sum.test.js", TEST), DONE];
  const changing = `import { writeFileSync } from "node:fs";\ntest("writes", () => { writeFileSync("src/sum.js", ""); assert.ok(true); });\n`;
  const vacuous = `test("is true", () => assert.ok(true));\n`;
  const head = 'import assert from "node:assert/strict";\nimport { test } from "node:test";\n';
  const examiner = [
    exam({
      "test/vacuous.test.js": head + vacuous,
      "test/changing.test.js": head + changing,
      "test/sum.test.js": EXAM,
      "test/wrong.test.js": `${head}import { sum } from "../src/sum.js";\ntest("is wrong", () => assert.equal(sum(1, 1), 3));\n`,
      "test/exam.test.js": EXAM,
    }),
  ];
  await built(
    { worker: [...worker, DONE], examiner, reviewer: [APPROVED] },
    ({ shown, state, feature, told }) => {
      assert.equal(state.status, "completed", shown);
      const grades = feature.exam.tests.map(
        (/** @type {any} */ one) => `${one.path} ${one.why ?? one.grade}`,
      );
      assert.deepEqual(grades, [
        "test/vacuous.test.js the test also passes without the change",
        "test/changing.test.js files in the copy were written to while the test ran",
        "test/sum.test.js the project has another file with this name",
        "test/wrong.test.js failed",
        "test/exam.test.js passed",
      ]);
      assert.match(told("reviewer").at(-1) ?? "", /These tests fail\. If a test is right/);
      assert.match(shown, /Exam +1 of 2 new tests by lab\/examiner pass; 3 tests not counted/);
    },
  );
});

test("an examiner can read, and nothing else", async () => {
  const worker = [write("src/sum.js", RIGHT), write("test/sum.test.js", TEST), DONE];
  const examiner = [
    callTool("write", { filePath: "src/sum.js", content: "" }),
    callTool("bash", { command: "echo > src/sum.js", description: "ruin it" }),
    callTool("read", { filePath: "src/sum.js" }),
    exam({ "test/exam.test.js": EXAM }),
  ];
  await built({ worker, examiner, reviewer: [APPROVED] }, async ({ shown, state, project, provider }) => {
    assert.equal(state.status, "completed", shown);
    assert.equal(await project.read("src/sum.js"), RIGHT);
    const asked = provider.requestsOf("examiner");
    assert.deepEqual(
      [...new Set(asked.flatMap(({ tools }) => tools))].sort(),
      ["glob", "grep", "read"],
      "no other tool is offered",
    );
    assert.ok(asked.some(({ messages }) => messages.some(({ content }) => content.includes("a + b"))));
  });
});

/** A feature of each language: its files, its check, and an exam that its first version fails. */
const LANGUAGES = {
  python: {
    needs: ["python3", "--version"],
    files: {
      ".gitignore": "__pycache__/\n",
      "test_nothing.py":
        "import unittest\n\nclass Nothing(unittest.TestCase):\n    def test_holds(self):\n        self.assertTrue(True)\n",
    },
    aimed: { "total.py": "def total(a, b):\n    return 5\n" },
    right: { "total.py": "def total(a, b):\n    return a + b\n" },
    tests: {
      "test_total.py":
        "import unittest\nfrom total import total\n\nclass Total(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(total(2, 3), 5)\n",
    },
    exam: {
      "test_exam.py":
        "import unittest\nfrom total import total\n\nclass Exam(unittest.TestCase):\n    def test_exam(self):\n        self.assertEqual(total(20, 22), 42)\n",
    },
    check: ["python3", "-m", "unittest"],
  },
  go: {
    needs: ["go", "version"],
    files: {
      "go.mod": "module total\n\ngo 1.18\n",
      "nothing_test.go": 'package total\n\nimport "testing"\n\nfunc TestNothing(t *testing.T) {}\n',
    },
    aimed: { "total.go": "package total\n\nfunc Total(a, b int) int {\n\treturn 5\n}\n" },
    right: { "total.go": "package total\n\nfunc Total(a, b int) int {\n\treturn a + b\n}\n" },
    tests: {
      "total_test.go":
        'package total\n\nimport "testing"\n\nfunc TestTotal(t *testing.T) {\n\tif Total(2, 3) != 5 {\n\t\tt.Fatal("no")\n\t}\n}\n',
    },
    exam: {
      "exam_test.go":
        'package total\n\nimport "testing"\n\nfunc TestExam(t *testing.T) {\n\tif Total(20, 22) != 42 {\n\t\tt.Fatal("no")\n\t}\n}\n',
    },
    check: ["go", "test", "-v", "./..."],
  },
  rust: {
    needs: ["cargo", "--version"],
    files: {
      "Cargo.toml": '[package]\nname = "total"\nversion = "0.1.0"\nedition = "2021"\n',
      ".gitignore": "target/\nCargo.lock\n",
      "src/lib.rs": "\n",
      "tests/nothing.rs": "#[test]\nfn holds() {\n    assert!(true);\n}\n",
    },
    aimed: { "src/lib.rs": "pub fn total(_a: i32, _b: i32) -> i32 {\n    5\n}\n" },
    right: { "src/lib.rs": "pub fn total(a: i32, b: i32) -> i32 {\n    a + b\n}\n" },
    tests: { "tests/total.rs": "#[test]\nfn adds() {\n    assert_eq!(total::total(2, 3), 5);\n}\n" },
    exam: { "tests/exam.rs": "#[test]\nfn exam() {\n    assert_eq!(total::total(20, 22), 42);\n}\n" },
    check: ["cargo", "test", "--offline"],
  },
};

for (const [language, { needs, files, aimed, right, tests, exam: hidden, check }] of Object.entries(
  LANGUAGES,
)) {
  const [program, ...args] = needs;
  const isThere = spawnSync(program ?? "", args).status === 0;
  test(`in ${language}`, {
    skip:
      (!isThere && `${program} is not there`) ||
      long(
        "One run for each language. `src/flow/tests/examining.rs` decides, and `src/shared/runners.rs` reads the runners of each language.",
      ),
  }, async () => {
    const plan = planOf([
      { id: "unit", command: check, scope: "targeted", timeout_ms: 300_000 },
      { id: "all", command: check, scope: "broad", timeout_ms: 300_000 },
    ]);
    const steps = (/** @type {Record<string, string>} */ written) =>
      Object.entries(written).map(([name, content]) => write(name, content));
    const where = Object.keys(right)[0];
    const approved = reply({
      decision: "approved",
      criteria: [{ id: "adds", met: true, where: `${where}:1` }],
      findings: [],
    });
    // Both checks are the same command, under the name of the first.
    const asked = (/** @type {Record<string, string>} */ test) => {
      const { tests } = JSON.parse(exam(test).text);
      return reply({
        tests: tests.map((/** @type {any} */ one) => ({ ...one, check: "sum/unit" })),
        left_out: "",
      });
    };
    const scene = {
      planner: [reply(plan)],
      worker: [...steps(aimed), ...steps(tests), DONE, ...steps(right), DONE],
      examiner: [asked(hidden), reply({ tests: [], left_out: "Everything was examined." })],
      reviewer: [approved],
      files: { "package.json": "{}\n", ...files },
    };
    await built(scene, ({ shown, state, feature, told }) => {
      assert.equal(state.status, "completed", shown);
      assert.ok(
        told("worker").some((text) => text.includes("These tests fail on your change")),
        shown,
      );
      assert.deepEqual(
        feature.exam.tests.map((/** @type {any} */ one) => one.grade),
        ["passed"],
        JSON.stringify(feature.exam),
      );
    });
  });
}

test("without exams no examiner is asked", {
  skip: long("Decided in `src/flow/tests/examining.rs`."),
}, async () => {
  const worker = [write("src/sum.js", RIGHT), write("test/sum.test.js", TEST), DONE];
  const scene = { ...setup({ worker, reviewer: [APPROVED] }), designLab: { flow: { exam: "off" } } };
  await withOpencode(scene, async ({ command, provider }) => {
    const { stdout } = await command("flow-auto", GOAL);
    assert.match(flat(stdout), /completed/);
    assert.equal(provider.requestsOf("examiner").length, 0);
  });
});
