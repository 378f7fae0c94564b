/**
 * On which files of the project each pass runs, and which of them change while it does. What follows from it the core decides.
 */

/**
 * @typedef {import("../core/types.js").ValidationFilesSeen} FilesSeen
 * @typedef {import("../core/types.js").ValidationPaths} Paths
 */

/** How many paths are told (src/validation/protocol.rs). */
const MOST = 1_000;

export class Versions {
  #trees;
  /** What there was when somebody looked last in this process. @type {string | undefined} */
  #last;
  /** What has changed since then. @type {Set<string>} */
  #changing = new Set();

  /** @param {import("../kernel/tree.js").Trees} trees of the run */
  constructor(trees) {
    this.#trees = trees;
  }

  /** The servers are about to end and to start. */
  async look() {
    this.#changing.clear();
    this.#last = await this.#take().catch(() => undefined);
  }

  /**
   * A pass begins.
   * @param {string} [since] the tree that its files are compared with
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
   * It has ended.
   * @returns {Promise<Paths | undefined>} what has changed since the pass before, or since the servers started; undefined where nobody can
   *   tell
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

  /** @param {string} tree as it is now */
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
