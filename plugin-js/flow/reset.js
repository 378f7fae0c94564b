/**
 * `/flow-reset feature <id>` and `/flow-reset session`: resets a feature, or archives the session.
 */
import { continueSession } from "./session.js";
import { deactivate } from "./sessions.js";

/** @param {import("./request.js").Request} request */
export async function reset(request) {
  const { core, project, text } = request;
  const asked = core.resetCommand(text);
  if (asked.kind === "feature")
    return continueSession(request, (session) => core.reset(session, asked.feature));
  const ending = await continueSession(request, (session) => core.archive(session));
  if (ending.done) await deactivate(project);
  return ending;
}
