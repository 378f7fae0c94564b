/**
 * Drives a run of Design Lab. While it is running, no session finds the designs of this run or of any other.
 */
import { mkdir, realpath } from "node:fs/promises";
import path from "node:path";
import { StoreError } from "../kernel/door.js";
import { drive } from "../kernel/drive.js";
import { holdIgnoreFile, releaseIgnoreFile } from "./ignore-file.js";
import { hiddenOutputs } from "./outputs.js";

/**
 * @typedef {import("./request.js").Request} Request
 * @typedef {import("../kernel/drive.js").OpenRun & {isolation: import("../core/types.js").Isolation}} OpenRun
 */

/**
 * @param {Request} request
 * @param {OpenRun} open closed when this is done, whatever happens
 * @param {import("../kernel/journal.js").EventKind[]} first what begins it in this process
 * @returns {Promise<import("../kernel/run.js").Ending>}
 */
export function driveIsolated(request, open, first) {
  const { core } = request;
  return drive(request, open, first, {
    enter: () => isolate(request, open),
    conclude: (ending) => ({ ...ending, further: ending.done ? core.nextRound(open.handle) : null }),
  });
}

/**
 * @param {Request} request
 * @param {OpenRun} open
 * @returns {Promise<() => Promise<void>>} lifts it again
 */
async function isolate({ core, project, worktree, isolate }, { output, isolation }) {
  /** Output directories that are kept out of searches: this run's, and other runs'. @type {string[]} */
  const held = [];
  let lift = () => {};
  const leave = async () => {
    for (const directory of held) await releaseIgnoreFile(directory).catch(() => {});
    lift();
  };
  try {
    const outputs = await spellings(output);
    await holdIgnoreFile(output);
    held.push(output);
    lift = await isolate(isolation, outputs);
    for (const other of hiddenOutputs(core, { project, worktree })) {
      if (outputs.includes(other) || !isSearched(other, project, worktree)) continue;
      // Their results are read all the same: one that can't be written to is no reason not to begin.
      await holdIgnoreFile(other).then(
        () => held.push(other),
        () => {},
      );
    }
    return leave;
  } catch (error) {
    await leave();
    throw error;
  }
}

/**
 * Whether a search by a session may find a directory.
 * @param {string} directory absolute
 * @param {string} project absolute
 * @param {string} worktree absolute; the root of the file system where there is no repository
 */
function isSearched(directory, project, worktree) {
  const roots = path.dirname(worktree) === worktree ? [project] : [project, worktree];
  return roots.some((root) => directory.startsWith(`${root}${path.sep}`));
}

/**
 * A directory as configured and as it really is, where links make these differ.
 * @param {string} directory
 */
async function spellings(directory) {
  try {
    await mkdir(directory, { recursive: true });
    return [...new Set([directory, await realpath(directory)])];
  } catch (error) {
    throw new StoreError(directory, error);
  }
}
