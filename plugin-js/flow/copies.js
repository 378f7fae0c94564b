/**
 * Copies of a project's files: directories that hold only the files of one tree, in which commands run again. A copy is outside
 * the project (temporary.js), and is removed afterwards. The reviewer's copy is in the session's directory, where its tools may
 * read.
 *
 * A copy is a repository of its own, so that nothing in it reaches the user's repository: whatever a package's installation
 * sets up there is removed with it. Files that the user's repository doesn't track and that look like secrets are left out.
 *
 * A copy is frozen: any write to one of its files is detected, even if the file's content is the same afterwards (stamps.js).
 */
import { existsSync, lstatSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { Folder } from "../kernel/door.js";
import { git } from "../kernel/git.js";
import { CopyError } from "../kernel/manifest.js";
import { isBelow, locate } from "../kernel/real-path.js";
import { sealOf, stampsOf, touchedSince } from "../kernel/stamps.js";
import { linkable, linkTo } from "./links.js";
import { withTemporary } from "./temporary.js";

/**
 * @typedef {import("../core/types.js").FlowOverlay} Overlay
 * @typedef {object} Copy
 * @property {string} top absolute: the root of the tree that it is a copy of
 * @property {string} root absolute: its own
 * @property {string} directory absolute: the project's directory in it
 * @property {string[]} linked what git ignores and the copy has as links; relative to the root of the tree, sorted
 * @property {string[]} outside links of the tree that lead out of it and that the copy lacks
 * @property {() => string[]} touched the files that were touched since it was frozen, sorted
 * @property {(file: string, text: string) => boolean} alter replaces a file's text until the next freeze; false if there is no
 *   such file
 * @property {(file: string, text: string) => Promise<"free" | "same" | "other">} add adds a file if there is none; returns what
 *   was there
 * @property {(file: string) => Promise<void>} remove removes a file that was added
 * @property {() => Promise<void>} freeze restores its files to what they are in the tree, whoever changed them since
 *
 * @typedef {(untracked: string[]) => string[]} KeptBack returns which of the files that git doesn't track are left out of copies
 */

/** Where the reviewer's copy is kept, in the session's directory. */
const REVIEWED = "review";

/** Searches skip `.flow`, but a reviewer's searches start inside it and must find the files. */
const SEARCHED = "# Written by Flow for the reviewer's searches.\n!*\n";

/**
 * Makes a copy, runs an action in it, and removes it.
 * @template T
 * @param {object} wanted
 * @param {import("../kernel/tree.js").Trees} wanted.trees
 * @param {Folder} wanted.session
 * @param {string} wanted.tree
 * @param {Overlay} wanted.over
 * @param {string[]} wanted.link
 * @param {KeptBack} wanted.keptBack
 * @param {(copy: Copy) => Promise<T>} use
 * @returns {Promise<T>} rejects with a `GitError`, a `CopyError` or the system's error if no copy can be made
 */
export async function withCopy({ trees, session, tree, over, link, keptBack }, use) {
  return withTemporary(session, "copy", async (root) => {
    const folder = new Folder(root);
    const source = await trees.lay(tree, root, keptBack);
    const { files, outside } = withoutLinksOut(source, root);
    const parts = await layOver(trees, { tree, files }, over, root, folder);
    await git(root, ["init", "-q", "--template="]);
    const linked = await linkInto(root, source.top, await source.ignored(), link);
    const frozen = new Frozen(trees, root, parts);
    await frozen.freeze();
    return use({
      top: source.top,
      root,
      directory: path.join(root, source.inside),
      linked,
      outside,
      touched: () => frozen.touched(),
      alter: (file, text) => alter(path.join(root, file), text),
      add: (file, text) => add(root, folder, file, text),
      remove: (file) => rm(path.join(root, file), { force: true }),
      freeze: () => frozen.freeze(),
    });
  });
}

/**
 * Writes the files of a tree to the directory that a reviewer's tools read.
 * @param {object} wanted
 * @param {import("../kernel/tree.js").Trees} wanted.trees
 * @param {Folder} wanted.session
 * @param {string} wanted.tree
 * @param {KeptBack} wanted.keptBack
 * @returns {Promise<string>} its seal; rejects like {@link withCopy}
 */
export async function layForReview({ trees, session, tree, keptBack }) {
  await removeReviewed(session);
  await session.makeFolder(REVIEWED);
  await session.folder(REVIEWED).write(".ignore", SEARCHED);
  const root = reviewedCopy(session);
  await mkdir(root);
  const { files } = withoutLinksOut(await trees.lay(tree, root, keptBack), root);
  const seal = sealOf(root);
  refuse(await trees.unlike(tree, files, root));
  return seal;
}

/**
 * Removes links that lead out of a copy: their targets aren't content of the tree, and may change at any time.
 * @param {import("../kernel/tree.js").Source} source
 * @param {string} root absolute: of the copy
 */
function withoutLinksOut({ files }, root) {
  const { real } = locate(root);
  const leadsOut = (/** @type {string} */ file) => !isBelow(locate(path.join(root, file)).real, real);
  const outside = files.filter(({ path: file, isLink }) => isLink && leadsOut(file)).map((file) => file.path);
  for (const file of outside) rmSync(path.join(root, file), { force: true });
  return { files: files.map((file) => file.path).filter((file) => !outside.includes(file)), outside };
}

/** The absolute path of the reviewer's copy: the root of its tree. @param {Folder} session */
export function reviewedCopy(session) {
  return path.join(session.path, REVIEWED, "files");
}

/**
 * Whether the reviewer's copy differs from what was written there.
 * @param {Folder} session
 * @param {string} seal
 */
export function isUnsealed(session, seal) {
  const root = reviewedCopy(session);
  return !existsSync(root) || sealOf(root) !== seal;
}

/** @param {Folder} session */
export async function removeReviewed(session) {
  await rm(path.join(session.path, REVIEWED), { recursive: true, force: true, maxRetries: 3 });
}

/**
 * @param {string} file absolute
 * @param {string} text
 */
function alter(file, text) {
  // Through a link, another file would be changed.
  if (!lstatSync(file, { throwIfNoEntry: false })?.isFile()) return false;
  writeFileSync(file, text);
  return true;
}

/**
 * What is at a place; undefined if nothing can be there, for example because a name is too long.
 * @param {string} file absolute
 */
function statusOf(file) {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) ?? "nothing";
  } catch {
    return undefined;
  }
}

