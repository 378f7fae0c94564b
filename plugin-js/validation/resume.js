/**
 * `/validate-resume [run] [--trust]`: continues a run where it stopped, or approves the commands that it has shown. With `--trust` the
 * user takes over a run whose journal this machine didn't write.
 */
import { adopt } from "../kernel/adopt.js";
import { survey } from "../kernel/runs.js";
import { availableTo } from "./request.js";
import { runsDirectory } from "./runs.js";
import { continueRun } from "./session.js";

/** @param {import("./request.js").Request} request */
export async function resume(request) {
  const { core, project, text, shown } = request;
  const [named, trust] = core.resumeRequest(text);
  const runs = runsDirectory(project);
  const name = core.toResume(named, await survey(core, runs));
  if (trust) await adopt(core, runs, name);
  const available = await availableTo(request);
  return continueRun(request, name, (run, settings) => core.resume(run, settings, [...shown], available));
}
