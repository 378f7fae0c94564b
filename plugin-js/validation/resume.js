/**
 * `/validate-resume [run]`: goes on where a run stopped, or lets the commands run that it has shown.
 */
import { survey } from "../kernel/runs.js";
import { runsDirectory } from "./runs.js";
import { continueRun } from "./session.js";

/** @param {import("./request.js").Request} request */
export async function resume(request) {
  const { core, project, text, shown } = request;
  const name = core.toResume(text, await survey(core, runsDirectory(project)));
  return continueRun(request, name, (run, settings) => core.resume(run, settings, [...shown]));
}
