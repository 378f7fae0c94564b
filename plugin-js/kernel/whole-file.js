/**
 * Writes a file whole or not at all: the text goes to a temporary file next to it, is synced to disk, and only then gets the
 * name. So no process ever reads half of it, and a full disk leaves the previous content. All files that the shell and the
 * command line write whole are written here.
 *
 * The npm package `write-file-atomic` 8 can't replace this. It follows a link and replaces its target, which the door (door.js)
 * forbids; its temporary files have predictable names and are also opened through links. It can't keep an existing file, nor
 * does it sync the new name to disk. Its 270 lines need `signal-exit` and Node 22 or later, but this package runs on 20.
 */
import { randomBytes } from "node:crypto";
import { link, lstat, open, rename, unlink } from "node:fs/promises";
import path from "node:path";

/** The names of temporary files, current and of earlier versions, that a process that died may have left. */
export const TEMPORARY = /^\..+\.(?:[0-9a-f]{16}|\d+-\d+)\.tmp$/;

/** The error codes of systems without hard links. */
const NO_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EINVAL", "EMLINK"]);

/**
 * Writes a file, replacing any existing one.
 * @param {string} file absolute; its folder must exist
 * @param {string | Uint8Array} text
 */
export function replaceFile(file, text) {
  return prepared(file, text, async (temporary) => {
    await rename(temporary, file);
    return true;
  });
}

/**
 * Writes a file unless something of that name exists. Returns true if it was written.
 * @param {string} file absolute; its folder must exist
 * @param {string} text
 */
export function createFile(file, text) {
  return prepared(file, text, async (temporary) => {
    try {
      // Unlike a rename, this fails if the name is taken.
      await link(temporary, file);
    } catch (error) {
      const { code } = /** @type {NodeJS.ErrnoException} */ (error);
      if (code === "EEXIST") return false;
      if (!NO_LINKS.has(code ?? "")) throw error;
      if (await isThere(file)) return false;
      await rename(temporary, file);
      return true;
    }
    await unlink(temporary);
    return true;
  });
}

/**
 * @param {string} file
 * @param {string | Uint8Array} text
 * @param {(temporary: string) => Promise<boolean>} publish gives the file its name; returns true if it then has it
 */
async function prepared(file, text, publish) {
  const folder = path.dirname(file);
  const name = path.basename(file).slice(0, 80);
  const temporary = path.join(folder, `.${name}.${randomBytes(8).toString("hex")}.tmp`);
  let published = false;
  try {
    const handle = await open(temporary, "wx");
    try {
      await handle.writeFile(text, "utf8");
      await handle.sync();
    } finally {
      await handle.close();
    }
    published = await publish(temporary);
  } finally {
    if (!published) await unlink(temporary).catch(() => {});
  }
  if (published) await syncFolder(folder);
  return published;
}

/** @param {string} file */
function isThere(file) {
  return lstat(file).then(
    () => true,
    (error) => {
      if (error.code !== "ENOENT") throw error;
      return false;
    },
  );
}

/** Syncs a rename or a new file in this folder to disk. Windows can't open folders and doesn't need it. */
export async function syncFolder(/** @type {string} */ folder) {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
