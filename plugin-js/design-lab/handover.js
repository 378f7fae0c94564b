/**
 * Hands a ranked design to Flow, which builds it, or to Validation, which tests what was built: `<run>[/<design>]`.
 */
import { look, survey } from "../kernel/runs.js";
import { runsDirectory } from "./configuration.js";

/**
 * Rejects with a `DesignLabError` or a `StoreError` if no design can be handed over.
 * @param {Parameters<typeof runsDirectory>[0]} request
 * @param {string} named the run and the design, as the user named them
 * @param {import("../core/types.js").Taker} taker
 * @returns {Promise<import("../core/types.js").Handover>}
 */
export async function handover(request, named, taker) {
  const { core } = request;
  const { output } = await runsDirectory(request);
  const { run, design } = core.toBuild(named, await survey(core, output), taker);
  return look(core, output, run, (handle) => core.handover(handle, design, taker));
}
