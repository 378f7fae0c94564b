/**
 * The room of a copy: a home and a temp directory of its own for the commands that run there, and the environment that points
 * to them. The core decides what is in it and why (src/flow/clean_room.rs).
 */
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { linkTo } from "./links.js";
import { withTemporary } from "./temporary.js";

/** @typedef {import("../kernel/door.js").Folder} Folder */

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
  return withTemporary(session, "room", async (room) => {
    const { platform } = process;
    const made = core.cleanRoom({ platform, environment, home, temp, top, copy, room });
    for (const folder of made.folders) await mkdir(folder);
    for (const file of made.files) await writeFile(file, "");
    for (const [link, target] of made.links) if (existsSync(target)) await linkTo(target, link);
    const there = Object.entries(made.places).filter(([, place]) => existsSync(place));
    return use({ ...made.environment, ...Object.fromEntries(there) });
  });
}
