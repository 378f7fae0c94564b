/**
 * The runs of an output directory, seen from outside: the list of all runs, or one run. A run that is running is read from its
 * journal like any other: whatever was applied is on disk.
 */

import { Folder, StoreError } from "./door.js";
import { recogniseRuns } from "./key.js";
import { ownerOf } from "./lock.js";
import { problemsOf } from "./problems.js";
import { Store } from "./store.js";
import { Summaries } from "./summaries.js";

/**
 * @typedef {import("./machine.js").Machine} Machine
 * @typedef {import("../core/types.js").Found<any>} Found the workflow's additions to a summary pass through unread
 */

/** @type {import("../core/types.js").Owner} */
const NOBODY = { kind: "nobody" };

/**
 * @param {Machine} core
 * @param {string} output absolute
 * @param {number} [now] in ms
 * @returns {Promise<Found[]>}
 */
export async function survey(core, output, now = Date.now()) {
  const summaries = new Summaries(output, recogniseRuns(), now);
  const found = [];
  for (const name of await Store.list(output)) found.push(await describe(core, output, name, summaries));
  await summaries.write();
  // There may be thousands of runs: the core gets only those that it may leave out.
  const begun = new Set(core.begun(found.filter(({ problem }) => problem)).map(({ name }) => name));
  return found.filter(({ name, problem }) => !problem || begun.has(name));
}

/**
 * Reads a run's journal, and rejects if that fails.
 * @template T
 * @param {Machine} core
 * @param {string} output
 * @param {string} name
 * @param {(handle: number, found: Found) => T} use called with the run while it is in memory
 * @returns {Promise<T>}
 */
export async function look(core, output, name, use) {
  recogniseRuns();
  return read(core, output, name, use);
}

/** Does the same when the core already knows this machine's runs. @type {typeof look} */
async function read(core, output, name, use) {
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
 * The summary of a run whose first event is on disk. Throws if there is none.
 * @template S
 * @param {{summary: (run: number) => import("../core/types.js").Summary<S> | null}} core
 * @param {number} run
 */
export function summaryOf(core, run) {
  const summary = core.summary(run);
  if (!summary) throw new Error("The journal of this run has no events.");
  return summary;
}

/**
 * A run of the list, with whatever can be read of it.
 * @param {Machine} core
 * @param {string} output
 * @param {string} name
 * @param {Summaries} summaries
 * @returns {Promise<Found>}
 */
async function describe(core, output, name, summaries) {
  const run = new Folder(output, name);
  try {
    const { stamp, changed } = await Store.stamp(run);
    const kept = summaries.of(name, stamp);
    if (kept) return { name, summary: kept.summary, problem: kept.problem, owner: await ownerOf(run) };
    const [found, error] = await read(core, output, name, (_, found) => found).then(
      (found) => [found],
      (error) => [undefined, error],
    );
    if (error instanceof StoreError) throw error;
    const problem = found ? null : (problemsOf(core, error)[0] ?? null);
    const summary = found?.summary ?? null;
    summaries.keep(name, { stamp, summary, problem }, changed);
    return { name, summary, problem, owner: found?.owner ?? (await ownerOf(run)) };
  } catch (error) {
    const owner = await ownerOf(run).catch(() => NOBODY);
    return { name, summary: null, problem: problemsOf(core, error)[0] ?? null, owner };
  }
}
