/**
 * Drives a run of Design Lab. While it is active, no session can find the designs of this run or of any other.
 */
import { mkdir, realpath } from "node:fs/promises";
import path from "node:path";
import { StoreError } from "../kernel/door.js";
import { drive } from "../kernel/drive.js";
import { lookUpNames, MOST_LISTED } from "./claims.js";
import { holdIgnoreFile, releaseIgnoreFile } from "./ignore-file.js";
import { hiddenOutputs } from "./outputs.js";
import { projectList } from "./project-list.js";

/**
 * @typedef {import("./request.js").Request} Request
 * @typedef {import("../kernel/drive.js").OpenRun & {isolation: import("../core/types.js").Isolation}} OpenRun
 */

/**
 * @param {Request} request
 * @param {OpenRun} open closed at the end, whatever happens
 * @param {import("../kernel/journal.js").EventKind[]} first the events with which it starts in this process
 * @returns {Promise<import("../kernel/run.js").Ending>}
 */
export function driveIsolated(request, open, first) {
  const { core, project, worktree } = request;
  const list = projectList(core, { project, worktree }, MOST_LISTED);
  return drive(request, open, first, {
    enter: () => isolate(request, open),
    lookUp: (job, reply) => lookUpNames({ core, project, list }, open.handle, job, reply),
    conclude: (ending) => ({ ...ending, further: ending.done ? core.nextRound(open.handle) : null }),
  });
}

/**
 * @param {Request} request
 * @param {OpenRun} open
 * @returns {Promise<() => Promise<void>>} ends the isolation
 */
async function isolate({ core, project, worktree, isolate }, { output, isolation }) {
  /** Output directories that are excluded from searches: this run's, and other runs'. @type {string[]} */
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
      // The guard filters their results anyway: a directory that can't be written to is no reason not to start.
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
 * @param {string} worktree absolute; the root of the file system if there is no repository
 */
function isSearched(directory, project, worktree) {
  const roots = path.dirname(worktree) === worktree ? [project] : [project, worktree];
  return roots.some((root) => directory.startsWith(`${root}${path.sep}`));
}

/**
 * Returns a directory as configured, and its real path if links make these differ.
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
