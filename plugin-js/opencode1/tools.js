/**
 * The tools that models get: the commands, called on the user's behalf.
 */

/**
 * @typedef {import("../core/types.js").ToolCall} ToolCall
 *
 * @typedef {object} Context what OpenCode 1.18 passes to a tool
 * @property {string} sessionID
 * @property {AbortSignal} abort aborts when the user stops the turn
 * @property {(question: {permission: string, patterns: string[], always: string[], metadata: object}) => Promise<void>} ask
 *   resolves when the call is permitted, by rule or by the user
 *
 * @typedef {object} Definition a tool as OpenCode 1.18 accepts it. Its `args` need no zod: values that are not zod types are used
 *   as JSON Schema, all of them required, and a model's arguments are not checked.
 * @property {string} description
 * @property {Record<string, object>} args
 * @property {(args: any, context: Context) => Promise<string>} execute
 */

/**
 * @typedef {object} Priced
 * @property {string} pattern the pattern of the permission request, with the expected cost
 * @property {{question: import("../core/types.js").Permission, agree: () => Promise<void>}} [further] a further permission request, and
 *   the action after the user grants it
 */

/**
 * @param {Record<string, import("../core/types.js").Tool>} tools by name
 * @param {(tool: string, action: string, text: string) => ToolCall} understand returns the command that a call stands for; throws if it
 *   is invalid
 * @param {(call: ToolCall, context: Context) => Promise<string>} carryOut
 * @param {(pattern: string, call: ToolCall, context: Context) => Promise<Priced>} priced
 * @returns {Record<string, Definition>}
 */
export function definitions(tools, understand, carryOut, priced) {
  return Object.fromEntries(
    Object.entries(tools).map(([name, { description, arguments: args }]) => [
      name,
      {
        description,
        args: /** @type {Record<string, object>} */ (args),
        async execute(sent, context) {
          const call = understand(name, text(sent?.action), text(sent?.text));
          if (call.ask) {
            const { permission, always } = call.ask;
            const { pattern, further } = await priced(call.ask.pattern, call, context);
            await context.ask({ permission, patterns: [pattern], always: [always], metadata: {} });
            if (further) {
              const { question, agree } = further;
              const { permission, pattern, always } = question;
              await context.ask({ permission, patterns: [pattern], always: [always], metadata: {} });
              await agree();
            }
          }
          return carryOut(call, context);
        },
      },
    ]),
  );
}

/** @param {unknown} value */
function text(value) {
  return typeof value === "string" ? value : "";
}
