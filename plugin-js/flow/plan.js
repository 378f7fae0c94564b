/**
 * `/flow-plan <goal>`, `/flow-plan from <run>[/<design>]`, `/flow-plan fix <validation>`,
 * `/flow-plan revise <remarks>`, `/flow-plan select <ids>` and `/flow-plan approve <hash>`.
 */
import { DesignLabError } from "../core/load.js";
import { localDate } from "../kernel/clock.js";
import { Folder } from "../kernel/door.js";
import { ownerOf } from "../kernel/lock.js";
import { readRules } from "../kernel/project-rules.js";
import { beginSession, continueSession, storedSessions } from "./session.js";
import { activeSession, sessionsDirectory } from "./sessions.js";

/** @typedef {import("./request.js").Request} Request */

/** @param {Request} request */
export async function plan(request) {
  const { core, text, shown } = request;
  const asked = core.planCommand(text);
  switch (asked.kind) {
    case "draft":
      return draft(request, asked.goal, false);
    case "from":
      return draftFrom(request, asked.named, false);
    case "fix":
      return draftFix(request, asked.named);
    case "revise":
      return continueSession(request, (session, stored) => core.revise(session, asked.remarks, stored));
    case "select":
      return continueSession(request, (session) => core.select(session, asked.features));
    case "approve":
      return continueSession(request, (session) => core.approve(session, asked.hash, [...shown]));
  }
}

/**
 * Begins a session for a goal.
 * @param {Request} request
 * @param {string} goal
 * @param {boolean} automatic whether everything is built without asking
 */
export function draft(request, goal, automatic) {
  return begin(request, { goal, from: null, automatic });
}

/**
 * Begins a session for a ranked design.
 * @param {Request} request
 * @param {string} named the run and the design, as the user names them
 * @param {boolean} automatic whether everything is built without asking
 */
export async function draftFrom(request, named, automatic) {
  return begin(request, { goal: "", from: await request.handover(named), automatic });
}

/**
 * Begins a session that fixes the findings of a validation.
 * @param {Request} request
 * @param {string} named the validation, as the user names it
 */
async function draftFix(request, named) {
  return begin(request, { goal: "", from: null, fix: await request.toFix(named), automatic: false });
}

/**
 * @param {Request} request
 * @param {Partial<Pick<import("../core/types.js").FlowOpeningInput, "goal" | "from" | "fix" | "automatic">>} asked
 * @param {(input: import("../core/types.js").FlowOpeningInput, stored: import("../core/flow.js").FlowFound[]) => import("../core/types.js").FlowOpening} [opening]
 *   returns the first event's content
 */
export async function begin(request, asked, opening = (input, stored) => request.core.begin(input, stored)) {
  const { core, host, project, currentModel, agreed, configured, settings } = request;
  const available = { models: await host.models(), current: currentModel, agreed: agreed() };
  const shell_rules = core.shellRules(await host.agents());
  const opened = opening(
    {
      ...{ goal: "", from: null, automatic: false },
      package: core.version,
      date: localDate(new Date()),
      available,
      configured,
      settings: settings(),
      shell_rules,
      project_rules: core.projectRules(readRules(project)),
      ...asked,
    },
    await storedSessions(request),
  );
  await refuseWhileWorking(request);
  return beginSession(request, opened);
}

/**
 * Only one session at a time may change the files of a project.
 * @param {Request} request
 */
async function refuseWhileWorking({ core, project }) {
  const name = await activeSession(core, project).catch((error) => {
    if (error instanceof DesignLabError) return undefined;
    throw error;
  });
  if (name === undefined) return;
  const owner = await ownerOf(new Folder(sessionsDirectory(project), name));
  if (owner.kind === "process") throw new DesignLabError([core.locked(name, owner.name)]);
}
