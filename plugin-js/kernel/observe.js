/**
 * Runs a command with its output written to a file of a run, and returns the result in the form that the core judges
 * (src/shared/ran.rs).
 */
import { SharedCore } from "../core/shared.js";
import { runCommand } from "./command.js";

/** How much of the end of an output is journaled, in characters. */
const TAIL = 4_000;

/**
 * @param {import("./command.js").Command} command
 * @param {object} into
 * @param {import("./store.js").Store} into.store
 * @param {string} into.output the file, below the run's directory
 * @param {AbortSignal} signal ends the command
 * @returns {Promise<import("../core/types.js").CommandRan>}
 */
export async function observe(command, { store, output }, signal) {
  // A command requested before a crash is requested again.
  await store.discard(output);
  await store.create(output, "");
  const log = await store.folder.open(output, "append");
  let seen;
  try {
    seen = await runCommand(command, log, signal);
    await log.sync();
  } finally {
    await log.close();
  }
  const text = (await store.folder.read(output)).toString("utf8");
  return {
    end: endOf(seen),
    duration_ms: seen.duration_ms,
    output: { bytes: seen.bytes, sha256: seen.sha256, tail: text.slice(-TAIL) },
    tests: new SharedCore().testsTold(command.argv, text),
  };
}

/**
 * @param {import("./command.js").Observed} seen
 * @returns {import("../core/types.js").CommandEnd}
 */
export function endOf({ not_started, ended_by, exit, signal }) {
  if (not_started) return { how: "not_started", message: not_started };
  if (ended_by !== "itself") return { how: "timed_out" };
  return signal === null ? { how: "exited", code: exit ?? -1 } : { how: "signalled", signal };
}
