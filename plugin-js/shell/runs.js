/**
 * The runs of the output directory, from outside: `/design-lab-status`, and the choice that `/design-lab-resume` makes.
 * A run that is on is read from its journal like any other: what was applied is on disk.
 */
import { Folder } from "./door.js";
import { carrier } from "./lock.js";
import { outputDirectory } from "./output.js";
import { problemsOf } from "./problems.js";
import { readSources } from "./sources.js";
import { Store } from "./store.js";

/**
 * @typedef {import("../core.js").Core} Core
 * @typedef {import("../types.js").Found} Found
 */

/** @type {import("../types.js").Carrier} */
const NOBODY = { kind: "nobody" };

/**
 * What is configured, and where that says that runs are kept: absolute, and as written.
 * @param {Pick<import("./carry.js").Request, "core" | "host" | "project" | "worktree" | "options" | "currentModel">} request
 */
export async function configured(request) {
  const setup = readSources(request.core, request);
  const available = { models: await request.host.models(), current: request.currentModel };
  return { ...outputDirectory(request.core, request.project, setup, available), setup, available };
}

/**
 * @param {Core} core
 * @param {string} output absolute
 * @returns {Promise<Found[]>}
 */
export async function survey(core, output) {
  const found = [];
  for (const name of await Store.list(output)) {
    const run = await describe(core, output, name);
    // What has no whole line yet is about to begin, or never did.
    if (run.problem?.code !== "journal.empty") found.push(run);
  }
  return found;
}

/**
 * Reads a run's journal, and rejects where that can't be done.
 * @template T
 * @param {Core} core
 * @param {string} output
 * @param {string} name
 * @param {(handle: number, found: Found) => T} use what to do with the run while it is in memory
 * @returns {Promise<T>}
 */
export async function look(core, output, name, use) {
  const run = new Folder(output, name);
  const who = await carrier(run);
  const journal = await Store.journal(run);
  const { handle } = core.replayRun(journal.toString("utf8"));
  try {
    return use(handle, { name, summary: core.summary(handle), problem: null, carrier: who });
  } finally {
    core.closeRun(handle);
  }
}

/**
 * A run of the list, whatever can be read of it.
 * @param {Core} core
 * @param {string} output
 * @param {string} name
 * @returns {Promise<Found>}
 */
async function describe(core, output, name) {
  try {
    return await look(core, output, name, (_, found) => found);
  } catch (error) {
    const who = await carrier(new Folder(output, name)).catch(() => NOBODY);
    return { name, summary: null, problem: problemsOf(core, error)[0] ?? null, carrier: who };
  }
}
