/**
 * Directories that a session needs for a moment, outside the project: below it, tools would find what git ignores there by
 * searching upwards. Their names contain the session, so that what a killed process left can be swept.
 */
import { createHash } from "node:crypto";
import { accessSync, constants, existsSync } from "node:fs";
import { chmod, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/** @typedef {import("../kernel/door.js").Folder} Folder */

/** A directory for large temporary files: the user's, or else `/var/tmp`, because `/tmp` is often kept in memory. */
function onDisk() {
  const wanted = process.env.TMPDIR || "/var/tmp";
  try {
    accessSync(wanted, constants.W_OK | constants.X_OK);
    return wanted;
  } catch {
    return tmpdir();
  }
}

/** Where each kind of directory is. A room is in the system's temp directory, because sockets need short paths. */
const PLACES = { copy: onDisk, room: tmpdir };

/** The beginning of the names of a session's directories. @param {Folder} session */
function prefixOf(session) {
  return `flow-${createHash("sha256").update(session.path).digest("hex").slice(0, 8)}-`;
}

/**
 * @param {string} directory absolute
 * @param {string[]} names
 * @returns {string[]} what has one of the names in a directory above it, as absolute paths, sorted
 */
export function foundAbove(directory, names) {
  const found = [];
  let above = path.dirname(directory);
  for (let last = directory; above !== last; above = path.dirname(above)) {
    found.push(...names.map((name) => path.join(above, name)).filter((file) => existsSync(file)));
    last = above;
  }
  return found.sort();
}

/**
 * Makes a directory that only this user can read, runs an action with it, and removes it.
 * @template T
 * @param {Folder} session
 * @param {keyof typeof PLACES} kind
 * @param {(directory: string) => Promise<T>} use gets its absolute path
 * @returns {Promise<T>}
 */
export async function withTemporary(session, kind, use) {
  const directory = await mkdtemp(path.join(PLACES[kind](), prefixOf(session)));
  try {
    return await use(directory);
  } finally {
    await remove(directory);
  }
}

/** Removes what a killed process left. @param {Folder} session */
export async function sweepTemporary(session) {
  const prefix = prefixOf(session);
  for (const place of new Set(Object.values(PLACES).map((place) => place()))) {
    // Where there is no such place, nothing is left.
    const names = await readdir(place).catch(() => []);
    for (const name of names) if (name.startsWith(prefix)) await remove(path.join(place, name));
  }
}

/** Removes a directory. What can't be removed stays until the next sweep: no check fails because of it. @param {string} directory */
async function remove(directory) {
  const options = { recursive: true, force: true, maxRetries: 3 };
  try {
    await rm(directory, options);
  } catch {
    await open(directory);
    await rm(directory, options).catch(() => {});
  }
}

/**
 * Makes the content of a directory removable, even if a program removed the write permission.
 * @param {string} directory may be disappearing
 */
async function open(directory) {
  await chmod(directory, 0o700).catch(() => {});
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) if (entry.isDirectory()) await open(path.join(directory, entry.name));
}
