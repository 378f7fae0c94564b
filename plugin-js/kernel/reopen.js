/**
 * Takes over an existing run: its lock, its journal, its place in the core's memory.
 */
import { markRuns } from "./key.js";
import { Store } from "./store.js";

/**
 * Takes the run over, decides what to do with it, and repairs what a crash left: a torn line, missing or damaged files. Rejects
 * with a `DesignLabError`, a `StoreError` or a `LockedError` on failure.
 * @template T
 * @param {Pick<import("./machine.js").Machine, "replayRun" | "closeRun" | "files">} core
 * @param {string} output absolute: the output directory
 * @param {string} name of the run directory
 * @param {(handle: number, store: Store) => T | Promise<T>} decide called before anything on disk is changed
 * @returns {Promise<{open: import("./drive.js").OpenRun, decided: T}>} to be driven or closed
 */
export async function takeOver(core, output, name, decide) {
  markRuns();
  const { store, journal } = await Store.reopen(output, name);
  try {
    const { handle, whole } = core.replayRun(journal.toString("utf8"));
    try {
      const decided = await decide(handle, store);
      await store.cut(whole);
      for (const [file, text] of core.files(handle)) await store.ensure(file, text);
      return { open: { output, store, handle }, decided };
    } catch (error) {
      core.closeRun(handle);
      throw error;
    }
  } catch (error) {
    await store.close();
    throw error;
  }
}
