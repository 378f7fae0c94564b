/**
 * Carries a run from its first event in this process to its end, and takes down again whatever it needed.
 */
import { mkdir, realpath } from "node:fs/promises";
import path from "node:path";
import { continueBlock, forgetBlock, noteBlock } from "./blocks.js";
import { isStopRequested, stopOnSignals } from "./cancel.js";
import { StoreError } from "./door.js";
import { drawing } from "./drawing.js";
import { holdIgnoreFile, releaseIgnoreFile } from "./ignore-file.js";
import { hiddenOutputs } from "./outputs.js";
import { RunShell } from "./run.js";

/** How often the live block shows the time that passes, and other processes' requests are looked for. */
const TICK_MS = 2_000;

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
 * @property {boolean} [byModel] whether a model called the command: what it is given quotes nobody
 * @property {AbortSignal} [signal] stops the run, which can be resumed then
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
 * @param {import("../types.js").EventKind[]} first what begins it in this process
 * @returns {Promise<import("./run.js").Ending>}
 */
export async function carry(
  { core, host, project, worktree, running, isolate, signal },
  { output, store, handle, isolation },
  first,
) {
  let keep = true;
  /** Output directories that are kept out of searches: this run's, and other runs'. @type {string[]} */
  const held = [];
  let lift = () => {};
  let deafen = () => {};
  let clock;
  let noted = false;
  const note = () => {
    if (noted || !host.place) return;
    noted = true;
    noteBlock(store, project, host.place);
  };
  const look = () => ({ text: core.block(handle, run.now()), panel: core.panel(handle, run.now()) });
  const draw = drawing(host, look, note);
  const run = new RunShell({ core, handle, host, store, onChange: draw });
  const stop = () => run.cancel("you stopped the turn");
  try {
    const outputs = await spellings(output);
    await holdIgnoreFile(output);
    held.push(output);
    lift = isolate(isolation, outputs);
    for (const other of hiddenOutputs(core, { project, worktree })) {
      if (outputs.includes(other) || !isSearched(other, project, worktree)) continue;
      // Their results are read all the same: one that can't be written to is no reason not to begin.
      await holdIgnoreFile(other).then(
        () => held.push(other),
        () => {},
      );
    }
    // One that was meant for a process that has ended is no longer meant.
    await isStopRequested(store.folder);
    running.add(run);
    deafen = stopOnSignals(run);
    clock = setInterval(async () => {
      draw();
      // A request that can't be looked for now can be at the next tick.
      const asked = await isStopRequested(store.folder).catch(() => false);
      if (asked) run.cancel("you asked for it in another process");
    }, TICK_MS);
    await continueBlock({ core, host, project }, store, handle);
    for (const event of first) run.feed(event);
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop);
    const ending = await run.ended;
    keep = ending.resumable;
    clearInterval(clock);
    // However it ended, also where the core takes it for unfinished: it is no longer on.
    noted = true;
    await host.report(core.block(handle, run.now()));
    await forgetBlock(store);
    const account = core.account(handle, run.now());
    return { ...ending, account, further: ending.ranked ? core.nextRound(handle) : null };
  } finally {
    clearInterval(clock);
    signal?.removeEventListener("abort", stop);
    running.delete(run);
    deafen();
    core.closeRun(handle);
    await store.close(keep).catch(() => {});
    for (const directory of held) await releaseIgnoreFile(directory).catch(() => {});
    lift();
  }
}

/**
 * Whether a search by a session may come upon a directory.
 * @param {string} directory absolute
 * @param {string} project absolute
 * @param {string} worktree absolute; the root of the file system where there is no repository
 */
function isSearched(directory, project, worktree) {
  const roots = path.dirname(worktree) === worktree ? [project] : [project, worktree];
  return roots.some((root) => directory.startsWith(`${root}${path.sep}`));
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
