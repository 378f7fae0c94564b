/**
 * `/flow-history [id]`: shows what happened in the active session or in another stored one; no model is called.
 */
import { look, survey } from "../kernel/runs.js";
import { activeSession, sessionsDirectory } from "./sessions.js";

/**
 * @param {import("./request.js").Request} request
 * @returns {Promise<string>} what is shown
 */
export async function history({ core, project, text, byModel = false }) {
  const sessions = sessionsDirectory(project);
  const name =
    text.trim() === "" ? await activeSession(core, project) : core.toShow(text, await survey(core, sessions));
  return look(core, sessions, name, (session) => core.history(session, byModel));
}
