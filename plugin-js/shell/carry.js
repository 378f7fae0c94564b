/**
 * Carries a run from its first event in this process to its end, and takes down again whatever it needed.
 */
import { mkdir, realpath } from "node:fs/promises";
import { stopOnSignals } from "./cancel.js";
import { holdIgnoreFile, releaseIgnoreFile } from "./ignore-file.js";
import { RunShell } from "./run.js";
import { StoreError } from "./store.js";

/** How often the live block shows the time that passes. */
const REDRAW_MS = 2_000;

/**
 * @typedef {object} Request
 * @property {import("../core.js").Core} core
 * @property {import("../host.js").Host} host
 * @property {string} project absolute: where relative paths of the configuration start
 * @property {string} worktree absolute: how far up a project's configuration is looked for
 * @property {unknown} options the plugin's options in opencode.json
 * @property {string} text what stands behind the command
 * @property {string | null} currentModel the session's model: `provider/model`
 * @property {Set<RunShell>} running the runs that are on; each is there while it is
 * @property {(isolation: import("../types.js").Isolation, outputs: string[]) => () => void} isolate
 *   puts the isolation in force; what it returns lifts it again
 *
 * @typedef {object} Carried
 * @property {string} output absolute: the output directory
 * @property {import("./store.js").Store} store
 * @property {number} handle the run in the core
 * @property {import("../types.js").Isolation} isolation
 */

/**
 * @param {Request} request
 * @param {Carried} carried closed when this is done, whatever happens
 * @param {import("../types.js").EventKind} first
 * @returns {Promise<import("./run.js").Ending>}
 */
export async function carry({ core, host, running, isolate }, { output, store, handle, isolation }, first) {
  let keep = true;
  let lift = () => {};
  let deafen = () => {};
  let clock;
  const draw = () => host.report(core.block(handle, Date.now()), core.panel(handle, Date.now()));
  const run = new RunShell({ core, handle, host, store, onChange: draw });
  try {
    lift = isolate(isolation, await spellings(output));
    await holdIgnoreFile(output);
    running.add(run);
    deafen = stopOnSignals(run);
    clock = setInterval(draw, REDRAW_MS);
    run.feed(first);
    const ending = await run.ended;
    keep = ending.resumable;
    clearInterval(clock);
    // However it ended, also where the core takes it for unfinished: it is no longer on.
    await host.report(core.block(handle, Date.now()));
    return ending;
  } finally {
    clearInterval(clock);
    running.delete(run);
    deafen();
    core.closeRun(handle);
    await store.close(keep).catch(() => {});
    await releaseIgnoreFile(output).catch(() => {});
    lift();
  }
}

/**
 * A directory as configured and as it really is, where links make these differ.
 * @param {string} directory
 */
async function spellings(directory) {
  try {
    await mkdir(directory, { recursive: true });
    return [...new Set([directory, await realpath(directory)])];
  } catch (error) {
    throw new StoreError(directory, error);
  }
}
