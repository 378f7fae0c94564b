/**
 * `/flow-auto [goal]` and `/flow-auto from <run>[/<design>]`: builds everything without asking; without arguments it continues
 * the active session.
 */
import { draft, draftFrom } from "./plan.js";
import { continueSession } from "./session.js";

/** @param {import("./request.js").Request} request */
export async function auto(request) {
  const { core } = request;
  const asked = core.autoCommand(request.text);
  switch (asked.kind) {
    case "draft":
      return draft(request, asked.goal, true);
    case "from":
      return draftFrom(request, asked.named, true);
    case "continue":
      return continueSession(request, (session, stored) => core.automate(session, stored));
  }
}
