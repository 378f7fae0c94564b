/**
 * The plugin as OpenCode 1.x loads it: hooks that call the shell, after a look-up that skips every session that doesn't belong to a
 * run. OpenCode keeps its own references, so hooks change their arguments in place.
 */
import { readFileSync, realpathSync } from "node:fs";
import path from "node:path";
import { Core } from "../core/design-lab.js";
import { FlowCore } from "../core/flow.js";
import { DesignLabError } from "../core/load.js";
import { ValidationCore } from "../core/validation.js";
import { cancel } from "../design-lab/cancel.js";
import { outputDirectoryOrUsual, readableSetup, wholeSetup } from "../design-lab/configuration.js";
import { design, opened } from "../design-lab/design.js";
import { doctor } from "../design-lab/doctor.js";
import { built, merge, refine } from "../design-lab/follow-up.js";
import { handover } from "../design-lab/handover.js";
import { holdIgnoreFile, isKeptOut, releaseIgnoreFile, sweepIgnoreFile } from "../design-lab/ignore-file.js";
import { init } from "../design-lab/init.js";
import { hostDirectories } from "../design-lab/output.js";
import { hiddenOutputs, notedOutputs, noteOutput, outputsStamp } from "../design-lab/outputs.js";
import { rerank } from "../design-lab/rerank.js";
import { resume } from "../design-lab/resume.js";
import { costOfAddition, review, reviewWithin } from "../design-lab/review.js";
import { configurationFiles } from "../design-lab/sources.js";
import { status } from "../design-lab/status.js";
import { vendors } from "../design-lab/vendors.js";
import { auto as flowAuto } from "../flow/auto.js";
import { cancel as flowCancel } from "../flow/cancel.js";
import { choose as flowSession } from "../flow/choose.js";
import { history as flowHistory } from "../flow/history.js";
import { plan as flowPlan } from "../flow/plan.js";
import { reset as flowReset } from "../flow/reset.js";
import { resume as flowResume } from "../flow/resume.js";
import { run as flowRun } from "../flow/run.js";
import { activeSession, flowDirectory, sessionsDirectory } from "../flow/sessions.js";
import { status as flowStatus } from "../flow/status.js";
import { agreedVendors, agreeToVendors } from "../kernel/agreed-vendors.js";
import { Folder } from "../kernel/door.js";
import { settleLiveMessages } from "../kernel/live-message.js";
import { narrowSearchesIn } from "../kernel/out-of-git.js";
import { problemsOf } from "../kernel/problems.js";
import { look, survey } from "../kernel/runs.js";
import { stateDirectory } from "../kernel/state-directory.js";
import { cancel as validateCancel } from "../validation/cancel.js";
import { setupOf } from "../validation/check.js";
import { decide as validateDecide } from "../validation/decide.js";
import { init as validateInit } from "../validation/init.js";
import { resume as validateResume } from "../validation/resume.js";
import { runsDirectory } from "../validation/runs.js";
import { status as validateStatus } from "../validation/status.js";
import { toFix } from "../validation/to-fix.js";
import { validate, validateFlows, validateWork } from "../validation/validate.js";
import { answer, DONE_PART, finish, Handled, isDone, PendingCommands } from "./answered.js";
import { unquoted } from "./arguments.js";
import { attachedTo } from "./attachments.js";
import { FlowGuard } from "./flow-guard.js";
import { Guard } from "./guard.js";
import { date, OpenCode1 } from "./host.js";
import { LabSessions } from "./lab-sessions.js";
import { isOfModelsShell, MARK } from "./models-shell.js";
import { withUsers } from "./permission.js";
import { Terminal } from "./terminal.js";
import { definitions } from "./tools.js";
import { ValidationGuard } from "./validation-guard.js";

/**
 * @typedef {import("@opencode-ai/plugin").PluginInput} PluginInput
 * @typedef {import("@opencode-ai/plugin").Hooks} Hooks
 *
 * @typedef {{
 *   command: keyof typeof DESIGN_LAB | keyof typeof FLOW | keyof typeof VALIDATION,
 *   text: string,
 *   attached: import("../design-lab/attachments.js").Named[],
 * }} Asked a command as the user typed it, and the files that came with it
 */

