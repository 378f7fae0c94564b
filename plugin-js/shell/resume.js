/**
 * `/design-lab-resume [run] [--retry-failed]`: goes on with a run where it stopped, under what is configured now.
 */
import { carry } from "./carry.js";
import { further } from "./derive.js";
import { reopen } from "./reopen.js";
import { configured } from "./runs.js";

/**
 * Takes the run over and goes on. Rejects with a `DesignLabError`, a `StoreError` or a `LockedError` where it can't.
 * @param {import("./carry.js").Request} request
 * @returns {Promise<import("./run.js").Ending>}
 */
export async function resume(request) {
  const { core } = request;
  const { run, purpose } = core.resumeRequest(request.text);
  const { output, setup, available } = await configured(request);
  // A configuration that can't be read must not look like one that has changed.
  if (setup.unreadable[0]) throw setup.unreadable[0];
  const { carried, decided } = await reopen(core, output, purpose, run, (handle) =>
    core.resumption(handle, setup, available, purpose),
  );
  return further(request, await carry(request, { ...carried, isolation: decided.isolation }, decided.events));
}
