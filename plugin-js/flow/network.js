/**
 * Cuts a command in a copy off from the network. It gets a network of its own, which consists of a loopback where nothing else listens:
 * tests can start their servers, and find none that a worker left running.
 *
 * Uses the namespaces of Linux, through programs that belong to most systems: a few milliseconds for each command. Elsewhere, and
 * where an administrator forbids namespaces to users, the network stays, and the session says so.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** How long the trial may take. */
const TRIAL_MS = 10_000;

/** Where the programs are looked for: only an administrator can put others there. */
const DIRECTORIES = ["/usr/bin", "/bin", "/usr/sbin", "/sbin"];

/** Starts the loopback, gives up the rights that this took, and becomes the command. */
const SCRIPT = '"$0" link set lo up && exec "$@"';

/** @type {Promise<string[] | null> | undefined} */
let found;

/**
 * Returns the arguments that come before those of a command to cut it off; `null` if this system can't do that.
 * @returns {Promise<string[] | null>}
 */
export function cutOff() {
  found ??= firstThatWorks(ways(process.getuid?.() === 0));
  return found;
}

/** Returns what could cut a command off, best first. @param {boolean} isRoot whether the command runs as root */
export function ways(isRoot) {
  if (process.platform !== "linux") return [];
  const [unshare, ip, setpriv] = ["unshare", "ip", "setpriv"].map(placeOf);
  if (!unshare || !ip || !setpriv) return [];
  const start = ["--", "/bin/sh", "-c", SCRIPT, ip];
  // Without `--keep-caps` the loopback couldn't be started; the command itself must not have more rights than outside.
  const drop = [setpriv, "--ambient-caps=-all", "--inh-caps=-all", "--"];
  const asUser = [unshare, "--user", "--map-current-user", "--keep-caps", "--net", ...start, ...drop];
  return isRoot ? [[unshare, "--net", ...start], asUser] : [asUser];
}

/** @param {string[][]} ways */
async function firstThatWorks(ways) {
  for (const way of ways) {
    const [program = "", ...args] = way;
    const tried = execute(program, [...args, "/bin/sh", "-c", ":"], { timeout: TRIAL_MS, cwd: "/" });
    if (await tried.catch(() => undefined)) return way;
  }
  return null;
}

/** @param {string} name */
function placeOf(name) {
  return DIRECTORIES.map((directory) => `${directory}/${name}`).find((file) => existsSync(file));
}
