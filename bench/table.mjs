// The common parts of all benches.

/** `--smoke`: the smallest sizes, one round. It shows that the bench still works, not the costs. */
export const smoke = process.argv.includes("--smoke");

/** Returns the median; of two middle values, the upper. @param {number[]} values */
export function median(values) {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/**
 * Prints a Markdown table; all columns except the first contain numbers.
 * @param {string[]} head
 * @param {(string | number)[][]} rows
 */
export function print(head, rows) {
  const line = (/** @type {(string | number)[]} */ cells) => `| ${cells.join(" | ")} |\n`;
  process.stdout.write(line(head) + line(head.map((_, index) => (index ? "---:" : "---"))));
  process.stdout.write(`${rows.map(line).join("")}\n`);
}
