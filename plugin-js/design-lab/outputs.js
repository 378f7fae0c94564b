/**
 * The output directories that this user's runs have had, in any project and any process. Where `output_directory` was
 * changed, or two OpenCode processes run side by side, designs lie in directories that the present configuration
 * doesn't name. Each is a small file of its own, so that processes need not wait for one another. What is hidden of them
 * is for the core to say: runs, and never the sources that they may lie among.
 */
import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { StoreError } from "../kernel/door.js";
import { locate } from "../kernel/real-path.js";
import { stateDirectory } from "../kernel/state-directory.js";
import { createFile } from "../kernel/whole-file.js";

/** Changes that come faster than this may share a time stamp. */
const TICK_MS = 100;

/** More than any path has (`PATH_MAX`). */
const LONGEST = 4096;

/** What we put beside runs, and what file managers do. */
const OURS = new Set([".DS_Store", ".gitattributes", ".gitignore", ".ignore", ".rgignore"]);

/** The directories that were noted when they were looked at last. @type {string[]} */
let watched = [];

/** Where the notes are. */
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
 * What is hidden in a project, absolute, as named and as it really is: what this package usually keeps there, and the output
 * directories of other runs, or single runs. Notes of directories that hold no run any more are taken away.
 * @param {import("../core/design-lab.js").Core} core
 * @param {{project: string, worktree: string}} where
 */
export function hiddenOutputs(core, where) {
  const { hidden, lapsed } = core.hiddenOutputs(notedOutputs(where));
  for (const directory of lapsed) rmSync(noteOf(directory), { force: true });
  return [...new Set(hidden.flatMap((directory) => [directory, locate(directory).real]))];
}

/**
 * Those that are there, with what is in them.
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
 * The directory that a note names; nothing for what is no note.
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
 * @returns {import("../core/types.js").NotedOutput | undefined} nothing if it isn't there, or can't be looked at
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

/** Whether a directory holds a run, or one that is about to begin. @param {string} directory */
export function isRun(directory) {
  return (
    path.basename(directory).startsWith(".starting-") || existsSync(path.join(directory, "journal.jsonl"))
  );
}

/** A value that is another one once any process has noted a directory, or begun a run in one. */
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
