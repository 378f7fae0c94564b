/**
 * Checks the paths that a model cites: each is a plain file with a number of lines, or nothing. Only the project and its
 * repository are searched, no link is followed, and no text is kept. Programs are also looked up on `PATH`.
 */
import { constants, realpathSync } from "node:fs";
import { access } from "node:fs/promises";
import path from "node:path";
import { Folder, StoreError } from "./door.js";
import { repository } from "./git.js";

/**
 * @typedef {import("../core/types.js").LookedUp} LookedUp
 * @typedef {Pick<LookedUp, "found" | "lines" | "place">} What
 */

/** The largest file whose lines are counted, in bytes. */
const LARGEST = 8 * 1024 * 1024;

/** The prefix of a path that names a program. */
const ON_PATH = "$PATH/";

/** The codes of a file system for a name that doesn't exist. */
const NOTHING = ["ENOENT", "ENOTDIR", "ENAMETOOLONG"];

/**
 * @param {string} project absolute
 * @param {string[]} paths as a model writes them, relative to the root of the project or of its repository; `$PATH/<name>` is a program
 * @param {string} [directories] the directories of programs; without them such a path is treated like any other
 * @returns {Promise<LookedUp[]>}
 */
export async function lookUp(project, paths, directories) {
  const top = repository(project);
  /** @type {LookedUp[]} */
  const found = [];
  for (const given of paths) {
    if (directories !== undefined && given.startsWith(ON_PATH)) {
      found.push({ path: given, ...(await program(given.slice(ON_PATH.length), directories)) });
      continue;
    }
    const places = [project, top].map((root) => path.resolve(root, given));
    found.push({ path: given, ...(await lookAt(top, places)) });
  }
  return found;
}

/**
 * Whether a program of this name can be started.
 * @param {string} name
 * @param {string} directories as `PATH` has them
 * @returns {Promise<What>}
 */
async function program(name, directories) {
  const endings = process.platform === "win32" ? ["", ".exe", ".cmd", ".bat"] : [""];
  const places = directories
    .split(path.delimiter)
    .flatMap((folder) => endings.map((ending) => path.join(folder, name + ending)));
  for (const place of places) {
    const isThere = await access(place, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return { found: "file", lines: null };
  }
  return { found: "nothing", lines: null };
}

/**
 * Checks the first of these places that exists.
 * @param {string} top absolute: nothing outside it is looked at
 * @param {string[]} places absolute
 * @returns {Promise<What>}
 */
async function lookAt(top, places) {
  const folder = new Folder(top);
  /** @type {What} */
  let best = { found: "outside", lines: null };
  for (const place of places) {
    const name = below(top, place);
    if (name === undefined) continue;
    const what = await look(folder, name);
    if (what.found !== "nothing") return what;
    best = what;
  }
  return best;
}

/**
 * @param {Folder} folder
 * @param {string} name below it
 * @returns {Promise<What>}
 */
async function look(folder, name) {
  if (name === "") return { found: "other", lines: null };
  try {
    const status = await folder.status(name);
    if (!status) return { found: "nothing", lines: null };
    if (!status.isFile()) return { found: "other", lines: null };
    return { found: "file", lines: await lines(folder, name, status.size) };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    if (NOTHING.includes(error.code)) return { found: "nothing", lines: null };
    return { found: "other", lines: null, place: "it can't be opened" };
  }
}

/**
 * How many lines a file has; null if it is too large.
 * @param {Folder} folder
 * @param {string} name
 * @param {number} size
 */
async function lines(folder, name, size) {
  if (size > LARGEST) return null;
  const handle = await folder.open(name, "read");
  try {
    const bytes = Buffer.alloc(size);
    const { bytesRead } = await handle.read(bytes, 0, size, 0);
    // Editors also number the line after the last line break.
    return bytes.subarray(0, bytesRead).reduce((count, byte) => count + (byte === 10 ? 1 : 0), 1);
  } finally {
    await handle.close();
  }
}

/**
 * A path relative to a root, its parts separated by `/`; undefined if it leads out of the root.
 * @param {string} root absolute
 * @param {string} place absolute
 */
function below(root, place) {
  if (place.includes("\0")) return undefined;
  const names = [root, realpathSync(root)].map((from) => path.relative(from, place));
  const inside = names.find(
    (name) => name !== ".." && !name.startsWith(`..${path.sep}`) && !path.isAbsolute(name),
  );
  return inside?.split(path.sep).join("/");
}
