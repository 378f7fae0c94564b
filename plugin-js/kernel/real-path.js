/**
 * Resolves a path to its real location, up to the part that exists. The core judges paths by their spelling and by this.
 */
import { readlinkSync, realpathSync, statSync } from "node:fs";
import path from "node:path";

/**
 * A path relative to a directory, with `..` kept in place: the system goes up from a link's target, and so do OpenCode's tools.
 * Windows itself resolves `..` by spelling.
 * @param {string} directory absolute
 * @param {string} given
 */
export function join(directory, given) {
  if (path.sep === "\\") return path.resolve(directory, given);
  const names = (path.isAbsolute(given) ? given : `${directory}/${given}`).split("/");
  return `/${names.filter((name) => name !== "" && name !== ".").join("/")}`;
}

/** At least as many links as any file system follows (Linux stops at 40). */
const MOST_LINKS = 40;

/**
 * The real path of the longest existing part, with the rest appended, and its status. `..` goes up from a link's target, as in
 * the system; given the whole path at once, Bun would resolve it by spelling.
 * @param {string} absolute
 * @returns {{real: string, status: import("node:fs").Stats | undefined}}
 */
export function locate(absolute, links = 0) {
  const [first = "", ...others] = absolute.split(/\/\.\.(?=\/|$)/);
  let reached = follow(first || path.sep, links);
  for (const rest of others) {
    const isDirectory = reached.status?.isDirectory();
    reached = follow(path.join(path.dirname(reached.real), rest), links);
    if (!isDirectory) reached.status = undefined;
  }
  return reached;
}

/**
 * Does the same for a path without `..`. A link whose target doesn't exist is followed anyway: its target may appear a moment
 * later.
 * @param {string} absolute
 * @param {number} links the number of links followed so far
 * @returns {{real: string, status: import("node:fs").Stats | undefined}}
 */
function follow(absolute, links) {
  let head = absolute;
  /** @type {string[]} */
  const tail = [];
  for (;;) {
    try {
      const real = path.join(realpathSync.native(head), ...tail);
      const status = tail.length === 0 ? statSync(real, { throwIfNoEntry: false }) : undefined;
      return { real, status };
    } catch {
      const target = links < MOST_LINKS ? targetOf(head) : undefined;
      if (target !== undefined) return locate([target, ...tail].join(path.sep), links + 1);
      const parent = path.dirname(head);
      if (parent === head) return { real: absolute, status: undefined };
      tail.unshift(path.basename(head));
      head = parent;
    }
  }
}

/**
 * The target of a link; undefined if it isn't a link or can't be read.
 * @param {string} file absolute
 */
function targetOf(file) {
  try {
    return join(path.dirname(file), readlinkSync(file));
  } catch {
    return undefined;
  }
}

/**
 * Whether a path is a directory itself or leads into it.
 * @param {string} file absolute
 * @param {string} directory absolute
 */
export function isBelow(file, directory) {
  return file === directory || file.startsWith(`${directory}${path.sep}`);
}
