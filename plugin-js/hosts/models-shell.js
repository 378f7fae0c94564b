/**
 * Whether a shell of another OpenCode started this process. The processes that a model's shell starts inherit a mark. Where the system
 * exposes them, the ancestors of this process count as well, because it may have dropped its environment: none may have the mark, or be
 * an OpenCode.
 */
import { readlinkSync } from "node:fs";
import path from "node:path";
import { MARK_NAME as NAME, MARK_VALUE as VALUE } from "../kernel/environment.js";
import { environmentOf, isMarked, living } from "../kernel/proc.js";

/** The name of OpenCode's program, however it was installed, and that of Kilo, which is made from it. */
const PROGRAM = /^(opencode(-cli)?|kilo)(\.exe)?$/;

/** The mark, for the environment of a model's shell. */
export const MARK = { [NAME]: VALUE };

/**
 * @param {NodeJS.ProcessEnv} [environment] of this process
 * @param {boolean} [byProgram] whether an OpenCode among the ancestors counts: not if OpenCode itself starts this process in the
 *   background
 */
export function isOfModelsShell(environment = process.env, byProgram = true) {
  if (environment[NAME] === VALUE) return true;
  const seen = new Set();
  let { ppid } = process;
  while (ppid > 1 && !seen.has(ppid)) {
    if (isMarked(environmentOf(ppid), `${NAME}=${VALUE}`) || (byProgram && PROGRAM.test(programOf(ppid))))
      return true;
    seen.add(ppid);
    ppid = living(ppid)?.parent ?? 0;
  }
  return false;
}

/** @param {number} pid */
function programOf(pid) {
  try {
    return path.basename(readlinkSync(`/proc/${pid}/exe`));
  } catch {
    return "";
  }
}
