/**
 * `/validate-cancel [run]`: stops the runs that this process works on, else the latest that another one does; or the one that is named,
 * also where its process has died. What they have started is ended, and they report what there is.
 */
import { Folder } from "../kernel/door.js";
import { survey } from "../kernel/runs.js";
import { askToStop } from "../kernel/stop.js";
import { runsDirectory } from "./runs.js";
import { stopRun } from "./session.js";
import { status } from "./status.js";

/**
 * @param {import("./request.js").Request} request
 * @returns {Promise<string>} how the run stands then
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
  if (here.length > 0) await Promise.all(here.map((run) => run.cancel("you asked for it")));
  else if (found.some((run) => run.name === name && isAnothers(run)))
    await askToStop(core, new Folder(runs, name));
  else if (named !== null || isUnconfirmed(found, name)) await stopRun(request, name);
  else return `${core.nothingRuns()}\n\n${await status({ ...request, text: name })}`;
  return status({ ...request, text: name });
}

/**
 * Whether a run waits for the user's yes to what it may cost: then nothing of it has begun.
 * @param {import("../core/validation.js").ValidationFound[]} found
 * @param {string} name
 */
function isUnconfirmed(found, name) {
  return found.find((run) => run.name === name)?.summary?.outcome === "waiting";
}
