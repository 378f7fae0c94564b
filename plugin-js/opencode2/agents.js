/** The agents of the workflows' sessions, and what these sessions may do. */
import { rulesOf } from "./calls.js";

/**
 * @typedef {import("./context.js").Rule} Rule
 * @typedef {import("../core/types.js").Registration} Registration
 */

/**
 * Tools of OpenCode 2 that OpenCode 1 has only behind a flag or not at all. A session of a run gets no more tools there than here:
 * `execute` runs code that calls tools which no rule names, and may even move its session to another directory.
 */
const FURTHER = ["browser", "execute", "opencode_*", "websearch"];

/**
 * Returns the rules of an agent's sessions. They are also set for each session, after the user's own rules: the last one that
 * matches decides.
 * @param {Registration} registration
 * @param {string} agent
 * @returns {Rule[]}
 */
export function sessionRules(registration, agent) {
  const { permission } = /** @type {any} */ (registration.agents[agent] ?? {});
  // An agent that the registration doesn't name may do nothing.
  const rules = rulesOf(permission ?? { "*": "deny" });
  const allowed = rules.filter(({ effect }) => effect === "allow").map(({ action }) => action);
  const refused = FURTHER.filter((action) => !allowed.includes(action));
  return [
    ...rules,
    ...refused.map((action) => ({ action, resource: "*", effect: /** @type {const} */ ("deny") })),
  ];
}

/**
 * Registers the agents, and keeps the models of other sessions from starting them.
 * @param {import("./context.js").Context} ctx
 * @param {Registration} registration
 */
export function registerAgents(ctx, registration) {
  const hidden = rulesOf({ task: /** @type {any} */ (registration.permission.task) ?? {} });
  return ctx.agent.transform((agents) => {
    for (const { id } of agents.list()) {
      if (!Object.hasOwn(registration.agents, id))
        agents.update(id, (draft) => void draft.permissions.push(...hidden));
    }
    for (const [name, agent] of Object.entries(registration.agents)) {
      const { description, mode, prompt } = /** @type {any} */ (agent);
      agents.update(name, (draft) => {
        draft.description = description;
        draft.mode = mode ?? "subagent";
        draft.hidden = true;
        if (typeof prompt === "string") draft.system = prompt;
        draft.permissions.push(...sessionRules(registration, name));
      });
    }
  });
}
