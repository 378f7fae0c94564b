/**
 * The file of a project's rules. It belongs to the user and isn't part of what is built or tested, so the trees of a project leave it
 * out. People and other programs edit it, too: the core judges what it contains.
 */
import path from "node:path";
import { Folder, StoreError } from "./door.js";
import { readPlainIfThere } from "./plain-file.js";

/** The file's name, in OpenCode's directory of a project. */
export const RULES_NAME = "flow-rules.jsonc";

const DIRECTORY = ".opencode";

/** Absolute. @param {string} project absolute */
export function rulesFile(project) {
  return path.join(project, DIRECTORY, RULES_NAME);
}

/**
 * Reads the file. Throws a `StoreError` if it can't be read.
 * @param {string} project absolute
 * @returns {string | null} null if there is none
 */
export function readRules(project) {
  const file = rulesFile(project);
  try {
    return readPlainIfThere(file) ?? null;
  } catch (error) {
    throw new StoreError(file, error, "read");
  }
}

/**
 * @param {string} project absolute
 * @param {string} text
 */
export async function writeRules(project, text) {
  await new Folder(project).write(`${DIRECTORY}/${RULES_NAME}`, text);
}
