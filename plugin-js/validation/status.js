/**
 * `/validate-status [run]`: how a run stands, from its journal, and what runs have left running; no model is asked.
 */
import { settleLiveMessages } from "../kernel/live-message.js";
import { look, survey } from "../kernel/runs.js";
import { leftOf } from "./left.js";
import { runsDirectory } from "./runs.js";
import { noteShown } from "./session.js";

/**
 * @param {import("./request.js").Request} request
 * @returns {Promise<string>} what is shown
 */
export async function status(request) {
  const { core, project, text } = request;
  const runs = runsDirectory(project);
  const name = core.toShow(text, await survey(core, runs));
  await settleLiveMessages(request, runs);
  const shown = await look(core, runs, name, (run, found) => {
    noteShown(request, run);
    return core.status(run, found);
  });
  return [shown, ...core.left(await leftOf(project))].join("\n\n");
}
