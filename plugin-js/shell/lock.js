/**
 * One owner per run directory. Whoever wants it leaves a file of its own in `run.lock/`, named after its process, and
 * only then looks round: of two that come at once the later one sees the earlier one and withdraws (it may be that
 * both do). What a dead process left is swept away; its name is never used again, so nothing living is ever deleted.
 */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, readdir, rmdir, unlink, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";

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
   * @param {string} directory
   * @param {Owner} owner
   */
  constructor(directory, owner) {
    super(`${directory} belongs to ${describe(owner)}`);
    this.name = "LockedError";
    this.run = path.basename(directory);
    this.owner = describe(owner);
  }
}

/**
 * Takes a directory; rejects with a {@link LockedError} where it is another's.
 * @param {string} directory
 * @returns {Promise<(directory: string) => Promise<void>>} lets go of it, under the name that it has by then
 */
export async function lock(directory) {
  const folder = path.join(directory, FOLDER);
  const name = fileName(myself());
  // An owner that lets go may take the folder away in between.
  for (let left = 10; ; left -= 1) {
    await mkdir(folder, { recursive: true });
    const created = await writeFile(path.join(folder, name), "", { flag: "wx" }).then(
      () => true,
      (error) => {
        if (error.code !== "ENOENT" || left === 0) throw error;
        return false;
      },
    );
    if (created) break;
  }
  const release = async (/** @type {string} */ at) => {
    await unlink(path.join(at, FOLDER, name)).catch(() => {});
    await rmdir(path.join(at, FOLDER)).catch(() => {});
  };
  for (const other of await readdir(folder)) {
    if (other === name) continue;
    const owner = parse(other);
    if (owner && isAlive(owner)) {
      await release(directory);
      throw new LockedError(directory, owner);
    }
    await unlink(path.join(folder, other)).catch(() => {});
  }
  return release;
}

/**
 * Who may be writing to a directory.
 * @param {string} directory
 * @returns {Promise<import("../types.js").Carrier>}
 */
export async function carrier(directory) {
  for (const name of await readdir(path.join(directory, FOLDER)).catch(() => [])) {
    const owner = parse(name);
    if (!owner || !isAlive(owner)) continue;
    return { kind: "process", name: describe(owner), here: isMyself(owner) };
  }
  return { kind: "nobody" };
}

/**
 * Whether a process that is gone left its lock, and nobody else has one.
 * @param {string} directory
 */
export async function isStale(directory) {
  const names = await readdir(path.join(directory, FOLDER)).catch(() => []);
  return names.length > 0 && (await carrier(directory)).kind === "nobody";
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
 * When a process began: clock ticks since the system's start (proc(5), `stat`, field 22). Undefined for one that is gone
 * or only waits to be reaped; empty where there is no `/proc`.
 * @param {number} pid
 */
function startOf(pid) {
  if (process.platform !== "linux") return "";
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the command in parentheses, and may hold anything.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

/** @param {Owner} owner */
function fileName({ host, pid, started }) {
  return [encodeURIComponent(host), pid, started, randomBytes(6).toString("hex")].join("~");
}

/**
 * @param {string} name
 * @returns {Owner | undefined}
 */
function parse(name) {
  const [host, pid, started] = name.split("~");
  if (host === undefined || started === undefined || !/^\d+$/.test(pid ?? "")) return undefined;
  return { host: decodeURIComponent(host), pid: Number(pid), started };
}

/** @param {Owner} owner */
function describe({ host, pid }) {
  return host === hostname() ? `process ${pid}` : `process ${pid} on ${host}`;
}
