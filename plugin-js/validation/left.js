/**
 * What abandoned runs have left running: their process was killed, and what should have ended with it did not. It is reported, and
 * ended only if the user asks for it (cancel.js).
 */
import { Folder } from "../kernel/door.js";
import { recogniseRuns } from "../kernel/key.js";
import { ownerOf } from "../kernel/lock.js";
import { Store } from "../kernel/store.js";
import { leftIn } from "./processes.js";
import { RegistryError } from "./registry.js";
import { runsDirectory } from "./runs.js";

/** @typedef {import("../core/types.js").ValidationLeft} Left */
/** @typedef {import("../core/validation.js").ValidationFound} Found */

/**
 * @param {string} project absolute
 * @param {Found[]} found its runs
 * @returns {Promise<Left[]>}
 */
export async function leftOf(project, found) {
  recogniseRuns();
  const runs = runsDirectory(project);
  const mayHaveLeft = new Set(found.filter((run) => run.summary?.may_have_left).map(({ name }) => name));
  /** @type {Left[]} */
  const left = [];
  for (const name of await Store.list(runs)) {
    const run = new Folder(runs, name);
    // A run that can't be read has no known owner; the list says so.
    const owner = await ownerOf(run).catch(() => undefined);
    if (owner?.kind !== "nobody") continue;
    try {
      const processes = await leftIn(run, mayHaveLeft.has(name));
      if (processes.length > 0) left.push({ run: name, processes, problem: null });
    } catch (error) {
      if (!(error instanceof RegistryError)) throw error;
      left.push({ run: name, processes: [], problem: error.message });
    }
  }
  return left;
}
