// A worker's tampering with a session's journal has no effect, and the command line reports, without OpenCode, any later change to it
// or to the files. It can also run the checks again.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { crc32 } from "node:zlib";
import { long } from "../long.mjs";
import { pkg } from "../package/package.mjs";
import { callTool } from "../provider/script.mjs";
import { events, until } from "./artefacts.mjs";
import { APPROVED, approve, chat, DONE, GOAL, setup, source } from "./flow.mjs";
import { flat, withOpencode } from "./harness.mjs";

/** A test with a different result if an environment variable is set. */
const TEST = `import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { sum } from "../src/sum.js";

test("adds", async () => {
  assert.equal(sum(2, 3), process.env.SUM_IS_OFF ? 6 : 5);
  if (!process.env.SUM_HANGS) return;
  writeFileSync(process.env.SUM_HANGS, String(process.pid));
  await new Promise((resolve) => setTimeout(resolve, 600_000));
});
`;

/** Whether a process is running, and not just a zombie. @param {number} pid */
function isAtWork(pid) {
  try {
    return readFileSync(`/proc/${pid}/environ`).length > 0;
  } catch {
    return false;
  }
}

/**
 * Runs the command line in a project.
 * @param {string} cwd
 * @param {string[]} args
 * @param {Record<string, string>} [env] additional variables
 */
function flow(cwd, args, env = {}) {
  // Node's test runner uses this variable to detect that it runs inside another.
  const { NODE_TEST_CONTEXT: _, ...here } = process.env;
  const program = [`${pkg}/plugin-js/cli.js`, "flow", ...args];
  const child = spawn(process.execPath, program, { cwd, env: { ...here, ...env } });
  const ended = Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)]);
  return {
    child,
    ended: ended.then(([[code, signal], stdout, stderr]) => ({ code, signal, stdout, stderr })),
  };
}

test("a journal that a worker rewrites is put right, and a completed session can be verified by anybody", {
  skip: long(
    "`plugin-js/kernel/store.test.js` writes a changed journal again. `flow-verify.test.mjs` still refuses a line that this machine didn't write.",
  ),
}, async () => {
  let journal = "";
  const steps = [
    callTool("write", { filePath: "src/sum.js", content: source("+") }),
    callTool("write", { filePath: "test/sum.test.js", content: TEST }),
    DONE,
  ];
  const worker = (/** @type {import("../provider/script.mjs").ModelRequest} */ { n }) => {
    // Through a script, which no rule of Flow's can see.
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
    assert.match(flat(ended), /changed journal\.jsonl/, "the user is told");
    const lines = await events(project, directory);
    assert.ok(lines.some(({ event }) => event === "journal_restored"));
    assert.doesNotMatch(readFileSync(journal, "utf8"), /adds three/);
    assert.doesNotMatch(ended, /[0-9a-f]{64}/, "digits that nobody asked for");
    const history = await talk.type("flow-history");
    const head = /Journal head +([0-9a-f]{64})/.exec(history)?.[1] ?? assert.fail(history);
    await talk.stop();

    const told = (/** @type {string[]} */ ...args) => flow(project.directory, args).ended;
    const name = directory.split("/").at(-1) ?? "";
    const status = await told("status");
    assert.equal(status.code, 0, status.stderr);
    assert.match(status.stdout, /completed/);
    const shown = await told("show", "--session", name.slice(0, -2));
    assert.equal(shown.stdout, await project.read(`${directory}/docs/index.md`));

    const noted = /- Journal head: ([0-9a-f]{64})/.exec(shown.stdout)?.[1] ?? assert.fail(shown.stdout);
    for (const args of [[], ["--head", head], ["--head", noted.slice(0, 16)]]) {
      const verified = await told("verify", ...args);
      assert.equal(verified.code, 0, verified.stderr);
      assert.match(
        verified.stdout,
        /each chained to the lines before it[\s\S]*as they were when the last feature/,
      );
    }
    const asked = provider.requests.length;
    /** @param {RegExp} why @param {string[]} args */
    const refused = async (why, ...args) => {
      const verified = await told("verify", ...args);
      assert.equal(verified.code, 1, verified.stdout);
      assert.equal(verified.stdout, "");
      assert.match(verified.stderr, why);
    };
    await refused(/verify\.head/, "--head", "0".repeat(64));
    await project.write("src/sum.js", source("-"));
    await refused(/src\/sum\.js[\s\S]*verify\.tree|verify\.tree[\s\S]*src\/sum\.js/);
    await refused(/verify\.tree/, "--run");
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
    assert.equal((await told("verify")).code, 0);

    // The files that remain afterwards, and the process that a check recorded.
    const files = await project.files(".flow");
    const nothingIsLeft = async () => {
      assert.deepEqual(await project.files(".flow"), files);
      assert.equal(readFileSync(journal, "utf8"), text);
    };
    const again = await flow(project.directory, ["verify", "--run"]).ended;
    assert.equal(again.code, 0, again.stderr);
    assert.match(again.stdout, /sum\/unit +passed \(1 test ran\) +passed \(1 test ran\)\n +sum\/all +passed/);
    await nothingIsLeft();

    const off = await flow(project.directory, ["verify", "--run"], { SUM_IS_OFF: "1" }).ended;
    assert.equal(off.code, 1, off.stdout);
    assert.match(off.stdout, /sum\/unit +passed \(1 test ran\) +failed, exit code 1\n/);
    assert.match(off.stdout, /The end of the output of sum\/all:[\s\S]*5 !== 6/);
    assert.match(off.stderr, /verify\.check[\s\S]*found +failed, exit code 1\n +allowed passed/);
    await nothingIsLeft();

    for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) {
      const begun = project.path(`../begun-${signal}`);
      const { child, ended } = flow(project.directory, ["verify", "--run"], { SUM_HANGS: begun });
      const pid = () => Number(readFileSync(begun, "utf8"));
      await until(async () => (await project.exists(`../begun-${signal}`)) && pid() > 0);
      child.kill(signal);
      assert.deepEqual(await ended, { code: null, signal, stdout: "", stderr: "" });
      assert.equal(isAtWork(pid()), false, "the check has ended, too");
      await nothingIsLeft();
    }
    assert.equal(provider.requests.length, asked, "no model is asked");
  });
});