const DESIGN_LAB = {
  "design-lab": design,
  "design-lab-cancel": cancel,
  "design-lab-doctor": doctor,
  "design-lab-init": init,
  "design-lab-merge": merge,
  "design-lab-rank": rerank,
  "design-lab-refine": refine,
  "design-lab-resume": resume,
  "design-lab-review": review,
  "design-lab-status": status,
  "design-lab-vendors": vendors,
};

const FLOW = {
  "flow-auto": flowAuto,
  "flow-cancel": flowCancel,
  "flow-history": flowHistory,
  "flow-plan": flowPlan,
  "flow-reset": flowReset,
  "flow-resume": flowResume,
  "flow-run": flowRun,
  "flow-session": flowSession,
  "flow-status": flowStatus,
};

const VALIDATION = {
  validate,
  "validate-cancel": validateCancel,
  "validate-decide": validateDecide,
  "validate-flows": validateFlows,
  "validate-init": validateInit,
  "validate-resume": validateResume,
  "validate-status": validateStatus,
  "validate-work": validateWork,
};

/**
 * How the runs that commands start are opened.
 * @type {Record<string, (request: Parameters<typeof design>[0]) => ReturnType<typeof built>>}
 */
const BEGINNINGS = {
  "design-lab": opened,
  "design-lab-merge": (request) => built("merge", request),
  "design-lab-refine": (request) => built("refine", request),
  "design-lab-review": (request) => built("review", request),
};

/** @param {string} command @returns {command is keyof typeof DESIGN_LAB} */
function isDesignLab(command) {
  return Object.hasOwn(DESIGN_LAB, command);
}

/** @param {string} command @returns {command is keyof typeof FLOW} */
function isFlow(command) {
  return Object.hasOwn(FLOW, command);
}

/** @param {string} command @returns {command is keyof typeof VALIDATION} */
function isValidation(command) {
  return Object.hasOwn(VALIDATION, command);
}

/**
 * @param {PluginInput} input
 * @param {Record<string, unknown>} [options]
 * @returns {Promise<Hooks>}
 */
