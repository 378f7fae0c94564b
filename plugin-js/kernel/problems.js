/**
 * Converts anything thrown into problems that people can read and act on.
 */
import { DesignLabError } from "../core/load.js";
import { StoreError } from "./door.js";
import { LockedError } from "./lock.js";

/**
 * @param {Pick<import("./machine.js").Machine, "diskProblem" | "locked">} core
 * @param {unknown} error
 * @returns {import("../core/types.js").Problem[]} at least one
 */
export function problemsOf(core, error) {
  if (error instanceof DesignLabError) return error.problems;
  try {
    if (error instanceof StoreError) return [core.diskProblem(error.file, error.code, error.deed)];
    if (error instanceof LockedError) return [core.locked(error.run, error.owner)];
  } catch {
    // The core itself fails: the original fault is reported below.
  }
  return [
    {
      code: "internal.shell",
      message: `Design Lab failed: ${error instanceof Error ? error.message : String(error)}.`,
      next: "Please report this message. Nothing in a run's journal is lost: /design-lab-resume continues from there.",
    },
  ];
}
