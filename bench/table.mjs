// The common parts of all benches.

import { mkdirSync, writeFileSync } from "node:fs";
import { arch, availableParallelism, cpus, platform, totalmem } from "node:os";
import path from "node:path";

/** `--smoke`: the smallest sizes, one round. It shows that the bench still works, not the costs. */
export const smoke = process.argv.includes("--smoke");

/** Returns the median; of two middle values, the upper. @param {number[]} values */
export function median(values) {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

const machine = () => ({
  system: `${platform()}-${arch()}`,
  processor: cpus()[0]?.model ?? "unknown",
  cores: availableParallelism(),
  memory_gb: Math.round(totalmem() / 1e9),
  node: process.version,
});

/** @type {{ head: string[], rows: (string | number)[][] }[]} */
const tables = [];

/**
 * Prints a Markdown table, of which all columns except the first contain numbers, and keeps it as JSON if `cargo xtask bench` names a
 * directory for that.
 * @param {string[]} head
 * @param {(string | number)[][]} rows
 */
export function print(head, rows) {
  tables.push({ head, rows });
  keep();
  const line = (/** @type {(string | number)[]} */ cells) => `| ${cells.join(" | ")} |\n`;
  process.stdout.write(line(head) + line(head.map((_, index) => (index ? "---:" : "---"))));
  process.stdout.write(`${rows.map(line).join("")}\n`);
}

/** Writes all tables so far, with what has to be equal, or known to differ, before they are compared with others. */
function keep() {
  const { BENCH_RESULTS: directory, BENCH_COMMIT: commit, BENCH_DATE: date } = process.env;
  if (!directory) return;
  const bench = path.basename(process.argv[1] ?? "", ".mjs");
  mkdirSync(directory, { recursive: true });
  const result = { bench, commit, date, smoke, machine: machine(), tables };
  writeFileSync(path.join(directory, `${bench}.json`), `${JSON.stringify(result, null, 2)}\n`);
}
