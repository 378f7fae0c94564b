/**
 * The room of a copy: a home and a temp directory of its own for what runs there, and the environment that leads into them. What
 * is in it and why is decided in the core (src/flow/clean_room.rs).
 *
 * It lies in the system's temp directory. Below the project it would be no temp directory: programs search from there upwards, and
 * sockets need short paths. It goes with the copy; what a process that was killed left is swept.
 */
import { createHash } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import path from "node:path";

/** @typedef {import("../kernel/door.js").Folder} Folder */

/** How the names of the rooms of a session begin. @param {Folder} session */
function roomsOf(session) {
  return `flow-${createHash("sha256").update(session.path).digest("hex").slice(0, 8)}-`;
}

/**
 * Makes a room, has something done with its environment, and removes it.
 * @template T
 * @param {object} wanted
 * @param {import("../core/flow.js").FlowCore} wanted.core
 * @param {Folder} wanted.session
 * @param {Record<string, string>} wanted.environment of checks in the project itself
 * @param {string} wanted.top absolute: the root of the project's tree
 * @param {string} wanted.copy absolute: the root of the copy
 * @param {(environment: Record<string, string>) => Promise<T>} use
 * @returns {Promise<T>}
 */
export async function withRoom({ core, session, environment, top, copy }, use) {
  const temp = tmpdir();
  const home = environment.HOME || homedir();
  const room = await mkdtemp(path.join(temp, roomsOf(session)));
  try {
    const { platform } = process;
    const made = core.cleanRoom({ platform, environment, home, temp, top, copy, room });
    for (const folder of made.folders) await mkdir(folder);
    for (const file of made.files) await writeFile(file, "");
    for (const [link, target] of made.links) {
      if (existsSync(target))
        await symlink(target, link, statSync(target).isDirectory() ? "junction" : "file");
    }
    const there = Object.entries(made.places).filter(([, place]) => existsSync(place));
    return await use({ ...made.environment, ...Object.fromEntries(there) });
  } finally {
    await remove(room);
  }
}

/** Removes what was left of rooms. @param {Folder} session */
export async function sweepRooms(session) {
  const begin = roomsOf(session);
  // Where there is no temp directory, no room is left.
  const names = await readdir(tmpdir()).catch(() => []);
  for (const name of names) if (name.startsWith(begin)) await remove(path.join(tmpdir(), name));
}

/** What can't be removed stays until the next sweep: no check fails for what it left in a temp directory. @param {string} room */
async function remove(room) {
  const options = { recursive: true, force: true, maxRetries: 3 };
  try {
    await rm(room, options);
  } catch {
    await open(room);
    await rm(room, options).catch(() => {});
  }
}

/**
 * Lets what lies in a directory be removed, also where a program took the leave to write from it.
 * @param {string} directory may be on its way to be gone
 */
async function open(directory) {
  await chmod(directory, 0o700).catch(() => {});
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) if (entry.isDirectory()) await open(path.join(directory, entry.name));
}
