/**
 * `/design-lab-resume [run]`: continues a run where it stopped, with the current configuration: as it is, with a retry of what failed,
 * with a rubric that the user approves, or with another set of designs.
 */
import { agreeToVendors } from "../kernel/agreed-vendors.js";
import { configured, outputDirectory } from "./configuration.js";
import { further } from "./follow-up.js";
import { driveIsolated } from "./isolated.js";
import { reopen } from "./reopen.js";

/** The drafted rubric of a run, which the user may have edited. */
const RUBRIC = "rubric.jsonc";

/**
 * Takes the run over and continues it. Rejects with a `DesignLabError`, a `StoreError` or a `LockedError` if it can't.
 * @param {import("./request.js").Request} request
 * @param {import("../core/types.js").ResumeRequest} [asked] what to do
 * @returns {Promise<import("../kernel/run.js").Ending>}
 */
export async function resume(request, asked = request.core.resumeRequest(request.text)) {
  const { core } = request;
  const { setup, available } = await configured(request);
  const { output } = outputDirectory(core, request.project, setup, available);
  const { open, decided } = await reopen(core, output, asked.purpose, asked.run, async (handle, store) => {
    const { rubric } = asked;
    // What the user approves is the file as it is now.
    const given = rubric ? { rubric: { ...rubric, text: await store.text(RUBRIC) } } : {};
    const by_model = request.byModel ?? false;
    return core.resumption(handle, setup, available, { ...asked, ...given, by_model });
  });
  await agreeToVendors(request.project, decided.agreed);
  const ending = await driveIsolated(request, { ...open, isolation: decided.isolation }, decided.events);
  return further(request, ending);
}
