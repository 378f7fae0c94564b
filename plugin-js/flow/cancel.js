/**
 * `/flow-cancel`: stops the work on the active session, in this process or another. What is done stays.
 */
import { DesignLabError } from "../core/load.js";
import { Folder } from "../kernel/door.js";
import { askToStop, OTHER_PROCESS } from "../kernel/stop.js";
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
    const owner = await askToStop(new Folder(sessionsDirectory(project), name), OTHER_PROCESS);
    if (owner.kind === "process") throw new DesignLabError([core.notStopped(name, owner.name)]);
  }
  return status(request);
}
