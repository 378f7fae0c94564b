/**
 * `/design-lab-rank [run]`: ranks a run again, with the current weights and with the forms that people have filled in. Calls no model.
 */
import { configured, outputDirectory } from "./configuration.js";
import { driveIsolated } from "./isolated.js";
import { reopen } from "./reopen.js";

/**
 * Ranks the run. Rejects with a `DesignLabError`, a `StoreError` or a `LockedError` if it can't.
 * @param {import("./request.js").Request} request
 * @returns {Promise<import("../kernel/run.js").Ending>}
 */
export async function rerank(request) {
  const { core } = request;
  const { setup, available } = await configured(request);
  const { output } = outputDirectory(core, request.project, setup, available);
  const { sources, files } = setup;
  const { open, decided } = await reopen(core, output, "rank", request.text, async (handle, store) => {
    const forms = await store.texts("human", ".csv");
    return core.rerank(handle, { sources, files, available, forms });
  });
  return driveIsolated(request, open, [decided]);
}
