/**
 * Makes a session's lane, and takes its result into the project, after a patch that undoes all of it. The core decides what is taken
 * (src/flow/lane.rs).
 */
import { GitError } from "../kernel/git.js";
import { gitRecord } from "../kernel/git-record.js";
import { CopyError } from "../kernel/manifest.js";
import { keepPatch, pathsThatDiffer } from "./effects.js";
import { makeLane, removeLane } from "./lane.js";
import { compare, obstacles, Replacement } from "./replacement.js";

/**
 * @typedef {import("../core/types.js").FlowEffect} FlowEffect
 * @typedef {import("../core/types.js").FlowLaneMade} LaneMade
 * @typedef {import("../core/types.js").FlowWeighed} Weighed
 * @typedef {import("../core/types.js").FlowTaken} Taken
 */

export class Lanes {
  #workplace;
  #store;
  #enters;
  #leaves;
  #lent;

  /**
   * @param {object} session
   * @param {import("./workplace.js").Workplace} session.workplace
   * @param {import("../kernel/store.js").Store} session.store
   * @param {(directory: string) => Promise<string | null>} session.enters loads the host there; returns why it can't work there
   * @param {(directory: string) => Promise<void>} session.leaves ends what the host has running there; never rejects
   * @param {string[]} [session.lent] absolute: the object directories of the tree from which the lane of a race is made
   */
  constructor({ workplace, store, enters, leaves, lent = [] }) {
    this.#workplace = workplace;
    this.#store = store;
    this.#enters = enters;
    this.#leaves = leaves;
    this.#lent = lent;
  }

  /** The user's project. */
  get project() {
    return this.#workplace.project;
  }

  /**
   * @param {Extract<FlowEffect, {command: "make_lane"}>} command
   * @param {(argv: string[], cwd: string) => Promise<string | null>} prepare runs the setup; returns why it failed
   */
  async make({ effect, from: base, link, setup }, prepare) {
    const { project, root } = this.#workplace;
    const answer = { event: "lane_made", effect, directory: root };
    const nothing = { tree: "", files: 0, bytes: 0, linked: [], copied: [] };
    try {
      const { trees, directory: from } = project;
      if (base !== undefined) await trees.adopt(this.#lent);
      const { directory, ...made } = await makeLane({ root, project: from, trees, link, from: base });
      const unprepared = await this.#unprepared(directory, () => prepare(setup, directory));
      return { ...answer, unprepared, ...(unprepared === null ? made : nothing) };
    } catch (error) {
      if (!(error instanceof CopyError || error instanceof GitError)) throw error;
      return { ...answer, unprepared: error.message, ...nothing };
    }
  }

  /**
   * Prepares a lane. One in which nobody can work is removed, and the host forgets what it has loaded there.
   * @param {string} directory absolute: the project's directory in the lane
   * @param {() => Promise<string | null>} prepare
   * @returns {Promise<string | null>} why nobody can work there
   */
  async #unprepared(directory, prepare) {
    let isReady = false;
    try {
      const unprepared = (await prepare()) ?? (await this.#enters(directory));
      isReady = unprepared === null;
      return unprepared;
    } finally {
      if (!isReady) {
        await this.#leaves(directory);
        await removeLane(this.#workplace.root);
      }
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
    const { trees } = this.#workplace.project;
    const { trees: ofLane, tree: theirs } = await this.#workplace.readable();
    const ours = (await trees.take()).id;
    const merged = ours === base ? { tree: theirs, conflicts: [] } : await trees.merge(base, ours, theirs);
    const isMerged = merged.conflicts.length === 0;
    const compared = isMerged ? await compare(trees, ours, merged.tree) : undefined;
    const conflicts = compared ? obstacles(await trees.top(), compared) : merged.conflicts;
    return {
      event: "take_weighed",
      ...{ effect, project: ours, lane: theirs, conflicts },
      merged: conflicts.length > 0 ? null : merged.tree,
      changed: conflicts.length > 0 ? [] : pathsOf(compared),
      moved: pathsOf(await compare(trees, base, ours)),
      unchecked: checked === null ? [] : pathsOf(await compare(ofLane, checked, theirs)),
    };
  }

  /**
   * @param {Extract<FlowEffect, {command: "take"}>} command
   * @param {AbortSignal} [signal]
   */
  async take({ effect, from, to, undo: file }, signal) {
    const { trees } = this.#workplace.project;
    const { folder } = this.#store;
    await this.#workplace.readable();
    const answer = async (/** @type {string[]} */ refused, /** @type {string | null} */ undo) => ({
      ...{ event: "taken", effect, refused, undo },
      tree: (await trees.take()).id,
    });
    return Replacement.with({ session: folder, trees, from, to }, async (replacement) => {
      const refused = replacement.look();
      if (refused.length > 0) return answer(refused, null);
      const undo = await keepPatch(folder, trees, { file, from: to, to: from });
      if (undo === null && !replacement.isEmpty)
        throw new CopyError("git could not make the patch that undoes the change");
      if (signal?.aborted || this.#store.isLost) throw new CopyError("the session was stopped");
      const changed = await replacement.write();
      return changed.length > 0 ? answer(changed, null) : answer([], undo);
    });
  }
}

/** @param {import("./replacement.js").Compared} [compared] */
function pathsOf({ differences, others } = { differences: [], others: [] }) {
  return [...differences.map((one) => one.path), ...others].sort();
}
