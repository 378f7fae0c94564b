// Helpers of the tests for the built package.

import { execFile } from "node:child_process";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const execute = promisify(execFile);

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
export const pkg = resolve(root, "pkg");

/**
 * Returns every file that `npm pack` would publish, relative to the package, sorted.
 * @returns {Promise<string[]>}
 */
export async function publishedFiles() {
  const { stdout } = await execute("npm", ["pack", "--dry-run", "--json"], { cwd: pkg });
  return JSON.parse(stdout)[0]
    .files.map((/** @type {{ path: string }} */ file) => file.path)
    .sort();
}
