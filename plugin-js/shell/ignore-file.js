/**
 * The `.ignore` file that keeps searches out of the output directory while a run is on: ripgrep, and so OpenCode's
 * grep and glob, shows nothing from a directory whose `.ignore` says `*`. It goes with the last run, so that the
 * user's own searches find the results.
 */
import { Folder } from "./door.js";
import { carrier } from "./lock.js";

const NAME = ".ignore";

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
  try {
    await new Folder(directory).create(NAME, TEXT);
  } catch (error) {
    letGo(directory);
    throw error;
  }
}

/**
 * Takes the file away if it is ours and no run, of this process or another, needs it.
 * @param {string} directory
 */
export async function releaseIgnoreFile(directory) {
  if (letGo(directory)) await sweepIgnoreFile(directory);
}

/** True where no run of this process holds the file any more. @param {string} directory */
function letGo(directory) {
  const left = (held.get(directory) ?? 1) - 1;
  if (left > 0) held.set(directory, left);
  else held.delete(directory);
  return left <= 0;
}

/**
 * Takes the file away if it is ours and nothing runs there: a process that was killed leaves it behind.
 * @param {string} directory
 */
export async function sweepIgnoreFile(directory) {
  if (await isLeftBehind(directory)) await new Folder(directory).remove(NAME);
}

/**
 * Whether our file lies there though nothing runs.
 * @param {string} directory
 */
export async function isLeftBehind(directory) {
  if (held.has(directory)) return false;
  const output = new Folder(directory);
  // One that can't be read isn't ours.
  const text = await output.read(NAME).catch(() => "");
  return text.toString() === TEXT && !(await othersRun(output));
}

/** @param {Folder} output */
async function othersRun(output) {
  for (const entry of await output.entries()) {
    if (!entry.isDirectory()) continue;
    // A run whose lock can't be read is carried by none of ours.
    const owner = await carrier(output.folder(entry.name)).catch(() => undefined);
    if (owner?.kind === "process") return true;
  }
  return false;
}
