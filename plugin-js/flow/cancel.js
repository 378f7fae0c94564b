/**
 * `/flow-cancel`: stops the work on the active session, in this process or another. Finished work is kept.
 */
import { Folder } from "../kernel/door.js";
import { ownerOf } from "../kernel/lock.js";
import { askToStop, BY_COMMAND } from "../kernel/stop.js";
import { activeSession, sessionsDirectory } from "./sessions.js";
import { status } from "./status.js";

/**
 * @param {import("./request.js").Request} request
 * @returns {Promise<string>} the state of the session afterwards
 */
export async function cancel(request) {
  const { core, project, running } = request;
  if (running.size > 0) {
    await Promise.all([...running].map((session) => session.cancel(BY_COMMAND)));
  } else {
    const name = await activeSession(core, project);
    const session = new Folder(sessionsDirectory(project), name);
    if ((await ownerOf(session)).kind === "nobody")
      return `${core.nothingRuns()}\n\n${await status(request)}`;
    await askToStop(core, session);
  }
  return status(request);
}
