/**
 * Digests of files' contents: a file is read again only if the system's metadata shows that it was touched.
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";

/** A file changed less than this long before it was read may have changed again without different timestamps. */
const TICK_MS = 100;

export class FileDigests {
  /**
   * The digest of each file when it was last read, and the time of that, in ms.
   * @type {Map<string, {stamp: string, at: number, digest: string}>}
   */
  #known = new Map();

  /**
   * @param {string} file absolute
   * @param {import("node:fs").BigIntStats} status its current status
   * @returns {Promise<string>} sha256 in hex
   */
  async of(file, status) {
    const stamp = [status.dev, status.ino, status.size, status.mtimeNs, status.ctimeNs].join();
    const known = this.#known.get(file);
    const changed = Number(status.ctimeNs / 1_000_000n);
    if (known?.stamp === stamp && changed + TICK_MS < known.at) return known.digest;
    const at = Date.now();
    const digest = await digestOf(file);
    this.#known.set(file, { stamp, at, digest });
    return digest;
  }
}

/** @param {string} file absolute */
export async function digestOf(file) {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest("hex");
}
