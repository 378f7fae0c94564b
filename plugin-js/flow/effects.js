/**
 * Performs a session's effects other than model calls: takes trees and runs checks.
 */
import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { DesignLabError } from "../core/load.js";
import { StoreError } from "../kernel/door.js";
import { GitError } from "../kernel/git.js";
import { gitRecord } from "../kernel/git-record.js";
import { endMarked } from "../kernel/group.js";
import { INSTALLED, loadedAtStart, shown } from "../kernel/host-files.js";
import { machineKey } from "../kernel/key.js";
import { CopyError } from "../kernel/manifest.js";
import { observe } from "../kernel/observe.js";
import { RULES_NAME } from "../kernel/project-rules.js";
import { locate } from "../kernel/real-path.js";
import { withRoom } from "./clean-room.js";
import { isUnsealed, layForReview, removeReviewed, withCopy } from "./copies.js";
import { Links, linkable } from "./links.js";
import { runMutator } from "./mutator.js";
import { cutOff } from "./network.js";
import { markOf, workMarkOf } from "./sessions.js";
import { foundAbove } from "./temporary.js";

/**
 * @typedef {import("../core/types.js").FlowDecision} FlowDecision
 * @typedef {import("../core/types.js").FlowEffect} FlowEffect
 * @typedef {Extract<FlowEffect, {command: "run_check"}>} RunCheck
 * @typedef {Extract<FlowEffect, {command: "run_apart"}>} RunApart
 * @typedef {Extract<FlowEffect, {command: "mutate"}>} Mutate
 * @typedef {Extract<FlowEffect, {command: "examine"}>} Examine
 * @typedef {import("../core/types.js").FlowExamSeen} ExamSeen
 * @typedef {import("../core/types.js").FlowApartRun} ApartRun
 * @typedef {import("../core/types.js").CommandRan} Ran
 * @typedef {import("../core/types.js").FlowTriedMutant} TriedMutant
 * @typedef {Pick<import("../kernel/command.js").Command, "argv" | "through" | "cwd" | "env" | "timeout_ms">} Started
 * @typedef {Pick<Started, "through" | "env">} Room what surrounds a command in a copy
 */

/** What no language can read as a source. */
const UNREADABLE = ")]}> \"'\n";

/** How many changed files of a place are named that OpenCode loads from. */
const MOST_LOADED = 50;

/** How long the setup of a copy may take, in ms. */
const SETUP_MS = 15 * 60_000;

/**
 * @param {object} session
 * @param {import("../core/flow.js").FlowCore} session.core
 * @param {import("../kernel/store.js").Store} session.store
 * @param {() => Promise<import("./workplace.js").Place>} session.here where the workers work
 * @param {Record<string, string>} session.environment of checks
 * @param {import("./takes.js").Lanes} [session.lanes] makes the lane and takes its result; undefined where neither happens
 * @param {(command: Extract<FlowEffect, {command: "build_lane"}>, signal: AbortSignal, tell: (kind: import("../kernel/journal.js").EventKind) => void) => Promise<import("../kernel/journal.js").EventKind>} [session.buildLane]
 *   builds a lane of a race; undefined where there is none
 * @param {() => string | null} [session.projectRules] reads the file of the project's rules; left out if the session isn't at work
 * @returns {import("../kernel/run.js").Perform}
 */
