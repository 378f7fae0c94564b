/**
 * A ranked design for whoever builds it: `from <run>[/<design>]`.
 */
import { look, survey } from "../kernel/runs.js";
import { runsDirectory } from "./configuration.js";

/**
 * Rejects with a `DesignLabError` or a `StoreError` where there is none that can be built.
 * @param {Parameters<typeof runsDirectory>[0]} request
 * @param {string} named the run and the design, as the user names them
 * @returns {Promise<import("../core/types.js").Handover>}
 */
export async function handover(request, named) {
  const { core } = request;
  const { output } = await runsDirectory(request);
  const { run, design } = core.toBuild(named, await survey(core, output));
  return look(core, output, run, (handle) => core.handover(handle, design));
}
