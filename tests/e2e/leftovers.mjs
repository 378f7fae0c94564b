// Removes what must not remain even after an interrupted test run: processes, terminals, directories.

import { readdirSync, readFileSync } from "node:fs";
import { environmentOf, living, marked } from "../../plugin-js/kernel/proc.js";

/** @type {Set<() => void>} */
const leftovers = new Set();

process.once("exit", () => {
  for (const remove of leftovers) remove();
});
for (const [signal, number] of /** @type {const} */ ([
  ["SIGINT", 2],
  ["SIGTERM", 15],
])) {
  process.once(signal, () => process.exit(128 + number));
}

/**
 * Runs this when the process ends, unless it is cancelled before.
 * @param {() => void} remove synchronous; must not throw
 * @returns {() => void} cancels it
 */
export function atExit(remove) {
  leftovers.add(remove);
  return () => leftovers.delete(remove);
}

/**
 * Kills every process that was started with this entry in its environment, and waits until all have ended. OpenCode starts
 * its children (git, ripgrep) in separate process groups, so killing OpenCode's group doesn't end them. Reads `/proc`; finds nothing
 * on systems without it.
 * @param {string} entry `NAME=value`
 */
export function killAllWith(entry) {
  for (let round = 0; round < 500; round += 1) {
    const found = processesWith(entry);
    if (found.length === 0) return;
    for (const pid of found) killQuietly(pid);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
  }
}

/** @param {string} entry @returns {number[]} */
function processesWith(entry) {
  const holds = (/** @type {string} */ pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(entry);
    } catch {
      return false; // another user's, or gone
    }
  };
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name) && holds(name))
      .map(Number);
  } catch {
    return [];
  }
}

/**
 * Returns the living processes of a test that were started with this variable.
 * @param {{home: string}} lab
 * @param {string} name
 */
export function startedWith({ home }, name) {
  const isNamed = (/** @type {number} */ pid) => `\0${environmentOf(pid)}`.includes(`\0${name}=`);
  return marked(`OPENCODE_TEST_HOME=${home}`).filter((pid) => isNamed(pid) && living(pid));
}

/** @param {number} pid a process, or a process group if negative */
export function killQuietly(pid, /** @type {NodeJS.Signals} */ signal = "SIGKILL") {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "ESRCH") throw error;
  }
}
