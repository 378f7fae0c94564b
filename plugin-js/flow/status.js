/**
 * `/flow-status`: how the active session stands, from its journal; no model is asked.
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
  const { core, project } = request;
  const sessions = sessionsDirectory(project);
  const name = await activeSession(core, project);
  await settleLiveMessages(request, sessions);
  return look(core, sessions, name, (session, found) => {
    if (!request.byModel) noteShown(request, session);
    return core.status(session, found);
  });
}
