/**
 * `/design-lab-resume [run]`: goes on with a run where it stopped, under what is configured now.
 */
import path from "node:path";
import { carry } from "./carry.js";
import { further } from "./derive.js";
import { configured, survey } from "./runs.js";
import { Store } from "./store.js";

/**
 * Takes the run over, puts right what a crash left, and goes on. Rejects with a `DesignLabError`, a `StoreError` or
 * a `LockedError` where it can't.
 * @param {import("./carry.js").Request} request
 * @returns {Promise<import("./run.js").Ending>}
 */
export async function resume(request) {
  const { core } = request;
  const { output, setup, available } = await configured(request);
  // A configuration that can't be read must not look like one that has changed.
  if (setup.unreadable[0]) throw setup.unreadable[0];
  const { name } = core.choose("resume", request.text, await survey(core, output));
  const { store, journal } = await Store.reopen(output, path.join(output, name));
  const replayed = replay(core, name, store, journal, (handle) => core.resumption(handle, setup, available));
  const { handle, event } = await replayed.catch(async (error) => {
    await store.close();
    throw error;
  });
  const { isolation } = event.event === "reconfigured" ? event.config : core.summary(handle);
  return further(request, await carry(request, { output, store, handle, isolation }, event));
}

/**
 * Rebuilds the run from its journal and puts right what a crash left: a torn line, files that are missing or damaged.
 * @param {import("../core.js").Core} core
 * @param {string} name
 * @param {Store} store
 * @param {Buffer} journal
 * @param {(handle: number) => import("../types.js").EventKind} decide by which event the run in the core goes on
 */
async function replay(core, name, store, journal, decide) {
  const { handle, whole } = core.replayRun(journal.toString("utf8"));
  try {
    // Somebody may have ended it between the look and the lock.
    const summary = core.summary(handle);
    core.choose("resume", name, [{ name, summary, problem: null, carrier: { kind: "nobody" } }]);
    const event = decide(handle);
    await store.cut(whole);
    for (const [file, text] of core.files(handle)) await store.mend(file, text);
    return { handle, event };
  } catch (error) {
    core.closeRun(handle);
    throw error;
  }
}
