/**
 * `/design-lab-resume [run]`: goes on with a run where it stopped.
 */
import { carry } from "./carry.js";
import { reopen } from "./reopen.js";
import { outputDirectory } from "./runs.js";

/**
 * Takes the run over and goes on. Rejects with a `DesignLabError`, a `StoreError` or a `LockedError` where it can't.
 * @param {import("./carry.js").Request} request
 * @returns {Promise<import("./run.js").Ending>}
 */
export async function resume(request) {
  const { output } = await outputDirectory(request);
  const carried = await reopen(request.core, output, "resume", request.text);
  return carry(request, carried, { event: "resumed" });
}
