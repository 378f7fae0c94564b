/**
 * One owner per run directory. A process that wants it creates a file in `run.lock/`, named after the process, and only then
 * looks for others: if two start at the same time, the later one sees the earlier one and withdraws (both may withdraw). Files
 * of dead processes are removed; their names are never reused, so no live process's file is ever deleted. An entry that isn't a
 * plain file with such a name isn't ours: it locks nothing, and stays. An owner checks before each line of its journal that its
 * file is still there: somebody may have removed it by hand, and another process may have started.
 *
 * Sandboxes and containers often share a directory and a host name without seeing each other's processes. So a mark also names
 * the place where its process runs (proc.js): a process that can't be seen from here counts as alive.
 */
import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { isRebooted, living, surroundings } from "./proc.js";

/** @typedef {import("./door.js").Folder} Folder */

const FOLDER = "run.lock";

/**
 * @typedef {object} Owner
 * @property {string} host
 * @property {number} pid
 * @property {string} started when the process started, in the system's own units; empty if unknown
 * @property {string} place where its pid is valid, as `surroundings` returns it; empty in marks of earlier versions
 */

/** A run directory belongs to another run shell, in this process or another. */
export class LockedError extends Error {
  /**
   * @param {Folder} run
   * @param {string} owner in words
   */
  constructor(run, owner) {
    super(`${run.path} belongs to ${owner}`);
    this.name = "LockedError";
    this.run = run.name;
    this.owner = owner;
  }
}

/**
 * Locks a run directory, which must exist; rejects with a {@link LockedError} if another owner has it.
 * @param {Folder} run
 */
export async function lock(run) {
  const taken = new Lock(fileName(myself()));
  await taken.take(run);
  return taken;
}

/** The lock on one run directory. Each method gets the directory under the name that it has by then. */
export class Lock {
  #name;

  /** @param {string} name of the file that marks this owner */
  constructor(name) {
    this.#name = name;
  }

  /** @param {Folder} run rejects with a {@link LockedError} if another owner has it */
  async take(run) {
    await this.#mark(run);
    try {
      for (const [other, owner] of await owners(run)) {
        if (other === this.#name) continue;
        if (isAlive(owner)) throw new LockedError(run, describe(owner));
        await run.folder(FOLDER).remove(other);
      }
    } catch (error) {
      await this.release(run);
      throw error;
    }
  }

  /**
   * Takes the lock again if somebody has removed it.
   * @param {Folder} run
   * @returns {Promise<boolean>} whether it was still there
   */
  async keep(run) {
    if (await run.folder(FOLDER).status(this.#name)) return true;
    await this.take(run);
    return false;
  }

  /** @param {Folder} run */
  async release(run) {
    await run
      .folder(FOLDER)
      .remove(this.#name)
      .catch(() => {});
    await run.removeFolder(FOLDER).catch(() => {});
  }

  /** @param {Folder} run */
  async #mark(run) {
    // An owner that releases its lock may remove the folder in between.
    for (let left = 10; ; left -= 1) {
      await run.makeFolder(FOLDER);
      const made = await run
        .folder(FOLDER)
        .mark(this.#name)
        .catch((error) => {
          if (error.code !== "ENOENT" || left === 0) throw error;
          return false;
        });
      if (made) return;
    }
  }
}

/**
 * The process that may be writing to a run directory.
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
 * Whether a process that is gone left its lock, and no live process holds one.
 * @param {Folder} run
 */
export async function isStale(run) {
  const marks = await owners(run);
  return marks.length > 0 && !marks.some(([, owner]) => isAlive(owner));
}

/**
 * The marks in a run directory with their owners, sorted by name.
 * @param {Folder} run
 * @returns {Promise<[string, Owner][]>}
 */
async function owners(run) {
  /** @type {[string, Owner][]} */
  const found = [];
  // Most runs have none, and checking for the folder is faster than listing it.
  if (!(await run.status(FOLDER))) return found;
  for (const entry of await run.folder(FOLDER).entries()) {
    const owner = entry.isFile() ? parse(entry.name) : undefined;
    if (owner) found.push([entry.name, owner]);
  }
  return found;
}

/** @returns {Owner} */
function myself() {
  return {
    host: hostname(),
    pid: process.pid,
    started: startOf(process.pid) ?? "",
    place: surroundings(),
  };
}

/** @param {Owner} owner */
function isMyself({ host, pid, started, place }) {
  const me = myself();
  return host === me.host && pid === me.pid && started === me.started && place === me.place;
}

/**
 * Whether the process may still be running: when in doubt, yes. A process with the same pid that started at another time is a
 * different process.
 * @param {Owner} owner
 */
function isAlive(owner) {
  const { pid, started } = owner;
  if (!isInSight(owner)) return !(owner.host === hostname() && isRebooted(owner.place));
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "ESRCH") return false;
  }
  return started === "" || startOf(pid) === started;
}

/**
 * Whether the process, if it is running, can be seen from here.
 * @param {Owner} owner
 */
function isInSight({ host, place }) {
  return host === hostname() && (place === "" || place === surroundings());
}

/**
 * When a process started, in clock ticks since the system's start. Undefined if it is gone or only waits to be reaped; empty if
 * there is no `/proc`.
 * @param {number} pid
 */
function startOf(pid) {
  return process.platform === "linux" ? living(pid)?.started : "";
}

/** @param {Owner} owner */
function fileName({ host, pid, started, place }) {
  return [encodeURIComponent(host), pid, started, place, randomBytes(6).toString("hex")].join("~");
}

/**
 * @param {string} name
 * @returns {Owner | undefined} undefined if no process of ours ever had that name
 */
function parse(name) {
  const mark = /^([^~]+)~([1-9]\d{0,9})~(\d*)~(?:([0-9a-f.]*)~)?[0-9a-f]+$/;
  const [, encoded, pid, started = "", place = ""] = mark.exec(name) ?? [];
  if (encoded === undefined) return undefined;
  try {
    const host = decodeURIComponent(encoded);
    // It is displayed, and no host name contains control characters.
    return /\p{C}/u.test(host) ? undefined : { host, pid: Number(pid), started, place };
  } catch {
    return undefined;
  }
}

/** @param {Owner} owner */
function describe(owner) {
  const { host, pid } = owner;
  if (host !== hostname()) return `process ${pid} on ${host}`;
  return isInSight(owner) ? `process ${pid}` : `process ${pid} in another container or on another machine`;
}
