/**
 * Works on a session: begins one or takes over the active one, and continues until the user's request is done.
 */
import { once } from "node:events";
import { existsSync } from "node:fs";
import path from "node:path";
import { DesignLabError } from "../core/load.js";
import { Folder } from "../kernel/door.js";
import { drive } from "../kernel/drive.js";
import { forPrograms } from "../kernel/environment.js";
import { endMarked } from "../kernel/group.js";
import { lookUp } from "../kernel/look-up.js";
import { readRules } from "../kernel/project-rules.js";
import { takeOver } from "../kernel/reopen.js";
import { look, survey } from "../kernel/runs.js";
import { Store } from "../kernel/store.js";
import { removeReviewed, reviewedCopy } from "./copies.js";
import { effects } from "./effects.js";
import { changeFeedback, readLog } from "./feedback-files.js";
import { laneOf } from "./lane.js";
import {
  activate,
  activeSession,
  leftOutOf,
  markOf,
  prepare,
  sessionsDirectory,
  workMarkOf,
} from "./sessions.js";
import { Lanes } from "./takes.js";
import { sweepTemporary } from "./temporary.js";
import { laneIn, Workplace } from "./workplace.js";

/**
 * @typedef {import("./request.js").Request} Request
 * @typedef {import("../core/flow.js").FlowEventKind} FlowEventKind
 * @typedef {import("../kernel/run.js").Ending} Ending
 */

/**
 * Begins a session, which becomes the active one.
 * @param {Request} request
 * @param {import("../core/types.js").FlowOpening} opening
 * @returns {Promise<Ending>}
 */
export async function beginSession(request, opening) {
  await prepare(request.project);
  const claimed = (/** @type {string} */ name) => activate(request.project, name);
  return workOnNew(request, opening, { claimed });
}

/**
 * @param {Request} request
 * @param {import("../core/types.js").FlowOpening} opening
 * @param {Part} part
 */
async function workOnNew(request, opening, part) {
  const output = sessionsDirectory(request.project);
  const store = await Store.stage(output);
  const open = { output, store, handle: request.core.openRun() };
  return work(request, open, [{ event: "opened", ...opening }], part);
}

/**
 * Continues the active session. Rejects with a `DesignLabError`, a `StoreError` or a `LockedError` on failure.
 * @param {Request} request
 * @param {(session: number, stored: import("../core/flow.js").FlowFound[]) => FlowEventKind} decide returns what happens,
 *   before anything on disk is changed; `stored`: all sessions of the project
 * @returns {Promise<Ending>}
 */
export async function continueSession(request, decide) {
  return continueNamed(request, await activeSession(request.core, request.project), decide);
}

/**
 * Continues a session, as {@link continueSession} does.
 * @param {Request} request
 * @param {string} name
 * @param {Parameters<typeof continueSession>[1]} decide
 * @param {Part} [part]
 */
export async function continueNamed(request, name, decide, part) {
  const { core, project, host, settings } = request;
  const stored = await storedSessions(request);
  const rules = core.shellRules(await host.agents());
  const projectRules = core.projectRules(readRules(project));
  const events = (/** @type {number} */ session) => {
    core.knowRules(session, rules);
    return core.under(session, settings(), projectRules, decide(session, stored));
  };
  const { open, decided } = await takeOver(core, sessionsDirectory(project), name, events);
  return work(request, open, decided, part);
}

/**
 * All sessions of the project: they show what similar work cost before.
 * @param {Pick<Request, "core" | "project">} request
 */
export function storedSessions({ core, project }) {
  return survey(core, sessionsDirectory(project));
}

/**
 * What is different about a session that is a part of another command.
 * @typedef {object} Part
 * @property {(name: string) => Promise<void>} [claimed] called once a new session has its directory
 * @property {string[]} [lent] absolute: the object directories of the tree from which the lane of a race is made
 * @property {(session: number) => void} [begun] called with the session's handle before anything happens in it
 */

/**
 * @param {Request} request
 * @param {import("../kernel/drive.js").OpenRun} open
 * @param {FlowEventKind[]} first
 * @param {Part} [part]
 * @returns {Promise<Ending>}
 */
function work(request, open, first, { claimed, lent, begun } = {}) {
  begun?.(open.handle);
  const { core, host, project, outputs, keys, guard } = request;
  const leftOut = leftOutOf(project, outputs);
  const environment = forPrograms(process.env, keys);
  const workplace = new Workplace({ core, handle: open.handle, project, store: open.store, leftOut });
  const here = () => workplace.here();
  const ofProject = workplace.project.trees;
  const enters = async (/** @type {string} */ directory) =>
    host.enters ? host.enters(directory, core.worker(open.handle)) : core.noLanesHere();
  const leaves = async (/** @type {string} */ directory) => host.leaves?.(directory);
  // A copy that can't be removed stops nothing here: the removal is retried before the next check.
  const sweepReviewed = async () => {
    if (!core.needsReviewedCopy(open.handle)) await removeReviewed(open.store.folder).catch(() => {});
  };
  return drive(request, open, first, {
    async enter() {
      // A killed process may have left processes that no guard could end.
      await endMarked(markOf(open.store.folder));
      await sweepTemporary(open.store.folder);
      await sweepReviewed();
      // What needs the lane reports that it can't be used: the session can be archived without it.
      await here().catch(() => {});
      const lift = guard({
        kept: leftOut,
        workMark: () => workMarkOf(open.store.folder),
        reviewed: () => reviewedCopy(open.store.folder),
        top: () => ofProject.top(),
        lane: () => workplace.lane,
        before: async (file) => {
          const base = core.reviewBase(open.handle);
          return base === null ? null : ((await (await here()).trees.text(base, file)) ?? null);
        },
      });
      return async () => {
        lift();
        // In a session that another process has taken, they belong to its worker.
        if (!open.store.isLost) await endMarked(workMarkOf(open.store.folder));
        const { entered } = workplace;
        if (entered) await leaves(entered.directory);
      };
    },
    perform: effects({
      ...{ core, store: open.store, here, environment },
      lanes: new Lanes({ workplace, store: open.store, enters, leaves, ...(lent && { lent }) }),
      buildLane: (command, signal, tell) =>
        buildLane({ request, race: open.store.folder.name, workplace, leftOut }, command, signal, tell),
      projectRules: () => readRules(project),
    }),
    async directory(role) {
      // Reviewers and examiners read a copy of the checked files, which is in the project.
      if (core.readsCopy(/** @type {import("../core/types.js").FlowRole} */ (role))) return undefined;
      const { directory } = await here();
      if (directory === project) return undefined;
      if (!host.enters) throw new DesignLabError([core.laneClosed()]);
      return directory;
    },
    async lookUp(job, reply) {
      const cited = core.cited(open.handle, job, reply);
      const { directory } = await here();
      const places = await Promise.all(cited.map((given) => workplace.inLane(given)));
      const found = await lookUp(directory, places, environment.PATH);
      return found.map((one, index) => ({ ...one, path: cited[index] ?? one.path }));
    },
    ...(claimed && { claimed }),
    async conclude(ending) {
      noteShown(request, open.handle);
      // While the session is still ours: a process that takes it over may need the copy.
      await sweepReviewed();
      await noteRules(request, open.handle);
      return ending;
    },
  });
}

