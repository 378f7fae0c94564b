// What lies outside the files that count: what OpenCode loads later, git's ignore rules, the user's home, the lock of a session.

import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { test } from "node:test";
import { long } from "../long.mjs";
import { callTool, reply } from "../provider/script.mjs";
import { APPROVED, approve, builtAlone, chat, DONE, setup, source, TEST } from "./flow.mjs";
import { flat, withOpencode } from "./harness.mjs";

/** @param {string} filePath @param {string} content */
const write = (filePath, content) => callTool("write", { filePath, content });
/** @param {string} command */
const bash = (command) => callTool("bash", { command, description: "Work" });
const WORK = [write("src/sum.js", source("+")), write("test/sum.test.js", TEST)];
const SEEN = reply({ outcome: "blocked", summary: "It was seen." });

test("a plugin that git ignores and OpenCode would load next time is told, in the project and at home", {
  skip: long("`plugin-js/flow/effects.test.js` looks at real files. `src/flow/instructions.rs` decides."),
}, async () => {
  const scene = setup({
    worker: [
      ...WORK,
      write(
        "install.sh",
        "for d in .opencode ~/.config/opencode; do mkdir -p $d/plugin; echo > $d/plugin/later.js; done\n",
      ),
      bash("sh install.sh && rm install.sh"),
      DONE,
    ],
    reviewer: [APPROVED],
  });
  const files = { ...scene.files, ".gitignore": ".opencode/\n", ".opencode/command/own.md": "Say hello.\n" };
  await builtAlone({ ...scene, files }, async ({ shown, state, project }) => {
    assert.equal(state.status, "completed", shown);
    assert.ok(await project.exists(".opencode/plugin/later.js"));
    assert.match(
      flat(shown),
      /aren't part of the reviewed change: \.opencode\/plugin\/later\.js; ~\/\.config\/opencode\/plugin\/later\.js\. The worker/,
    );
  });
});

test("what tools find above the copies is named to reviewer and user", {
  skip: long(
    "`plugin-js/flow/temporary.test.js` looks above real directories. `src/flow/tests/copies.rs` decides.",
  ),
}, async () => {
  // The project and the copies have this directory above them.
  const worker = [
    write("src/sum.js", 'export { sum } from "adder";\n'),
    write("test/sum.test.js", TEST),
    write(
      "above.sh",
      `mkdir -p ../node_modules/adder && cd ../node_modules/adder && echo '{"type":"module","exports":"./a.js"}' > package.json && echo '${source("+").trim()}' > a.js\n`,
    ),
    bash("sh above.sh && rm above.sh"),
    DONE,
  ];
  await builtAlone(setup({ worker, reviewer: [APPROVED] }), async ({ shown, state, provider, project }) => {
    assert.equal(state.status, "completed", shown);
    const above = project.path("../node_modules");
    assert.ok(flat(shown).includes(above), shown);
    assert.ok(JSON.stringify(provider.requestsOf("reviewer").at(-1)?.messages).includes(above));
  });
});

test("code that a worker hides from git by its own exclude file isn't in what is checked, and the change is told", {
  skip: long("`plugin-js/kernel/tree.test.js` has it with real git. `src/flow/git_record.rs` decides."),
}, async () => {
  const worker = [
    write("src/hidden.js", source("+")),
    write("src/sum.js", "export { sum } from './hidden.js';\n"),
    write("test/sum.test.js", TEST),
    write("hide.sh", "echo src/hidden.js >> .git/info/exclude\n"),
    bash("sh hide.sh && rm hide.sh"),
    DONE,
    SEEN,
  ];
  await builtAlone(setup({ worker, reviewer: [APPROVED] }), async ({ shown, state, provider }) => {
    assert.equal(state.status, "blocked", shown);
    assert.match(flat(shown), /not by Flow: settings, hooks, ignore rules or attributes/);
    const asked = JSON.stringify(provider.requestsOf("worker").at(-1)?.messages.at(-1));
    assert.match(asked, /pass in the project, but these fail in a clean copy/);
    assert.deepEqual(provider.requestsOf("reviewer"), [], "nobody is paid to review it");
  });
});

test("a reviewer's test writes into its own copy and home, not into the user's", {
  skip: long("`plugin-js/flow/clean-room.test.js` runs real commands in a clean room."),
}, async () => {
  const text = `import { writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { test } from "node:test";
test("writes", () => {
  for (const directory of [homedir(), "."]) writeFileSync(\`\${directory}/written-by-a-test\`, "");
  throw new Error("It is wrong for negative numbers.");
});
`;
  const finding = {
    severity: "blocking",
    file: "src/sum.js",
    line: 1,
    text: "It is wrong for negative numbers.",
    reproducer: { path: "test/writes.test.js", text, check: "all" },
  };
  const refuses = reply({ ...JSON.parse(APPROVED.text ?? ""), decision: "needs_fix", findings: [finding] });
  const scene = setup({ worker: [...WORK, DONE, SEEN], reviewer: [refuses] });
  await builtAlone(scene, async ({ shown, state, project, provider }) => {
    assert.equal(state.status, "blocked", shown);
    assert.match(
      JSON.stringify(provider.requestsOf("worker").at(-1)?.messages),
      /wrong for negative numbers/,
    );
    const directory = `.flow/sessions/${(await project.read(".flow/active")).trim()}`;
    const { copies } = await project.json(`${directory}/features/sum.json`);
    assert.match(copies.at(-1).account, /^the problem occurs/);
    assert.equal(await project.exists("written-by-a-test"), false);
    assert.equal(await project.exists("../home/written-by-a-test"), false);
  });
});

test("two processes never drive one session, even if somebody removes its lock", {
  skip: long("`plugin-js/kernel/store.test.js` removes the lock of a run."),
}, async () => {
  const worker = (/** @type {import("../provider/script.mjs").ModelRequest} */ { messages }) =>
    WORK[messages.filter(({ role }) => role === "tool").length] ?? DONE;
  await withOpencode(setup({ worker, reviewer: [APPROVED] }), async (lab) => {
    const { provider, project } = lab;
    const first = await chat(lab);
    await approve(first);
    const directory = await first.directory();
    provider.hold("worker");
    const running = first.type("flow-run");
    await provider.waitFor(1, { model: "worker" });
    await rm(project.path(`${directory}/run.lock`), { recursive: true });
    const second = lab.startCommand("flow-resume");
    await provider.waitFor(2, { model: "worker" });
    provider.release("worker");
    assert.match(await running, /run\.locked/);
    const { code, stdout } = await second.ended;
    assert.equal(code, 0, stdout);
    assert.equal((await project.json(`${directory}/session.json`)).status, "completed");
    assert.equal(
      provider.requestsOf("reviewer").filter(({ messages }) => messages.at(-1)?.role === "user").length,
      1,
    );
    assert.equal(await project.exists(`${directory}/run.lock`), false);
    assert.match(await first.type("flow-status"), /completed/);
    await first.stop();
  });
});
