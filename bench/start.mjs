// What the plugin adds to OpenCode's start, and how long it takes to load: `cargo xtask bench start`.
//
// `opencode run` with a one-word reply, alternating between four projects: without a plugin, with the smallest possible npm plugin,
// with ours unconfigured, and with ours configured. The smallest one shows OpenCode's own work of loading a plugin from npm. The
// fastest of all rounds, because other load only ever adds time. Then the plugin alone, imported and instantiated in a fresh process of
// each host: the median of many.

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { withOpencode } from "../tests/e2e/harness.mjs";
import { pkg, root } from "../tests/package/package.mjs";
import { median, print, smoke } from "./table.mjs";

const [ROUNDS, LOADS] = smoke ? [1, 1] : [8, 21];
const echo = fileURLToPath(new URL("../tests/e2e/fixtures/echo", import.meta.url));
const designLab = { design_models: ["lab/host", "lab/host"], review_models: ["lab/host"] };

/** @type {[name: string, setup: import("../tests/e2e/harness.mjs").Setup][]} */
const ALL = [
  ["without a plugin", { config: { plugin: [] } }],
  ["with the smallest plugin", { package: echo }],
  ["with Design Lab, nothing configured", {}],
  ["with Design Lab, configured", { designLab }],
];
const SETUPS = smoke ? ALL.slice(3) : ALL;

await measure([]);
loading();

/** @param {(() => Promise<number>)[]} starts one for each setup so far */
async function measure(starts) {
  const next = SETUPS[starts.length];
  if (next) {
    await withOpencode(next[1], async ({ run }) => {
      const start = async () => {
        const { code, ms, stderr } = await run(["run", "hello"]);
        if (code !== 0) throw new Error(stderr);
        return ms;
      };
      if (!smoke) await start(); // fills caches
      await measure([...starts, start]);
    });
    return;
  }
  /** @type {number[][]} */
  const times = SETUPS.map(() => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [at, start] of starts.entries()) times[at]?.push(await start());
  }
  const fastest = times.map((all) => Math.min(...all));
  const rows = SETUPS.map(([name], at) => {
    const [ms = 0, bare = 1] = [fastest[at], fastest[0]];
    return [name, (ms / 1000).toFixed(2), (ms / bare).toFixed(2)];
  });
  print(["OpenCode's start", "s", "× the first"], rows);
}

function loading() {
  const entry = pathToFileURL(join(pkg, "plugin-js/index.js")).href;
  const load = `const t = performance.now(); await import(${JSON.stringify(entry)}); process.stdout.write(String(performance.now() - t));`;
  const hosts = /** @type {const} */ ([
    ["Node", process.execPath, ["--input-type=module", "--eval"]],
    ["Bun", join(root, "node_modules/.bin/bun"), ["--eval"]],
  ]);
  const rows = hosts.map(([host, program, args]) => {
    const times = Array.from({ length: LOADS }, () =>
      Number(execFileSync(program, [...args, load], { encoding: "utf8" })),
    );
    return [host, median(times).toFixed(1)];
  });
  print(["loading the plugin", "ms"], rows);
}
