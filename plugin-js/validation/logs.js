/**
 * Logs of servers, which may be long: reads their ends, and searches them for a text.
 */

/** How much of a file is read at once, in bytes. */
const PIECE = 1 << 22;

/**
 * @param {import("../kernel/door.js").Folder} folder
 * @param {string} file
 * @param {number} most characters
 * @param {number} [from] the byte offset before which nothing is read
 * @returns {Promise<string>} empty if there is no such file
 */
export async function tail(folder, file, most, from = 0) {
  const text = await opened(folder, file, async (handle) => {
    const { size } = await handle.stat();
    // A character may take four bytes.
    return bytesOf(handle, Math.max(from, size - 4 * most), size);
  });
  return text?.toString("utf8").slice(-most) ?? "";
}

/** Searches a growing log for a text; what has been searched is not searched again. */
export class Search {
  #folder;
  #file;
  #at;
  #rest = Buffer.alloc(0);
  #found = false;

  /**
   * @param {import("../kernel/door.js").Folder} folder
   * @param {string} file
   * @param {number} from in bytes
   */
  constructor(folder, file, from) {
    this.#folder = folder;
    this.#file = file;
    this.#at = from;
  }

  /** @param {string} text always the same */
  async finds(text) {
    const sought = Buffer.from(text);
    await opened(this.#folder, this.#file, async (handle) => {
      for (let more = true; more && !this.#found; ) {
        const piece = await bytesOf(handle, this.#at, this.#at + PIECE);
        const all = Buffer.concat([this.#rest, piece]);
        this.#found = all.includes(sought);
        this.#at += piece.length;
        this.#rest = all.subarray(Math.max(0, all.length - sought.length + 1));
        more = piece.length === PIECE;
      }
    });
    return this.#found;
  }
}

/**
 * @template T
 * @param {import("../kernel/door.js").Folder} folder
 * @param {string} file
 * @param {(handle: import("node:fs/promises").FileHandle) => Promise<T>} use
 * @returns {Promise<T | undefined>} undefined if there is no such file
 */
async function opened(folder, file, use) {
  if (!(await folder.status(file))) return undefined;
  const handle = await folder.open(file, "read");
  try {
    return await use(handle);
  } finally {
    await handle.close();
  }
}

/**
 * The bytes of a file in this range, up to its end.
 * @param {import("node:fs/promises").FileHandle} handle
 * @param {number} from
 * @param {number} to
 */
export async function bytesOf(handle, from, to) {
  const bytes = Buffer.alloc(Math.max(0, to - from));
  let length = 0;
  while (length < bytes.length) {
    const { bytesRead } = await handle.read(bytes, length, bytes.length - length, from + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.subarray(0, length);
}
