/**
 * Runs the checks of a completed session again, as if the session had requested it. The session itself isn't changed: outputs and
 * git objects are kept in a separate directory next to the sessions, which is removed afterwards, even if this process is asked to
 * end. What a killed process left is removed the next time.
 */
import { Folder } from "../kernel/door.js";
import { forPrograms } from "../kernel/environment.js";
import { endMarked } from "../kernel/group.js";
import { isStale, lock } from "../kernel/lock.js";
import { endingInOrder } from "../kernel/stop.js";
import { Store } from "../kernel/store.js";
import { Trees } from "../kernel/tree.js";
import { effects } from "./effects.js";
import { flowDirectory, markOf } from "./sessions.js";
import { sweepTemporary } from "./temporary.js";

/** The prefix of such a directory's name. */
const SCRATCH = ".again-";

/** No provider is known here. */
const NO_KEYS = { names: [], values: [] };

/**
 * @param {object} where
 * @param {import("../core/flow.js").FlowCore} where.core
 * @param {string} where.project absolute: where the checked files are
 * @param {string} where.kept absolute: the project that holds the session
 * @param {string[]} where.leftOut absolute: directories that aren't the project's
 * @param {import("../core/types.js").FlowEffect} command the command from the core
 * @returns {Promise<import("../core/flow.js").FlowEventKind>} its answer
 */
export function runAgain({ core, project, kept, leftOut }, command) {
  const environment = forPrograms(process.env, NO_KEYS);
  return endingInOrder((signal) =>
    withScratch(new Folder(flowDirectory(kept)), async (store) => {
      const trees = new Trees({ project, store, leftOut });
      const here = async () => ({ directory: project, trees });
      const perform = effects({ core, store, here, environment });
      // The copy is made from the objects that this creates.
      await perform({ command: "take_tree", effect: 0, since: null }, signal);
      const seen = await perform(command, signal);
      signal.throwIfAborted();
      return seen;
    }),
  );
}

/**
 * @template T
 * @param {Folder} flow
 * @param {(store: Store) => Promise<T>} use
 * @returns {Promise<T>}
 */
async function withScratch(flow, use) {
  await sweep(flow);
  const folder = await flow.makeUnique(SCRATCH);
  try {
    const store = new Store(flow, folder, await lock(folder));
    return await use(store);
  } finally {
    await folder.removeAll();
  }
}

/** @param {Folder} flow */
async function sweep(flow) {
  for (const entry of await flow.entries()) {
    if (!entry.name.startsWith(SCRATCH) || !entry.isDirectory()) continue;
    const folder = flow.folder(entry.name);
    if (!(await isStale(folder))) continue;
    await endMarked(markOf(folder));
    await sweepTemporary(folder);
    await folder.removeAll();
  }
}
