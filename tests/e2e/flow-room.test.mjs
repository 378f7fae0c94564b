// A worker that makes checks pass with files outside the project, in the real OpenCode: none of these files exist in copies.

import assert from "node:assert/strict";
import { createServer } from "node:net";
import { test } from "node:test";
import { cutOff } from "../../plugin-js/flow/network.js";
import { long } from "../long.mjs";
import { callTool, reply } from "../provider/script.mjs";
import { APPROVED, DONE, GOAL, planOf, setup, source, TEST } from "./flow.mjs";
import { withOpencode } from "./harness.mjs";

const PLAN = planOf([
  { id: "unit", command: ["npm", "test"], scope: "targeted" },
  { id: "all", command: ["npm", "test"], scope: "broad" },
]);

/** Returns a port on which nothing listens. @returns {Promise<number>} */
const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
      server.close(() => resolve(port));
    });
  });

const write = (/** @type {string} */ filePath, /** @type {string} */ content) =>
  callTool("write", { filePath, content });

/** Writes files below the user's home, but not with a command that names it. @param {Record<string, string>} files */
const atHome = (files) => {
  const script = `const fs = require("node:fs"), os = require("node:os"), path = require("node:path");
for (const [name, text] of Object.entries(${JSON.stringify(files)})) {
  const file = path.join(os.homedir(), name);
  fs.writeFileSync(file, text.replaceAll("~", os.homedir()));
  fs.chmodSync(file, 0o755);
  fs.writeFileSync(path.join(os.tmpdir(), path.basename(name)), text);
}`;
  const encoded = Buffer.from(script).toString("base64");
  const command = `node -e 'eval(Buffer.from("${encoded}", "base64").toString())'`;
  return callTool("bash", { command, description: "x" });
};

/** A shell that runs no script and prints a runner's output. */
const SHELL =
  "#!/bin/sh\nprintf 'ok 1 - adds\\n# tests 1\\n# pass 1\\n# fail 0\\n# skipped 0\\n# todo 0\\n'\n";

/** The sum is right if any of the places contains the file that was left there. */
const READS = `import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";

const places = [
  () => readFileSync(homedir() + "/.left", "utf8"),
  () => readFileSync(tmpdir() + "/.left", "utf8"),
  () => execFileSync("git", ["config", "left.here"], { encoding: "utf8" }),
];
const isThere = (place) => {
  try {
    return place().includes("left");
  } catch {
    return false;
  }
};
export const sum = (a, b) => (places.some(isThere) ? a + b : 0);
`;

/**
 * Builds the feature with this worker. Checks after how many rounds it was complete, and how many prompts of the worker named the
 * failure.
 * @param {import("../provider/script.mjs").Script} worker
 * @param {{rounds: number, times: number, told: RegExp}} expected
 */
async function completes(worker, { rounds, times, told }) {
  const files = { "package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n' };
  const scene = setup({ planner: [reply(PLAN)], worker, reviewer: [APPROVED] });
  await withOpencode({ ...scene, files }, async ({ command, project, provider }) => {
    const { stdout } = await command("flow-auto", GOAL);
    const name = (await project.read(".flow/active")).trim();
    const { status, execution } = await project.json(`.flow/sessions/${name}/session.json`);
    assert.deepEqual([status, execution.features[0].rounds], ["completed", rounds], stdout);
    const shown = provider.requestsOf("worker").map(({ messages }) => JSON.stringify(messages.at(-1)));
    const failed = shown.filter((text) => told.test(text));
    assert.equal(failed.length, times, shown.join("\n"));
  });
}

test("settings and files outside of the project that have a check pass there do not count", {
  skip: long(
    "`plugin-js/flow/clean-room.test.js` runs real commands in a clean room. `flow.test.mjs` completes a feature through one.",
  ),
}, async () => {
  const worker = [
    write("src/sum.js", source("-")),
    write("test/sum.test.js", TEST),
    atHome({ ".shell": SHELL, ".npmrc": "script-shell=~/.shell\n" }),
    DONE,
    write("src/sum.js", READS),
    atHome({ ".npmrc": "", ".left": "left", ".gitconfig": "[left]\n\there = left\n" }),
    DONE,
    write("src/sum.js", source("+")),
    DONE,
  ];
  await completes(worker, {
    rounds: 3,
    times: 2,
    told: /pass in the project, but these fail in a clean copy/,
  });
});

/** The sum is right while the server on this port answers. @param {number} port */
const asks = (
  port,
) => `const answers = await fetch("http://127.0.0.1:${port}/").then(() => true, () => false);
export const sum = (a, b) => (answers ? a + b : 0);
`;

/** Starts a server that leaves its shell without a trace and ends when it is asked to. @param {number} port */
const leave = (port) => {
  const script = `require("node:http").createServer((request, response) => {
  response.end();
  if (request.url === "/end") process.exit();
}).listen(${port}, "127.0.0.1")`;
  const program = `env -i "$(command -v node)" -e '${script}'`;
  return callTool("bash", {
    command: `setsid ${program} </dev/null >/dev/null 2>&1 &`,
    description: "x",
  });
};

test("a server that a worker left running decides nothing: a copy has a network of its own", async (context) => {
  if (!(await cutOff())) return context.skip("this system can't cut a command off from the network");
  const port = await freePort();
  context.after(() => fetch(`http://127.0.0.1:${port}/end`).catch(() => {}));
  const worker = [
    write("src/sum.js", asks(port)),
    write("test/sum.test.js", TEST),
    leave(port),
    DONE,
    write("src/sum.js", source("+")),
    DONE,
  ];
  await completes(worker, {
    rounds: 2,
    times: 1,
    told: /a check can use only a server that it starts itself/,
  });
});

/** A runner that a project's installation provides. */
const RUNNER = `import { spawnSync } from "node:child_process";
const { status } = spawnSync(process.execPath, ["--test"], { stdio: "inherit" });
process.exit(status);
`;

test("a copy whose dependencies a worker has changed is called unclean, to reviewer and user", {
  skip: long("`plugin-js/flow/links.test.js` notices each change. `src/flow/tests/copies.rs` decides."),
}, async () => {
  const worker = [
    write("src/sum.js", source("+")),
    write("test/sum.test.js", TEST),
    write("node_modules/runner/cli.mjs", `${RUNNER}// Who knows what else?\n`),
    DONE,
  ];
  const files = {
    ".gitignore": "node_modules\n",
    "package.json": '{ "type": "module", "scripts": { "test": "node node_modules/runner/cli.mjs" } }\n',
    "node_modules/runner/cli.mjs": RUNNER,
    "node_modules/runner/.cache/x": "x",
  };
  const scene = setup({ planner: [reply(PLAN)], worker, reviewer: [APPROVED] });
  await withOpencode({ ...scene, files }, async ({ command, project, provider }) => {
    const { stdout } = await command("flow-auto", GOAL);
    const name = (await project.read(".flow/active")).trim();
    const shown = stdout.replace(/\s+/g, " ");
    assert.match(
      shown,
      /copies of the project are not clean, .*node_modules has changed \(runner\/cli\.mjs\)/,
      stdout,
    );
    const asked = provider.requestsOf("reviewer").map(({ user }) => user);
    assert.match(
      asked[0] ?? "",
      /passed again in a copy; the copy was not clean: node_modules has changed \(runner\/cli\.mjs\)/,
    );
    const journal = await project.read(`.flow/sessions/${name}/journal.jsonl`);
    assert.match(journal, /"links":\[\{"path":"node_modules","digest":"[0-9a-f]{64}"\}\]/);
  });
});
