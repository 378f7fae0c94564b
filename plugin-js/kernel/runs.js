/**
 * The runs of an output directory, seen from outside: the list of them, and one of them looked at.
 * A run that is running is read from its journal like any other: what was applied is on disk.
 */

import { Folder } from "./door.js";
import { ownerOf } from "./lock.js";
import { problemsOf } from "./problems.js";
import { Store } from "./store.js";

/**
 * @typedef {import("./machine.js").Machine} Machine
 * @typedef {import("../core/types.js").Found<any>} Found what the workflow adds to a summary passes through unread
 */

/** @type {import("../core/types.js").Owner} */
const NOBODY = { kind: "nobody" };

/**
 * @param {Machine} core
 * @param {string} output absolute
 * @returns {Promise<Found[]>}
 */
export async function survey(core, output) {
  const found = [];
  for (const name of await Store.list(output)) found.push(await describe(core, output, name));
  return core.begun(found);
}

/**
 * Reads a run's journal, and rejects where that can't be done.
 * @template T
 * @param {Machine} core
 * @param {string} output
 * @param {string} name
 * @param {(handle: number, found: Found) => T} use what to do with the run while it is in memory
 * @returns {Promise<T>}
 */
export async function look(core, output, name, use) {
  const run = new Folder(output, name);
  const who = await ownerOf(run);
  const journal = await Store.journal(run);
  const { handle } = core.replayRun(journal.toString("utf8"));
  try {
    return use(handle, { name, summary: core.summary(handle), problem: null, owner: who });
  } finally {
    core.closeRun(handle);
  }
}

/**
 * A run of the list, whatever can be read of it.
 * @param {Machine} core
 * @param {string} output
 * @param {string} name
 * @returns {Promise<Found>}
 */
async function describe(core, output, name) {
  try {
    return await look(core, output, name, (_, found) => found);
  } catch (error) {
    const who = await ownerOf(new Folder(output, name)).catch(() => NOBODY);
    return { name, summary: null, problem: problemsOf(core, error)[0] ?? null, owner: who };
  }
}
