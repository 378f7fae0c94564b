/**
 * A table as somebody has saved it. Spreadsheets also write other encodings than UTF-8: letters would be replaced, and nobody
 * would notice.
 */
import { isUtf8 } from "node:buffer";

/**
 * @param {Buffer} bytes
 * @returns {string} a zero character where it isn't UTF-8: the core refuses that (`csv.encoding`)
 */
export function savedText(bytes) {
  return isUtf8(bytes) ? bytes.toString("utf8") : "\0";
}
