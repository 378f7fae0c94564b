/**
 * The one rule of every run (kernel/src/protocol.rs): an event is sealed into a line, the line is written to disk, and only
 * then is it applied. So the journal always shows what a run has done. A journal that another process has changed meanwhile is
 * rewritten first, and that is an event, too.
 */

/**
 * @typedef {import("../core/types.js").EventKind<any, {event: string}>} EventKind
 * @typedef {import("../core/types.js").Command<any, any, any, never>} Command
 */

/**
 * @param {object} run
 * @param {Pick<import("./machine.js").Machine, "seal" | "apply">} run.core
 * @param {number} run.handle the run in the core
 * @param {Pick<import("./store.js").Store, "append" | "restore">} run.store
 * @param {number} at milliseconds since 1970
 * @param {EventKind} kind
 * @returns {Promise<Command[]>} the commands that follow
 */
export async function record(run, at, kind) {
  const restored = await run.store.restore();
  const before = restored ? await add(run, { at, event: "journal_restored" }) : [];
  return [...before, ...(await add(run, { at, ...kind }))];
}

/**
 * @param {Parameters<typeof record>[0]} run
 * @param {{at: number} & EventKind} event
 * @returns {Promise<Command[]>}
 */
async function add({ core, handle, store }, event) {
  const line = core.seal(handle, event);
  await store.append(line);
  return core.apply(handle, line);
}
