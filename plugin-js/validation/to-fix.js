/**
 * What a validation found that is to be fixed, for Flow.
 */
import { look, survey } from "../kernel/runs.js";
import { runsDirectory } from "./runs.js";

/**
 * Rejects with a `DesignLabError` or a `StoreError` where there is nothing.
 * @param {Pick<import("./request.js").Request, "core" | "project">} request
 * @param {string} named the run, as the user names it; the latest where nothing is named
 * @returns {Promise<import("../core/types.js").ValidationToFix>}
 */
export async function toFix({ core, project }, named) {
  const runs = runsDirectory(project);
  const name = core.runToFix(named, await survey(core, runs));
  return look(core, runs, name, (run) => core.toFix(run));
}
