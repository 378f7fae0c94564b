/**
 * `/design-lab-resume [run]`: goes on with a run where it stopped.
 */
import path from "node:path";
import { carry } from "./carry.js";
import { further } from "./derive.js";
import { outputDirectory, survey } from "./runs.js";
import { Store } from "./store.js";

/**
 * Takes the run over, puts right what a crash left, and goes on. Rejects with a `DesignLabError`, a `StoreError` or
 * a `LockedError` where it can't.
 * @param {import("./carry.js").Request} request
 * @returns {Promise<import("./run.js").Ending>}
 */
export async function resume(request) {
  const { core } = request;
  const { output } = await outputDirectory(request);
  const { name } = core.choose("resume", request.text, await survey(core, output));
  const { store, journal } = await Store.reopen(output, path.join(output, name));
  const { handle, isolation } = await replay(core, name, store, journal).catch(async (error) => {
    await store.close();
    throw error;
  });
  const ending = await carry(request, { output, store, handle, isolation }, { event: "resumed" });
  return further(request, ending);
}

/**
 * Rebuilds the run from its journal and puts right what a crash left: a torn line, files that are missing or damaged.
 * @param {import("../core.js").Core} core
 * @param {string} name
 * @param {Store} store
 * @param {Buffer} journal
 */
async function replay(core, name, store, journal) {
  const { handle, whole } = core.replayRun(journal.toString("utf8"));
  try {
    const summary = core.summary(handle);
    // Somebody may have ended it between the look and the lock.
    core.choose("resume", name, [{ name, summary, problem: null, carrier: { kind: "nobody" } }]);
    await store.cut(whole);
    for (const [file, text] of core.files(handle)) await store.mend(file, text);
    return { handle, isolation: summary.isolation };
  } catch (error) {
    core.closeRun(handle);
    throw error;
  }
}
