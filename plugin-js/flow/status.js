/**
 * `/flow-status`: shows the state of the active session from its journal; no model is called.
 */
import { settleLiveMessages } from "../kernel/live-message.js";
import { look } from "../kernel/runs.js";
import { noteShown } from "./session.js";
import { activeSession, sessionsDirectory } from "./sessions.js";

/**
 * @param {import("./request.js").Request} request
 * @returns {Promise<string>} what is shown
 */
export async function status(request) {
  return statusOf(request, await activeSession(request.core, request.project));
}

/**
 * Shows the state of a session.
 * @param {import("./request.js").Request} request
 * @param {string} name
 * @returns {Promise<string>} what is shown
 */
export async function statusOf(request, name) {
  const { core, project, host, byModel = false } = request;
  const sessions = sessionsDirectory(project);
  await settleLiveMessages(request, sessions);
  const agents = await host.agents();
  const rules = agents && core.shellRules(agents);
  return look(core, sessions, name, (session, found) => {
    // If the rules for a plan's commands could not be looked up, the plan was shown incompletely.
    if (rules) core.knowRules(session, rules);
    if (rules && !byModel) noteShown(request, session);
    return core.status(session, found, Date.now(), byModel);
  });
}
