/**
 * `/flow-session <id> [--trust]`: makes another stored session the active one; with `--trust` the user takes over one whose journal
 * this machine didn't write.
 */
import { record } from "../kernel/journal.js";
import { takeOver } from "../kernel/reopen.js";
import { survey } from "../kernel/runs.js";
import { activate, sessionsDirectory } from "./sessions.js";
import { status } from "./status.js";

/**
 * @param {import("./request.js").Request} request
 * @returns {Promise<string>} how that session stands
 */
export async function choose(request) {
  const { core, project, text } = request;
  const output = sessionsDirectory(project);
  const { named, trust } = core.sessionCommand(text, request.byModel ?? false);
  const name = core.toActivate(named, await survey(core, output));
  if (trust) await adopt(core, output, name);
  await activate(project, name);
  return status(request);
}

/**
 * From here on this machine vouches for all that the session says of itself.
 * @param {import("./request.js").Request["core"]} core
 * @param {string} output
 * @param {string} name
 */
async function adopt(core, output, name) {
  const { open, decided } = await takeOver(core, output, name, (session) => core.isOurs(session));
  try {
    if (!decided) await record({ core, ...open }, Date.now(), { event: "adopted" });
  } finally {
    await open.store.close();
    core.closeRun(open.handle);
  }
}
