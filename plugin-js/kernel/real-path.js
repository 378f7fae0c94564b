/**
 * Where a path really leads, as far as it is there. The core judges paths by their letters and by this.
 */
import { readlinkSync, realpathSync, statSync } from "node:fs";
import path from "node:path";

/**
 * A path from a directory on, `..` left in place: the system goes up from where a link leads, and so do OpenCode's
 * tools. Windows resolves `..` by its letters itself.
 * @param {string} directory absolute
 * @param {string} given
 */
export function join(directory, given) {
  if (path.sep === "\\") return path.resolve(directory, given);
  const names = (path.isAbsolute(given) ? given : `${directory}/${given}`).split("/");
  return `/${names.filter((name) => name !== "" && name !== ".").join("/")}`;
}

/** More links than any file system follows (Linux gives up at 40). */
const MOST_LINKS = 40;

/**
 * The real path of the longest part that exists, with the rest appended, and what is there. `..` goes up from where
 * a link leads, as the system does it; asked for the whole path at once, Bun would go by its letters.
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
 * The same for a path without `..`. A link that leads nowhere yet is followed all the same: its target may appear a
 * moment later.
 * @param {string} absolute
 * @param {number} links how many have been followed already
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
 * Where a link leads; nothing for what is no link, or can't be looked at.
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
 * Whether a path is a directory's own or leads into it.
 * @param {string} file absolute
 * @param {string} directory absolute
 */
export function isBelow(file, directory) {
  return file === directory || file.startsWith(`${directory}${path.sep}`);
}
