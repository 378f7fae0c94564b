/**
 * `/design-lab-review [run]`: has designs reviewed, by models or by a person, in a run of its own or in the run itself.
 */
import { survey } from "../kernel/runs.js";
import { runsDirectory } from "./configuration.js";
import { followUp } from "./follow-up.js";
import { humanReview } from "./human-review.js";
import { resume } from "./resume.js";

/** @param {import("./request.js").Request} request */
export async function review(request) {
  const { core, text } = request;
  const asked = core.formRequest(text);
  if (asked) return humanReview(request, asked);
  const { output } = await runsDirectory(request);
  const within = core.reviewWithin(text, await survey(core, output));
  return within ? resume(request, within) : followUp("review", request);
}
