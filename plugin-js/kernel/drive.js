/**
 * Drives a run from its first event in this process to its end, and removes everything that it needed.
 */
import { pathToFileURL } from "node:url";
import { drawing } from "./drawing.js";
import { markRuns } from "./key.js";
import { continueLiveMessage, forgetLiveMessage, noteLiveMessage } from "./live-message.js";
import { RunShell } from "./run.js";
import { BY_COMMAND, isStopRequested, stopOnSignals } from "./stop.js";

/** How often the live message updates its times, and requests of other processes are checked. */
const TICK_MS = 2_000;

/**
 * @typedef {object} Surroundings the environment of a run in this process
 * @property {import("./machine.js").Machine} core
 * @property {import("../host.js").Host} host
 * @property {string} project absolute: the directory whose sessions show the run
 * @property {Set<RunShell>} running the runs that are running here
 * @property {AbortSignal} [signal] stops the run, which can then be resumed
 *
 * @typedef {object} OpenRun a run that belongs to this process
 * @property {string} output absolute: the output directory
 * @property {import("./store.js").Store} store
 * @property {number} handle the run in the core
 *
 * @typedef {import("./run.js").Own & Surrounding} Workflow what only the run's own workflow knows
 *
 * @typedef {object} Surrounding
 * @property {() => Promise<() => Promise<void>>} enter sets up what the run needs while it is running; returns a function that
 *   removes it again and never rejects
 * @property {(ending: import("./run.js").Ending) => import("./run.js").Ending | Promise<import("./run.js").Ending>} conclude
 *   completes what the ending reports, while the run is still in the core's memory and its directory still belongs to this
 * process
 */

/**
 * @param {Surroundings} surroundings
 * @param {OpenRun} open closed when this is done, whatever happens
 * @param {import("./journal.js").EventKind[]} first the events that start it in this process
 * @param {Workflow} workflow
 * @returns {Promise<import("./run.js").Ending>}
 */
export async function drive({ core, host, project, running, signal }, { store, handle }, first, workflow) {
  markRuns();
  let keep = true;
  let leave = async () => {};
  let stopListening = () => {};
  let clock;
  let noted = false;
  const note = () => {
    if (noted || !host.place) return;
    noted = true;
    noteLiveMessage(store, project, host.place);
  };
  const text = () =>
    core.liveMessage(handle, run.now(), pathToFileURL(store.directory).href, host.activity ?? null);
  const panel = () => core.panel(handle, run.now(), host.activity ?? null);
  const draw = drawing(host, () => ({ text: text(), panel: panel() }), note);
  const run = new RunShell({ core, handle, host, store, workflow, onChange: draw });
  const stop = () => run.cancel("you stopped the turn");
  const broken = async (/** @type {import("./run.js").Ending} */ ending) => {
    try {
      await host.report(text(), null);
    } catch {
      // The core may no longer hold the run: the fault that stopped it is what must be reported.
    }
    if (!store.isLost) await forgetLiveMessage(store);
    return ending;
  };
  try {
    leave = await workflow.enter();
    // A request to a process that has ended is void.
    await isStopRequested(store.folder);
    running.add(run);
    stopListening = stopOnSignals(run);
    clock = setInterval(async () => {
      draw();
      if (await isStopRequested(store.folder)) run.cancel(`${BY_COMMAND} in another process`);
    }, TICK_MS);
    await continueLiveMessage({ core, host, project }, store, handle);
    for (const event of first) run.feed(event);
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop);
    const ending = await run.ended;
    keep = ending.resumable;
    clearInterval(clock);
    // However it ended, it is no longer running, even if the core considers it unfinished.
    noted = true;
    if (ending.problem) return await broken(ending);
    await drawing(host, () => ({ text: text(), panel: null }))();
    await forgetLiveMessage(store);
    return await workflow.conclude({ ...ending, account: core.account(handle, run.now()) });
  } finally {
    clearInterval(clock);
    signal?.removeEventListener("abort", stop);
    running.delete(run);
    stopListening();
    await store.close(keep).catch(() => {});
    // A closed run no longer counts as running: `leave` may check that.
    await leave();
    core.closeRun(handle);
  }
}
