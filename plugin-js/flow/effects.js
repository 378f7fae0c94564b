/**
 * What is done in a session beside asking models: the tree is taken, checks are run.
 */
import { DesignLabError } from "../core/load.js";
import { runCheck } from "./check.js";
import { GitError } from "./git.js";
import { markOf } from "./sessions.js";
import { Trees } from "./tree.js";

/**
 * @typedef {import("../core/types.js").FlowDecision} FlowDecision
 * @typedef {import("../core/types.js").FlowEffect} FlowEffect
 * @typedef {Extract<FlowEffect, {command: "run_check"}>} RunCheck
 */

/** The end of an output that is journaled, in characters. */
const TAIL = 4_000;

/**
 * @param {object} session
 * @param {import("../core/flow.js").FlowCore} session.core
 * @param {string} session.project absolute
 * @param {import("../kernel/store.js").Store} session.store
 * @param {string[]} session.leftOut absolute: directories that aren't the project's
 * @param {Record<string, string>} session.environment of checks
 * @returns {import("../kernel/run.js").Perform}
 */
export function effects({ core, project, store, leftOut, environment }) {
  const trees = new Trees({ project, store, leftOut });

  return async (/** @type {FlowEffect} */ command, signal) => {
    const { effect } = command;
    try {
      if (command.command === "take_tree") return await takeTree(command);
      if (command.command === "run_check") return await check(command, signal);
    } catch (error) {
      // What fails is told as what it is; a fault of ours stops the session.
      if (!isExpected(error)) throw error;
      return { event: "effect_failed", effect, message: messageOf(error) };
    }
    throw new TypeError(`nobody performs ${JSON.stringify(command)}`);
  };

  /** @param {Extract<FlowEffect, {command: "take_tree"}>} command */
  async function takeTree({ effect, since }) {
    const { id: tree } = await trees.take();
    return { event: "tree_taken", effect, tree, changed: since === null ? [] : await changed(since, tree) };
  }

  /**
   * @param {RunCheck} command
   * @param {AbortSignal} signal
   */
  async function check({ effect, argv, timeout_ms, output }, signal) {
    const before = await trees.take();
    // One that was asked for before a crash is asked for again.
    await store.discard(output);
    await store.create(output, "");
    const log = await store.folder.open(output, "append");
    let seen;
    try {
      const mark = `${markOf(store.folder)}~${effect}`;
      seen = await runCheck({ argv, cwd: project, timeout_ms, env: environment, mark }, log, signal);
      await log.sync();
    } finally {
      await log.close();
    }
    const text = (await store.folder.read(output)).toString("utf8");
    const after = await trees.take();
    return {
      event: "check_finished",
      effect,
      tree_before: before.id,
      tree_after: after.id,
      changed: await changed(before.id, after.id),
      end: endOf(seen),
      duration_ms: seen.duration_ms,
      output: { bytes: seen.bytes, sha256: seen.sha256, tail: text.slice(-TAIL) },
      tests: core.tests(text),
    };
  }

  /**
   * @param {string} before
   * @param {string} after
   */
  async function changed(before, after) {
    const changes = await trees.changed(before, after);
    // What is different from a tree that nobody knows any more? All of it, as far as anybody can tell.
    return changes ? changes.map((change) => change.path).sort() : ["."];
  }
}

/**
 * @param {import("./check.js").Observed} seen
 * @returns {import("../core/types.js").FlowCheckEnd}
 */
function endOf({ not_started, ended_by, exit, signal }) {
  if (not_started) return { how: "not_started", message: not_started };
  if (ended_by !== "itself") return { how: "timed_out" };
  return signal === null ? { how: "exited", code: exit ?? -1 } : { how: "signalled", signal };
}

/** @param {unknown} error */
function isExpected(error) {
  if (error instanceof GitError) return true;
  // A problem that the core found, or a fault of the machinery.
  return !(error instanceof DesignLabError) && typeof (/** @type {any} */ (error)?.code) === "string";
}

/** @param {unknown} error */
function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}
