/**
 * The `.ignore` file that keeps searches out of the output directory while a run is on: ripgrep, and so OpenCode's
 * grep and glob, shows nothing from a directory whose `.ignore` says `*`. It goes with the last run, so that the
 * user's own searches find the results.
 */
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { carrier } from "./lock.js";
import { StoreError } from "./store.js";

const TEXT =
  "# Written by Design Lab while a run is on: keeps designers from finding one another's work.\n*\n";

/** Runs of this process, by output directory. @type {Map<string, number>} */
const held = new Map();

/**
 * Puts the file there, unless the user keeps one of their own.
 * @param {string} directory absolute; must exist
 */
export async function holdIgnoreFile(directory) {
  held.set(directory, (held.get(directory) ?? 0) + 1);
  await writeFile(path.join(directory, ".ignore"), TEXT, { flag: "wx" }).catch((error) => {
    if (error.code !== "EEXIST") throw new StoreError(path.join(directory, ".ignore"), error);
  });
}

/**
 * Takes the file away if it is ours and no run, of this process or another, needs it.
 * @param {string} directory
 */
export async function releaseIgnoreFile(directory) {
  const left = (held.get(directory) ?? 1) - 1;
  if (left > 0) {
    held.set(directory, left);
    return;
  }
  held.delete(directory);
  await sweepIgnoreFile(directory);
}

/**
 * Takes the file away if it is ours and nothing runs there: a process that was killed leaves it behind.
 * @param {string} directory
 */
export async function sweepIgnoreFile(directory) {
  if (await isLeftBehind(directory)) await rm(path.join(directory, ".ignore"), { force: true });
}

/**
 * Whether our file lies there though nothing runs.
 * @param {string} directory
 */
export async function isLeftBehind(directory) {
  if (held.has(directory)) return false;
  const text = await readFile(path.join(directory, ".ignore"), "utf8").catch(() => "");
  return text === TEXT && !(await othersRun(directory));
}

/** @param {string} directory */
async function othersRun(directory) {
  for (const name of await readdir(directory).catch(() => [])) {
    if ((await carrier(path.join(directory, name))).kind === "process") return true;
  }
  return false;
}