export async function server({ client, directory, worktree }, options) {
  const core = new Core();
  const flow = new FlowCore();
  const validation = new ValidationCore();
  const defaults = unconfigured();
  const sessions = new LabSessions();
  const terminal = Terminal.find();
  /** The active runs. @type {Set<{guard: Guard, isolation: import("../core/types.js").Isolation, outputs: string[]}>} */
  const runs = new Set();
  /** The state of the output directories when rules were last made. */
  let stamp = "";

  /** The shells that drive active runs of Design Lab. @type {Set<import("../kernel/run.js").RunShell>} */
  const running = new Set();

  /** The same for Flow: a command for all active runs applies to one workflow only. @type {typeof running} */
  const working = new Set();
  /** The same for Validation. @type {typeof running} */
  const validating = new Set();
  /** Commands that wait for the message that they become. @type {PendingCommands<Asked>} */
  const pending = new PendingCommands();
  /** The hashes of the plans that this process has shown, and of the commands that are to run. @type {Set<string>} */
  const shown = new Set();
  /** The models that the user's settings name for Flow's agents. @type {import("../flow/request.js").Request["configured"]} */
  let configured = { planner: null, worker: null, reviewer: null, examiner: null };

  const hostOf = (/** @type {string} */ parent, brand = "Design Lab") =>
    new OpenCode1({ client, parent, directory, sessions, terminal, brand });
  const brandedHost = (/** @type {string} */ parent, /** @type {string} */ command) =>
    hostOf(parent, brandOf(command));

  /** Returns the providers that the user allows to get the project's files; `null` if the user doesn't want to be asked. */
  function agreed() {
    const { sources } = readableSetup({ core, project: directory, worktree, options });
    return core.confirmsVendors(sources) ? agreedVendors(directory) : null;
  }

  /**
   * @param {keyof typeof DESIGN_LAB} command
   * @param {OpenCode1} host
   * @param {{text: string, attached: import("../design-lab/attachments.js").Named[], byModel?: boolean, signal?: AbortSignal}} request
   */
  async function perform(command, host, request) {
    return DESIGN_LAB[command](await completed(host, request));
  }

  /**
   * @template T
   * @param {OpenCode1} host
   * @param {T} request
   */
  async function completed(host, request) {
    core.know(await host.settings());
    return {
      ...request,
      core,
      host,
      project: directory,
      worktree,
      options,
      currentModel: core.sessionModel(await host.sessionModel()),
      agreed,
      configured,
      running,
      isolate: isolation(host),
      validation: () => setupOf({ core: validation, project: directory }),
    };
  }

  /**
   * @param {keyof typeof FLOW} command
   * @param {OpenCode1} host
   * @param {string} text
   * @param {{byModel?: boolean, signal?: AbortSignal}} [caller]
   */
  async function performFlow(command, host, text, caller) {
    core.know(await host.settings());
    const place = { core, project: directory, worktree, options };
    const setup = readableSetup(place);
    const currentModel = core.sessionModel(await host.sessionModel());
    return FLOW[command]({
      core: flow,
      host,
      project: directory,
      text,
      ...caller,
      currentModel,
      agreed,
      configured,
      handover: (named) => handover({ ...place, host, currentModel, agreed }, named, "flow"),
      toFix: (named) => toFix({ core: validation, project: directory }, named),
      settings: () => flow.settings(wholeSetup(place).sources),
      outputs: [path.resolve(directory, outputDirectoryOrUsual(core, setup, null))],
      keys: await host.keys(),
      running: working,
      shown,
      guard: (place) => {
        const guard = new FlowGuard(flow, directory, place);
        host.guard = guard;
        return () => sessions.release(guard);
      },
    });
  }

  /**
   * @param {keyof typeof VALIDATION} command
   * @param {OpenCode1} host
   * @param {string} text
   */
  async function performValidation(command, host, text) {
    core.know(await host.settings());
    const place = { core, project: directory, worktree, options };
    const currentModel = core.sessionModel(await host.sessionModel());
    return VALIDATION[command]({
      core: validation,
      host,
      project: directory,
      text,
      currentModel,
      agreed,
      flow: builtByFlow,
      handover: (named) => handover({ ...place, host, currentModel, agreed }, named, "validation"),
      configuration: () => wholeSetup(place).sources,
      keys: await host.keys(),
      running: validating,
      shown,
      guard: () => onlyReading(host),
    });
  }

  /**
   * Returns what a Flow session was to build.
   * @param {string | null} named any part of the session's name; `null` for the active session, or the latest
   * @returns {Promise<import("../core/types.js").ValidationSubject | null>}
   */
  async function builtByFlow(named) {
    const sessions = sessionsDirectory(directory);
    const active = await activeSession(flow, directory).catch(() => null);
    const session = flow.sessionToValidate(named ?? "", active, await survey(flow, sessions));
    return session === null ? null : look(flow, sessions, session, (handle) => flow.toValidate(handle));
  }

  /**
   * Restricts the sessions of Validation's models to reading the project, and hides the output of runs from their searches.
   * @param {OpenCode1} host
   */
  async function onlyReading(host) {
    const outputs = hiddenOutputs(core, { project: directory, worktree });
    const hidden = [...new Set([runsDirectory(directory), ...outputs])];
    /** @type {string[]} */
    const held = [];
    for (const output of hidden) {
      await holdIgnoreFile(output).then(
        () => held.push(output),
        // A missing or read-only directory is no reason not to start: the guard refuses to read it anyway.
        () => {},
      );
    }
    const guard = new ValidationGuard(validation, directory, hidden);
    host.guard = guard;
    return async () => {
      sessions.release(guard);
      for (const output of held) await releaseIgnoreFile(output).catch(() => {});
    };
  }

  /**
   * Returns the command that a model's tool call stands for; error messages are written for the model.
   * @param {string} tool
   * @param {string} action
   * @param {string} text
   */
  function understand(tool, action, text) {
    try {
      return core.toolCall(tool, action, text);
    } catch (error) {
      throw new Error(core.describe(problemsOf(core, error)));
    }
  }

  /**
   * Returns what the user is asked to permit, with the expected cost of the run that would start, and with the vendors that would get
   * the project's files for the first time.
   * @param {string} pattern
   * @param {import("../core/types.js").ToolCall} call
   * @param {import("./tools.js").Context} context
   */
  async function priced(pattern, { command, text }, { sessionID }) {
    const beginning = BEGINNINGS[command];
    if (!beginning) return { pattern };
    try {
      const request = await completed(brandedHost(sessionID, command), { text, attached: [] });
      const within = command === "design-lab-review" ? await reviewWithin(request) : null;
      if (within?.add) return { pattern: await costOfAddition(request, within, pattern) };
      const { opening, output } = await beginning(request);
      const { vendors } = opening;
      const further = vendors && {
        question: core.vendorsQuestion(vendors),
        agree: () => agreeToVendors(directory, vendors.providers),
      };
      return { pattern: core.priced(pattern, opening, await survey(core, output)), further };
    } catch {
      // The user sees why it can't start after permitting it.
      return { pattern };
    }
  }

  /**
   * Runs a command that a model called through a tool; the result is written for the model.
   * @param {import("../core/types.js").ToolCall} call
   * @param {import("./tools.js").Context} context
   */
  async function runTool({ command, text }, { sessionID, abort }) {
    if (!(isDesignLab(command) || isFlow(command)) || sessions.get(sessionID))
      throw new Error("This tool is not available in this session.");
    const host = brandedHost(sessionID, command);
    try {
      await host.speakAsBefore();
      await host.joinTurn();
      const ended = isFlow(command)
        ? await performFlow(command, host, text, { byModel: true, signal: abort })
        : await perform(command, host, { text, attached: [], byModel: true, signal: abort });
      if (typeof ended === "string") return ended;
      if (ended.problem) throw new DesignLabError([ended.problem]);
      terminal?.result(host.shown);
      // A failure is reported in our words only: the author of an error must not write this model's prompt.
      return (ended.done && ended.brief) || (ended.account ?? "");
    } catch (error) {
      throw new Error(wording(command, error, true));
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
      const ended = await performAny(command, host, text, attached);
      if (typeof ended === "string") return await show(ended);
      if (ended.problem) throw new DesignLabError([ended.problem]);
      terminal?.result(host.shown);
      if (!ended.done) terminal?.failed();
      // Without a result, a paid turn would have nothing to report; and some commands promise not to call a model.
      const comments = ended.done && ended.brief !== "" && (await mayComment(host));
      leave(comments ? { type: "text", text: ended.brief, synthetic: true } : DONE_PART);
    } catch (error) {
      terminal?.failed();
      await show(wording(command, error));
    }
  }

  /** Whether the session's model is asked to comment on a result. @param {OpenCode1} host */
  async function mayComment(host) {
    const current = core.sessionModel(await host.sessionModel());
    const models = await host.models().catch(() => []);
    const refusal = core.noClosingTurn({ models, current, agreed: null });
    if (refusal) host.notify("info", refusal, false);
    return !refusal;
  }

  /** Returns why a command failed. @param {string} command @param {unknown} error @param {boolean} [byModel] */
  function wording(command, error, byModel = false) {
    return core.describe(problemsOf(coreOf(command), error), brandOf(command), byModel);
  }

  /** @param {string} command */
  function coreOf(command) {
    if (isFlow(command)) return flow;
    return isValidation(command) ? validation : core;
  }

  /** @param {string} command */
  function brandOf(command) {
    if (isFlow(command)) return "Flow";
    return isValidation(command) ? "Validation" : "Design Lab";
  }

  /**
   * @param {Asked["command"]} command
   * @param {OpenCode1} host
   * @param {string} text
   * @param {Asked["attached"]} attached
   */
  async function performAny(command, host, text, attached) {
    const refusal = isOfModelsShell() && core.inPerson(command, unquoted(text));
    if (refusal) throw new DesignLabError([refusal]);
    if (isFlow(command)) return performFlow(command, host, unquoted(text));
    if (isValidation(command)) return performValidation(command, host, unquoted(text));
    return perform(command, host, { text: unquoted(text), attached });
  }

  /**
   * @param {OpenCode1} host
   * @returns {import("../design-lab/request.js").Request["isolate"]}
   */
  function isolation(host) {
    return async (isolation, outputs) => {
      for (const output of outputs) await noteOutput(output);
      const unguarded = outputs.filter((output) => !isKeptOut(output));
      const guard = new Guard(core, core.rules(isolation, { ...places(outputs), unguarded }));
      const run = { guard, isolation, outputs };
      runs.add(run);
      renew();
      host.guard = guard;
      return () => {
        runs.delete(run);
        sessions.release(guard);
        guard.close();
        renew();
      };
    };
  }

  /**
   * Returns what rules depend on, for all active runs and these outputs.
   * @param {string[]} [outputs]
   * @returns {import("../core/types.js").Places}
   */
  function places(outputs = []) {
    const current = new Set([...outputs, ...[...runs].flatMap((run) => run.outputs)]);
    return {
      project: directory,
      worktree,
      real: { project: realOther(directory), worktree: realOther(worktree) },
      outputs: [...current],
      unguarded: [],
      former: hiddenOutputs(core, { project: directory, worktree }).filter((output) => !current.has(output)),
      host: [...hostDirectories(), stateDirectory(), ...configurationFiles({ project: directory, worktree })],
    };
  }

  /** Renews all rules: runs start and end concurrently, in this process and others, and each must not see any designs of the others. */
  function renew() {
    stamp = outputsStamp();
    for (const { guard, isolation } of runs) guard.renew(core.rules(isolation, places()));
  }

  async function sweep() {
    for (const { directory: output, runs } of notedOutputs({ project: directory, worktree }).noted) {
      for (const name of ["", ...runs]) await sweepIgnoreFile(path.join(output, name)).catch(() => {});
      await narrowSearchesIn(new Folder(output));
      await settleLiveMessages({ core, host: hostOf(""), project: directory }, output);
    }
    const place = { host: hostOf(""), project: directory };
    await sweepIgnoreFile(flowDirectory(directory)).catch(() => {});
    await settleLiveMessages({ core: flow, ...place }, sessionsDirectory(directory));
    await sweepIgnoreFile(runsDirectory(directory)).catch(() => {});
    for (const runs of [sessionsDirectory(directory), runsDirectory(directory)])
      await narrowSearchesIn(new Folder(runs));
    await settleLiveMessages({ core: validation, ...place }, runsDirectory(directory));
  }

  return {
    // The types require zod; OpenCode doesn't (see tools.js).
    tool: /** @type {any} */ (definitions(defaults.tools, understand, runTool, priced)),

    async config(config) {
      // Killed runs may have left their files behind; loading doesn't wait for the cleanup.
      sweep().catch(() => {});
      const setup = readableSetup({ core, project: directory, worktree, options });
      const registration = setup.sources.length > 0 ? core.register(setup) : defaults;
      const commands = /** @type {NonNullable<typeof config.command>} */ (registration.commands);
      config.command = { ...config.command, ...commands };
      configured = configuredModels(config.agent);
      const agents = /** @type {NonNullable<typeof config.agent>} */ (registration.agents);
      config.agent = { ...config.agent, ...agents };
      // The last matching rule wins, so the user's own rules come after ours.
      const users = /** @type {any} */ (config.permission);
      config.permission = /** @type {any} */ (withUsers(/** @type {any} */ (registration.permission), users));
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
        sessions.noteRequest(/** @type {any} */ (event.properties));
      } else if (event.type === "permission.replied") {
        sessions.noteAnswer(/** @type {any} */ (event.properties));
      } else if (event.type === "session.status" && event.properties.status.type === "retry") {
        const id = event.properties.sessionID;
        if (!sessions.noteRetry(id, event.properties.status))
          client.session.abort({ path: { id } }).catch(() => {});
      }
    },

    async "command.execute.before"({ command, arguments: text }, { parts }) {
      if (!(isDesignLab(command) || isFlow(command) || isValidation(command))) return;
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
        if (outputsStamp() !== stamp) renew();
        sessions.noteTool(sessionID, tool, args);
        await session.guard.before(tool, callID, args, session.role);
      } else if (tool === "task") {
        const verdict = core.taskVerdict(String(args?.subagent_type ?? ""));
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
 * Returns the commands, agents and tools for an empty configuration. They are always the same, so the core, which takes tens of
 * milliseconds to load, isn't called before it is needed.
 * @returns {import("../core/types.js").Registration}
 */
function unconfigured() {
  return JSON.parse(readFileSync(new URL("./unconfigured.json", import.meta.url), "utf8"));
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

/**
 * Returns the real path of a directory if it contains a link, otherwise `null`.
 * @param {string} directory
 */
function realOther(directory) {
  try {
    const real = realpathSync.native(directory);
    return real === directory ? null : real;
  } catch {
    return null;
  }
}