export function effects({ core, store, here, environment, lanes, buildLane, projectRules }) {
  /** @type {Links | undefined} */
  let known;
  /** @type {Links | undefined} */
  let atStart;
  /** The digests of what OpenCode loads, by path. @type {Record<string, string>} */
  let loaded = {};
  /** Where the current effect is performed. @type {string} */
  let project;
  /** @type {import("../kernel/tree.js").Trees} */
  let trees;
  /** What was compared last, and the result: a review leaves the files as they are. */
  let compared = {
    key: "",
    added: /** @type {import("../core/types.js").FlowAdded | undefined} */ (undefined),
  };
  return async (/** @type {FlowEffect} */ command, signal, tell = () => {}) => {
    const { effect } = command;
    try {
      if (command.command === "build_lane" && buildLane) return await buildLane(command, signal, tell);
      if (command.command === "make_lane" && lanes)
        return await lanes.make(command, (argv, cwd) => prepare(argv, cwd, effect, signal));
      ({ directory: project, trees } = await here());
      if (command.command === "weigh_take" && lanes) return await lanes.weigh(command);
      if (command.command === "take" && lanes) return await lanes.take(command, signal);
      if (command.command === "take_tree") return await takeTree(command);
      if (command.command === "run_check") return await check(command, signal);
      if (command.command === "run_apart") return await apart(command, signal);
      if (command.command === "mutate") return await mutate(command, signal);
      if (command.command === "examine") return await examine(command, signal);
    } catch (error) {
      // An expected failure is reported as such; a bug of our own stops the session.
      if (!isExpected(error)) throw error;
      return { event: "effect_failed", effect, message: messageOf(error) };
    }
    throw new TypeError(`nobody performs ${JSON.stringify(command)}`);
  };

  /** @param {Extract<FlowEffect, {command: "take_tree"}>} command */
  async function takeTree({ effect, since, ends_work, seal, link, undo, outside_since, hold }) {
    const ended = ends_work ? await endMarked(workMarkOf(store.folder)) : [];
    const { id: tree, kind } = await trees.take();
    const unsealed = seal !== undefined && isUnsealed(store.folder, seal);
    // What was seen of a copy isn't journaled yet, and may have to be checked again. Without a seal, the review is over.
    if (seal === undefined) await removeReviewed(store.folder);
    const paths = since === null ? [] : await pathsThatDiffer(trees, since, tree);
    const begun = link === undefined ? [] : await linksAtBeginning(link);
    const settings = since === null ? [] : await testSettingsIn(since, tree, paths);
    const loading = await loadedNow();
    const added = hold && (await addedSince(hold, tree));
    return {
      event: "tree_taken",
      effect,
      tree,
      changed: paths,
      tests: since === null ? [] : await testsIn(since, tree, paths),
      ...(settings.length > 0 && { test_settings: settings }),
      ...(ended.length > 0 && { ended }),
      ...(unsealed && { unsealed }),
      ...(kind === "git" && { recorded: await gitRecord(project) }),
      ...(begun.length > 0 && { links: begun }),
      loaded: loading,
      ...(undo !== undefined && since !== null && (await keepUndo(undo, tree, since))),
      ...(await lanes?.outside(outside_since ?? null)),
      ...(added && { added }),
      ...(projectRules && rulesDiffer(hold?.rules ?? [], projectRules) && { rules_differ: true }),
    };
  }

  /**
   * What the files add, compared with those from before the feature, of that which the rules forbid.
   * @param {import("../core/types.js").FlowHold} hold
   * @param {string} tree
   * @returns {Promise<import("../core/types.js").FlowAdded | undefined>} undefined if the earlier files aren't known
   */
  async function addedSince({ base, rules }, tree) {
    const changes = base === null ? null : await trees.changed(base, tree);
    if (base === null || changes === null) return undefined;
    const key = JSON.stringify([base, tree, rules]);
    if (compared.key === key) return compared.added;
    const changed = [];
    for (const file of core.ruledFiles(rules, changes.map((change) => change.path).sort())) {
      const [then, now] = [await trees.text(base, file), await trees.text(tree, file)];
      const texts = then === undefined || now === undefined ? null : [then, now];
      changed.push({ path: file, texts: /** @type {[string | null, string | null] | null} */ (texts) });
    }
    compared = { key, added: core.added(rules, changed) };
    return compared.added;
  }

  /**
   * Whether the file of rules holds others, or can't be read.
   * @param {import("../core/types.js").FlowProjectRule[]} rules
   * @param {() => string | null} read
   */
  function rulesDiffer(rules, read) {
    try {
      return core.rulesDiffer(rules, read());
    } catch (error) {
      if (error instanceof StoreError) return true;
      throw error;
    }
  }

  /**
   * Keeps the patch from one tree back to another.
   * @param {string} file below the session's directory
   * @param {string} from
   * @param {string} to
   * @returns {Promise<{undo?: string}>} its path, relative to the root of the tree
   */
  async function keepUndo(file, from, to) {
    const undo = await keepPatch(store.folder, trees, { file, from, to });
    return undo === null ? {} : { undo };
  }

  /** @param {string[]} wanted by name or path */
  async function linksAtBeginning(wanted) {
    const { top, ignored } = await trees.ignored();
    return links().look(top, linkable(ignored, wanted));
  }

  /** What OpenCode loads when it starts, here and in the user's project, with the changes since this process looked last. */
  async function loadedNow() {
    atStart ??= new Links(machineKey(), [...INSTALLED, RULES_NAME]);
    const top = await trees.top();
    const here = { directory: project, trees };
    const inLane = lanes !== undefined && lanes.project.trees !== trees;
    const places = await Promise.all((inLane ? [here, lanes.project] : [here]).map(loadedIn));
    const there = [...new Set(places.flat())].filter((place) => existsSync(place));
    const seen = await atStart.look("", there, loaded);
    loaded = Object.fromEntries(seen.map((one) => [one.path, one.digest]));
    return seen.map(({ path: place, digest, changed }) => ({
      path: shown(place, top),
      digest,
      ...(changed && { changed: changed.slice(0, MOST_LOADED) }),
    }));
  }

  function links() {
    known ??= new Links(machineKey(), core.leftOutOfLinks());
    return known;
  }

  /**
   * Counts the tests in changed files, before and after.
   * @param {string} before
   * @param {string} after
   * @param {string[]} paths
   */
  async function testsIn(before, after, paths) {
    const counted = [];
    for (const file of core.testFiles(paths)) {
      const [then, now] = [await trees.text(before, file), await trees.text(after, file)];
      if (then === undefined || now === undefined) return [];
      counted.push({
        path: file,
        before: then === null ? null : core.countTests(then),
        after: now === null ? null : core.countTests(now),
      });
    }
    return counted;
  }

  /**
   * The changes to settings that determine how tests are run.
   * @param {string} before
   * @param {string} after
   * @param {string[]} paths
   */
  async function testSettingsIn(before, after, paths) {
    const changes = [];
    for (const file of core.comparedFiles(paths)) {
      const [then, now] = [await trees.text(before, file), await trees.text(after, file)];
      const texts = then === undefined || now === undefined ? null : [then, now];
      changes.push(...core.testSettings(file, /** @type {[string | null, string | null] | null} */ (texts)));
    }
    return changes;
  }

  /**
   * @param {RunCheck} command
   * @param {AbortSignal} signal
   */
  async function check({ effect, argv, timeout_ms, output }, signal) {
    // A later change to a file shows in its stamp, an earlier one in the tree.
    const stamps = await trees.stamps((await trees.take()).id);
    const before = await trees.take();
    const ran = await run({ argv, cwd: project, env: environment, timeout_ms }, effect, output, signal);
    const after = await trees.take();
    const touched = await trees.touchedSince(stamps);
    return {
      event: "check_finished",
      effect,
      tree_before: before.id,
      tree_after: after.id,
      changed: await pathsThatDiffer(trees, before.id, after.id),
      ...(touched.length > 0 && { touched }),
      ran,
    };
  }

  /**
   * @param {RunApart} command
   * @param {AbortSignal} signal
   */
  async function apart(command, signal) {
    const { effect, tree, over, link, setup, runs, clean, offline, began_with, review } = command;
    const common = { event: "ran_apart", effect, unprepared: null, linked: /** @type {string[]} */ ([]) };
    const keptBack = (/** @type {string[]} */ untracked) => core.keptBack(untracked);
    const wanted = { trees, session: store.folder, tree, over, link, keptBack };
    try {
      const seen = await withCopy(wanted, async (copy) => {
        const { directory: cwd, linked, outside } = copy;
        const unprepared = await prepare(setup, cwd, effect, signal);
        if (unprepared !== null) return { ...common, linked, unprepared, runs: [] };
        if (setup.length > 0) await copy.freeze();
        const above = clean ? foundAbove(copy.root, core.foundAbove()) : [];
        const now = began_with ? await links().look(copy.top, linked, began_with) : [];
        /** @type {Ran[]} */
        const seen = [];
        /** @type {string[][]} */
        const touched = [];
        await surrounded(command, copy, async (room) => {
          for (const { argv, timeout_ms, output } of runs) {
            seen.push(await run({ argv, cwd, timeout_ms, ...room }, effect, output, signal));
            touched.push(copy.touched());
          }
        });
        const isTouched = touched.some((files) => files.length > 0);
        const more = {
          ...(now.length > 0 && { links: now }),
          ...(above.length > 0 && { above }),
          ...(isTouched && { touched }),
          ...(offline && (await cutOff()) === null && { online: true }),
          ...(outside.length > 0 && { outside }),
        };
        return { ...common, linked, runs: seen, ...more };
      });
      if (!review || seen.unprepared !== null) return seen;
      return { ...seen, seal: await layForReview({ ...wanted, tree }) };
    } catch (error) {
      // If git can't make a copy, that isn't a fault of the check.
      if (!(error instanceof CopyError || error instanceof GitError)) throw error;
      return { ...common, unprepared: error.message, runs: [] };
    }
  }

  /**
   * @param {Mutate} command
   * @param {AbortSignal} signal
   */
  async function mutate(command, signal) {
    const { effect, tree, base, paths, most, budget_ms, least, link, setup, runs, mutator } = command;
    const began = Date.now();
    /** @type {import("../core/types.js").FlowMutatorSeen | undefined} */
    let seen;
    const mutated = (
      /** @type {string | null} */ unprepared,
      /** @type {TriedMutant[]} */ tried,
      left = 0,
    ) => ({
      ...{ event: "mutated", effect, unprepared, tried, left },
      ...(seen && { mutator: seen }),
      duration_ms: Date.now() - began,
    });
    const changed = await changedFiles(base, tree, paths);
    const keptBack = (/** @type {string[]} */ untracked) => core.keptBack(untracked);
    /** @type {import("../core/types.js").FlowOverlay} */
    const over = { overlay: "nothing" };
    const wanted = { trees, session: store.folder, tree, over, link, keptBack };
    try {
      if (mutator) {
        const unprepared = await withCopy(wanted, (copy) => byTool(copy, mutator));
        if (unprepared !== null) return mutated(unprepared, []);
        if (seen && !seen.unusable) return mutated(null, []);
      }
      const { mutants, without } = core.faults(changed, most);
      const faultless = without.length > 0 ? { without } : {};
      if (mutants.length === 0) return { ...mutated(null, []), ...faultless };
      return await withCopy(wanted, async (copy) => {
        const unprepared = await prepare(setup, copy.directory, effect, signal);
        if (unprepared !== null) return { ...mutated(unprepared, []), ...faultless };
        await copy.freeze();
        for (const file of new Set(mutants.map((mutant) => mutant.path))) copy.alter(file, UNREADABLE);
        const broken = await tryOut(copy, "broken");
        /** @type {TriedMutant[]} */
        const tried = [];
        let left = 0;
        const ready = Date.now();
        for (const [index, { text, ...mutant }] of mutants.entries()) {
          // Removes what the previous mutant left in the files.
          await copy.freeze();
          if (tried.length >= least && Date.now() - ready >= budget_ms) left++;
          else if (copy.alter(mutant.path, text)) {
            const runs = await tryOut(copy, `${index + 1}`);
            const isTouched = copy.touched().some((touched) => touched !== mutant.path);
            tried.push({ ...mutant, runs, ...(isTouched && { touched: true }) });
          }
        }
        await copy.freeze();
        const after = await tryOut(copy, "after");
        return { ...mutated(null, tried, left), broken, after, ...faultless };
      });
    } catch (error) {
      if (!(error instanceof CopyError || error instanceof GitError)) throw error;
      return mutated(error.message, []);
    }

    /**
     * @param {import("./copies.js").Copy} copy
     * @param {import("../core/types.js").FlowMutatorRun} mutator
     * @returns {Promise<string | null>} why the copy isn't ready
     */
    async function byTool(copy, mutator) {
      const unprepared = await prepare(setup, copy.directory, effect, signal);
      if (unprepared !== null) return unprepared;
      await copy.freeze();
      const { argv, timeout_ms, output } = mutator;
      await surrounded(command, copy, async (room) => {
        const started = { argv, cwd: copy.directory, timeout_ms, ...room };
        const left = await runMutator(copy, mutator, changed, () => run(started, effect, output, signal));
        seen = core.mutatorSeen(left);
      });
      return null;
    }

    /**
     * Runs the commands in a room of their own: Python reuses a compiled file if the source's size and its time to the second are
     * the same.
     * @param {import("./copies.js").Copy} copy with a fault, or without one
     * @param {string} suffix of the names of the output files
     */
    async function tryOut(copy, suffix) {
      /** @type {Ran[]} */
      const seen = [];
      await surrounded(command, copy, async (room) => {
        for (const { argv, timeout_ms, output } of runs) {
          const { dir, name, ext } = path.posix.parse(output);
          const log = `${dir}/${name}-${suffix}${ext}`;
          const ran = await run({ argv, cwd: copy.directory, timeout_ms, ...room }, effect, log, signal);
          seen.push({ ...ran, output: { ...ran.output, tail: "" } });
        }
      });
      return seen;
    }
  }

  /**
   * @param {Examine} command
   * @param {AbortSignal} signal
   */
  async function examine({ effect, tree, base, link, setup, before, tests, offline }, signal) {
    const keptBack = (/** @type {string[]} */ untracked) => core.keptBack(untracked);
    /** @type {import("../core/types.js").FlowOverlay} */
    const over = { overlay: "nothing" };
    const wanted = { trees, session: store.folder, over, link, keptBack };
    /** @type {ExamSeen[]} */
    const seen = tests.map(() => ({ place: "free", runs: [], before: null }));
    /** @type {Ran[]} */
    const without = [];
    const answer = (/** @type {string | null} */ unprepared) => ({
      ...{ event: "examined", effect, unprepared },
      ...{ before: unprepared === null ? without : [], tests: unprepared === null ? seen : [] },
    });
    try {
      for (const laid of [tree, base]) {
        const unprepared = await withCopy({ ...wanted, tree: laid }, async (copy) => {
          const unprepared = await prepare(setup, copy.directory, effect, signal);
          if (unprepared !== null) return unprepared;
          if (laid === base && laid !== tree)
            for (const one of before) without.push(await runIn(copy, one, ""));
          for (const [index, { path: file, text, replaces, run: one }] of tests.entries()) {
            const exam = /** @type {ExamSeen} */ (seen[index]);
            if (laid === base && exam.place !== "free") continue;
            await copy.freeze();
            /** @type {ExamSeen["place"]} */
            let place = await copy.add(file, text);
            if (place === "other" && replaces && copy.alter(file, text)) place = "replaced";
            if (laid === tree) exam.place = place;
            if (place === "same" && replaces && laid === tree) {
              exam.runs.push(await runIn(copy, one, "-1"));
              await copy.remove(file);
              exam.runs.push(await runIn(copy, one, "-without"));
            }
            if (place !== "free" && place !== "replaced") continue;
            if (laid === tree) for (const turn of [1, 2]) exam.runs.push(await runIn(copy, one, `-${turn}`));
            else exam.before = await runIn(copy, one, "-before");
            if (copy.touched().some((touched) => touched !== file)) exam.touched = true;
            if (place === "free") await copy.remove(file);
          }
          return null;
        });
        if (unprepared !== null) return answer(unprepared);
      }
      return answer(null);
    } catch (error) {
      if (!(error instanceof CopyError || error instanceof GitError)) throw error;
      return answer(error.message);
    }

    /**
     * @param {import("./copies.js").Copy} copy
     * @param {ApartRun} one
     * @param {string} suffix of the name of the output file
     */
    async function runIn(copy, { argv, timeout_ms, output }, suffix) {
      const { dir, name, ext } = path.posix.parse(output);
      /** @type {Ran[]} */
      const ran = [];
      await surrounded({ clean: true, offline }, copy, async (room) => {
        const started = { argv, cwd: copy.directory, timeout_ms, ...room };
        ran.push(await run(started, effect, `${dir}/${name}${suffix}${ext}`, signal));
      });
      return /** @type {Ran} */ (ran[0]);
    }
  }

  /**
   * The content of changed files, before and now.
   * @param {string} before
   * @param {string} now
   * @param {string[]} paths
   */
  async function changedFiles(before, now, paths) {
    const files = [];
    for (const file of paths) {
      const [then, text] = [await trees.text(before, file), await trees.text(now, file)];
      if (then !== undefined && typeof text === "string") files.push({ path: file, before: then, now: text });
    }
    return files;
  }

  /**
   * Runs commands in a copy, in a clean room or in the user's environment, with the network or without it.
   * @param {{clean?: boolean | undefined, offline?: boolean | undefined}} how
   * @param {import("./copies.js").Copy} copy
   * @param {(room: Room) => Promise<void>} use
   */
  async function surrounded({ clean, offline }, { top, root }, use) {
    const through = (offline && (await cutOff())) || [];
    if (!clean) return use({ through, env: environment });
    const wanted = { core, session: store.folder, environment, top, copy: root };
    await withRoom(wanted, (env) => use({ through, env }));
  }

  /**
   * Sets up a copy. The command is the user's own: it has their settings and may access their registry.
   * @param {string[]} argv empty if nothing is to be done
   * @param {string} cwd absolute: the copy
   * @param {number} effect
   * @param {AbortSignal} signal
   * @returns {Promise<string | null>} why it isn't ready
   */
  async function prepare(argv, cwd, effect, signal) {
    if (argv.length === 0) return null;
    const output = `evidence/${effect}-setup.log`;
    const started = { argv, cwd, env: environment, timeout_ms: SETUP_MS };
    const { end } = await run(started, effect, output, signal);
    return end.how === "exited" && end.code === 0 ? null : core.setupFailed(argv, end, output);
  }

  /**
   * Runs a command and writes its output to a file.
   * @param {Started} started
   * @param {number} effect
   * @param {string} output
   * @param {AbortSignal} signal
   * @returns {Promise<Ran>}
   */
  async function run(started, effect, output, signal) {
    const mark = `${markOf(store.folder)}~${effect}`;
    return observe({ ...started, mark }, { store, output }, signal);
  }
}

