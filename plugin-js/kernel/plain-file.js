/**
 * Reads files that people or a clone of a project put somewhere: configuration, prompts, keys. Only a plain file is read, and
 * never more than its limit: reading a pipe would wait, `/dev/zero` never ends, and files of `/proc` report a size of zero.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/** Larger than any configuration, in bytes. */
export const LONGEST_CONFIGURATION = 4 << 20;

/** How much is read at a time, in bytes. */
const PIECE = 1 << 16;

/**
 * Reads the text of a plain file, as {@link readPlainBytes} does.
 * @param {string} file absolute
 * @param {number} [longest] in bytes
 */
export function readPlain(file, longest) {
  return readPlainBytes(file, longest).toString("utf8");
}

/**
 * Reads the content of a plain file. Throws an error with the system's code, or with one of those that src/shared/disk.rs has a
 * sentence for.
 * @param {string} file absolute
 * @param {number} longest in bytes
 */
export function readPlainBytes(file, longest = LONGEST_CONFIGURATION) {
  // Opens a pipe immediately instead of waiting for a writer.
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
    // The file may have grown meanwhile, and some files don't report their size.
    if (length > longest) throw refused("TOO_LARGE");
    pieces.push(piece.subarray(0, read));
  }
}

/** @param {string} code */
function refused(code) {
  return Object.assign(new Error(code), { code });
}
