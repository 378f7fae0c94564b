/**
 * Finds out on which files of the project each pass runs, and which of them change meanwhile. The core decides what follows from it.
 */

/**
 * @typedef {import("../core/types.js").ValidationFilesSeen} FilesSeen
 * @typedef {import("../core/types.js").ValidationPaths} Paths
 */

/** The maximum number of paths that are reported (src/validation/protocol.rs). */
const MOST = 1_000;

export class Versions {
  #trees;
  /** The tree at the last look in this process. @type {string | undefined} */
  #last;
  /** The files that have changed since then. @type {Set<string>} */
  #changing = new Set();

  /** @param {import("../kernel/tree.js").Trees} trees of the run */
  constructor(trees) {
    this.#trees = trees;
  }

  /** Notes the files before the servers end and start. */
  async look() {
    this.#changing.clear();
    this.#last = await this.#take().catch(() => undefined);
  }

  /**
   * Notes the files when a pass starts.
   * @param {string} [since] the tree with which its files are compared
   * @returns {Promise<FilesSeen>}
   */
  async begin(since) {
    try {
      const tree = await this.#take();
      await this.#note(tree);
      const paths = since === undefined ? null : await this.#changed(since, tree);
      return { files: "tree", tree, changed: paths && listed(paths) };
    } catch (error) {
      this.#last = undefined;
      return { files: "untold", message: error instanceof Error ? error.message : String(error) };
    }
  }

  /**
   * Notes the files when a pass has ended.
   * @returns {Promise<Paths | undefined>} the files that have changed since the previous pass, or since the servers started; undefined
   *   if unknown
   */
  async end() {
    try {
      const isKnown = this.#last !== undefined;
      await this.#note(await this.#take());
      const paths = [...this.#changing].sort();
      this.#changing.clear();
      return isKnown ? listed(paths) : undefined;
    } catch {
      this.#last = undefined;
      return undefined;
    }
  }

  /** @param {string} tree the current tree */
  async #note(tree) {
    const paths = this.#last === undefined ? [] : await this.#changed(this.#last, tree);
    for (const path of paths ?? []) this.#changing.add(path);
    this.#last = tree;
  }

  async #take() {
    return (await this.#trees.take()).id;
  }

  /** @param {string} before @param {string} after */
  async #changed(before, after) {
    const changes = await this.#trees.changed(before, after);
    return changes && this.#trees.fromProject(changes.map(({ path }) => path));
  }
}

/** @param {string[]} paths @returns {Paths} */
function listed(paths) {
  return { paths: paths.slice(0, MOST), count: paths.length };
}