test("a journal with a line that this machine didn't write is believed in nothing until the user takes it over", async () => {
  const worker = [
    callTool("write", { filePath: "src/sum.js", content: source("+") }),
    callTool("write", { filePath: "test/sum.test.js", content: TEST }),
    DONE,
  ];
  await withOpencode(setup({ worker, reviewer: [APPROVED] }), async (lab) => {
    const { project, provider } = lab;
    const talk = await chat(lab);
    const shown = await talk.type("flow-plan", GOAL);
    const hash = /\/flow-plan approve ([0-9a-f]{64}|[0-9a-f]+)/.exec(shown)?.[1] ?? assert.fail(shown);
    const directory = await talk.directory();
    const name = directory.split("/").at(-1) ?? "";
    const journal = project.path(`${directory}/journal.jsonl`);
    // A worker's script could do this: the line is chained and has its checksum, and OpenCode reads nothing meanwhile.
    appendFileSync(journal, lineAfter(readFileSync(journal, "utf8"), '"at":1,"event":"closed"}'));

    const said = await talk.type("flow-status");
    assert.match(said, /^Flow · not vouched for[\s\S]*don't count[\s\S]*│ Flow · /);
    const asked = provider.requests.length;
    const refused = await talk.type("flow-plan", `approve ${hash}`);
    assert.match(refused, new RegExp(`session\\.elsewhere[\\s\\S]*/flow-session\\s+${name}\\s+--trust`));
    assert.match(await talk.type("flow-auto"), /session\.elsewhere/);
    assert.equal(provider.requests.length, asked, "no model is asked");

    assert.match(await talk.type("flow-session", `${name} --trust`), /^Flow · (?!not vouched for)/);
    assert.equal((await events(project, directory)).at(-1)?.event, "adopted");
    await talk.type("flow-plan", `approve ${hash}`);
    assert.match(await talk.type("flow-run"), /completed/);
    await talk.stop();
  });
});

/** Returns the next line of a journal, which anyone can forge. @param {string} journal @param {string} body */
function lineAfter(journal, body) {
  const n = journal.split("\n").length;
  const prev = createHash("sha256").update(journal).digest("hex");
  const rest = `"prev":"${prev}",${body}`;
  const crc = crc32(`{"n":${n},${rest}`).toString(16).padStart(8, "0");
  return `{"n":${n},"crc":"${crc}",${rest}\n`;
}
