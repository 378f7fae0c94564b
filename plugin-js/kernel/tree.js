/**
 * The tree id of a project's files: equal if and only if the files are equal. Checks and approvals are bound to it.
 *
 * In a git repository it is the id of a git tree (repository.js); without git, the digest of a manifest (manifest.js). It
 * covers the whole repository, because a check of one package may read another. Our own directories are left out.
 */
import { realpathSync } from "node:fs";
import path from "node:path";
import { GitError, git } from "./git.js";
import { CopyError, Manifests } from "./manifest.js";
import { Repository } from "./repository.js";
import { stampsOf, touchedSince } from "./stamps.js";

/**
 * @typedef {{id: string, kind: "git" | "manifest"}} Tree
 * @typedef {{path: string, status: string}} Change `A`dded, `D`eleted, `M`odified or of another `T`ype; the path is from
 *   the root of the tree on, with `/`
 */

/** @typedef {{path: string, isLink: boolean}} Listed a file of a tree; its path is relative to the root */

/**
 * @typedef {object} Source the source of a copy
 * @property {string} top absolute: the root of the tree
 * @property {string} inside the project's path below `top`
 * @property {Listed[]} files the files in the copy
 * @property {() => Promise<string[]>} ignored the paths that git ignores, directories as a whole, relative to the root of the tree
 */

/** Where indexes, objects and manifests are kept, in a run's directory. */
const FOLDER = "tree";

export class Trees {
  #project;
  #store;
  #leftOut;
  #name;
  /** @type {Repository | Manifests | undefined} */
  #source;
  /** Calls run one at a time. @type {Promise<unknown>} */
  #looking = Promise.resolve();

  /**
   * @param {object} where
   * @param {string} where.project absolute
   * @param {{readonly folder: import("./door.js").Folder}} where.store the run's store
   * @param {string[]} where.leftOut absolute: files and directories that are left out
   * @param {string} [where.name] of the directory for our own files, in the run's directory
   */
  constructor({ project, store, leftOut, name = FOLDER }) {
    this.#project = project;
    this.#store = store;
    this.#leftOut = leftOut;
    this.#name = name;
  }

