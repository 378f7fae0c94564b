/**
 * `/validate-cancel`: stops the runs that this process works on, else the latest that another one does. What they have started is
 * ended, and they report what there is.
 */
import { Folder } from "../kernel/door.js";
import { survey } from "../kernel/runs.js";
import { askToStop } from "../kernel/stop.js";
import { runsDirectory } from "./runs.js";
import { status } from "./status.js";

/**
 * @param {import("./request.js").Request} request
 * @returns {Promise<string>} how the run stands then
 */
export async function cancel(request) {
  const { core, project, running } = request;
  const names = [...running].map(({ name }) => name);
  if (names.length > 0) {
    await Promise.all([...running].map((run) => run.cancel("you asked for it")));
  } else {
    const runs = runsDirectory(project);
    const found = await survey(core, runs);
    names.push(found.findLast(({ owner }) => owner.kind === "process")?.name ?? core.toShow("", found));
    await askToStop(core, new Folder(runs, names[0]));
  }
  return status({ ...request, text: names.at(-1) ?? "" });
}
