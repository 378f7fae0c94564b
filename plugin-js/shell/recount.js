/**
 * `/design-lab-rank [run]`: ranks a run again, with today's weights and with what people have filled in. No model is called.
 */
import { carry } from "./carry.js";
import { reopen } from "./reopen.js";
import { configured } from "./runs.js";

/**
 * Ranks it. Rejects with a `DesignLabError`, a `StoreError` or a `LockedError` where it can't.
 * @param {import("./carry.js").Request} request
 * @returns {Promise<import("./run.js").Ending>}
 */
export async function recount(request) {
  const { core } = request;
  const { output, setup, available } = await configured(request);
  if (setup.unreadable[0]) throw setup.unreadable[0];
  const { sources, files } = setup;
  const { carried, decided } = await reopen(core, output, "rank", request.text, async (handle, store) => {
    const forms = await store.texts("human", ".csv");
    return core.recount(handle, { sources, files, available, forms });
  });
  return carry(request, carried, [decided]);
}
