/**
 * `/flow-cancel`: stops the work on the active session, in this process or another. What is done stays.
 */
import { Folder } from "../kernel/door.js";
import { askToStop } from "../kernel/stop.js";
import { activeSession, sessionsDirectory } from "./sessions.js";
import { status } from "./status.js";

/**
 * @param {import("./request.js").Request} request
 * @returns {Promise<string>} how the session stands then
 */
export async function cancel(request) {
  const { core, project, running } = request;
  if (running.size > 0) {
    await Promise.all([...running].map((session) => session.cancel("you asked for it")));
  } else {
    const name = await activeSession(core, project);
    await askToStop(core, new Folder(sessionsDirectory(project), name));
  }
  return status(request);
}
