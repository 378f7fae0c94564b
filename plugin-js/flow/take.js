/**
 * `/flow-take [hash]`: shows what the result of the lane would change in the project, or writes what was shown.
 */
import { continueSession } from "./session.js";

/** @param {import("./request.js").Request} request */
export function takeResult(request) {
  const { core, text, shown } = request;
  return continueSession(request, (session) => core.take(session, text, [...shown]));
}
