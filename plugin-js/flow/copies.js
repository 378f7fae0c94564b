/**
 * Copies of a project's files: a directory that holds the files of one tree and nothing else, in which commands run once more.
 * It lies in the session's directory and is gone when they are done; what a process that was killed left is swept.
 *
 * A copy is a repository of its own, so that nothing in it reaches the user's: what a package's installation sets up there
 * goes with it. Files that the user's repository doesn't track and that look like secrets stay out of it.
 */
import { existsSync } from "node:fs";
import { mkdir, rm, symlink } from "node:fs/promises";
import path from "node:path";
import { Folder } from "../kernel/door.js";
import { git } from "../kernel/git.js";
import { CopyError } from "../kernel/manifest.js";

/**
 * @typedef {import("../core/types.js").FlowOverlay} Overlay
 * @typedef {object} Copy
 * @property {string} directory absolute: where the project is in it
 * @property {string[]} linked directories that it has by a link, from the root of the tree, sorted
 */

/** Where copies are, in the session's directory. */
const FOLDER = "copies";

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
 * @param {(untracked: string[]) => string[]} wanted.keptBack which of the files that git doesn't track stay out of copies
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
    await layOver(trees, over, root, copies.folder(name));
    await git(root, ["init", "-q", "--template="]);
    const linked = await linkInto(root, source.top, await source.ignored(), link);
    return await use({ directory: path.join(root, source.inside), linked });
  } finally {
    await rm(root, { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * @param {import("../kernel/tree.js").Trees} trees
 * @param {Overlay} over
 * @param {string} root absolute: of the copy
 * @param {Folder} folder the same
 */
async function layOver(trees, over, root, folder) {
  switch (over.overlay) {
    case "nothing":
      return;
    case "paths":
      return trees.layPaths(over.tree, over.paths, root);
    case "file":
      // What shows a finding is added: in the place of a file of the project's it would be another project that is tested.
      if (existsSync(path.join(root, over.path)))
        throw new CopyError(`${over.path} is a file of the project; a reproducer has to be a new one`);
      await folder.write(over.path, over.text);
  }
}

/** What OpenCode installs beside its configuration is none of the project's. @param {string} directory */
const isOpenCodes = (directory) => directory.split("/").includes(".opencode");

/**
 * Links directories that git ignores into a copy.
 * @param {string} root absolute: of the copy
 * @param {string} top absolute: of what it is a copy of
 * @param {string[]} ignored directories that git ignores, from the top on
 * @param {string[]} wanted by name or path
 */
async function linkInto(root, top, ignored, wanted) {
  const linked = ignored
    .filter(
      (directory) =>
        wanted.includes(directory) || (wanted.includes(path.basename(directory)) && !isOpenCodes(directory)),
    )
    // A package of a workspace whose directory the tree doesn't have needs none.
    .filter((directory) => existsSync(path.dirname(path.join(root, directory))))
    .filter((directory) => !existsSync(path.join(root, directory)))
    .sort();
  for (const directory of linked)
    await symlink(path.join(top, directory), path.join(root, directory), "junction");
  return linked;
}
