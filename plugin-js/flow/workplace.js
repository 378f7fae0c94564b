/**
 * Where a session's workers work: in the project, or in the session's lane once it has one.
 */
import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { DesignLabError } from "../core/load.js";
import { isBelow } from "../kernel/real-path.js";
import { Trees } from "../kernel/tree.js";
import { keptIn, laneOf } from "./lane.js";

/** Where the lane's index and objects are kept, in the session's directory. */
const LANE = "lane";

/**
 * @typedef {{directory: string, trees: Trees}} Place the project's directory there, absolute, and its trees
 * @typedef {Place & import("./request.js").Lane} Lane
 */

/**
 * The lane at a place.
 * @param {object} where
 * @param {string} where.root absolute
 * @param {Place} where.of the project
 * @param {{readonly folder: import("../kernel/door.js").Folder}} where.store of the lane's session
 * @param {string[]} where.leftOut absolute: our own directories in the project
 * @returns {Promise<Lane>}
 */
export async function laneIn({ root, of: { directory: project, trees: ofProject }, store, leftOut }) {
  const [top, real] = [await ofProject.top(), realpathSync(project)];
  const directory = path.join(root, path.relative(top, real));
  const inLane = (/** @type {string} */ place) =>
    path.join(directory, path.relative(isBelow(place, project) ? project : real, place));
  const ours = leftOut.map(inLane);
  const trees = new Trees({ project: directory, store, leftOut: ours, name: LANE });
  return { root, directory, trees, kept: keptIn({ root, directory, leftOut: ours }) };
}

export class Workplace {
  #core;
  #handle;
  #store;
  #leftOut;
  /** @type {Lane | undefined} */
  #lane;
  /** The project itself. @type {Place} */
  project;

  /**
   * @param {object} session
   * @param {import("../core/flow.js").FlowCore} session.core
   * @param {number} session.handle
   * @param {string} session.project absolute
   * @param {{readonly folder: import("../kernel/door.js").Folder}} session.store
   * @param {string[]} session.leftOut absolute: our own directories in the project
   */
  constructor({ core, handle, project, store, leftOut }) {
    this.#core = core;
    this.#handle = handle;
    this.#store = store;
    this.#leftOut = leftOut;
    this.project = { directory: project, trees: new Trees({ project, store, leftOut }) };
  }

  /** The root of the session's lane, whether it exists or not; absolute. */
  get root() {
    return laneOf(this.project.directory, path.basename(this.#store.folder.path));
  }

  /** The lane if the workers are there now and it was looked at; its directory may be gone. @returns {Lane | undefined} */
  get entered() {
    return this.#core.hasLane(this.#handle) ? this.#lane : undefined;
  }

  /**
   * The lane if the workers are there now. Throws a `DesignLabError` if it could not be found.
   * @returns {Lane | undefined}
   */
  get lane() {
    if (this.#core.hasLane(this.#handle) && !this.#lane) throw this.#gone();
    return this.entered;
  }

  /** Where the workers work now. Rejects with a `DesignLabError` if the lane is gone. @returns {Promise<Place>} */
  async here() {
    if (!this.#core.hasLane(this.#handle)) return this.project;
    this.#lane ??= await this.#enter();
    return this.#lane;
  }

  /**
   * The lane's trees and the current one, which the project's trees can read then, with what is in repositories inside the lane.
   * @returns {Promise<{trees: Trees, tree: string}>}
   */
  async readable() {
    const { trees } = await this.here();
    const { id: tree } = await trees.take();
    if (trees !== this.project.trees) await this.project.trees.readAlso(await trees.objects());
    return { trees, tree };
  }

  /** @returns {Promise<Lane>} */
  async #enter() {
    const { root } = this;
    if (!existsSync(path.join(root, ".git"))) throw this.#gone();
    const lane = await laneIn({ root, of: this.project, store: this.#store, leftOut: this.#leftOut });
    await this.project.trees.readAlso(await lane.trees.objects());
    return lane;
  }

  /**
   * A path that a model names, in the lane: models name files by their paths in the project.
   * @param {string} given
   * @returns {Promise<string>} the same outside of the project, and if there is no lane
   */
  async inLane(given) {
    const place = await this.here();
    if (place === this.project || !path.isAbsolute(given)) return given;
    const { directory, trees } = this.project;
    const top = await trees.top();
    const named = path.resolve(given);
    // The path of a project may contain a link.
    if (isBelow(named, directory)) return path.join(place.directory, path.relative(directory, named));
    return isBelow(named, top) ? path.join(this.root, path.relative(top, named)) : given;
  }

  #gone() {
    return new DesignLabError([this.#core.laneGone(this.root)]);
  }
}
