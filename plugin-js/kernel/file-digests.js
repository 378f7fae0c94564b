/**
 * What files hold, as digests: a file is read again only if the system notes that it was touched since.
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";

/** A file that was changed less than so long before it was read may have been changed again, unseen by its times. */
const TICK_MS = 100;

export class FileDigests {
  /** What a file held when it was read, and when that was, in ms. @type {Map<string, {stamp: string, at: number, digest: string}>} */
  #known = new Map();

  /**
   * @param {string} file absolute
   * @param {import("node:fs").BigIntStats} status of it, by now
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
