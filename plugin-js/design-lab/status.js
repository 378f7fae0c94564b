/**
 * `/design-lab-status [run]`: shows one run, or the list of all; with `--export`, writes the decision of one to a file; with
 * `--history`, summarises all of them. Also corrects live messages that show a run as active although its process has ended.
 */
import { Folder } from "../kernel/door.js";
import { settleLiveMessages } from "../kernel/live-message.js";
import { look, survey } from "../kernel/runs.js";
import { runsDirectory } from "./configuration.js";

/**
 * @param {import("./request.js").Request} request
 * @returns {Promise<string>} the text for the user
 */
export async function status(request) {
  const { core, text, byModel = false } = request;
  const { output, written } = await runsDirectory(request);
  await settleLiveMessages(request, output);
  const runs = await survey(core, output);
  if (core.asksForHistory(text)) return core.history(runs, written).text;
  const asked = core.decisionRequest(text);
  if (asked) {
    const { name } = core.choose("status", asked.run, runs);
    const [file, decision] = await look(core, output, name, (handle) => core.decision(handle, asked.form));
    await new Folder(output, name).write(file, decision);
    return core.exported(`${written.replace(/\/+$/, "")}/${name}/${file}`);
  }
  const listed = core.listed(text);
  if (listed) return core.listRuns(runs, written, Date.now(), listed, byModel);
  const { name } = core.choose("status", text, runs);
  return look(core, output, name, (handle, run) => core.status(handle, run, Date.now(), byModel));
}
