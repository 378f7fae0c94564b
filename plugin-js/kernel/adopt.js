/**
 * The user takes over a run: from here on this machine vouches for its journal. What was shown before counts for nothing.
 */
import { record } from "./journal.js";
import { takeOver } from "./reopen.js";

/**
 * @param {import("./machine.js").Machine & {isOurs(run: number): boolean}} core
 * @param {string} output absolute: the directory of all runs
 * @param {string} name of the run
 */
export async function adopt(core, output, name) {
  const { open, decided } = await takeOver(core, output, name, (run) => core.isOurs(run));
  try {
    if (!decided) await record({ core, ...open }, Date.now(), { event: "adopted", voids: true });
  } finally {
    await open.store.close();
    core.closeRun(open.handle);
  }
}
