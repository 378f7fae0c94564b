/**
 * Makes a session's lane, and takes its result into the project: the files that differ are written one by one, each replaced at once,
 * after a patch that undoes all of it. The core decides what is taken (src/flow/lane.rs).
 */
import { existsSync, lstatSync } from "node:fs";
import { mkdir, rename, rm, rmdir } from "node:fs/promises";
import path from "node:path";
import { GitError } from "../kernel/git.js";
import { gitRecord } from "../kernel/git-record.js";
import { CopyError } from "../kernel/manifest.js";
import { keepPatch, pathsThatDiffer } from "./effects.js";
import { makeLane } from "./lane.js";

/**
 * @typedef {import("../core/types.js").FlowEffect} FlowEffect
 * @typedef {import("../core/types.js").FlowLaneMade} LaneMade
 * @typedef {import("../core/types.js").FlowWeighed} Weighed
 * @typedef {import("../core/types.js").FlowTaken} Taken
 */

/** Where the files of a take are laid before they replace the project's, in the session's directory. */
const STAGED = "taking";

export class Lanes {
  #workplace;
  #store;
  #enters;

  /**
   * @param {object} session
   * @param {import("./workplace.js").Workplace} session.workplace
   * @param {import("../kernel/store.js").Store} session.store
   * @param {(directory: string) => Promise<string | null>} session.enters loads the host there; returns why it can't work there
   */
  constructor({ workplace, store, enters }) {
    this.#workplace = workplace;
    this.#store = store;
    this.#enters = enters;
  }

  /**
   * @param {Extract<FlowEffect, {command: "make_lane"}>} command
   * @param {(argv: string[], cwd: string) => Promise<string | null>} prepare runs the setup; returns why it failed
   */
  async make({ effect, link, setup }, prepare) {
    const { project, root } = this.#workplace;
    const answer = { event: "lane_made", effect, directory: root };
    try {
      const { directory, ...made } = await makeLane({
        root,
        project: project.directory,
        trees: project.trees,
        link,
      });
      const unprepared = (await prepare(setup, directory)) ?? (await this.#enters(directory));
      return { ...answer, unprepared, ...made };
    } catch (error) {
      if (!(error instanceof CopyError || error instanceof GitError)) throw error;
      const nothing = { tree: "", files: 0, bytes: 0, linked: [], copied: [] };
      return { ...answer, unprepared: error.message, ...nothing };
    }
  }

  /**
   * What happened in the project while the workers worked in the lane.
   * @param {string | null} since
   * @returns {Promise<{outside?: import("../core/types.js").FlowOutside}>}
   */
  async outside(since) {
    if ((await this.#workplace.here()) === this.#workplace.project) return {};
    const { directory, trees } = this.#workplace.project;
    const { id: tree } = await trees.take();
    const changed = since === null ? [] : await pathsThatDiffer(trees, since, tree);
    return { outside: { tree, changed, recorded: await gitRecord(directory) } };
  }

  /** @param {Extract<FlowEffect, {command: "weigh_take"}>} command */
  async weigh({ effect, base, checked }) {
    const [lane, { trees }] = [await this.#workplace.here(), this.#workplace.project];
    const theirs = (await lane.trees.take()).id;
    const ours = (await trees.take()).id;
    const { tree, conflicts } =
      ours === base ? { tree: theirs, conflicts: [] } : await trees.merge(base, ours, theirs);
    return {
      event: "take_weighed",
      ...{ effect, project: ours, lane: theirs, conflicts },
      merged: conflicts.length > 0 ? null : tree,
      changed: conflicts.length > 0 ? [] : await pathsThatDiffer(trees, ours, tree),
      moved: await pathsThatDiffer(trees, base, ours),
      unchecked: checked === null ? [] : await pathsThatDiffer(lane.trees, checked, theirs),
    };
  }

  /** @param {Extract<FlowEffect, {command: "take"}>} command */
  async take({ effect, from, to, undo: file }) {
    const { trees } = this.#workplace.project;
    await this.#workplace.here();
    const paths = await pathsThatDiffer(trees, from, to);
    const now = (await trees.take()).id;
    const left = new Set(await pathsThatDiffer(trees, now, to));
    const differs = new Set(await pathsThatDiffer(trees, from, now));
    const top = await trees.top();
    // After a crash, some files are already as they will be, and one may be missing.
    const isOthers = (/** @type {string} */ name) =>
      left.has(name) && differs.has(name) && existsSync(path.join(top, name));
    const refused = paths.filter(isOthers);
    const answer = { event: "taken", effect, refused };
    if (refused.length > 0) return { ...answer, tree: now, undo: null };
    const undo = await keepPatch(this.#store.folder, trees, { file, from: to, to: from });
    await this.#write(
      top,
      to,
      paths.filter((name) => left.has(name)),
    );
    return { ...answer, tree: (await trees.take()).id, undo };
  }

  /**
   * @param {string} top absolute: the root of the project's tree
   * @param {string} tree
   * @param {string[]} paths
   */
  async #write(top, tree, paths) {
    const { trees } = this.#workplace.project;
    const { folder } = this.#store;
    const staged = path.join(folder.path, STAGED);
    await rm(staged, { recursive: true, force: true });
    await folder.makeFolder(STAGED);
    try {
      await trees.layPaths(tree, paths, staged);
      const isThere = (/** @type {string} */ name) =>
        lstatSync(path.join(staged, name), { throwIfNoEntry: false }) !== undefined;
      for (const name of paths.filter((one) => !isThere(one))) await removeFile(top, name);
      for (const name of paths.filter(isThere)) {
        await mkdir(path.dirname(path.join(top, name)), { recursive: true });
        await rename(path.join(staged, name), path.join(top, name));
      }
    } finally {
      await rm(staged, { recursive: true, force: true });
    }
  }
}

/**
 * Removes a file, and the directories that are empty then.
 * @param {string} top absolute
 * @param {string} name relative to the top
 */
async function removeFile(top, name) {
  await rm(path.join(top, name), { force: true });
  for (let above = path.dirname(name); above !== "."; above = path.dirname(above)) {
    try {
      await rmdir(path.join(top, above));
    } catch {
      return;
    }
  }
}
