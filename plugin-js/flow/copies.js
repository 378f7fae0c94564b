/**
 * Copies of a project's files: a directory that holds the files of one tree and nothing else, in which commands run again.
 * It lies in the session's directory and is gone when they are done; what a process that was killed left is swept.
 *
 * A copy is a repository of its own, so that nothing in it reaches the user's: what a package's installation sets up there
 * goes with it. Files that the user's repository doesn't track and that look like secrets stay out of it.
 *
 * A copy is frozen: whoever writes to one of its files is seen, even where the file holds the same again (stamps.js).
 */
import { existsSync, lstatSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { mkdir, rm, symlink } from "node:fs/promises";
import path from "node:path";
import { Folder } from "../kernel/door.js";
import { git } from "../kernel/git.js";
import { CopyError } from "../kernel/manifest.js";
import { isBelow, locate } from "../kernel/real-path.js";
import { sealOf, stampsOf, touchedSince } from "../kernel/stamps.js";
import { linkable } from "./links.js";

/**
 * @typedef {import("../core/types.js").FlowOverlay} Overlay
 * @typedef {object} Copy
 * @property {string} top absolute: the root of the tree that it is a copy of
 * @property {string} root absolute: its own
 * @property {string} directory absolute: where the project is in it
 * @property {string[]} linked what git ignores and it has by a link, from the root of the tree, sorted
 * @property {string[]} outside links of the tree that lead out of it, and that the copy lacks
 * @property {() => string[]} touched the files that were touched since it was frozen, sorted
 * @property {(file: string, text: string) => boolean} alter gives a file another text until its next freezing; false where it is none
 * @property {(file: string, text: string) => Promise<"free" | "same" | "other">} add adds a file where there is none; tells what was there
 * @property {(file: string) => Promise<void>} remove removes a file that was added
 * @property {() => Promise<void>} freeze has its files be what they are in the tree again, whoever changed them since
 *
 * @typedef {(untracked: string[]) => string[]} KeptBack which of the files that git doesn't track stay out of copies
 */

/** Where copies are, in the session's directory. */
const FOLDER = "copies";

/** Where the copy is that a reviewer reads, in the session's directory. */
const REVIEWED = "review";

/** Searches leave out what lies in `.flow`, but not what a reviewer's begin in. */
const SEARCHED = "# Written by Flow for the reviewer's searches.\n!*\n";

/** Removes what was left of copies. @param {Folder} session */
export async function sweepCopies(session) {
  await rm(path.join(session.path, FOLDER), { recursive: true, force: true, maxRetries: 3 });
}

/**
 * Makes a copy, has something done in it, and removes it.
 * @template T
 * @param {object} wanted
 * @param {import("../kernel/tree.js").Trees} wanted.trees
 * @param {Folder} wanted.session
 * @param {string} wanted.name of the copy
 * @param {string} wanted.tree
 * @param {Overlay} wanted.over
 * @param {string[]} wanted.link
 * @param {KeptBack} wanted.keptBack
 * @param {(copy: Copy) => Promise<T>} use
 * @returns {Promise<T>} rejects with a `GitError`, a `CopyError` or the system's error where there can be no copy
 */
export async function withCopy({ trees, session, name, tree, over, link, keptBack }, use) {
  await session.makeFolder(FOLDER);
  const copies = session.folder(FOLDER);
  const root = path.join(copies.path, name);
  try {
    await rm(root, { recursive: true, force: true });
    await mkdir(root);
    const source = await trees.lay(tree, root, keptBack);
    const { files, outside } = withoutLinksOut(source, root);
    const parts = await layOver(trees, { tree, files }, over, root, copies.folder(name));
    await git(root, ["init", "-q", "--template="]);
    const linked = await linkInto(root, source.top, await source.ignored(), link);
    const frozen = new Frozen(trees, root, parts);
    await frozen.freeze();
    return await use({
      top: source.top,
      root,
      directory: path.join(root, source.inside),
      linked,
      outside,
      touched: () => frozen.touched(),
      alter: (file, text) => alter(path.join(root, file), text),
      add: (file, text) => add(root, copies.folder(name), file, text),
      remove: (file) => rm(path.join(root, file), { force: true }),
      freeze: () => frozen.freeze(),
    });
  } finally {
    await rm(root, { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * Lays the files of a tree where the tools of a reviewer read them.
 * @param {object} wanted
 * @param {import("../kernel/tree.js").Trees} wanted.trees
 * @param {Folder} wanted.session
 * @param {string} wanted.tree
 * @param {KeptBack} wanted.keptBack
 * @returns {Promise<string>} its seal; rejects as {@link withCopy} does
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
 * Removes links from a copy that lead out of it: what is there is no content of the tree, and may be another thing tomorrow.
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

/** The copy that a reviewer reads: absolute, the root of its tree. @param {Folder} session */
export function reviewedCopy(session) {
  return path.join(session.path, REVIEWED, "files");
}

/**
 * Whether the copy that a reviewer reads isn't as it was laid.
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
  // A link would have another file altered.
  if (!lstatSync(file, { throwIfNoEntry: false })?.isFile()) return false;
  writeFileSync(file, text);
  return true;
}

/**
 * @param {string} root absolute
 * @param {Folder} copy the same
 * @param {string} file from the root
 * @param {string} text
 */
async function add(root, copy, file, text) {
  // A link would have it lie elsewhere, and a file in the place of its directory have it lie nowhere.
  const above = file.split("/").slice(0, -1);
  for (const index of above.keys()) {
    const parent = lstatSync(path.join(root, ...above.slice(0, index + 1)), { throwIfNoEntry: false });
    if (parent === undefined) break;
    if (!parent.isDirectory()) return "other";
  }
  const absolute = path.join(root, file);
  const there = lstatSync(absolute, { throwIfNoEntry: false });
  if (there) return there.isFile() && readFileSync(absolute, "utf8") === text ? "same" : "other";
  await copy.write(file, text);
  return "free";
}

/** What a copy holds: of which tree which files. @typedef {{tree: string, files: string[]}} Part */

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

  /** Who changes a file from here on is seen by its stamp, who did before by what it holds. */
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

/** @param {string[]} unlike files of a copy that aren't what they are in the tree */
function refuse(unlike) {
  if (unlike.length > 0) throw new CopyError(`${unlike[0]} was changed while the copy was made`);
}

/**
 * @param {import("../kernel/tree.js").Trees} trees
 * @param {Part} laid what the copy holds before
 * @param {Overlay} over
 * @param {string} root absolute: of the copy
 * @param {Folder} folder the same
 * @returns {Promise<Part[]>} what it holds then, but for what a reviewer wrote
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
      // What shows a finding is added: in the place of a file of the project's it would be another project that is tested.
      if ((await add(root, folder, over.path, over.text)) !== "free")
        throw new CopyError(`${over.path} already exists; a reproducer must be a new file`);
      return [laid];
  }
}

/**
 * Links what git ignores into a copy.
 * @param {string} root absolute: of the copy
 * @param {string} top absolute: of what it is a copy of
 * @param {string[]} ignored from the top on
 * @param {string[]} wanted by name or path
 */
async function linkInto(root, top, ignored, wanted) {
  const linked = linkable(ignored, wanted)
    // A package of a workspace whose directory the tree doesn't have needs none.
    .filter((name) => existsSync(path.dirname(path.join(root, name))))
    .filter((name) => !existsSync(path.join(root, name)));
  for (const name of linked) {
    const target = path.join(top, name);
    await symlink(target, path.join(root, name), statSync(target).isDirectory() ? "junction" : "file");
  }
  return linked;
}
