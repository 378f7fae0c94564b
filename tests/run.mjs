// Runs files of tests by Node's own runner, in the order in which they are named, some at a time: `node tests/run.mjs 3 FILE…`. The runner's
// command line would sort them by name, and a long one that begins last runs alone.

import { run } from "node:test";
import { spec } from "node:test/reporters";

const [concurrency, ...files] = process.argv.slice(2);

run({ files, concurrency: Number(concurrency) })
  .on("test:fail", () => {
    process.exitCode = 1;
  })
  .compose(new spec())
  .pipe(process.stdout);
