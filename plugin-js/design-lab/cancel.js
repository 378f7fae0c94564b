/**
 * `/design-lab-cancel [run]`: stops runs, in this process or another.
 */
import { Folder } from "../kernel/door.js";
import { survey } from "../kernel/runs.js";
import { askToStop, BY_COMMAND } from "../kernel/stop.js";
import { runsDirectory } from "./configuration.js";
import { driveIsolated } from "./isolated.js";
import { reopen } from "./reopen.js";

/**
 * Cancels a run that is waiting for the user's approval.
 * @param {import("./request.js").Request} request
 * @param {string} output absolute
 * @param {string} name
 */
async function callOff(request, output, name) {
  const { core } = request;
  const { open } = await reopen(core, output, "cancel", name, () => {});
  await driveIsolated(request, open, [{ event: "cancelled", reason: BY_COMMAND }]);
  return core.stoppedRuns([name]);
}

/**
 * Stops the named run; without a name, every run that this process drives, or the one that another process drives.
 * @param {import("./request.js").Request} request
 */
export async function cancel(request) {
  const { core, running, text } = request;
  let runs = [...running];
  if (text.trim() !== "" || runs.length === 0) {
    const { output } = await runsDirectory(request);
    const { name, owner } = core.choose("cancel", text, await survey(core, output));
    if (owner.kind === "nobody") return callOff(request, output, name);
    runs = runs.filter((run) => run.name === name);
    if (runs.length === 0) {
      await askToStop(core, new Folder(output, name));
      return core.stoppedRuns([name]);
    }
  }
  await Promise.all(runs.map((run) => run.cancel(BY_COMMAND)));
  return core.stoppedRuns(runs.map((run) => run.name));
}
