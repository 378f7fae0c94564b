/**
 * Works on a run: starts or takes over one, and drives it until it ends or needs the user.
 */
import { drive } from "../kernel/drive.js";
import { forPrograms } from "../kernel/environment.js";
import { lookUp } from "../kernel/look-up.js";
import { problemsOf } from "../kernel/problems.js";
import { takeOver } from "../kernel/reopen.js";
import { summaryOf } from "../kernel/runs.js";
import { Store } from "../kernel/store.js";
import { Effects } from "./effects.js";
import { PAGE, writePage } from "./page.js";
import { FILE, print } from "./registry.js";
import { prepare, runsDirectory, settingsOf } from "./runs.js";

/**
 * @typedef {import("./request.js").Request} Request
 * @typedef {import("../core/types.js").ValidationSettings} Settings
 * @typedef {import("../core/validation.js").ValidationEventKind} ValidationEventKind
 * @typedef {import("../kernel/run.js").Ending} Ending
 */

/**
 * @param {Request} request
 * @param {import("../core/types.js").ValidationOpening} opening
 * @returns {Promise<Ending>}
 */
export async function beginRun(request, opening) {
  await prepare(request.project);
  const output = runsDirectory(request.project);
  const store = await Store.stage(output);
  // A run without a registry counts as having lost it.
  if (opening.scope === "full") await store.write(FILE, print([]));
  const open = { output, store, handle: request.core.openRun() };
  return work(request, open, opening.settings, [{ event: "opened", ...opening }]);
}

/**
 * Continues a run. Rejects with a `DesignLabError`, a `StoreError` or a `LockedError` if it can't.
 * @param {Request} request
 * @param {string} name of the run
 * @param {(run: number, settings: Settings) => ValidationEventKind[]} decide the events to add, before anything on disk is changed
 * @returns {Promise<Ending>}
 */
export async function continueRun(request, name, decide) {
  const { open, decided } = await takeOver(request.core, runsDirectory(request.project), name, (run) => {
    const settings = settingsOfRun(request, run, request.configuration());
    return { settings, events: decide(run, settings), mayHaveLeft: mayHaveLeft(request, run) };
  });
  return work(request, open, decided.settings, decided.events, decided.mayHaveLeft);
}

/**
 * Stops a run whose process has died: ends what it left running, and reports the results so far. Rejects as {@link continueRun}.
 * @param {Request} request
 * @param {string} name of the run
 */
export async function stopRun(request, name) {
  const { core, project } = request;
  const { open, decided } = await takeOver(core, runsDirectory(project), name, (run) => {
    const settings = settingsOfRun(request, run, []);
    return { settings, events: core.cancel(run), mayHaveLeft: mayHaveLeft(request, run) };
  });
  const { settings, events } = decided;
  if (events.length > 0) return work(request, open, settings, events, decided.mayHaveLeft);
  const effects = effectsOf(request, open.store, settings, decided.mayHaveLeft);
  try {
    await effects.begin();
    await effects.end();
  } finally {
    await open.store.close();
    core.closeRun(open.handle);
  }
}

/**
 * @param {Request} request
 * @param {number} run
 * @param {import("../core/types.js").Source[]} configuration
 */
function settingsOfRun(request, run, configuration) {
  return settingsOf(request, summaryOf(request.core, run).scope, configuration);
}

/** Whether an earlier process may have started something that is still running. @param {Request} request @param {number} run */
function mayHaveLeft({ core }, run) {
  return summaryOf(core, run).may_have_left;
}

/**
 * @param {Pick<Request, "project" | "keys">} request
 * @param {Store} store
 * @param {Settings} settings
 * @param {boolean} mayHaveLeft
 */
function effectsOf({ project, keys }, store, settings, mayHaveLeft) {
  return new Effects({ project, store, settings, environment: forPrograms(process.env, keys), mayHaveLeft });
}

/**
 * @param {Request} request
 * @param {import("../kernel/drive.js").OpenRun} open
 * @param {Settings} settings
 * @param {ValidationEventKind[]} first
 * @param {boolean} [mayHaveLeft]
 * @returns {Promise<Ending>}
 */
function work(request, open, settings, first, mayHaveLeft = false) {
  const effects = effectsOf(request, open.store, settings, mayHaveLeft);
  return drive(request, open, first, {
    async enter() {
      await effects.begin();
      const lift = await request.guard();
      return async () => {
        // A run that couldn't continue has not requested it.
        await effects.end().catch(() => {});
        await lift();
      };
    },
    perform: effects.perform,
    lookUp: (job, reply) => lookUp(request.project, request.core.cited(open.handle, job, reply)),
    async conclude(ending) {
      const { core } = request;
      noteShown(request, open.handle);
      // A script that runs it learns from the exit code whether everything was validated.
      const concluded = { ...ending, done: summaryOf(core, open.handle).status === "validated" };
      if (!core.files(open.handle).some(([file]) => file === PAGE)) return concluded;
      try {
        await writePage(core, open.handle, open.store.folder);
        return concluded;
      } catch (error) {
        return { ...concluded, problem: problemsOf(core, error)[0] };
      }
    },
  });
}

/**
 * Notes that the user has been shown the commands that a run would start: only a process that has shown them may accept approval.
 * @param {Pick<Request, "core" | "shown">} request
 * @param {number} run
 */
export function noteShown({ core, shown }, run) {
  const commands_hash = core.summary(run)?.commands_hash;
  if (commands_hash) shown.add(commands_hash);
}