/**
 * Keeps the patch from one tree to another.
 * @param {import("../kernel/door.js").Folder} session
 * @param {import("../kernel/tree.js").Trees} trees
 * @param {{file: string, from: string, to: string}} wanted `file`: below the session's directory
 * @returns {Promise<string | null>} its path, relative to the root of the tree; null if there is nothing to patch, or no git
 */
export async function keepPatch(session, trees, { file, from, to }) {
  const { top, patch } = await trees.patch(from, to);
  if (patch === null || patch.length === 0) return null;
  await session.write(file, patch);
  const { real } = locate(session.file(file));
  return path.relative(top, real).replaceAll("\\", "/");
}

/**
 * @param {import("../kernel/tree.js").Trees} trees
 * @param {string} before
 * @param {string} after
 */
export async function pathsThatDiffer(trees, before, after) {
  const changes = await trees.changed(before, after);
  // The earlier tree is no longer known, so everything may differ.
  return changes ? changes.map((change) => change.path).sort() : ["."];
}

/**
 * What OpenCode loads when it starts in a place.
 * @param {import("./workplace.js").Place} place
 * @returns {Promise<string[]>} absolute
 */
async function loadedIn({ directory, trees }) {
  return loadedAtStart(realpathSync(directory), await trees.top());
}

/** @param {unknown} error */
function isExpected(error) {
  if (error instanceof GitError || error instanceof CopyError) return true;
  // A `DesignLabError` is a problem that the core found, or a fault of the machinery.
  return !(error instanceof DesignLabError) && typeof (/** @type {any} */ (error)?.code) === "string";
}

/** @param {unknown} error */
function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}
