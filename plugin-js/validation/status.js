/**
 * `/validate-status [run]`: the status of a run, from its journal, and what runs have left running; without a name, the latest run and
 * the list of the latest; with `--all`, the list of all. No model is asked.
 */
import { settleLiveMessages } from "../kernel/live-message.js";
import { look, survey } from "../kernel/runs.js";
import { leftOf } from "./left.js";
import { runsDirectory } from "./runs.js";
import { noteShown } from "./session.js";

/**
 * @param {import("./request.js").Request} request
 * @returns {Promise<string>} the text to show
 */
export async function status(request) {
  const { core, project, text } = request;
  const runs = runsDirectory(project);
  const found = await survey(core, runs);
  const name = core.shown(text, found);
  await settleLiveMessages(request, runs);
  const shown =
    name === null
      ? null
      : await look(core, runs, name, (run, one) => {
          noteShown(request, run);
          return core.status(run, one);
        });
  const list = core.list(text, found);
  const parts = [shown, list, ...core.left(await leftOf(project, found))];
  return parts.filter((part) => part !== null).join("\n\n");
}
