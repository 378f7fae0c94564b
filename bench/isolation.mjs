// The cost of isolation, in Node and in OpenCode's own executable: `cargo xtask bench isolation`.
//
// The hook outside any run, a call inside a run with its paths resolved, and for comparison the look-ups that the rules amount to,
// written in JavaScript with picomatch. Processor time, because nothing here waits: the median of many rounds, each over many calls.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { pkg, root } from "../tests/package/package.mjs";
import { median, print, smoke } from "./table.mjs";

const [ROUNDS, MANY, FEW] = smoke ? [1, 100, 5] : [60, 10_000, 300];

/** The row with which all others are compared. */
const PEER = "the blocked paths alone, in JavaScript with picomatch";

/** @typedef {[call: string, microseconds: number][]} Times */

if (process.argv.includes("--here")) {
  process.stdout.write(JSON.stringify(await measure()));
} else {
  const node = inProcess(process.execPath);
  const opencode = inProcess(join(root, "node_modules/.bin/opencode"), { BUN_BE_BUN: "1" });
  const cells = (/** @type {Times} */ times, /** @type {string} */ call) => {
    const [time = 0, peer = 1] = [new Map(times).get(call), new Map(times).get(PEER)];
    return [time.toFixed(2), (time / peer).toFixed(2)];
  };
  print(
    ["processor time", "OpenCode, µs", "× picomatch", `Node ${process.versions.node}, µs`, "× picomatch"],
    node.map(([call]) => [call, ...cells(opencode, call), ...cells(node, call)]),
  );
}

/** @param {string} program @param {Record<string, string>} [env] @returns {Times} */
function inProcess(program, env) {
  const args = [fileURLToPath(import.meta.url), "--here", ...(smoke ? ["--smoke"] : [])];
  return JSON.parse(execFileSync(program, args, { encoding: "utf8", env: { ...process.env, ...env } }));
}

/** @returns {Promise<Times>} */
async function measure() {
  const load = (/** @type {string} */ file) => import(pathToFileURL(join(pkg, "plugin-js", file)).href);
  const { Core } = await load("core/design-lab.js");
  const { Guard } = await load("hosts/guard.js");
  const { server } = await load("opencode1/server.js");

  /** @type {Times} */
  const times = [];
  const project = realpathSync(mkdtempSync(join(tmpdir(), "design-lab-bench-")));
  try {
    mkdirSync(join(project, "src"));
    mkdirSync(join(project, ".design-lab/2026-11-20-x/designs"), { recursive: true });
    writeFileSync(join(project, "src/server.js"), "export {}\n");
    writeFileSync(join(project, ".design-lab/.rgignore"), "*\n");

    const hooks = await server(
      /** @type {any} */ ({ client: {}, directory: project, worktree: project }),
      {},
    );
    const before = hooks["tool.execute.before"];
    const call = { tool: "read", sessionID: "ses_user", callID: "call" };
    const args = { filePath: "src/server.js" };
    times.push(["hook outside any run", await microseconds(MANY, () => before(call, { args }))]);

    const core = new Core();
    const isolation = {
      enforce_design_isolation: true,
      blocked_patterns: ["notes/**", "*.secret"],
      allowed_tools: ["read", "glob", "grep"],
    };
    const places = {
      project,
      worktree: project,
      real: { project: null, worktree: null },
      unguarded: [],
      outputs: [join(project, ".design-lab")],
      former: [],
      host: ["/x/share/opencode", "/x/state/opencode"],
    };
    const guard = new Guard(core, core.rules(isolation, places));
    const result = () => ({ title: "", output: "1: export {}\n", metadata: {} });
    const read = () => guard.before("read", "call", args);
    times.push(["`read` inside a run, before the call", await microseconds(FEW, read)]);
    const both = async () => {
      await read();
      guard.after("read", "call", result());
    };
    times.push(["`read` inside a run, before and after the call", await microseconds(FEW, both)]);
    await new Promise((resolve) => setTimeout(resolve, 200)); // the output directory has just been made
    const grep = () => guard.before("grep", "call", { pattern: "x" });
    times.push(["`grep` inside a run, before the call", await microseconds(FEW, grep)]);
    const real = () => realpathSync.native(resolve(project, args.filePath));
    times.push(["the path alone resolved by the file system", await microseconds(FEW, real)]);

    const picomatch = createRequire(import.meta.url)("picomatch");
    const patterns = [".design-lab", ".design-lab/**", ...isolation.blocked_patterns, "**/*.secret"];
    const blocked = picomatch(patterns, { dot: true, nocase: true });
    const peer = () => {
      const absolute = resolve(project, args.filePath);
      for (const path of [absolute, realpathSync.native(absolute)]) {
        if (blocked(relative(project, path))) throw new Error("blocked");
      }
    };
    times.push([PEER, await microseconds(FEW, peer)]);
    return times;
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

/**
 * Returns the microseconds of one call, the median over rounds.
 * @param {number} calls in each round
 * @param {() => unknown} run
 */
async function microseconds(calls, run) {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = process.cpuUsage();
    for (let call = 0; call < calls; call += 1) await run();
    const { user, system } = process.cpuUsage(start);
    rounds.push((user + system) / calls);
  }
  return median(rounds);
}
