/**
 * Works on a session: begins one or takes over the active one, and continues until the user's request is done.
 */
import { DesignLabError } from "../core/load.js";
import { drive } from "../kernel/drive.js";
import { forPrograms } from "../kernel/environment.js";
import { endMarked } from "../kernel/group.js";
import { lookUp } from "../kernel/look-up.js";
import { readRules } from "../kernel/project-rules.js";
import { takeOver } from "../kernel/reopen.js";
import { survey } from "../kernel/runs.js";
import { Store } from "../kernel/store.js";
import { removeReviewed, reviewedCopy } from "./copies.js";
import { effects } from "./effects.js";
import { changeFeedback, readLog } from "./feedback-files.js";
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
import { Workplace } from "./workplace.js";

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
  const output = sessionsDirectory(request.project);
  const store = await Store.stage(output);
  const open = { output, store, handle: request.core.openRun() };
  return work(request, open, [{ event: "opened", ...opening }]);
}

/**
 * Continues the active session. Rejects with a `DesignLabError`, a `StoreError` or a `LockedError` on failure.
 * @param {Request} request
 * @param {(session: number, stored: import("../core/flow.js").FlowFound[]) => FlowEventKind} decide returns what happens,
 *   before anything on disk is changed; `stored`: all sessions of the project
 * @returns {Promise<Ending>}
 */
export async function continueSession(request, decide) {
  const { core, project, host, settings } = request;
  const name = await activeSession(core, project);
  const stored = await storedSessions(request);
  const rules = core.shellRules(await host.agents());
  const projectRules = core.projectRules(readRules(project));
  const events = (/** @type {number} */ session) => {
    core.knowRules(session, rules);
    return core.under(session, settings(), projectRules, decide(session, stored));
  };
  const { open, decided } = await takeOver(core, sessionsDirectory(project), name, events);
  return work(request, open, decided);
}

/**
 * All sessions of the project: they show what similar work cost before.
 * @param {Pick<Request, "core" | "project">} request
 */
export function storedSessions({ core, project }) {
  return survey(core, sessionsDirectory(project));
}

/**
 * @param {Request} request
 * @param {import("../kernel/drive.js").OpenRun} open
 * @param {FlowEventKind[]} first
 * @returns {Promise<Ending>}
 */
function work(request, open, first) {
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
      lanes: new Lanes({ workplace, store: open.store, enters, leaves }),
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
    claimed: (name) => activate(project, name),
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