/**
 * @param {string} root absolute
 * @param {Folder} copy the same directory
 * @param {string} file relative to the root
 * @param {string} text
 */
async function add(root, copy, file, text) {
  // Through a link, the file would be written elsewhere; if a file has the name of its directory, it can't be written at all.
  const above = file.split("/").slice(0, -1);
  for (const index of above.keys()) {
    const parent = statusOf(path.join(root, ...above.slice(0, index + 1)));
    if (parent === "nothing") break;
    if (!parent?.isDirectory()) return "other";
  }
  const absolute = path.join(root, file);
  const there = statusOf(absolute);
  if (!there) return "other";
  if (there !== "nothing")
    return there.isFile() && readFileSync(absolute, "utf8") === text ? "same" : "other";
  await copy.write(file, text);
  return "free";
}

/** A part of a copy: some files of one tree. @typedef {{tree: string, files: string[]}} Part */

class Frozen {
  #trees;
  #root;
  #parts;
  #stamps;

  /**
   * @param {import("../kernel/tree.js").Trees} trees
   * @param {string} root absolute
   * @param {Part[]} parts
   */
  constructor(trees, root, parts) {
    this.#trees = trees;
    this.#root = root;
    this.#parts = parts;
    this.#stamps = this.#look();
  }

  touched() {
    return touchedSince(this.#root, this.#stamps);
  }

  /** Restores touched files. A later change to a file shows in its stamp, an earlier one in its content. */
  async freeze() {
    const touched = new Set(this.touched());
    for (const { tree, files } of this.#parts) {
      const again = files.filter((file) => touched.has(file));
      if (again.length > 0) await this.#trees.layPaths(tree, again, this.#root);
    }
    this.#stamps = this.#look();
    for (const { tree, files } of this.#parts) refuse(await this.#trees.unlike(tree, files, this.#root));
  }

  #look() {
    return stampsOf(
      this.#root,
      this.#parts.flatMap(({ files }) => files),
    );
  }
}

/** @param {string[]} unlike files of a copy that differ from the tree */
function refuse(unlike) {
  if (unlike.length > 0) throw new CopyError(`${unlike[0]} was changed while the copy was made`);
}

/**
 * @param {import("../kernel/tree.js").Trees} trees
 * @param {Part} laid what the copy contains before
 * @param {Overlay} over
 * @param {string} root absolute: of the copy
 * @param {Folder} folder the same directory
 * @returns {Promise<Part[]>} what it contains afterwards, without a reviewer's file
 */
async function layOver(trees, laid, over, root, folder) {
  switch (over.overlay) {
    case "nothing":
      return [laid];
    case "paths": {
      await trees.layPaths(over.tree, over.paths, root);
      const there = new Set(await trees.files(over.tree));
      const below = { tree: laid.tree, files: laid.files.filter((file) => !over.paths.includes(file)) };
      return [below, { tree: over.tree, files: over.paths.filter((file) => there.has(file)) }];
    }
    case "file":
      // The file that shows a finding must be new: replacing one of the project's files would test a different project.
      if ((await add(root, folder, over.path, over.text)) !== "free")
        throw new CopyError(`${over.path} already exists; a reproducer must be a new file`);
      return [laid];
  }
}

/**
 * Links paths that git ignores into a copy.
 * @param {string} root absolute: of the copy
 * @param {string} top absolute: the root of the copy's source
 * @param {string[]} ignored relative to the top
 * @param {string[]} wanted by name or path
 */
async function linkInto(root, top, ignored, wanted) {
  const linked = linkable(ignored, wanted)
    // A workspace package whose directory isn't in the tree needs no link.
    .filter((name) => existsSync(path.dirname(path.join(root, name))))
    .filter((name) => !existsSync(path.join(root, name)));
  for (const name of linked) await linkTo(path.join(top, name), path.join(root, name));
  return linked;
}
