/**
 * The files that exclude the output directory from searches during a run: ripgrep, and so OpenCode's grep and glob,
 * shows nothing from a directory whose `.ignore` contains `*`. They are deleted with the last run, so that the user's own searches
 * find its pages (../kernel/out-of-git.js).
 *
 * There are two. Other programs, too, respect `.ignore`. `.rgignore` takes precedence over every `.ignore`, including those
 * further down (seen with ripgrep 15.2): so it also applies to a search inside a run, whose own
 * `.ignore` allows searches, and beside an `.ignore` of the user.
 */
import { lstatSync, readFileSync } from "node:fs";
import path from "node:path";
import { Folder } from "../kernel/door.js";
import { ownerOf } from "../kernel/lock.js";

const NAMES = [".ignore", ".rgignore"];
/** The file that decides. */
const DECIDING = ".rgignore";

const TEXT = "# Written by Design Lab during a run: keeps designers from finding each other's work.\n*\n";

/** Runs of this process, by output directory. @type {Map<string, number>} */
const held = new Map();

/**
 * Creates the files, unless the user has such a file.
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
 * Deletes our files if no run, of this process or another, needs them.
 * @param {string} directory
 */
export async function releaseIgnoreFile(directory) {
  if (letGo(directory)) await sweepIgnoreFile(directory);
}

/** Returns whether no run of this process needs the files any more. @param {string} directory */
function letGo(directory) {
  const left = (held.get(directory) ?? 1) - 1;
  if (left > 0) held.set(directory, left);
  else held.delete(directory);
  return left <= 0;
}

/**
 * Deletes our files if no run is active there: a killed process leaves them behind.
 * @param {string} directory
 */
export async function sweepIgnoreFile(directory) {
  for (const name of await leftBehind(directory)) await new Folder(directory).remove(name);
}

/**
 * Returns those of our files that exist although no run is active.
 * @param {string} directory
 */
export async function leftBehind(directory) {
  if (held.has(directory)) return [];
  const output = new Folder(directory);
  const ours = [];
  for (const name of NAMES) {
    // A file that can't be read isn't ours.
    const text = await output.read(name).catch(() => "");
    if (text.toString() === TEXT) ours.push(name);
  }
  return ours.length === 0 || (await othersRun(output)) ? [] : ours;
}

/**
 * Whether a directory is excluded from searches, by our file or by an equivalent one of the user.
 * @param {string} directory
 */
export function isKeptOut(directory) {
  try {
    const file = path.join(directory, DECIDING);
    // A link is not ours, and reading a pipe would block.
    if (!lstatSync(file).isFile()) return false;
    const lines = readFileSync(file, "utf8").split(/\r?\n/);
    return lines.includes("*") && !lines.some((line) => line.startsWith("!"));
  } catch {
    return false;
  }
}

/** Whether another process drives a run in the directory, or the run that the directory is. @param {Folder} output */
async function othersRun(output) {
  if ((await ownerOf(output).catch(() => undefined))?.kind === "process") return true;
  for (const entry of await output.entries()) {
    if (!entry.isDirectory()) continue;
    // None of our processes drives a run whose lock can't be read.
    const owner = await ownerOf(output.folder(entry.name)).catch(() => undefined);
    if (owner?.kind === "process") return true;
  }
  return false;
}
