/**
 * `/flow-run [feature]`: builds one approved feature.
 */
import { continueSession } from "./session.js";

/** @param {import("./request.js").Request} request */
export function run(request) {
  return continueSession(request, (session, stored) => request.core.start(session, request.text, stored));
}
