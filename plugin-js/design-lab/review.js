/**
 * `/design-lab-review [run]`: has designs reviewed, by models or by a person, in a separate run or in the run itself, compared, or mapped.
 */
import { look, survey } from "../kernel/runs.js";
import { configured, outputDirectory, runsDirectory } from "./configuration.js";
import { followUp } from "./follow-up.js";
import { humanReview } from "./human-review.js";
import { resume } from "./resume.js";

/** @param {import("./request.js").Request} request */
export async function review(request) {
  const { core, text } = request;
  const form = core.formRequest(text);
  if (form) return humanReview(request, form);
  const within = await reviewWithin(request);
  if (!within) return followUp("review", request);
  const asked = within.add ?? within.map ?? within.close;
  return asked?.dry_run ? costOfAddition(request, within) : resume(request, within);
}

/** @param {import("./request.js").Request} request */
export async function reviewWithin(request) {
  const { output } = await runsDirectory(request);
  return request.core.reviewWithin(
    request.text,
    await survey(request.core, output),
    request.byModel ?? false,
  );
}

/**
 * Returns what additional reviewers of a run, its decision map, or comparing its first two designs are expected to cost.
 * @param {import("./request.js").Request} request
 * @param {import("../core/types.js").ResumeRequest} within
 * @param {string} [pattern] the pattern of the permission request that it is for
 */
export async function costOfAddition(request, within, pattern = "") {
  const { core } = request;
  const { setup, available } = await configured(request);
  const { output } = outputDirectory(core, request.project, setup, available);
  const { name } = core.choose(within.purpose, within.run, await survey(core, output));
  return look(core, output, name, (run) => core.costOfAddition(run, setup, available, within, pattern));
}
