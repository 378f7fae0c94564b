/**
 * Writing a file whole or not at all: the text goes to a temporary file beside it, is on disk, and only then gets the
 * name. Nobody ever reads half of it, and a full disk leaves what was there before. All files that are written whole,
 * by the shell and by the command line, are written here.
 *
 * The npm package `write-file-atomic` 8 doesn't do instead. It follows a link and replaces what lies behind it, which the
 * door (door.js) forbids; its temporary files have names that can be foretold and are opened through links, too. It can't
 * leave alone what is there already, nor does it make the new name last on disk. Its 270 lines need `signal-exit`, and
 * Node 22 or later, where this package runs on 20.
 */
import { randomBytes } from "node:crypto";
import { link, lstat, open, rename, unlink } from "node:fs/promises";
import path from "node:path";

/** Names of temporary files, these and those of earlier versions: what a process that died may have left. */
export const TEMPORARY = /^\..+\.(?:[0-9a-f]{16}|\d+-\d+)\.tmp$/;

/** What systems say that know no hard links. */
const NO_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EINVAL", "EMLINK"]);

/**
 * Writes a file in the place of what is there.
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
 * Writes a file unless something of that name is there. True where it was written.
 * @param {string} file absolute; its folder must exist
 * @param {string} text
 */
export function createFile(file, text) {
  return prepared(file, text, async (temporary) => {
    try {
      // Unlike a rename, this fails where the name is taken.
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
 * @param {(temporary: string) => Promise<boolean>} publish gives the file its name; true where it has it then
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

/** Makes a rename or a new file in this folder last. Windows can't open folders and needs no such thing. */
export async function syncFolder(/** @type {string} */ folder) {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
