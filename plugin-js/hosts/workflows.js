/**
 * Performs the commands of all workflows for a project, whichever host they come from. Adapters differ in how a command arrives and in
 * how its result is shown.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { Core } from "../core/design-lab.js";
import { FlowCore } from "../core/flow.js";
import { DesignLabError, know } from "../core/load.js";
import { ValidationCore } from "../core/validation.js";
import { outputDirectoryOrUsual, readableSetup, wholeSetup } from "../design-lab/configuration.js";
import { handover, handovers } from "../design-lab/handover.js";
import { sweepIgnoreFile } from "../design-lab/ignore-file.js";
import { notedOutputs } from "../design-lab/outputs.js";
import { costOfAddition, reviewWithin } from "../design-lab/review.js";
import { activeSession, flowDirectory, sessionsDirectory } from "../flow/sessions.js";
import { agreedVendors, agreeToVendors } from "../kernel/agreed-vendors.js";
import { Folder } from "../kernel/door.js";
import { settleLiveMessages } from "../kernel/live-message.js";
import { narrowSearchesIn } from "../kernel/out-of-git.js";
import { problemsOf } from "../kernel/problems.js";
import { look, survey } from "../kernel/runs.js";
import { setupOf } from "../validation/check.js";
import { runsDirectory } from "../validation/runs.js";
import { toFix } from "../validation/to-fix.js";
import { unquoted } from "./arguments.js";
import {
  BEGINNINGS,
  brandOf,
  DESIGN_LAB,
  FLOW,
  isDesignLab,
  isFlow,
  isValidation,
  VALIDATION,
} from "./commands.js";
import { Isolation } from "./isolation.js";

/**
 * @typedef {import("../host.js").Host & import("./isolation.js").Guarded & {
 *   settings: () => Promise<[string, string][]>,
 *   keys: () => Promise<import("../kernel/environment.js").Keys>,
 *   sessionModel: () => Promise<import("../core/types.js").SessionModelFacts>,
 *   shown: string,
 * }} CommandHost a host that also reports what commands need: the settings of the providers by name, the providers' keys, the facts that
 *   determine the model of the user's session, and the live message's text
 *
 * @typedef {{text: string, attached: import("../design-lab/attachments.js").Named[], byModel?: boolean, signal?: AbortSignal}} Given
 *   the arguments of a command, the files that came with it, and who called it
 */

/** What a person reads whose command may be one that a model's program sent to a server that the person started. */
const SENT = {
  message: "Only you can type this command, but a model's program may have sent it.",
  next: "Wait five seconds, then type it again. If it is refused again, stop the programs that models left running.",
};

export class Workflows {
  core = new Core();
  #flow = new FlowCore();
  #validation = new ValidationCore();
  /** @type {Isolation} */
  isolation;
  #directory;
  #worktree;
  #isOfModelsShell;
  /** The plugin's options in opencode.json. @type {Record<string, unknown> | undefined} */
  options;
  /** The models that the user's settings name for Flow's agents. @type {import("../flow/request.js").Request["configured"]} */
  configured = { planner: null, worker: null, reviewer: null, examiner: null };

  /** The shells that drive active runs of Design Lab. @type {Set<import("../kernel/run.js").RunShell>} */
  #running = new Set();
  /** The same for Flow: a command for all active runs applies to one workflow only. @type {Set<import("../kernel/run.js").RunShell>} */
  #working = new Set();
  /** The same for Validation. @type {Set<import("../kernel/run.js").RunShell>} */
  #validating = new Set();
  /** The hashes of the plans that this process has shown, and of the commands that are to run. @type {Set<string>} */
  #shown = new Set();

  /**
   * @param {object} parts
   * @param {string} parts.directory the project
   * @param {string} parts.worktree the topmost directory of the project
   * @param {Record<string, unknown>} [parts.options]
   * @param {import("./lab-sessions.js").LabSessions} parts.sessions
   * @param {() => boolean | "sent"} parts.isOfModelsShell whether a model's shell started this process, or may have sent the command
   */
  constructor({ directory, worktree, options, sessions, isOfModelsShell }) {
    this.#directory = directory;
    this.#worktree = worktree;
    this.options = options;
    this.#isOfModelsShell = isOfModelsShell;
    this.isolation = new Isolation({
      core: this.core,
      flow: this.#flow,
      validation: this.#validation,
      project: directory,
      worktree,
      sessions,
    });
  }

  get #place() {
    return { core: this.core, project: this.#directory, worktree: this.#worktree, options: this.options };
  }

