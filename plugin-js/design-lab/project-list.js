/**
 * The files of the project, listed once for a run and again whenever that list may be old: in an old list, a file that somebody has
 * added since would count as missing.
 */
import { lstatSync } from "node:fs";
import path from "node:path";
import { stampOf } from "../kernel/stamps.js";
import { listProject } from "./attachments.js";
import { hiddenOutputs } from "./outputs.js";

/**
 * @typedef {{project: string, worktree: string}} Where absolute
 *
 * @typedef {object} List
 * @property {import("../core/types.js").Attached} attached
 * @property {string[]} outputs the directories that it leaves out
 * @property {Map<string, string>} stamps of its folders and of what git ignores in them, by absolute path
 * @property {boolean} isSettled whether all of these were unchanged for long enough
 */

/** A folder that changed within this time before it was listed may change again without another stamp, in ms. */
const LATELY_MS = 2_000;

/**
 * @param {import("../core/design-lab.js").Core} core
 * @param {Where} where
 * @param {number} most files and folders
 * @param {number} [latelyMs] see `LATELY_MS`
 * @returns {() => Promise<import("../core/types.js").Attached>} the project as an attached folder, at this moment
 */
export function projectList(core, where, most, latelyMs = LATELY_MS) {
  /** @type {Promise<List | undefined>} */
  let latest = Promise.resolve(undefined);
  return async () => {
    // One call after another, so that answers that arrive together share a list.
    const next = latest
      .catch(() => undefined)
      .then((known) => (known && isCurrent(known, core, where) ? known : list(core, where, most, latelyMs)));
    latest = next;
    return (await next).attached;
  };
}

/**
 * @param {import("../core/design-lab.js").Core} core
 * @param {Where} where
 * @param {number} most
 * @param {number} latelyMs
 * @returns {Promise<List>}
 */
async function list(core, where, most, latelyMs) {
  const from = Date.now();
  const outputs = hiddenOutputs(core, where);
  /** @type {Map<string, string>} */
  const stamps = new Map();
  let isSettled = true;
  const note = (/** @type {string} */ place) => {
    const changed = lstatSync(place, { throwIfNoEntry: false })?.ctimeMs ?? from;
    isSettled &&= changed < from - latelyMs;
    stamps.set(place, stampOf(place));
  };
  const attached = await listProject(core, where, most, note);
  const { content } = attached;
  if (content.kind !== "folder") return { attached, outputs, stamps, isSettled: false };
  for (const file of content.files)
    if (path.posix.basename(file.path) === ".gitignore") note(path.join(content.real, file.path));
  return { attached, outputs, stamps, isSettled };
}

/**
 * Whether nothing was added, removed or renamed since, and git ignores the same.
 * @param {List} known
 * @param {import("../core/design-lab.js").Core} core
 * @param {Where} where
 */
function isCurrent({ outputs, stamps, isSettled }, core, where) {
  if (!isSettled || hiddenOutputs(core, where).join("\0") !== outputs.join("\0")) return false;
  return [...stamps].every(([place, stamp]) => stampOf(place) === stamp);
}
