/**
 * The plugin as OpenCode 1.x loads it: hooks that call the shell, after a look-up that skips every session that doesn't belong to a
 * run. OpenCode keeps its own references, so hooks change their arguments in place.
 */
import path from "node:path";
import { DesignLabError } from "../core/load.js";
import { attachedTo } from "../hosts/attachments.js";
import { isCalledFromModelsShell } from "../hosts/callers.js";
import { brandOf, isCommand } from "../hosts/commands.js";
import { LabSessions } from "../hosts/lab-sessions.js";
import { isOfModelsShell, MARK } from "../hosts/models-shell.js";
import { unconfigured, Workflows } from "../hosts/workflows.js";
import { answer, DONE_PART, finish, Handled, isDone, PendingCommands } from "./answered.js";
import { date, OpenCode1 } from "./host.js";
import { withUsers } from "./permission.js";
import { Terminal } from "./terminal.js";
import { definitions } from "./tools.js";

/**
 * @typedef {import("@opencode-ai/plugin").PluginInput} PluginInput
 * @typedef {import("@opencode-ai/plugin").Hooks} Hooks
 *
 * @typedef {{
 *   command: import("../hosts/commands.js").Command,
 *   text: string,
 *   attached: import("../design-lab/attachments.js").Named[],
 * }} Asked a command as the user typed it, and the files that came with it
 */

/**
 * @param {PluginInput} input
 * @param {Record<string, unknown>} [options]
 * @returns {Promise<Hooks>}
 */
