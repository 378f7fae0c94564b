/**
 * `/validate-cancel [run]`: stops the runs that this process works on, or else the latest one of another process; or the named run,
 * even if its process has died. What they have started is ended, and they report the results so far.
 */
import { Folder } from "../kernel/door.js";
import { survey } from "../kernel/runs.js";
import { askToStop, BY_COMMAND } from "../kernel/stop.js";
import { runsDirectory } from "./runs.js";
import { stopRun } from "./session.js";
import { status } from "./status.js";

/**
 * @param {import("./request.js").Request} request
 * @returns {Promise<string>} the run's status after that
 */
export async function cancel(request) {
  const { core, project, text, running } = request;
  const runs = runsDirectory(project);
  const found = await survey(core, runs);
  const isAnothers = (/** @type {typeof found[number]} */ { owner }) =>
    owner.kind === "process" && !owner.here;
  const named = text.trim() === "" ? null : core.toShow(text, found);
  const here = [...running].filter(({ name }) => named === null || name === named);
  const last = here.at(-1) ?? found.findLast(isAnothers);
  const name = named ?? last?.name ?? core.toShow("", found);
  if (here.length > 0) await Promise.all(here.map((run) => run.cancel(BY_COMMAND)));
  else if (found.some((run) => run.name === name && isAnothers(run)))
    await askToStop(core, new Folder(runs, name));
  else if (named !== null || isUnconfirmed(found, name)) await stopRun(request, name);
  else return `${core.nothingRuns()}\n\n${await status({ ...request, text: name })}`;
  return status({ ...request, text: name });
}

/**
 * Whether a run waits for the user's approval of its expected cost: nothing of it has started then.
 * @param {import("../core/validation.js").ValidationFound[]} found
 * @param {string} name
 */
function isUnconfirmed(found, name) {
  return found.find((run) => run.name === name)?.summary?.outcome === "waiting";
}
