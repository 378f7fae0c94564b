/**
 * `/design-lab-review`, `/design-lab-refine` and `/design-lab-merge`: new runs that build upon one that is over.
 */
import { look, survey } from "../kernel/runs.js";
import { begin, gather, outputOf } from "./design.js";
import { humanReview } from "./human-review.js";

/**
 * @typedef {import("../core/types.js").FollowUp} FollowUp
 * @typedef {import("./request.js").Request} Request
 * @typedef {import("../kernel/run.js").Ending} Ending
 */

/** By models, or by the person who is named. @param {Request} request */
export async function review(request) {
  const asked = request.core.formRequest(request.text);
  return asked ? humanReview(request, asked) : followUp("review", request);
}

/** @param {Request} request */
export const merge = (request) => followUp("merge", request);

/** @param {Request} request */
export const refine = (request) => followUp("refine", request);

/**
 * @param {FollowUp} kind
 * @param {Request} request
 * @returns {Promise<Ending>}
 */
async function followUp(kind, request) {
  const wanted = request.core.wanted(kind, request.text);
  return further(request, await once(kind, request, wanted));
}

/**
 * Further rounds of a refinement, as long as the core finds one due.
 * @param {Request} request
 * @param {Ending} ending of the last round
 * @returns {Promise<Ending>} of the very last
 */
export async function further(request, ending) {
  while (ending.further) ending = await once("refine", request, ending.further);
  return ending;
}

/**
 * @param {FollowUp} kind
 * @param {Request} request
 * @param {import("../core/types.js").Wanted} wanted
 * @returns {Promise<Ending>}
 */
async function once(kind, request, wanted) {
  const { opening, output } = await built(kind, request, wanted);
  return begin(request, opening, output);
}

/**
 * How it would begin, and where it would go.
 * @param {FollowUp} kind
 * @param {Request} request
 * @param {import("../core/types.js").Wanted} [wanted]
 */
export async function built(kind, request, wanted = request.core.wanted(kind, request.text)) {
  const { core } = request;
  const beginning = await gather(request, []);
  const output = outputOf(request, beginning);
  const { name } = core.choose("follow_up", wanted.run, await survey(core, output));
  const opening = await look(core, output, name, (run) => core.followUp(run, kind, wanted, beginning));
  return { opening, output };
}
