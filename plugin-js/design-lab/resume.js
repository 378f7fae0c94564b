/**
 * `/design-lab-resume [run]`: continues a run where it stopped, with the current configuration: as it is, with a retry of what failed,
 * or
 * with another set of designs.
 */
import { agreeToVendors } from "../kernel/agreed-vendors.js";
import { configured, outputDirectory } from "./configuration.js";
import { further } from "./follow-up.js";
import { driveIsolated } from "./isolated.js";
import { reopen } from "./reopen.js";

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
  const { open, decided } = await reopen(core, output, asked.purpose, asked.run, (handle) =>
    core.resumption(handle, setup, available, { ...asked, by_model: request.byModel ?? false }),
  );
  await agreeToVendors(request.project, decided.agreed);
  const ending = await driveIsolated(request, { ...open, isolation: decided.isolation }, decided.events);
  return further(request, ending);
}