export async function server({ client, directory, worktree }, options) {
  const sessions = LabSessions.ofProcess;
  sessions.attend(directory);
  const isLane = sessions.isLane(directory);
  const workflows = new Workflows({
    directory,
    worktree,
    options,
    sessions,
    isOfModelsShell: () => isOfModelsShell() || (isCalledFromModelsShell() && "sent"),
  });
  const terminal = Terminal.find();
  /** Commands that wait for the message that they become. @type {PendingCommands<Asked>} */
  const pending = new PendingCommands();

  const hostOf = (/** @type {string} */ parent, brand = "Design Lab") =>
    new OpenCode1({ client, parent, directory, sessions, terminal, brand });
  const brandedHost = (/** @type {string} */ parent, /** @type {string} */ command) =>
    hostOf(parent, brandOf(command));

  /**
   * Runs a command that a model called through a tool; the result is written for the model.
   * @param {import("../core/types.js").ToolCall} call
   * @param {import("./tools.js").Context} context
   */
  async function runTool(call, { sessionID, abort }) {
    if (sessions.get(sessionID)) throw new Error("This tool is not available in this session.");
    const host = brandedHost(sessionID, call.command);
    try {
      await host.speakAsBefore();
      await host.joinTurn();
      const result = await workflows.performForModel(call, host, abort);
      if (host.shown !== "") terminal?.result(host.shown);
      return result;
    } catch (error) {
      throw new Error(workflows.wording(call.command, error, true));
    }
  }

  /**
   * Runs a command. Commands that drive a run replace the prompt with their result; all others, and all failures, end with a text for
   * the user and without a model turn.
   * @param {Asked} asked
   * @param {string} sessionID
   * @param {{message: any, parts: any[]}} output of the hook `chat.message`
   */
  async function runCommand({ command, text, attached }, sessionID, output) {
    const host = brandedHost(sessionID, command);
    host.speakAs(output.message);
    await host.nameSession(text || command);
    await host.joinTurn();
    const leave = (/** @type {object} */ part) => answer(output, part);
    /** @param {string} shown */
    const show = async (shown) => {
      await host.report(shown);
      terminal?.result(host.shown);
      leave(DONE_PART);
    };
    try {
      const ended = await workflows.perform(command, host, { text, attached });
      if (typeof ended === "string") return await show(ended);
      if (ended.problem) throw new DesignLabError([ended.problem]);
      terminal?.result(host.shown);
      if (!ended.done) terminal?.failed();
      // Without a result, a paid turn would have nothing to report; and some commands promise not to call a model.
      const comments = ended.done && ended.brief !== "" && (await workflows.mayComment(host));
      leave(comments ? { type: "text", text: ended.brief, synthetic: true } : DONE_PART);
    } catch (error) {
      terminal?.failed();
      await show(workflows.wording(command, error));
    }
  }

  return {
    // The types require zod; OpenCode doesn't (see tools.js).
    tool: /** @type {any} */ (
      definitions(
        unconfigured().tools,
        (tool, action, text) => workflows.understand(tool, action, text),
        runTool,
        (pattern, call, { sessionID }) =>
          workflows.priced(pattern, call, brandedHost(sessionID, call.command)),
      )
    ),

    async config(config) {
      // Killed runs may have left their files behind; loading doesn't wait for the cleanup.
      workflows.sweep(hostOf("")).catch(() => {});
      const registration = workflows.registration();
      const commands = /** @type {NonNullable<typeof config.command>} */ (registration.commands);
      if (!isLane) config.command = { ...config.command, ...commands };
      workflows.configured = configuredModels(config.agent);
      const agents = /** @type {NonNullable<typeof config.agent>} */ (registration.agents);
      config.agent = { ...config.agent, ...agents };
      // The last matching rule wins, so the user's own rules come after ours.
      const users = /** @type {any} */ (config.permission);
      config.permission = /** @type {any} */ (withUsers(/** @type {any} */ (registration.permission), users));
    },

    async dispose() {
      sessions.leave(directory);
    },

    async event({ event }) {
      if (sessions.idle) return;
      if (/** @type {string} */ (event.type) === "message.part.delta") {
        const { sessionID, delta } = /** @type {any} */ (event.properties);
        sessions.get(sessionID)?.incoming?.hear(delta);
      } else if (event.type === "message.part.updated") {
        sessions.get(event.properties.part.sessionID)?.incoming?.see(event.properties.part);
      } else if (event.type === "session.created") {
        sessions.adopt(event.properties.info.id, event.properties.info.parentID);
      } else if (event.type === "session.error") {
        sessions.noteError(event.properties.sessionID, event.properties.error);
      } else if (/** @type {string} */ (event.type) === "permission.asked") {
        const request = /** @type {any} */ (event.properties);
        sessions.noteRequest(request);
        // `opencode run` rejects the requests of its own directory only (seen on 1.18.33).
        if (terminal && isLane && sessions.get(request.sessionID)) {
          const path = { id: request.sessionID, permissionID: request.id };
          const rejected = client.postSessionIdPermissionsPermissionId({
            path,
            body: { response: "reject" },
          });
          rejected.catch(() => {});
        }
      } else if (event.type === "permission.replied") {
        sessions.noteAnswer(/** @type {any} */ (event.properties));
      } else if (event.type === "session.status" && event.properties.status.type === "retry") {
        const id = event.properties.sessionID;
        if (!sessions.noteRetry(id, event.properties.status))
          client.session.abort({ path: { id } }).catch(() => {});
      }
    },

    async "command.execute.before"({ command, arguments: text }, { parts }) {
      if (!isCommand(command)) return;
      // Resolves names as OpenCode does; without a repository, its worktree is the whole file system.
      const attached = attachedTo(parts, text, path.dirname(worktree) === worktree ? directory : worktree);
      pending.leave(parts, { command, text, attached });
    },

    async "chat.message"({ sessionID }, output) {
      date(output);
      const typed = pending.take(output.parts);
      if (typed) await runCommand(typed, sessionID, output);
      if (!isDone(output.parts)) return;
      const asked = await hostOf(sessionID).lastAsked();
      if (asked === undefined) throw new Handled();
      finish(output, asked, { directory, worktree });
    },

    async "chat.params"({ sessionID, model }, output) {
      const session = sessions.get(sessionID);
      await session?.onRequest?.();
      const temperature = session?.temperature;
      if (temperature === undefined) return;
      // A model without temperature support rejects a request that sets one.
      const takesTemperature = /** @type {any} */ (model).capabilities?.temperature ?? true;
      if (takesTemperature) output.temperature = temperature;
    },

    async "experimental.chat.system.transform"({ sessionID }, { system }) {
      const session = sessionID === undefined ? undefined : sessions.get(sessionID);
      if (session?.system === undefined) return;
      // OpenCode's own request for a summary has its own system text.
      if (session.summarises) {
        session.summarises = false;
        return;
      }
      const text = await session.guard.systemText(session.role, session.system, system.join("\n"));
      system.splice(0, system.length, text);
    },

    async "experimental.session.compacting"({ sessionID }) {
      const session = sessions.get(sessionID);
      if (!session) return;
      session.summarises = session.guard.mayCompact(session.role, await hostOf(sessionID).steps(sessionID));
      if (session.summarises) return;
      const message = "OpenCode would have summarised the conversation to make room";
      session.full = { name: "ContextOverflowError", data: { message } };
      throw new Error(message);
    },

    async "tool.execute.before"({ tool, sessionID, callID }, { args }) {
      if (sessions.idle) return;
      const session = sessions.get(sessionID);
      if (session) {
        workflows.isolation.refresh();
        sessions.noteTool(sessionID, tool, args);
        await session.guard.before(tool, callID, args, session.role);
      } else if (tool === "task") {
        const verdict = workflows.core.taskVerdict(String(args?.subagent_type ?? ""));
        if (verdict.kind === "deny") throw new Error(verdict.message);
      }
    },

    async "tool.execute.after"({ tool, sessionID, callID }, output) {
      sessions.get(sessionID)?.guard.after(tool, callID, output);
    },

    async "shell.env"({ sessionID, callID }, { env }) {
      // A shell command that the user types in the session is not a model's call.
      if (!sessionID || !callID) return;
      const session = sessions.get(sessionID);
      Object.assign(env, MARK, session?.guard.shell?.(session.role));
    },
  };
}

/**
 * Returns the models that the user's settings name for Flow's agents.
 * @param {Record<string, {model?: string} | undefined>} [agents]
 */
function configuredModels(agents = {}) {
  const model = (/** @type {string} */ role) => agents[`flow-${role}`]?.model ?? null;
  const [planner, worker] = [model("planner"), model("worker")];
  return { planner, worker, reviewer: model("reviewer"), examiner: model("examiner") };
}
