/**
 * Takes over the run that the user means.
 */
import { takeOver } from "../kernel/reopen.js";
import { summaryOf, survey } from "../kernel/runs.js";

/**
 * Rejects with a `DesignLabError`, a `StoreError` or a `LockedError` if the run can't be taken over.
 * @template T
 * @param {import("../core/design-lab.js").Core} core
 * @param {string} output absolute: the output directory
 * @param {import("../core/types.js").Purpose} purpose
 * @param {string} text the run, as the user wrote it
 * @param {(handle: number, store: import("../kernel/store.js").Store) => T | Promise<T>} decide called before anything on disk
 *   changes
 * @returns {Promise<{open: import("./isolated.js").OpenRun, decided: T}>} the caller must drive or close it
 */
export async function reopen(core, output, purpose, text, decide) {
  const { name } = core.choose(purpose, text, await survey(core, output));
  const { open, decided } = await takeOver(core, output, name, async (handle, store) => {
    const summary = core.summary(handle);
    // Another process may have changed it before it was locked.
    core.choose(purpose, name, [{ name, summary, problem: null, owner: { kind: "nobody" } }]);
    return { result: await decide(handle, store), isolation: summaryOf(core, handle).isolation };
  });
  return { open: { ...open, isolation: decided.isolation }, decided: decided.result };
}
