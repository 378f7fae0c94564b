/**
 * `/flow-feedback <words>`, `/flow-feedback confirm <hash>`, `/flow-feedback list` and `/flow-feedback remove <id>`: feedback that
 * becomes a rule of the project.
 */
import { readRules } from "../kernel/project-rules.js";
import { changeFeedback, readLog } from "./feedback-files.js";
import { searchProject } from "./search.js";
import { leftOutOf } from "./sessions.js";

/** @typedef {import("./request.js").Request} Request */

/**
 * @param {Request} request
 * @returns {Promise<string>} what is shown
 */
export async function feedback(request) {
  const { core, text } = request;
  const asked = core.feedbackCommand(text);
  switch (asked.kind) {
    case "say":
      return say(request, asked.said);
    case "confirm":
      return confirm(request, asked.hash);
    case "list":
      return list(request);
    case "remove":
      return remove(request, asked.id);
  }
}

/** @param {Request} request @param {string} said */
async function say(request, said) {
  const { core, project } = request;
  const { id, wanted } = await changeFeedback(project, (log) => core.feedbackLogged(log, said, Date.now()));
  const places = Object.values(await search(request, wanted));
  const done = await changeFeedback(project, (log) => core.feedbackShown(log ?? "", id, places));
  return show(request, done);
}

/** @param {Request} request @param {string} hash */
async function confirm(request, hash) {
  const { core, project, shown } = request;
  const done = await changeFeedback(project, (log, rules) =>
    core.feedbackConfirmed(log, rules, hash, [...shown]),
  );
  tellSessions(request);
  return done.text;
}

/** @param {Request} request */
async function list(request) {
  const { core, project } = request;
  const wanted = core.feedbackToList(await readLog(project), readRules(project));
  const places = await search(request, wanted);
  return show(
    request,
    await changeFeedback(project, (log, rules) => core.feedbackListed(log, rules, places)),
  );
}

/** @param {Request} request @param {string} id */
async function remove(request, id) {
  const { core, project } = request;
  const done = await changeFeedback(project, (log, rules) => core.feedbackRemoved(log, rules, id));
  tellSessions(request);
  return done.text;
}

/** @param {Request} request @param {import("../core/types.js").FlowWanted[]} wanted */
function search({ core, project, outputs }, wanted) {
  return searchProject({ core, project, leftOut: leftOutOf(project, outputs) }, wanted);
}

/**
 * Records that the user has seen these hashes: only a process that has shown a hash may accept its confirmation.
 * @param {Request} request
 * @param {import("../core/types.js").FlowFeedbackDone} done
 */
function show({ shown, byModel = false }, { text, hashes }) {
  if (!byModel) for (const hash of hashes) shown.add(hash);
  return text;
}

/**
 * Tells the sessions that are at work in this process which rules there are now.
 * @param {Request} request
 */
function tellSessions({ core, project, running }) {
  const rules = core.projectRules(readRules(project));
  for (const run of running) run.decide((session) => core.ruled(session, rules));
}
