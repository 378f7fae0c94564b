/**
 * `/flow-resume`: continues the session where it stopped.
 */
import { continueSession } from "./session.js";

/** @param {import("./request.js").Request} request */
export function resume(request) {
  return continueSession(request, (session) => request.core.resume(session));
}
