/**
 * The one rule of every run (kernel/src/protocol.rs): an event is sealed into a line, the line is on disk, and only then
 * is it applied. So what a run has done can always be told from its journal.
 */

/**
 * @typedef {import("../core/types.js").EventKind<any, {event: string}>} EventKind
 * @typedef {import("../core/types.js").Command<any, any, any, never>} Command
 */

/**
 * @param {object} run
 * @param {Pick<import("./machine.js").Machine, "seal" | "apply">} run.core
 * @param {number} run.handle the run in the core
 * @param {Pick<import("./store.js").Store, "append">} run.store
 * @param {number} at milliseconds since 1970
 * @param {EventKind} kind
 * @returns {Promise<Command[]>} what follows
 */
export async function record({ core, handle, store }, at, kind) {
  const line = core.seal(handle, { at, ...kind });
  await store.append(line);
  return core.apply(handle, line);
}
