/**
 * `/validate-decide generate-fix-plan|stop|force-test`: carries out the user's decision about the gaps.
 */
import { survey } from "../kernel/runs.js";
import { availableTo } from "./request.js";
import { runsDirectory } from "./runs.js";
import { continueRun } from "./session.js";

/** @param {import("./request.js").Request} request */
export async function decide(request) {
  const { core, project, text } = request;
  const name = core.toDecide(await survey(core, runsDirectory(project)));
  const available = await availableTo(request);
  return continueRun(request, name, (run, settings) => core.decide(run, settings, text, available));
}
