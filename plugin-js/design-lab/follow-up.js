/**
 * `/design-lab-refine`, `/design-lab-merge` and most of `/design-lab-review`: new runs that build on a finished one.
 */
import { Folder } from "../kernel/door.js";
import { readKept } from "../kernel/kept-file.js";
import { look, survey } from "../kernel/runs.js";
import { begin, gather, outputOf } from "./design.js";

/**
 * @typedef {import("../core/types.js").FollowUp} FollowUp
 * @typedef {import("./request.js").Request} Request
 * @typedef {import("../kernel/run.js").Ending} Ending
 */

/** @param {Request} request */
export const merge = (request) => followUp("merge", request);

/** @param {Request} request */
export const refine = (request) => followUp("refine", request);

/**
 * @param {FollowUp} kind
 * @param {Request} request
 * @returns {Promise<Ending>}
 */
export async function followUp(kind, request) {
  const wanted = request.core.wanted(kind, request.text);
  return further(request, await once(kind, request, wanted));
}

/**
 * Starts further rounds of a refinement while the core finds one due.
 * @param {Request} request
 * @param {Ending} ending of the latest round
 * @returns {Promise<Ending>} of the final round
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
  const parent = new Folder(output, opening.basis?.run);
  const images = new Map();
  for (const { file } of opening.images ?? []) images.set(file.sha256, await readKept(parent, file));
  return begin(request, opening, output, images);
}

/**
 * Returns how the run would start, and its output directory.
 * @param {FollowUp} kind
 * @param {Request} request
 * @param {import("../core/types.js").Wanted} [wanted]
 */
export async function built(kind, request, wanted = request.core.wanted(kind, request.text)) {
  const { core } = request;
  const beginning = await gather(request, []);
  const output = outputOf(request, beginning);
  const purpose = kind === "review" ? "review" : "follow_up";
  const { name } = core.choose(purpose, wanted.run, await survey(core, output));
  const opening = await look(core, output, name, (run) => core.followUp(run, kind, wanted, beginning));
  return { opening, output };
}
