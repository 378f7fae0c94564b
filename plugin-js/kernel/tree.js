/**
 * The tree id of a project's files: equal where, and only where, the files are. What was checked and what was approved is
 * bound to it.
 *
 * In a git repository it is the id of a git tree (repository.js), without git the digest of a manifest (manifest.js). The
 * whole repository counts, for a check of one package may read another. What is named as ours doesn't.
 */
import { realpathSync } from "node:fs";
import path from "node:path";
import { GitError, git } from "./git.js";
import { Manifests } from "./manifest.js";
import { Repository } from "./repository.js";
import { stampsOf, touchedSince } from "./stamps.js";

/**
 * @typedef {{id: string, kind: "git" | "manifest"}} Tree
 * @typedef {{path: string, status: string}} Change `A`dded, `D`eleted, `M`odified or of another `T`ype; the path is from
 *   the root of the tree on, with `/`
 */

/** @typedef {{path: string, isLink: boolean}} Listed a file of a tree, from its root on */

/**
 * @typedef {object} Source what a copy was made of
 * @property {string} top absolute: the root of the tree
 * @property {string} inside where the project is below it
 * @property {Listed[]} files what the copy holds
 * @property {() => Promise<string[]>} ignored what git ignores, directories as a whole, from the root of the tree
 */

/** Where indexes, objects and manifests are kept, in the directory of a run. */
const FOLDER = "tree";

export class Trees {
  #project;
  #store;
  #leftOut;
  /** @type {Repository | Manifests | undefined} */
  #source;
  /** One look at a time. @type {Promise<unknown>} */
  #looking = Promise.resolve();

  /**
   * @param {object} where
   * @param {string} where.project absolute
   * @param {{readonly folder: import("./door.js").Folder}} where.store the run's
   * @param {string[]} where.leftOut absolute: directories that don't count, ours
   */
  constructor({ project, store, leftOut }) {
    this.#project = project;
    this.#store = store;
    this.#leftOut = leftOut;
  }

  /**
   * The files as they are now. Rejects with a `GitError`, or the system's error, where that can't be told.
   * @returns {Promise<Tree>}
   */
  take() {
    return this.#inTurn(async () => {
      const { source, folder } = await this.#open();
      return { id: await source.take(folder), kind: source.kind };
    });
  }

  /**
   * What is different in the second of two trees.
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
   * What leads from one tree to another, as `git apply` takes it.
   * @param {string} from
   * @param {string} to
   * @returns {Promise<{top: string, patch: Buffer | null}>} `top`, absolute: where it applies; the patch is empty where nothing differs, or
   *   there is no git; null if one of the trees is no longer known
   */
  patch(from, to) {
    return this.#inTurn(async () => {
      const { source, folder } = await this.#open();
      return { top: source.top, patch: await source.patch(folder, from, to) };
    });
  }

  /**
   * What git ignores, directories as a whole.
   * @returns {Promise<{top: string, ignored: string[]}>} from the root of the tree, which is absolute
   */
  ignored() {
    return this.#inTurn(async () => {
      const { source } = await this.#open();
      return { top: source.top, ignored: await source.ignored() };
    });
  }

  /**
   * Lays the files of a tree into a directory. Rejects with a `GitError`, a `CopyError` or the system's error where it can't.
   * @param {string} tree
   * @param {string} root absolute: empty
   * @param {(untracked: string[]) => string[]} keptBack which of the files that git doesn't track are left out
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
   * Has files be in a directory as they are in a tree: those that it doesn't have go.
   * @param {string} tree
   * @param {string[]} paths from the root of the tree
   * @param {string} root absolute: with the files of another tree
   */
  layPaths(tree, paths, root) {
    return this.#inTurn(async () => {
      const { source, folder } = await this.#open();
      await source.layPaths(folder, tree, paths, root);
    });
  }

  /**
   * The files of a tree, but for the commits of other repositories that it names.
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
   * Which files of a directory aren't what they are in a tree: somebody may have changed them while they were laid, or what they are
   * laid from.
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
   * When the files of a tree were touched last where the project is.
   * @param {string} tree
   */
  async stamps(tree) {
    const files = await this.files(tree);
    const { source } = await this.#open();
    return stampsOf(source.top, files);
  }

  /**
   * The files of the project that were touched since.
   * @param {import("./stamps.js").Stamps} before
   */
  async touchedSince(before) {
    const { source } = await this.#open();
    return touchedSince(source.top, before);
  }

  /**
   * What a file holds in a tree.
   * @param {string} tree
   * @param {string} file from the root of the tree
   * @returns {Promise<string | null | undefined>} null if the tree doesn't have it; undefined where nobody knows any more
   */
  text(tree, file) {
    return this.#inTurn(async () => {
      const { source, folder } = await this.#open();
      return source.text(folder, tree, file);
    });
  }

  /** Absolute, without links: the root of its trees. */
  async top() {
    return realpathSync((await this.#open()).source.top);
  }

  /**
   * These paths of its trees, from the project on.
   * @param {string[]} files from the root of the tree
   */
  async fromProject(files) {
    const inside = path.relative(await this.top(), realpathSync(this.#project)).replaceAll("\\", "/");
    return files.map((file) => path.posix.relative(inside, file));
  }

  async #open() {
    // A run's directory gets another name when it gets its own.
    await this.#store.folder.makeFolder(FOLDER);
    const folder = this.#store.folder.folder(FOLDER).path;
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
 * The repository around a project; undefined where there is no git, or none that knows the project.
 * @param {string} project absolute
 * @param {string[]} leftOut absolute
 */
async function repositoryOf(project, leftOut) {
  try {
    const repository = await Repository.open(project, leftOut);
    // A project that the repository around it ignores would have no files at all.
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
    // At the root of a repository the question makes no sense to git.
    if (error instanceof GitError && (error.code === 1 || error.code === 128)) return false;
    throw error;
  }
}
