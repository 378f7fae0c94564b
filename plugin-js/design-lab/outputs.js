/**
 * The output directories of this user's runs, in all projects and processes. If `output_directory` was changed, or two
 * OpenCode processes run side by side, there are designs in directories that the current configuration doesn't name. Each
 * directory has its own small file, so that processes don't wait for each other. The core decides what is hidden of them:
 * runs, and never the source files among which they may be.
 */
import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { StoreError } from "../kernel/door.js";
import { locate } from "../kernel/real-path.js";
import { stateDirectory } from "../kernel/state-directory.js";
import { createFile } from "../kernel/whole-file.js";

/** Changes within this time may have the same time stamp. */
const TICK_MS = 100;

/** A limit above the length of any path (`PATH_MAX`). */
const LONGEST = 4096;

/** The files that we and file managers put beside runs. */
const OURS = new Set([".DS_Store", ".gitattributes", ".gitignore", ".ignore", ".rgignore"]);

/** The directories that were known at the last look. @type {string[]} */
let watched = [];

/** Returns the directory of the notes. */
function folder() {
  return path.join(stateDirectory(), "outputs");
}

/** @param {string} directory absolute */
function noteOf(directory) {
  return path.join(folder(), createHash("sha256").update(directory).digest("hex").slice(0, 32));
}

/**
 * Remembers an output directory.
 * @param {string} directory absolute
 */
export async function noteOutput(directory) {
  const file = noteOf(directory);
  if (existsSync(file)) return;
  try {
    await mkdir(folder(), { recursive: true });
    await createFile(file, directory);
  } catch (error) {
    throw new StoreError(file, error);
  }
}

/**
 * Returns what is hidden in a project, absolute, as named and by its real path: this package's usual directories, and the output
 * directories of other runs, or single runs. Deletes the notes of directories that no longer contain a run.
 * @param {import("../core/design-lab.js").Core} core
 * @param {{project: string, worktree: string}} where
 */
export function hiddenOutputs(core, where) {
  const { hidden, lapsed } = core.hiddenOutputs(notedOutputs(where));
  for (const directory of lapsed) rmSync(noteOf(directory), { force: true });
  return [...new Set(hidden.flatMap((directory) => [directory, locate(directory).real]))];
}

/**
 * Returns the noted directories that exist, with their contents.
 * @param {{project: string, worktree: string}} where absolute
 * @returns {import("../core/types.js").NotedOutputs}
 */
export function notedOutputs({ project, worktree }) {
  const names = namesIn(folder()).filter((name) => !name.startsWith("."));
  const directories = names
    .map((name) => read(path.join(folder(), name)))
    .filter((text) => text !== undefined);
  watched = [...new Set([path.join(project, ".design-lab"), ...directories])].sort();
  const noted = watched.map(look).filter((output) => output !== undefined);
  return { project, worktree: path.dirname(worktree) === worktree ? null : worktree, noted };
}

/**
 * Returns the directory that a note names; `undefined` if the file isn't a note.
 * @param {string} file
 */
function read(file) {
  try {
    const status = lstatSync(file);
    if (!status.isFile() || status.size > LONGEST) return undefined;
    const directory = readFileSync(file, "utf8");
    return path.isAbsolute(directory) && noteOf(directory) === file ? directory : undefined;
  } catch {
    return undefined;
  }
}

/**
 * @param {string} directory absolute
 * @returns {import("../core/types.js").NotedOutput | undefined} `undefined` if it doesn't exist or can't be read
 */
function look(directory) {
  try {
    const entries = readdirSync(directory, { withFileTypes: true });
    const holdsRun = (/** @type {import("node:fs").Dirent} */ entry) =>
      entry.isDirectory() && isRun(path.join(directory, entry.name));
    const runs = entries.filter(holdsRun).map((entry) => entry.name);
    const others = entries.some((entry) => !runs.includes(entry.name) && !OURS.has(entry.name));
    return { directory, runs: runs.sort(), others };
  } catch {
    return undefined;
  }
}

/** Whether a directory contains a run, or one that is about to start. @param {string} directory */
export function isRun(directory) {
  return (
    path.basename(directory).startsWith(".starting-") || existsSync(path.join(directory, "journal.jsonl"))
  );
}

/** Returns a value that changes when any process has noted a directory or started a run in one. */
export function outputsStamp() {
  const changes = [folder(), ...watched].map(changeOf);
  return Date.now() - Math.max(...changes) > TICK_MS ? changes.join() : `${Date.now()}`;
}

/** @param {string} directory */
function changeOf(directory) {
  try {
    return statSync(directory, { throwIfNoEntry: false })?.ctimeMs ?? 0;
  } catch {
    return 0;
  }
}

/** @param {string} directory */
function namesIn(directory) {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "ENOENT") return [];
    throw new StoreError(directory, error, "read");
  }
}
