/**
 * The files that keep searches out of the output directory while a run is running: ripgrep, and so OpenCode's grep and glob,
 * shows nothing from a directory whose `.ignore` says `*`. They go with the last run, so that the user's own searches
 * find the pages of it (../kernel/out-of-git.js).
 *
 * There are two. `.ignore` is the one that other programs heed, too. `.rgignore` goes before every `.ignore`, those
 * further down included (seen with ripgrep 15.2): so it applies to a search that is pointed into a run, whose own
 * `.ignore` lets searches in, and beside an `.ignore` that the user keeps.
 */
import { lstatSync, readFileSync } from "node:fs";
import path from "node:path";
import { Folder } from "../kernel/door.js";
import { ownerOf } from "../kernel/lock.js";

const NAMES = [".ignore", ".rgignore"];
/** The one that decides. */
const DECIDING = ".rgignore";

const TEXT = "# Written by Design Lab during a run: keeps designers from finding each other's work.\n*\n";

/** Runs of this process, by output directory. @type {Map<string, number>} */
const held = new Map();

/**
 * Puts them there, unless the user keeps such a file.
 * @param {string} directory absolute; must exist
 */
export async function holdIgnoreFile(directory) {
  held.set(directory, (held.get(directory) ?? 0) + 1);
  try {
    for (const name of NAMES) await new Folder(directory).create(name, TEXT);
  } catch (error) {
    if (letGo(directory)) await sweepIgnoreFile(directory).catch(() => {});
    throw error;
  }
}

/**
 * Takes away those that are ours if no run, of this process or another, needs them.
 * @param {string} directory
 */
export async function releaseIgnoreFile(directory) {
  if (letGo(directory)) await sweepIgnoreFile(directory);
}

/** True where no run of this process holds them any more. @param {string} directory */
function letGo(directory) {
  const left = (held.get(directory) ?? 1) - 1;
  if (left > 0) held.set(directory, left);
  else held.delete(directory);
  return left <= 0;
}

/**
 * Takes away those that are ours if nothing runs there: a process that was killed leaves them behind.
 * @param {string} directory
 */
export async function sweepIgnoreFile(directory) {
  for (const name of await leftBehind(directory)) await new Folder(directory).remove(name);
}

/**
 * Those of our files that lie there though nothing runs.
 * @param {string} directory
 */
export async function leftBehind(directory) {
  if (held.has(directory)) return [];
  const output = new Folder(directory);
  const ours = [];
  for (const name of NAMES) {
    // One that can't be read isn't ours.
    const text = await output.read(name).catch(() => "");
    if (text.toString() === TEXT) ours.push(name);
  }
  return ours.length === 0 || (await othersRun(output)) ? [] : ours;
}

/**
 * Whether searches are kept out of a directory: by our file, or by one of the user's that says the same.
 * @param {string} directory
 */
export function isKeptOut(directory) {
  try {
    const file = path.join(directory, DECIDING);
    // A link is none of ours, and a pipe would be waited for.
    if (!lstatSync(file).isFile()) return false;
    const lines = readFileSync(file, "utf8").split(/\r?\n/);
    return lines.includes("*") && !lines.some((line) => line.startsWith("!"));
  } catch {
    return false;
  }
}

/** Whether a run is running there: in the directory, or the directory is one's. @param {Folder} output */
async function othersRun(output) {
  if ((await ownerOf(output).catch(() => undefined))?.kind === "process") return true;
  for (const entry of await output.entries()) {
    if (!entry.isDirectory()) continue;
    // A run whose lock can't be read is driven by no process of ours.
    const owner = await ownerOf(output.folder(entry.name)).catch(() => undefined);
    if (owner?.kind === "process") return true;
  }
  return false;
}
