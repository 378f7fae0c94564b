/**
 * Reads a table as a person saved it. Spreadsheets also write encodings other than UTF-8: decoded as UTF-8, letters would be
 * replaced without notice.
 */
import { isUtf8 } from "node:buffer";

/**
 * @param {Buffer} bytes
 * @returns {string} a NUL character if it isn't UTF-8: the core refuses that (`csv.encoding`)
 */
export function savedText(bytes) {
  return isUtf8(bytes) ? bytes.toString("utf8") : "\0";
}
