/**
 * A validation's findings that need fixing, for Flow.
 */
import { look, survey } from "../kernel/runs.js";
import { runsDirectory } from "./runs.js";

/**
 * Rejects with a `DesignLabError` or a `StoreError` if there is nothing to fix.
 * @param {Pick<import("./request.js").Request, "core" | "project">} request
 * @param {string} named the run, as the user names it; empty for the latest
 * @returns {Promise<import("../core/types.js").ValidationToFix>}
 */
export async function toFix({ core, project }, named) {
  const runs = runsDirectory(project);
  const name = core.runToFix(named, await survey(core, runs));
  return look(core, runs, name, (run) => core.toFix(run));
}
