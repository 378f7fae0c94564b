/**
 * `/flow-auto [goal]`: has a goal built to its end without asking; without one it goes on with the active session.
 */
import { draft } from "./plan.js";
import { continueSession } from "./session.js";

/** @param {import("./request.js").Request} request */
export function auto(request) {
  const goal = request.text.trim();
  if (goal !== "") return draft(request, goal, true);
  return continueSession(request, (session) => request.core.automate(session));
}
