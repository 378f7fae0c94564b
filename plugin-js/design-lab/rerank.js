/**
 * `/design-lab-rank [run]`: ranks a run again, with today's weights and with what people have filled in. No model is called.
 */
import { configured, outputDirectory } from "./configuration.js";
import { driveIsolated } from "./isolated.js";
import { reopen } from "./reopen.js";

/**
 * Ranks it. Rejects with a `DesignLabError`, a `StoreError` or a `LockedError` where it can't.
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
