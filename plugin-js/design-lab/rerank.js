/**
 * `/design-lab-rank [run]`: ranks a run again, with the current weights and with the forms that people have filled in. With `--outcome`,
 * records how a design turned out. Calls no model.
 */
import { configured, outputDirectory, runsDirectory } from "./configuration.js";
import { driveIsolated } from "./isolated.js";
import { reopen } from "./reopen.js";

/**
 * Ranks the run, or records an outcome. Rejects with a `DesignLabError`, a `StoreError` or a `LockedError` if it can't.
 * @param {import("./request.js").Request} request
 * @returns {Promise<import("../kernel/run.js").Ending>}
 */
export async function rerank(request) {
  const { core } = request;
  const asked = core.outcomeRequest(request.text);
  if (asked) return recordOutcome(request, asked);
  const { setup, available } = await configured(request);
  const { output } = outputDirectory(core, request.project, setup, available);
  const { sources, files } = setup;
  const { open, decided } = await reopen(core, output, "rank", request.text, async (handle, store) => {
    const forms = await store.texts("human", ".csv");
    return core.rerank(handle, { sources, files, available, forms });
  });
  return driveIsolated(request, open, [decided]);
}

/**
 * @param {import("./request.js").Request} request
 * @param {import("../core/types.js").OutcomeRequest} asked
 */
async function recordOutcome(request, { run, outcome }) {
  const { core } = request;
  const { output } = await runsDirectory(request);
  const { open, decided } = await reopen(core, output, "rank", run, (handle) =>
    core.reportOutcome(handle, outcome),
  );
  return driveIsolated(request, open, [decided]);
}
