/**
 * `/flow-session [id] [--trust]`: lists all sessions, or activates another stored one; with `--trust` the user takes over a
 * session whose journal this machine didn't write.
 */
import { adopt } from "../kernel/adopt.js";
import { survey } from "../kernel/runs.js";
import { activate, activeSession, sessionsDirectory } from "./sessions.js";
import { status } from "./status.js";

/**
 * @param {import("./request.js").Request} request
 * @returns {Promise<string>} the list, or the state of that session
 */
export async function choose(request) {
  const { core, project, text, byModel = false } = request;
  const output = sessionsDirectory(project);
  const stored = await survey(core, output);
  const active = await activeSession(core, project).catch(() => null);
  const list = core.list(text, stored, active, byModel);
  if (list !== null) return list;
  const { named, trust } = core.sessionCommand(text, byModel);
  const name = core.toActivate(named, stored);
  if (trust) await adopt(core, output, name);
  await activate(project, name);
  return status(request);
}
