/**
 * Takes over a run that is there already: its lock, its journal, its place in the core's memory.
 */
import { survey } from "../kernel/runs.js";
import { Store } from "../kernel/store.js";

/**
 * Takes the run over, decides what to do with it, and puts right what a crash left: a torn line, files that are missing
 * or damaged. Rejects with a `DesignLabError`, a `StoreError` or a `LockedError` where it can't.
 * @template T
 * @param {import("../core/design-lab.js").Core} core
 * @param {string} output absolute: the output directory
 * @param {import("../core/types.js").Purpose} purpose
 * @param {string} text the run, as the user wrote it
 * @param {(handle: number, store: Store) => T | Promise<T>} decide before anything on disk is touched
 * @returns {Promise<{open: import("./isolated.js").OpenRun, decided: T}>} to be driven on, or to be closed
 */
export async function reopen(core, output, purpose, text, decide) {
  const { name } = core.choose(purpose, text, await survey(core, output));
  const { store, journal } = await Store.reopen(output, name);
  try {
    const { handle, whole } = core.replayRun(journal.toString("utf8"));
    try {
      const summary = core.summary(handle);
      // Somebody may have changed it between the look and the lock.
      core.choose(purpose, name, [{ name, summary, problem: null, owner: { kind: "nobody" } }]);
      const decided = await decide(handle, store);
      await store.cut(whole);
      for (const [file, text] of core.files(handle)) await store.mend(file, text);
      return { open: { output, store, handle, isolation: summary.isolation }, decided };
    } catch (error) {
      core.closeRun(handle);
      throw error;
    }
  } catch (error) {
    await store.close();
    throw error;
  }
}
