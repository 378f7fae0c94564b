/**
 * Reads files that people or a clone of a project have put somewhere: configuration, prompts, keys. Only a plain file is read, and
 * never more of it than it may have: a pipe would be waited for, `/dev/zero` never ends, and files of `/proc` say that they are empty.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/** More than any configuration has, in bytes. */
export const LONGEST_CONFIGURATION = 4 << 20;

/** How much is read at a time, in bytes. */
const PIECE = 1 << 16;

/**
 * The text of a plain file, as {@link readPlainBytes} reads it.
 * @param {string} file absolute
 * @param {number} [longest] in bytes
 */
export function readPlain(file, longest) {
  return readPlainBytes(file, longest).toString("utf8");
}

/**
 * What a plain file holds. Throws an error with the system's code, or one of those that src/shared/disk.rs has a sentence for.
 * @param {string} file absolute
 * @param {number} longest in bytes
 */
export function readPlainBytes(file, longest = LONGEST_CONFIGURATION) {
  // A pipe is opened at once, instead of when somebody writes to it.
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const status = fstatSync(descriptor);
    if (status.isDirectory()) throw refused("EISDIR");
    if (!status.isFile()) throw refused("NOT_A_FILE");
    if (status.size > longest) throw refused("TOO_LARGE");
    return readAll(descriptor, longest);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * @param {string} file absolute
 * @param {number} [longest] in bytes
 * @returns {string | undefined} undefined when there is no such file
 */
export function readPlainIfThere(file, longest) {
  try {
    return readPlain(file, longest);
  } catch (error) {
    const code = /** @type {NodeJS.ErrnoException} */ (error).code;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}

/**
 * @param {number} descriptor
 * @param {number} longest
 */
function readAll(descriptor, longest) {
  const pieces = [];
  for (let length = 0; ; ) {
    const piece = Buffer.alloc(PIECE);
    const read = readSync(descriptor, piece, 0, PIECE, null);
    if (read === 0) return Buffer.concat(pieces);
    length += read;
    // A file may have grown since, and not every one knows its size.
    if (length > longest) throw refused("TOO_LARGE");
    pieces.push(piece.subarray(0, read));
  }
}

/** @param {string} code */
function refused(code) {
  return Object.assign(new Error(code), { code });
}
