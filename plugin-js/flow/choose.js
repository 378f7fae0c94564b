/**
 * `/flow-session <id> [--trust]`: makes another stored session the active one; with `--trust` the user takes over one whose journal
 * this machine didn't write.
 */
import { adopt } from "../kernel/adopt.js";
import { survey } from "../kernel/runs.js";
import { activate, sessionsDirectory } from "./sessions.js";
import { status } from "./status.js";

/**
 * @param {import("./request.js").Request} request
 * @returns {Promise<string>} how that session stands
 */
export async function choose(request) {
  const { core, project, text } = request;
  const output = sessionsDirectory(project);
  const { named, trust } = core.sessionCommand(text, request.byModel ?? false);
  const name = core.toActivate(named, await survey(core, output));
  if (trust) await adopt(core, output, name);
  await activate(project, name);
  return status(request);
}
