/**
 * `/design-lab-resume [run] [--retry-failed]`: goes on with a run where it stopped, under what is configured now.
 */
import { configured, outputDirectory } from "./configuration.js";
import { further } from "./follow-up.js";
import { driveIsolated } from "./isolated.js";
import { reopen } from "./reopen.js";

/**
 * Takes the run over and goes on. Rejects with a `DesignLabError`, a `StoreError` or a `LockedError` where it can't.
 * @param {import("./request.js").Request} request
 * @returns {Promise<import("../kernel/run.js").Ending>}
 */
export async function resume(request) {
  const { core } = request;
  const { run, purpose } = core.resumeRequest(request.text);
  const { setup, available } = await configured(request);
  const { output } = outputDirectory(core, request.project, setup, available);
  const { open, decided } = await reopen(core, output, purpose, run, (handle) =>
    core.resumption(handle, setup, available, purpose),
  );
  const ending = await driveIsolated(request, { ...open, isolation: decided.isolation }, decided.events);
  return further(request, ending);
}
