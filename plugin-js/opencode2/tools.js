/** The tool that models get: the commands of Design Lab, called on the user's behalf. */
import { agreed } from "./consent.js";

/**
 * @typedef {import("./context.js").ToolCallContext} ToolCallContext
 * @typedef {import("../core/types.js").ToolCall} ToolCall
 */

/** The only one: those of Flow are hidden unless a rule of the user names them, and no rule hides a tool of a plugin here. */
const TOOL = "design_lab";

/**
 * @param {object} parts
 * @param {import("./context.js").Context} parts.ctx
 * @param {import("../core/types.js").Registration} parts.registration
 * @param {import("../hosts/workflows.js").Workflows} parts.workflows
 * @param {(sessionID: string, command: string) => import("./host.js").OpenCode2} parts.hostOf
 * @param {(sessionID: string) => Promise<unknown>} parts.labSession the session of a run, if it is one
 */
export function registerTools({ ctx, registration, workflows, hostOf, labSession }) {
  const tool = registration.tools[TOOL];
  if (!tool) return undefined;

  /** @param {any} sent @param {ToolCallContext} context */
  async function execute(sent, context) {
    if (await labSession(context.sessionID)) throw new Error("This tool is not available in this session.");
    const call = workflows.understand(TOOL, text(sent?.action), text(sent?.text));
    const host = hostOf(context.sessionID, call.command);
    if (call.ask) await ask(call, host, context);
    try {
      return { content: await workflows.performForModel(call, host, context.signal) };
    } catch (error) {
      throw new Error(workflows.wording(call.command, error, true));
    }
  }

  /**
   * Asks the user before a call that costs something. Throws if the user doesn't permit it.
   * @param {ToolCall} call
   * @param {import("./host.js").OpenCode2} host
   * @param {ToolCallContext} context
   */
  async function ask(call, host, context) {
    const { pattern, further } = await workflows.priced(call.ask?.pattern ?? "", call, host);
    await agreed(ctx, context, pattern, `/${call.command} ${call.text}`.trim());
    if (!further) return;
    await agreed(ctx, context, further.question.pattern, `/${call.command} ${call.text}`.trim());
    await further.agree();
  }

  const properties = tool.arguments;
  return ctx.tool.transform((tools) => {
    tools.add({
      name: TOOL,
      description: tool.description,
      input: { type: "object", properties, required: Object.keys(properties), additionalProperties: false },
      // Otherwise the tool could only be called from code that a model writes.
      options: { codemode: false },
      execute,
    });
  });
}

/** @param {unknown} value */
function text(value) {
  return typeof value === "string" ? value : "";
}
