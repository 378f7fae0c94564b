/**
 * The output directories that this user's runs have had, in any project and any process. Where `output_directory` was
 * changed, or two OpenCode processes run side by side, designs lie in directories that the present configuration
 * doesn't name. Each is a small file of its own, so that processes need not wait for one another.
 */
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { StoreError } from "./door.js";

/** Changes that come faster than this may share a time stamp. */
const TICK_MS = 100;

/** Where they are kept. Read at each call: the environment is the user's. */
function folder() {
  const state = process.env.XDG_STATE_HOME ?? path.join(os.homedir(), ".local", "state");
  return path.join(state, "opencode-design-lab", "outputs");
}

/**
 * Remembers an output directory.
 * @param {string} directory absolute
 */
export function noteOutput(directory) {
  const file = path.join(folder(), createHash("sha256").update(directory).digest("hex").slice(0, 32));
  if (existsSync(file)) return;
  const temporary = path.join(folder(), `.${process.pid}.tmp`);
  try {
    mkdirSync(folder(), { recursive: true });
    writeFileSync(temporary, directory);
    renameSync(temporary, file);
  } catch (error) {
    throw new StoreError(file, error);
  }
}

/**
 * Those that are still there, the usual one of a project among them whether it was noted or not.
 * @param {string} project absolute
 * @returns {string[]} absolute
 */
export function notedOutputs(project) {
  const names = readdirIfThere(folder()).filter((name) => !name.startsWith("."));
  const noted = names.map((name) => readFileSync(path.join(folder(), name), "utf8"));
  return [...new Set([path.join(project, ".design-lab"), ...noted])].filter((directory) =>
    existsSync(directory),
  );
}

/** A value that is another one once any process has noted a directory. */
export function outputsStamp() {
  const changed = statSync(folder(), { throwIfNoEntry: false })?.ctimeMs ?? 0;
  const now = Date.now();
  return now - changed > TICK_MS ? changed : now;
}

/** @param {string} directory */
function readdirIfThere(directory) {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "ENOENT") return [];
    throw new StoreError(directory, error);
  }
}
