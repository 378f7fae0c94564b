// What a worker does to a session's journal comes to nothing, and what anybody does to it or to the files later is told by the
// command line, without OpenCode.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { pkg } from "../package/package.mjs";
import { callTool } from "../provider/script.mjs";
import { events } from "./artefacts.mjs";
import { APPROVED, approve, chat, DONE, setup, source, TEST } from "./flow.mjs";
import { withOpencode } from "./harness.mjs";

test("a journal that a worker rewrites is put right, and a completed session can be verified by anybody", async () => {
  let journal = "";
  const steps = [
    callTool("write", { filePath: "src/sum.js", content: source("+") }),
    callTool("write", { filePath: "test/sum.test.js", content: TEST }),
    DONE,
  ];
  const worker = (/** @type {import("../provider/script.mjs").ModelRequest} */ { n }) => {
    // By a script of its own, which no rule of Flow's can see.
    if (n === 1) writeFileSync(journal, readFileSync(journal, "utf8").replace("adds two", "adds three"));
    return steps[n] ?? DONE;
  };
  await withOpencode(setup({ worker, reviewer: [APPROVED] }), async (lab) => {
    const { project, provider } = lab;
    const talk = await chat(lab);
    await approve(talk);
    const directory = await talk.directory();
    journal = project.path(`${directory}/journal.jsonl`);
    const ended = await talk.type("flow-run");
    assert.match(ended, /completed/);
    assert.match(ended, /changed journal\.jsonl/, "the user is told");
    const lines = await events(project, directory);
    assert.ok(lines.some(({ event }) => event === "journal_restored"));
    assert.doesNotMatch(readFileSync(journal, "utf8"), /adds three/);
    await talk.stop("SIGKILL");

    /** @param {string[]} args @returns {Promise<{code: unknown, stdout: string, stderr: string}>} */
    const flow = (...args) =>
      new Promise((resolve) => {
        const program = [`${pkg}/plugin-js/cli.js`, "flow", ...args];
        execFile(process.execPath, program, { cwd: project.directory }, (error, stdout, stderr) =>
          resolve({ code: error ? error.code : 0, stdout, stderr }),
        );
      });
    const name = directory.split("/").at(-1) ?? "";
    const status = await flow("status");
    assert.equal(status.code, 0, status.stderr);
    assert.match(status.stdout, /completed/);
    const head = /Head +([0-9a-f]{64})/.exec(status.stdout)?.[1] ?? assert.fail(status.stdout);
    const shown = await flow("show", "--session", name.slice(0, -2));
    assert.equal(shown.stdout, await project.read(`${directory}/docs/index.md`));

    const noted = /- Journal: ([0-9a-f]{64})/.exec(shown.stdout)?.[1] ?? assert.fail(shown.stdout);
    for (const args of [[], ["--head", head], ["--head", noted.slice(0, 16)]]) {
      const verified = await flow("verify", ...args);
      assert.equal(verified.code, 0, verified.stderr);
      assert.match(
        verified.stdout,
        /each chained to those before it[\s\S]*as they were when the last feature/,
      );
    }
    const asked = provider.requests.length;
    /** @param {RegExp} told @param {string[]} args */
    const refused = async (told, ...args) => {
      const verified = await flow("verify", ...args);
      assert.equal(verified.code, 1, verified.stdout);
      assert.equal(verified.stdout, "");
      assert.match(verified.stderr, told);
    };
    await refused(/verify\.head/, "--head", "0".repeat(64));
    await project.write("src/sum.js", source("-"));
    await refused(/src\/sum\.js[\s\S]*verify\.tree|verify\.tree[\s\S]*src\/sum\.js/);
    await project.write("src/sum.js", source("+"));

    const [log = ""] = await project.files(`${directory}/evidence`);
    const output = await project.read(`${directory}/evidence/${log}`);
    await project.write(`${directory}/evidence/${log}`, "all is well\n");
    await refused(/verify\.output/);
    await project.write(`${directory}/evidence/${log}`, output);

    const text = readFileSync(journal, "utf8");
    writeFileSync(journal, text.replace("adds two", "adds three"));
    await refused(/journal\.damaged/);
    writeFileSync(journal, text);
    assert.equal((await flow("verify")).code, 0);
    assert.equal(provider.requests.length, asked, "no model is asked");
  });
});