  /** Returns the commands, agents and tools to register. @returns {import("../core/types.js").Registration} */
  registration() {
    const setup = readableSetup(this.#place);
    return setup.sources.length > 0 ? this.core.register(setup) : unconfigured();
  }

  /**
   * Performs a command that a person typed.
   * @param {import("./commands.js").Command} command
   * @param {CommandHost} host
   * @param {Given} given
   */
  async perform(command, host, given) {
    const text = unquoted(given.text);
    const how = this.#isOfModelsShell();
    const refusal = how && this.core.inPerson(command, text);
    if (refusal) throw new DesignLabError([how === "sent" ? { ...refusal, ...SENT } : refusal]);
    return this.#perform(command, host, { ...given, text });
  }

  /**
   * Performs a command that a model called through a tool, and returns the result, which is written for the model.
   * @param {import("../core/types.js").ToolCall} call
   * @param {CommandHost} host
   * @param {AbortSignal} signal
   * @returns {Promise<string>}
   */
  async performForModel({ command, text }, host, signal) {
    if (!(isDesignLab(command) || isFlow(command)))
      throw new Error("This tool is not available in this session.");
    const ended = await this.#perform(command, host, { text, attached: [], byModel: true, signal });
    if (typeof ended === "string") return ended;
    if (ended.problem) throw new DesignLabError([ended.problem]);
    // A failure is reported in our words only: the author of an error must not write this model's prompt.
    return (ended.done && ended.brief) || (ended.account ?? "");
  }

  /**
   * @param {import("./commands.js").Command} command
   * @param {CommandHost} host
   * @param {Given} given
   */
  async #perform(command, host, given) {
    if (isFlow(command)) return this.#performFlow(command, host, given);
    if (isValidation(command)) return this.#performValidation(command, host, given);
    return DESIGN_LAB[command](await this.#completed(host, given));
  }

  /**
   * @template T
   * @param {CommandHost} host
   * @param {T} request
   */
  async #completed(host, request) {
    know(await host.settings());
    return {
      ...request,
      ...this.#place,
      host,
      currentModel: this.core.sessionModel(await host.sessionModel()),
      agreed: this.#agreed,
      configured: this.configured,
      running: this.#running,
      isolate: this.isolation.ofDesigns(host),
      validation: () => setupOf({ core: this.#validation, project: this.#directory }),
    };
  }

  /**
   * @param {keyof typeof FLOW} command
   * @param {CommandHost} host
   * @param {Given} given
   */
  async #performFlow(command, host, { text, byModel, signal }) {
    know(await host.settings());
    const [place, agreed] = [this.#place, this.#agreed];
    const setup = readableSetup(place);
    const currentModel = this.core.sessionModel(await host.sessionModel());
    return FLOW[command]({
      core: this.#flow,
      host,
      project: this.#directory,
      text,
      ...(byModel === undefined ? {} : { byModel, signal }),
      currentModel,
      agreed,
      configured: this.configured,
      handover: (named) => handover({ ...place, host, currentModel, agreed }, named, "flow"),
      handovers: (named, designs) =>
        handovers({ ...place, host, currentModel, agreed }, named, (run, handle) =>
          this.#flow.racing(run, designs, this.core.contenders(handle, this.#flow.mostLanes())),
        ),
      toFix: (named) => toFix({ core: this.#validation, project: this.#directory }, named),
      settings: () => this.#flow.settings(wholeSetup(place).sources),
      outputs: [path.resolve(this.#directory, outputDirectoryOrUsual(this.core, setup, null))],
      keys: await host.keys(),
      running: this.#working,
      shown: this.#shown,
      guard: (place) => this.isolation.ofFlow(host, place),
      ...(host.alongside && { alongside: (reported) => this.#alongside(host, reported) }),
    });
  }

  /**
   * Returns what a further session of Flow needs that this host doesn't show.
   * @param {CommandHost} host
   * @param {() => void} reported
   */
  #alongside(host, reported) {
    const other = /** @type {CommandHost} */ (host.alongside?.(reported));
    return {
      host: other,
      guard: (/** @type {import("../flow/request.js").Place} */ place) => this.isolation.ofFlow(other, place),
      running: new Set(),
    };
  }

  /**
   * @param {keyof typeof VALIDATION} command
   * @param {CommandHost} host
   * @param {Given} given
   */
  async #performValidation(command, host, { text }) {
    know(await host.settings());
    const [place, agreed] = [this.#place, this.#agreed];
    const currentModel = this.core.sessionModel(await host.sessionModel());
    return VALIDATION[command]({
      core: this.#validation,
      host,
      project: this.#directory,
      text,
      currentModel,
      agreed,
      flow: (named) => this.#builtByFlow(named),
      handover: (named) => handover({ ...place, host, currentModel, agreed }, named, "validation"),
      configuration: () => wholeSetup(place).sources,
      keys: await host.keys(),
      running: this.#validating,
      shown: this.#shown,
      guard: () => this.isolation.ofValidation(host),
    });
  }

  /** Returns the providers that the user allows to get the project's files; `null` if the user doesn't want to be asked. */
  #agreed = () => {
    const { sources } = readableSetup(this.#place);
    return this.core.confirmsVendors(sources) ? agreedVendors(this.#directory) : null;
  };

  /**
   * Returns what a Flow session was to build.
   * @param {string | null} named any part of the session's name; `null` for the active session, or the latest
   * @returns {Promise<import("../core/types.js").ValidationSubject | null>}
   */
  async #builtByFlow(named) {
    const flow = this.#flow;
    const sessions = sessionsDirectory(this.#directory);
    const active = await activeSession(flow, this.#directory).catch(() => null);
    const session = flow.sessionToValidate(named ?? "", active, await survey(flow, sessions));
    return session === null ? null : look(flow, sessions, session, (handle) => flow.toValidate(handle));
  }

  /**
   * Returns the command that a model's tool call stands for; error messages are written for the model.
   * @param {string} tool
   * @param {string} action
   * @param {string} text
   */
  understand(tool, action, text) {
    try {
      return this.core.toolCall(tool, action, text);
    } catch (error) {
      throw new Error(this.core.describe(problemsOf(this.core, error)));
    }
  }

  /**
   * Returns what the user is asked to permit, with the expected cost of the run that would start, and with the vendors that would get
   * the project's files for the first time.
   * @param {string} pattern
   * @param {import("../core/types.js").ToolCall} call
   * @param {CommandHost} host
   */
  async priced(pattern, { command, text }, host) {
    const beginning = BEGINNINGS[command];
    if (!beginning) return { pattern };
    try {
      const request = await this.#completed(host, { text, attached: [] });
      const within = command === "design-lab-review" ? await reviewWithin(request) : null;
      if (within?.add ?? within?.map ?? within?.close)
        return { pattern: await costOfAddition(request, within, pattern) };
      const { opening, output } = await beginning(request);
      const { vendors } = opening;
      const further = vendors && {
        question: this.core.vendorsQuestion(vendors),
        agree: () => agreeToVendors(this.#directory, vendors.providers),
      };
      return { pattern: this.core.priced(pattern, opening, await survey(this.core, output)), further };
    } catch {
      // The user sees why it can't start after permitting it.
      return { pattern };
    }
  }

  /** Whether the session's model is asked to comment on a result. @param {CommandHost} host */
  async mayComment(host) {
    const current = this.core.sessionModel(await host.sessionModel());
    const models = await host.models().catch(() => []);
    const refusal = this.core.noClosingTurn({ models, current, agreed: null });
    if (refusal) host.notify("info", refusal, false);
    return !refusal;
  }

  /** Returns why a command failed. @param {string} command @param {unknown} error @param {boolean} [byModel] */
  wording(command, error, byModel = false) {
    return this.core.describe(problemsOf(this.#coreOf(command), error), brandOf(command), byModel);
  }

  /** @param {string} command */
  #coreOf(command) {
    if (isFlow(command)) return this.#flow;
    return isValidation(command) ? this.#validation : this.core;
  }

  /** Removes what killed runs may have left behind. @param {import("../host.js").Host} host */
  async sweep(host) {
    const project = this.#directory;
    const outputs = notedOutputs({ project, worktree: this.#worktree }).noted;
    for (const { directory: output, runs } of outputs) {
      for (const name of ["", ...runs]) await sweepIgnoreFile(path.join(output, name)).catch(() => {});
      await narrowSearchesIn(new Folder(output));
      await settleLiveMessages({ core: this.core, host, project }, output);
    }
    await sweepIgnoreFile(flowDirectory(project)).catch(() => {});
    await settleLiveMessages({ core: this.#flow, host, project }, sessionsDirectory(project));
    await sweepIgnoreFile(runsDirectory(project)).catch(() => {});
    for (const runs of [sessionsDirectory(project), runsDirectory(project)])
      await narrowSearchesIn(new Folder(runs));
    await settleLiveMessages({ core: this.#validation, host, project }, runsDirectory(project));
  }
}

/**
 * Returns the commands, agents and tools for an empty configuration. They are always the same, so the core, which takes tens of
 * milliseconds to load, isn't called before it is needed.
 * @returns {import("../core/types.js").Registration}
 */
export function unconfigured() {
  return JSON.parse(readFileSync(new URL("./unconfigured.json", import.meta.url), "utf8"));
}
