/** The slash commands on OpenCode 2: each runs without a model, and ends with a message that people read. A run has one at its start, too. */
import { DesignLabError } from "../core/load.js";
import { attachedTo } from "../hosts/attachments.js";
import { isCommand } from "../hosts/commands.js";
import { ended, started } from "./notes.js";

/**
 * @typedef {import("./context.js").CommandInput} CommandInput
 * @typedef {import("./host.js").OpenCode2} OpenCode2
 */

/**
 * @param {object} parts
 * @param {import("./context.js").Context} parts.ctx
 * @param {import("../core/types.js").Registration} parts.registration
 * @param {import("../hosts/workflows.js").Workflows} parts.workflows
 * @param {string} parts.root the directory to which names with `@` are relative
 * @param {(sessionID: string, command: string) => OpenCode2} parts.hostOf
 * @param {(sessionID: string) => Promise<unknown>} parts.labSession the session of a run, if it is one
 * @param {() => Promise<void>} parts.configure reads the user's settings for the agents
 */
export function registerCommands({ ctx, registration, workflows, root, hostOf, labSession, configure }) {
  /** @param {string} command @param {CommandInput} input */
  async function execute(command, { sessionID, prompt, delivery }) {
    if (!isCommand(command)) return;
    if (await labSession(sessionID)) throw new Error("This command is not available in this session.");
    const host = hostOf(sessionID, command);
    const text = prompt.text ?? "";
    await configure();
    host.announceStart({ forModel: started(command), delivery, name: text || command });
    const attached = attachedTo((prompt.files ?? []).map(part), text, root);
    const { shown, brief } = await result(command, host, { text, attached });
    // Without a brief, the session's model learns only that there was a command: what it shows is for people.
    const forModel = brief || ended(command);
    await host.show(shown, { forModel, asks: brief !== "", delivery });
  }

  /**
   * @param {import("../hosts/commands.js").Command} command
   * @param {OpenCode2} host
   * @param {import("../hosts/workflows.js").Given} given
   */
  async function result(command, host, given) {
    try {
      const ended = await workflows.perform(command, host, given);
      if (typeof ended === "string") return { shown: ended, brief: "" };
      if (ended.problem) throw new DesignLabError([ended.problem]);
      // Without a result, a paid turn would have nothing to report; and some commands promise not to call a model.
      const comments = ended.done && ended.brief !== "" && (await workflows.mayComment(host));
      return { shown: host.shown, brief: comments ? ended.brief : "" };
    } catch (error) {
      return { shown: workflows.wording(command, error), brief: "" };
    }
  }

  return ctx.command.transform((commands) => {
    for (const [name, command] of Object.entries(registration.commands)) {
      const { description } = /** @type {any} */ (command);
      commands.add({
        name,
        description,
        execute: (/** @type {CommandInput} */ input) => execute(name, input),
      });
    }
  });
}

/** Returns an attachment in the form of OpenCode 1. @param {import("./context.js").PromptFile} file */
function part({ uri, name }) {
  const mime = /^data:([^;,]*)/.exec(uri)?.[1] ?? "";
  return { type: "file", url: uri, mime, ...(name === undefined ? {} : { filename: name }) };
}
