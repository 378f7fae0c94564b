// How long the plugin takes to load in a fresh process: `node tests/package/cold-load.mjs` after a build.
// Prints the median over 21 processes of import and instantiation, in each host.

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { pkg, root } from "./package.mjs";

const RUNS = 21;
const entry = pathToFileURL(join(pkg, "plugin-js/index.js")).href;
const measure = `const t = performance.now(); await import(${JSON.stringify(entry)}); process.stdout.write(String(performance.now() - t));`;

for (const [host, program, args] of /** @type {const} */ ([
  ["node", process.execPath, ["--input-type=module", "--eval"]],
  ["bun", join(root, "node_modules/.bin/bun"), ["--eval"]],
])) {
  const times = Array.from({ length: RUNS }, () =>
    Number(execFileSync(program, [...args, measure], { encoding: "utf8" })),
  );
  const median = times.sort((a, b) => a - b)[Math.floor(RUNS / 2)];
  process.stdout.write(`${host}: ${median.toFixed(1)} ms\n`);
}
