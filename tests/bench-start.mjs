// What the plugin adds to OpenCode's start, after a build: `node tests/bench-start.mjs [rounds]`.
//
// `opencode run` with a one-word reply, in four projects by turns: without a plugin, with the smallest npm plugin there
// is, with ours and nothing configured, with ours configured. What the smallest one adds is OpenCode's own work of
// loading a plugin from npm. The fastest of all rounds: what else a machine does only ever adds.

import { fileURLToPath } from "node:url";
import { withOpencode } from "./e2e/harness.mjs";

const ROUNDS = Number(process.argv[2] ?? 8);
const echo = fileURLToPath(new URL("e2e/fixtures/echo", import.meta.url));
const designLab = { design_models: ["lab/host", "lab/host"], review_models: ["lab/host"] };

/** @type {[name: string, setup: import("./e2e/harness.mjs").Setup][]} */
const SETUPS = [
  ["without a plugin", { config: { plugin: [] } }],
  ["with the smallest plugin", { package: echo }],
  ["with Design Lab, nothing configured", {}],
  ["with Design Lab, configured", { designLab }],
];

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
      await start(); // installs the plugin
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
  for (const [at, [name]] of SETUPS.entries()) {
    const [ms = 0, bare = 1] = [fastest[at], fastest[0]];
    process.stdout.write(`${name}: ${(ms / 1000).toFixed(2)} s, ${(ms / bare).toFixed(2)} times the first\n`);
  }
}

await measure([]);
