/**
 * The tools that models get: commands that a model calls in place of the user.
 */

/**
 * @typedef {object} Context what OpenCode 1.18 hands to a tool
 * @property {string} sessionID
 * @property {AbortSignal} abort the user stopped the turn
 * @property {(question: {permission: string, patterns: string[], always: string[], metadata: object}) => Promise<void>} ask
 *   resolves when the call is permitted, by rule or by the user
 *
 * @typedef {object} Definition a tool as OpenCode 1.18 takes it. Its `args` need no zod: values that are no zod types are taken
 *   for JSON Schema, all of them required, and what a model sends is not checked.
 * @property {string} description
 * @property {Record<string, object>} args
 * @property {(args: any, context: Context) => Promise<string>} execute
 */

/**
 * @param {Record<string, import("../types.js").Tool>} tools by name
 * @param {(command: string, text: string, context: Context) => Promise<string>} carryOut
 * @returns {Record<string, Definition>}
 */
export function definitions(tools, carryOut) {
  return Object.fromEntries(
    Object.entries(tools).map(([name, { command, description, argument, paid }]) => [
      name,
      {
        description,
        args: argument ? { [argument.name]: { type: "string", description: argument.description } } : {},
        async execute(args, context) {
          const given = argument ? args?.[argument.name] : "";
          const text = typeof given === "string" ? given : "";
          if (paid) await context.ask({ permission: name, patterns: [text], always: ["*"], metadata: {} });
          return carryOut(command, text, context);
        },
      },
    ]),
  );
}
