/**
 * `/design-lab-rank [run]`: ranks a run again, with today's weights and with what people have filled in. No model is called.
 */
import path from "node:path";
import { carry } from "./carry.js";
import { letGo, reopen } from "./reopen.js";
import { readSources } from "./sources.js";

/**
 * Ranks it. Rejects with a `DesignLabError`, a `StoreError` or a `LockedError` where it can't.
 * @param {import("./carry.js").Request} request
 * @returns {Promise<import("./run.js").Ending>}
 */
export async function recount(request) {
  const { core, host, project } = request;
  const { sources, files, unreadable } = readSources(core, request);
  if (unreadable[0]) throw unreadable[0];
  const available = { models: await host.models(), current: request.currentModel };
  const output = path.resolve(project, core.outputDirectory({ sources, files }, available));
  const carried = await reopen(core, output, "rank", request.text);
  let event;
  try {
    const forms = await carried.store.texts("human", ".csv");
    event = core.recount(carried.handle, { sources, files, available, forms });
  } catch (error) {
    await letGo(core, carried);
    throw error;
  }
  return carry(request, carried, event);
}
