// What isolation costs, after a build: `npm install --no-save picomatch && node tests/bench-isolation.mjs`.
//
// The hook outside any run, a call inside one with its paths resolved, and next to it the look-ups that the rules
// come down to, written in JavaScript with picomatch. Processor time, since nothing here waits: the fastest of many
// rounds, each over many calls, and the median. `BUN_BE_BUN=1 node_modules/.bin/opencode tests/bench-isolation.mjs`
// measures in OpenCode's own executable.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { pkg } from "./package/package.mjs";

const load = (/** @type {string} */ file) => import(pathToFileURL(join(pkg, "plugin-js", file)).href);
const { Core } = await load("core.js");
const { Guard } = await load("opencode1/guard.js");
const { server } = await load("opencode1/server.js");

const ROUNDS = 60;

const project = realpathSync(mkdtempSync(join(tmpdir(), "design-lab-bench-")));
try {
  mkdirSync(join(project, "src"));
  mkdirSync(join(project, ".design-lab/2026-11-20-x/designs"), { recursive: true });
  writeFileSync(join(project, "src/server.js"), "export {}\n");
  writeFileSync(join(project, ".design-lab/.rgignore"), "*\n");

  const hooks = await server(/** @type {any} */ ({ client: {}, directory: project, worktree: project }), {});
  const before = hooks["tool.execute.before"];
  const call = { tool: "read", sessionID: "ses_user", callID: "call" };
  const args = { filePath: "src/server.js" };
  await report("hook outside any run", 10_000, () => before(call, { args }));

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
  await report("read inside a run, before", 300, () => guard.before("read", "call", args));
  await report("read inside a run, before and after", 300, async () => {
    await guard.before("read", "call", args);
    guard.after("read", "call", result());
  });
  await new Promise((resolve) => setTimeout(resolve, 200)); // the output directory has just been made
  await report("grep inside a run, before", 300, () => guard.before("grep", "call", { pattern: "x" }));
  await report("  of which resolving the path", 300, () =>
    realpathSync.native(resolve(project, args.filePath)),
  );

  const { default: picomatch } = await import(createRequire(import.meta.url).resolve("picomatch")).catch(
    () => ({ default: undefined }),
  );
  if (picomatch) {
    const blocked = picomatch(
      [".design-lab", ".design-lab/**", ...isolation.blocked_patterns, "**/*.secret"],
      { dot: true, nocase: true },
    );
    await report("read, rules in JavaScript with picomatch", 300, () => {
      const absolute = resolve(project, args.filePath);
      const real = realpathSync.native(absolute);
      for (const path of [absolute, real]) if (blocked(relative(project, path))) throw new Error("blocked");
    });
  }
} finally {
  rmSync(project, { recursive: true, force: true });
}

/**
 * @param {string} name
 * @param {number} calls
 * @param {() => unknown} run
 */
async function report(name, calls, run) {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = process.cpuUsage();
    for (let call = 0; call < calls; call += 1) await run();
    const { user, system } = process.cpuUsage(start);
    rounds.push((user + system) / calls);
  }
  rounds.sort((a, b) => a - b);
  const [fastest, median] = [rounds[0], rounds[ROUNDS / 2]].map((time) => time.toFixed(2));
  process.stdout.write(`${name}: ${fastest} µs, median ${median} µs\n`);
}
