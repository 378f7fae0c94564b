// Runs test files with Node's own runner, in the given order, several at a time: `node tests/run.mjs 3 FILE…`. The runner's command
// line would sort them by name, and a long one that starts last would run alone.

import { run } from "node:test";
import { spec } from "node:test/reporters";
import { LEFT } from "./long.mjs";

/** The time after which a file counts as stuck: the longest takes five minutes on a slow machine. */
const LONGEST_MS = 25 * 60_000;

const [concurrency, ...files] = process.argv.slice(2);
let left = 0;

const results = run({ files, concurrency: Number(concurrency), timeout: LONGEST_MS })
  .on("test:fail", () => {
    process.exitCode = 1;
  })
  .on("test:pass", ({ skip }) => {
    if (String(skip).startsWith(LEFT)) left += 1;
  })
  .compose(new spec());
results.pipe(process.stdout);
results.on("end", () => {
  if (left > 0) process.stdout.write(`${left} tests were ${LEFT}\n`);
});
