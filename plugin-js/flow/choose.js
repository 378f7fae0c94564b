/**
 * `/flow-session <id>`: makes another stored session the active one.
 */
import { survey } from "../kernel/runs.js";
import { activate, sessionsDirectory } from "./sessions.js";
import { status } from "./status.js";

/**
 * @param {import("./request.js").Request} request
 * @returns {Promise<string>} how that session stands
 */
export async function choose(request) {
  const { core, project, text } = request;
  const name = core.toActivate(text, await survey(core, sessionsDirectory(project)));
  await activate(project, name);
  return status(request);
}
