/** The tool that models get: the commands of Design Lab, called on the user's behalf. */
import { agreed } from "./consent.js";
import { seen } from "./notes.js";

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
 * @param {import("./shells.js").Shells} parts.shells
 */
export function registerTools({ ctx, registration, workflows, hostOf, labSession, shells }) {
  const tool = registration.tools[TOOL];
  if (!tool) return undefined;

  /** @param {any} sent @param {ToolCallContext} context */
  async function execute(sent, context) {
    if (await labSession(context.sessionID)) throw new Error("This tool is not available in this session.");
    const call = workflows.understand(TOOL, text(sent?.action), text(sent?.text));
    const host = hostOf(context.sessionID, call.command);
    if (call.ask) await ask(call, host, context);
    try {
      const note = { forModel: seen(call.command), delivery: undefined };
      host.announceStart({ ...note, name: call.text || call.command });
      const content = await workflows.performForModel(call, host, context.signal);
      // What the model reads says that the user sees the result.
      if (host.hasStarted) await host.show(host.shown, { ...note, asks: false }).catch(() => {});
      return { content };
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
    const command = `/${call.command} ${call.text}`.trim();
    await agreed(ctx, context, pattern, command, shells);
    if (!further) return;
    await agreed(ctx, context, further.question.pattern, command, shells);
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
