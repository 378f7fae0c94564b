/**
 * A ranked design for whoever builds it, or validates what was built: `<run>[/<design>]`.
 */
import { look, survey } from "../kernel/runs.js";
import { runsDirectory } from "./configuration.js";

/**
 * Rejects with a `DesignLabError` or a `StoreError` where there is none that can be taken over.
 * @param {Parameters<typeof runsDirectory>[0]} request
 * @param {string} named the run and the design, as the user names them
 * @param {import("../core/types.js").Taker} taker
 * @returns {Promise<import("../core/types.js").Handover>}
 */
export async function handover(request, named, taker) {
  const { core } = request;
  const { output } = await runsDirectory(request);
  const { run, design } = core.toBuild(named, await survey(core, output), taker);
  return look(core, output, run, (handle) => core.handover(handle, design, taker));
}
