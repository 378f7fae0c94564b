/**
 * One owner per run directory. Whoever wants it leaves a file of its own in `run.lock/`, named after its process, and
 * only then looks round: of two that come at once the later one sees the earlier one and withdraws (it may be that
 * both do). What a dead process left is swept away; its name is never used again, so nothing living is ever deleted.
 * What isn't a plain file with such a name is none of ours: it locks nothing, and stays.
 */
import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { living } from "./proc.js";

/** @typedef {import("./door.js").Folder} Folder */

const FOLDER = "run.lock";

/**
 * @typedef {object} Owner
 * @property {string} host
 * @property {number} pid
 * @property {string} started when the process began, in the system's own terms; empty where these are unknown
 */

/** A run directory belongs to another run shell, of this process or another. */
export class LockedError extends Error {
  /**
   * @param {Folder} run
   * @param {Owner} owner
   */
  constructor(run, owner) {
    super(`${run.path} belongs to ${describe(owner)}`);
    this.name = "LockedError";
    this.run = run.name;
    this.owner = describe(owner);
  }
}

/**
 * Takes a run directory, which must exist; rejects with a {@link LockedError} where it is another's.
 * @param {Folder} run
 * @returns {Promise<(run: Folder) => Promise<void>>} lets go of it, under the name that it has by then
 */
export async function lock(run) {
  const name = fileName(myself());
  // An owner that lets go may take the folder away in between.
  for (let left = 10; ; left -= 1) {
    await run.makeFolder(FOLDER);
    const made = await run
      .folder(FOLDER)
      .mark(name)
      .catch((error) => {
        if (error.code !== "ENOENT" || left === 0) throw error;
        return false;
      });
    if (made) break;
  }
  const release = async (/** @type {Folder} */ at) => {
    await at
      .folder(FOLDER)
      .remove(name)
      .catch(() => {});
    await at.removeFolder(FOLDER).catch(() => {});
  };
  try {
    for (const [other, owner] of await owners(run)) {
      if (other === name) continue;
      if (isAlive(owner)) throw new LockedError(run, owner);
      await run.folder(FOLDER).remove(other);
    }
  } catch (error) {
    await release(run);
    throw error;
  }
  return release;
}

/**
 * Who may be writing to a run directory.
 * @param {Folder} run
 * @returns {Promise<import("../core/types.js").Owner>}
 */
export async function ownerOf(run) {
  for (const [, owner] of await owners(run)) {
    if (isAlive(owner)) return { kind: "process", name: describe(owner), here: isMyself(owner) };
  }
  return { kind: "nobody" };
}

/**
 * Whether a process that is gone left its lock, and nobody else has one.
 * @param {Folder} run
 */
export async function isStale(run) {
  const marks = await owners(run);
  return marks.length > 0 && !marks.some(([, owner]) => isAlive(owner));
}

/**
 * The marks in a run directory, and whose they are, by name.
 * @param {Folder} run
 * @returns {Promise<[string, Owner][]>}
 */
async function owners(run) {
  /** @type {[string, Owner][]} */
  const found = [];
  for (const entry of await run.folder(FOLDER).entries()) {
    const owner = entry.isFile() ? parse(entry.name) : undefined;
    if (owner) found.push([entry.name, owner]);
  }
  return found;
}

/** @returns {Owner} */
function myself() {
  return { host: hostname(), pid: process.pid, started: startOf(process.pid) ?? "" };
}

/** @param {Owner} owner */
function isMyself({ host, pid, started }) {
  const me = myself();
  return host === me.host && pid === me.pid && started === me.started;
}

/**
 * Whether the process may still be there: when in doubt it is. A process of the same number that began at another time
 * is another process.
 * @param {Owner} owner
 */
function isAlive({ host, pid, started }) {
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "ESRCH") return false;
  }
  return started === "" || startOf(pid) === started;
}

/**
 * When a process began: clock ticks since the system's start. Undefined for one that is gone or only waits to be reaped; empty
 * where there is no `/proc`.
 * @param {number} pid
 */
function startOf(pid) {
  return process.platform === "linux" ? living(pid)?.started : "";
}

/** @param {Owner} owner */
function fileName({ host, pid, started }) {
  return [encodeURIComponent(host), pid, started, randomBytes(6).toString("hex")].join("~");
}

/**
 * @param {string} name
 * @returns {Owner | undefined} undefined where no process of ours ever had that name
 */
function parse(name) {
  const [, encoded, pid, started] = /^([^~]+)~([1-9]\d{0,9})~(\d*)~[0-9a-f]+$/.exec(name) ?? [];
  if (encoded === undefined) return undefined;
  try {
    const host = decodeURIComponent(encoded);
    // It is shown: no host is called by control characters.
    return /\p{C}/u.test(host) ? undefined : { host, pid: Number(pid), started };
  } catch {
    return undefined;
  }
}

/** @param {Owner} owner */
function describe({ host, pid }) {
  return host === hostname() ? `process ${pid}` : `process ${pid} on ${host}`;
}
