/**
 * `/flow-race <goal> --workers …`, `/flow-race from <run> [--designs …]`, `/flow-race approve <hash>` and
 * `/flow-race take <lane> [hash]`: several lanes build the same plan, and the user takes one. Without arguments, shows the race.
 */
import { DesignLabError } from "../core/load.js";
import { look } from "../kernel/runs.js";
import { begin } from "./plan.js";
import { continueNamed, continueSession } from "./session.js";
import { activate, activeSession, sessionsDirectory } from "./sessions.js";
import { statusOf } from "./status.js";

/** @typedef {import("./request.js").Request} Request */

/** @param {Request} request */
export async function race(request) {
  const { core, text, shown, handovers, alongside } = request;
  const asked = core.raceCommand(text);
  // Nothing is paid for a plan that can't be raced.
  if (!alongside && (asked.kind === "draft" || asked.kind === "from"))
    throw new DesignLabError([core.raceClosed()]);
  switch (asked.kind) {
    case "show":
      return statusOf(request, await raceOf(request));
    case "draft": {
      const { goal, workers } = asked;
      return begin(request, { goal }, (input, stored) => core.beginRace(input, workers, [], stored));
    }
    case "from": {
      const designs = await handovers(asked.run, asked.designs);
      return begin(request, { goal: "" }, (input, stored) => core.beginRace(input, [], designs, stored));
    }
    case "approve":
      return continueSession(request, (session) => core.race(session, asked.hash, [...shown]));
    case "take":
      return take(request, asked);
  }
}

/**
 * The name of the session that is the race, also if one of its lanes is the active session.
 * @param {Request} request
 */
async function raceOf({ core, project }) {
  const name = await activeSession(core, project);
  return look(core, sessionsDirectory(project), name, (handle) => core.raceName(handle) ?? name);
}

/**
 * Takes the result of a lane in the lane's session, which then becomes the active one.
 * @param {Request} request
 * @param {{lane: string, hash: string}} asked
 */
async function take(request, asked) {
  const { core, project, shown } = request;
  const sessions = sessionsDirectory(project);
  const name = await raceOf(request);
  const { lane, session, frozen } = await look(core, sessions, name, (handle) =>
    core.laneToTake(handle, asked.lane),
  );
  const ending = await continueNamed(request, session, (handle) =>
    core.takeFrozen(handle, asked.hash, [...shown], frozen),
  );
  if (!(await look(core, sessions, session, (handle) => core.laneIsTaken(handle)))) return ending;
  // The message of the race would only repeat what was taken.
  const silent = request.alongside?.(() => {});
  await continueNamed({ ...request, ...silent }, name, () => core.laneTaken(lane));
  await activate(project, session);
  return ending;
}
