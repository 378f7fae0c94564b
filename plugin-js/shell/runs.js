/**
 * The runs of the output directory, from outside: `/design-lab-status`, and the choice that `/design-lab-resume` makes.
 * A run that is on is read from its journal like any other: what was applied is on disk.
 */
import path from "node:path";
import { DesignLabError } from "../core.js";
import { carrier } from "./lock.js";
import { problemsOf } from "./problems.js";
import { readSources } from "./sources.js";
import { Store } from "./store.js";

/**
 * @typedef {import("../core.js").Core} Core
 * @typedef {import("../types.js").Found} Found
 */

/**
 * What is configured, and where that says that runs are kept: absolute, and as written.
 * @param {Pick<import("./carry.js").Request, "core" | "host" | "project" | "worktree" | "options" | "currentModel">} request
 */
export async function configured(request) {
  const setup = readSources(request.core, request);
  const available = { models: await request.host.models(), current: request.currentModel };
  const written = request.core.outputDirectory(setup, available);
  return { output: path.resolve(request.project, written), written, setup, available };
}

/**
 * @param {Core} core
 * @param {string} output absolute
 * @returns {Promise<Found[]>}
 */
export async function survey(core, output) {
  const found = [];
  for (const name of await Store.list(output)) {
    const run = await look(core, output, name, () => {});
    // What has no whole line yet is about to begin, or never did.
    if (run.problem?.code !== "journal.empty") found.push(run);
  }
  return found;
}

/**
 * What `/design-lab-status [run]` shows: one run, or the list of them.
 * @param {Parameters<typeof configured>[0] & {text: string}} request
 */
export async function status(request) {
  const { core, text } = request;
  const { output, written } = await configured(request);
  const runs = await survey(core, output);
  if (text.trim() === "") return core.listRuns(runs, written, Date.now());
  const { name } = core.choose("status", text, runs);
  let shown = "";
  const found = await look(core, output, name, (handle, run) => {
    shown = core.status(handle, run, Date.now());
  });
  if (found.problem) throw new DesignLabError([found.problem]);
  return shown;
}

/**
 * Reads a run's journal.
 * @param {Core} core
 * @param {string} output
 * @param {string} name
 * @param {(handle: number, found: Found) => void} use what to do with the run while it is in memory
 * @returns {Promise<Found>}
 */
async function look(core, output, name, use) {
  const directory = path.join(output, name);
  /** @type {Found} */
  const found = { name, summary: null, problem: null, carrier: await carrier(directory) };
  try {
    const journal = await Store.journal(directory);
    const { handle } = core.replayRun(journal.toString("utf8"));
    try {
      found.summary = core.summary(handle);
      use(handle, found);
    } finally {
      core.closeRun(handle);
    }
  } catch (error) {
    found.problem = problemsOf(core, error)[0] ?? null;
  }
  return found;
}
