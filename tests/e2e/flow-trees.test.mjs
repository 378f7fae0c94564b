// Which files count, in the real OpenCode: existing files that git doesn't ignore now, with their content on disk.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { long } from "../long.mjs";
import { pkg } from "../package/package.mjs";
import { callTool } from "../provider/script.mjs";
import { APPROVED, DONE, GOAL, setup, source, TEST } from "./flow.mjs";
import { withOpencode } from "./harness.mjs";

const write = (/** @type {string} */ filePath, /** @type {string} */ content) =>
  callTool("write", { filePath, content });

/** Returns the stored state of a project's session. @param {import("./harness.mjs").Lab["project"]} project */
const stateOf = async (project) =>
  project.json(`.flow/sessions/${(await project.read(".flow/active")).trim()}/session.json`);

test("a check writes a report, git is set to ignore it, and the feature is complete and verified", {
  skip: long("`plugin-js/kernel/tree.test.js` has what git ignores now not count."),
}, async () => {
  const reports = `import { writeFileSync } from "node:fs";\n${TEST}\nwriteFileSync("report.json", String(process.pid));\n`;
  const worker = [
    write("src/sum.js", source("+")),
    write("test/sum.test.js", reports),
    DONE,
    write(".gitignore", "report.json\n"),
    DONE,
  ];
  await withOpencode(setup({ worker, reviewer: [APPROVED] }), async ({ command, project, provider }) => {
    const { code, stdout } = await command("flow-auto", GOAL);
    const state = await stateOf(project);
    assert.deepEqual([code, state.status, state.execution.features[0].rounds], [0, "completed", 2], stdout);
    const shown = JSON.stringify(provider.requestsOf("worker").at(-1)?.messages);
    assert.match(shown, /wrote to these files of the project while the check ran[^"]*report\.json/);
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const program = [`${pkg}/plugin-js/cli.js`, "flow", "verify"];
    const verified = spawnSync(process.execPath, program, { cwd: project.directory, env, encoding: "utf8" });
    assert.equal(verified.status, 0, verified.stdout + verified.stderr);
  });
});

test("a filter of git hides nothing from the reviewer", {
  skip: long("`plugin-js/kernel/tree.test.js` shows with real git that no filter hides a change."),
}, async () => {
  const worker = [
    write("src/sum.js", `${source("+").trim()} // a back door\n`),
    write("test/sum.test.js", TEST),
    write(".gitattributes", "*.js filter=tidy\n"),
    callTool("bash", { command: `git config filter.tidy.clean "sed 's, //.*,,'"`, description: "x" }),
    DONE,
  ];
  let reads = 0;
  const reviewer = () => (reads++ === 0 ? callTool("read", { filePath: "src/sum.js" }) : APPROVED);
  await withOpencode(setup({ worker, reviewer }), async ({ command, project, provider }) => {
    const { stdout } = await command("flow-auto", GOAL);
    assert.equal((await stateOf(project)).status, "completed", stdout);
    assert.match(JSON.stringify(provider.requestsOf("reviewer").at(-1)?.messages), /a back door/);
  });
});