/**
 * Builds a lane of a race in a session of its own, or continues that session.
 * @param {{request: Request, race: string, workplace: Workplace, leftOut: string[]}} of the race's session
 * @param {Extract<import("../core/types.js").FlowEffect, {command: "build_lane"}>} command
 * @param {AbortSignal} signal stops the lane, which can then be resumed
 * @param {(kind: import("../kernel/journal.js").EventKind) => void} tell
 * @returns {Promise<import("../kernel/journal.js").EventKind>}
 */
async function buildLane({ request, race, workplace, leftOut }, { effect, lane, opening }, signal, tell) {
  const { core, project, alongside } = request;
  if (!alongside) throw new DesignLabError([core.raceClosed()]);
  const sessions = sessionsDirectory(project);
  const { trees } = workplace.project;
  const stored = await storedSessions(request);
  let name = core.sessionOfLane(race, lane, opening.lane_of?.base ?? "", stored);
  /** @type {number | undefined} */
  let session;
  let told = "";
  const other = alongside(() => {
    const now = session === undefined ? null : core.laneTold(session);
    if (!now || JSON.stringify(now) === told) return;
    told = JSON.stringify(now);
    tell({ event: "lane_told", ...now });
  });
  /** @type {Part} */
  const part = {
    claimed: async (claimed) => {
      name = claimed;
    },
    lent: (await trees.objects()).slice(0, 1),
    begun: (handle) => {
      session = handle;
    },
  };
  const asked = { ...request, ...other, signal };
  let ending;
  if (name === null) ending = await workOnNew(asked, opening, part);
  else {
    const { goesOn, hasLane } = await look(core, sessions, name, (handle) => ({
      goesOn: core.laneGoesOn(handle),
      hasLane: core.hasLane(handle),
    }));
    // Without its directory this lane can't be continued, but the others can.
    const root = laneOf(project, name);
    if (hasLane && !existsSync(path.join(root, ".git")))
      return { event: "effect_failed", effect, message: core.laneGone(root).message };
    if (goesOn) ending = await continueNamed(asked, name, (handle) => core.resume(handle), part);
  }
  session = undefined;
  if (ending?.problem) throw new DesignLabError([ending.problem]);
  if (name === null) throw new DesignLabError([core.noSession()]);
  const built = await look(core, sessions, name, (handle) =>
    core.laneGoesOn(handle) ? null : core.laneBuilt(handle, effect),
  );
  // Whoever stopped the lane has stopped the race: it has no answer.
  if (built === null) return stopped(signal, effect);
  if (built.tree !== null) {
    const store = { folder: new Folder(sessions, name) };
    const { trees: ofLane } = await laneIn({
      root: laneOf(project, name),
      of: workplace.project,
      store,
      leftOut,
    });
    try {
      await trees.adopt(await ofLane.objects());
    } catch (error) {
      // The lane is complete and paid for: the race stops, and can be resumed.
      throw new Error(`The files of lane ${lane} could not be kept.`, { cause: error });
    }
  }
  return { event: "lane_built", ...built };
}

/**
 * Waits until a race has stopped. What it returns then is ignored.
 * @param {AbortSignal} signal
 * @param {number} effect
 */
async function stopped(signal, effect) {
  if (!signal.aborted) await once(signal, "abort");
  return { event: "effect_failed", effect, message: "the lane was stopped" };
}

/**
 * Notes in the log of feedback what became of each rule in a session. The session itself is complete without it.
 * @param {Request} request
 * @param {number} session
 */
async function noteRules({ core, project, host }, session) {
  try {
    if ((await readLog(project)) === null) return;
    await changeFeedback(project, (log) => ({ log: core.feedbackNoted(session, log) }));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    host.notify("warning", `The log of feedback could not be updated: ${why}`, false);
  }
}

/**
 * Records that the user has seen this session's plan, or what a take would change: only a process that has shown it may accept the
 * hash.
 * @param {Pick<Request, "core" | "shown">} request
 * @param {number} session
 */
export function noteShown({ core, shown }, session) {
  const { plan_hash, take_hash } = core.summary(session) ?? {};
  for (const hash of [plan_hash, take_hash]) if (hash) shown.add(hash);
}