  /**
   * Takes the id of the files as they are now. Rejects with a `GitError` or the system's error if it can't be determined.
   * @returns {Promise<Tree>}
   */
  take() {
    return this.#inTurn(async () => {
      const { source, folder } = await this.#open();
      return { id: await source.take(folder), kind: source.kind };
    });
  }

  /**
   * The changes from the first tree to the second.
   * @param {string} before
   * @param {string} after
   * @returns {Promise<Change[] | null>} by path; null if one of the trees is no longer known
   */
  changed(before, after) {
    return this.#inTurn(async () => {
      if (before === after) return [];
      const { source, folder } = await this.#open();
      return source.changed(folder, before, after);
    });
  }

  /**
   * The patch from one tree to another, in the format that `git apply` reads.
   * @param {string} from
   * @param {string} to
   * @returns {Promise<{top: string, patch: Buffer | null}>} `top`, absolute: where the patch applies; the patch is empty if
   *   nothing differs or there is no git; null if one of the trees is no longer known
   */
  patch(from, to) {
    return this.#inTurn(async () => {
      const { source, folder } = await this.#open();
      return { top: source.top, patch: await source.patch(folder, from, to) };
    });
  }

  /**
   * The paths that git ignores; an ignored directory is listed as a whole.
   * @returns {Promise<{top: string, ignored: string[]}>} relative to the root of the tree, which is absolute
   */
  ignored() {
    return this.#inTurn(async () => {
      const { source } = await this.#open();
      return { top: source.top, ignored: await source.ignored() };
    });
  }

  /**
   * Writes the files of a tree into a directory. Rejects with a `GitError`, a `CopyError` or the system's error on failure.
   * @param {string} tree
   * @param {string} root absolute: empty
   * @param {(untracked: string[]) => string[]} keptBack returns which of the files that git doesn't track are left out
   * @returns {Promise<Source>}
   */
  lay(tree, root, keptBack) {
    return this.#inTurn(async () => {
      const { source, folder } = await this.#open();
      const out = await source.lay(folder, tree, root, keptBack);
      const files = (await source.files(folder, tree)).filter((file) => !out.has(file.path));
      const { top } = source;
      const inside = path.relative(top, realpathSync(this.#project));
      return { top, inside, files, ignored: () => source.ignored() };
    });
  }

  /**
   * Makes a repository of a directory that holds the files of a tree: they are its first commit. It shares objects with the
   * project, and nothing in it reaches the project's repository. Rejects with a `CopyError` if the project has none.
   * @param {string} tree
   * @param {string} root absolute: where the tree was laid
   */
  plant(tree, root) {
    return this.#inTurn(async () => {
      const { source, folder } = await this.#open();
      if (source.kind !== "git") throw new CopyError("the project is not in a git repository");
      await source.plant(folder, tree, root);
    });
  }

  /**
   * Lets this repository read the objects of another, for example to merge its trees.
   * @param {string[]} objects absolute: object directories
   */
  readAlso(objects) {
    return this.#inTurn(async () => {
      const { source, folder } = await this.#open();
      if (source.kind === "git") await source.readAlso(folder, objects);
    });
  }

  /**
   * Copies the objects of other repositories, so that their trees can be read here whatever becomes of them.
   * @param {string[]} objects absolute: object directories
   */
  adopt(objects) {
    return this.#inTurn(async () => {
      const { source, folder } = await this.#open();
      if (source.kind === "git") await source.adopt(folder, objects);
    });
  }

  /** The directories of the objects that its trees consist of, its own first. @returns {Promise<string[]>} absolute */
  objects() {
    return this.#inTurn(async () => {
      const { source, folder } = await this.#open();
      return source.kind === "git" ? source.objectDirectories(folder) : [];
    });
  }

  /**
   * Merges two trees that were made from a third.
   * @param {string} base
   * @param {string} ours
   * @param {string} theirs
   * @returns {Promise<{tree: string, conflicts: string[]}>} the merged tree, and the paths in conflict, sorted
   */
  merge(base, ours, theirs) {
    return this.#inTurn(async () => {
      const { source, folder } = await this.#open();
      if (source.kind !== "git") throw new CopyError("the project is not in a git repository");
      return source.merge(folder, { base, ours, theirs });
    });
  }

  /**
   * Makes files in a directory match a tree; files that the tree doesn't have are removed.
   * @param {string} tree
   * @param {string[]} paths from the root of the tree
   * @param {string} root absolute: holds the files of another tree
   */
  layPaths(tree, paths, root) {
    return this.#inTurn(async () => {
      const { source, folder } = await this.#open();
      await source.layPaths(folder, tree, paths, root);
    });
  }

  /**
   * The files of a tree, without the commits of other repositories that it names.
   * @param {string} tree
   * @returns {Promise<string[]>} from the root of the tree
   */
  files(tree) {
    return this.#inTurn(async () => {
      const { source, folder } = await this.#open();
      return (await source.files(folder, tree)).map((file) => file.path);
    });
  }

  /**
   * Returns the files in a directory that differ from a tree: another process may have changed them, or their source, while
   * they were being written.
   * @param {string} tree
   * @param {string[]} files from the root of the tree
   * @param {string} root absolute
   * @returns {Promise<string[]>}
   */
  unlike(tree, files, root) {
    return this.#inTurn(async () => {
      const { source, folder } = await this.#open();
      return source.unlike(folder, tree, files, root);
    });
  }

  /**
   * The stamps of a tree's files in the project's working directory.
   * @param {string} tree
   */
  async stamps(tree) {
    const files = await this.files(tree);
    const { source } = await this.#open();
    return stampsOf(source.top, files);
  }

  /**
   * The files of the project that were touched since the stamps were taken.
   * @param {import("./stamps.js").Stamps} before
   */
  async touchedSince(before) {
    const { source } = await this.#open();
    return touchedSince(source.top, before);
  }

  /**
   * The content of a file in a tree.
   * @param {string} tree
   * @param {string} file from the root of the tree
   * @returns {Promise<string | null | undefined>} null if the tree doesn't have it; undefined if the content was not kept
   */
  text(tree, file) {
    return this.#inTurn(async () => {
      const { source, folder } = await this.#open();
      return source.text(folder, tree, file);
    });
  }

  /** The root of its trees: absolute, with links resolved. */
  async top() {
    return realpathSync((await this.#open()).source.top);
  }

  /**
   * Converts paths of its trees to paths relative to the project.
   * @param {string[]} files from the root of the tree
   */
  async fromProject(files) {
    const inside = path.relative(await this.top(), realpathSync(this.#project)).replaceAll("\\", "/");
    return files.map((file) => path.posix.relative(inside, file));
  }

  async #open() {
    // A run's directory is renamed when the run claims its name.
    await this.#store.folder.makeFolder(this.#name);
    const folder = this.#store.folder.folder(this.#name).path;
    this.#source ??=
      (await repositoryOf(this.#project, this.#leftOut)) ?? new Manifests(this.#project, this.#leftOut);
    return { source: this.#source, folder };
  }

  /**
   * @template T
   * @param {() => Promise<T>} action
   * @returns {Promise<T>}
   */
  #inTurn(action) {
    const result = this.#looking.then(action);
    this.#looking = result.catch(() => {});
    return result;
  }
}

/**
 * The repository around a project; undefined if git isn't installed, or if no repository contains the project or all ignore it.
 * @param {string} project absolute
 * @param {string[]} leftOut absolute
 */
async function repositoryOf(project, leftOut) {
  try {
    const repository = await Repository.open(project, leftOut);
    // A project that its surrounding repository ignores would have no files at all.
    return (await isIgnored(project)) ? undefined : repository;
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    if (error.code === "ENOENT" || error.stderr.includes("not a git repository")) return undefined;
    throw error;
  }
}

/** @param {string} directory */
async function isIgnored(directory) {
  try {
    await git(directory, ["check-ignore", "-q", "."]);
    return true;
  } catch (error) {
    // Git rejects this question at the root of a repository.
    if (error instanceof GitError && (error.code === 1 || error.code === 128)) return false;
    throw error;
  }
}
