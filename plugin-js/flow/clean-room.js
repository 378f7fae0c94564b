/**
 * The room of a copy: a home and a temp directory of its own for the commands that run there, and the environment that points
 * to them. The core decides what is in it and why (src/flow/clean_room.rs).
 *
 * It is in the system's temp directory. Below the project it would not be a proper temp directory: programs search upwards from
 * there, and sockets need short paths. It is removed with the copy; rooms left by a killed process are swept.
 */
import { createHash } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import path from "node:path";

/** @typedef {import("../kernel/door.js").Folder} Folder */

/** The prefix of the names of a session's rooms. @param {Folder} session */
function roomsOf(session) {
  return `flow-${createHash("sha256").update(session.path).digest("hex").slice(0, 8)}-`;
}

/**
 * Makes a room, runs an action with its environment, and removes it.
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

/** Removes leftover rooms. @param {Folder} session */
export async function sweepRooms(session) {
  const begin = roomsOf(session);
  // If there is no temp directory, no room is left.
  const names = await readdir(tmpdir()).catch(() => []);
  for (const name of names) if (name.startsWith(begin)) await remove(path.join(tmpdir(), name));
}

/** Removes a room. What can't be removed stays until the next sweep: no check fails because of its temp files. @param {string} room */
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
 * Makes the content of a directory removable, even if a program removed the write permission.
 * @param {string} directory may be disappearing
 */
async function open(directory) {
  await chmod(directory, 0o700).catch(() => {});
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) if (entry.isDirectory()) await open(path.join(directory, entry.name));
}
