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

/**
 * Does the same for several designs of a run.
 * @param {Parameters<typeof runsDirectory>[0]} request
 * @param {string} named the run, as the user named it
 * @param {(run: string, handle: number) => string[]} choose returns the ids of the designs
 * @returns {Promise<import("../core/types.js").Handover[]>}
 */
export async function handovers(request, named, choose) {
  const { core } = request;
  const { output } = await runsDirectory(request);
  const { run } = core.toBuild(named, await survey(core, output), "flow");
  return look(core, output, run, (handle) =>
    choose(run, handle).map((design) => core.handover(handle, design, "flow")),
  );
}
