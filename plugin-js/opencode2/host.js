/**
 * The host port on OpenCode 2: sessions, prompts, results, models. Shapes are those of 2.0.15. What that version lacks is used where a
 * later one has it (docs/hosts.md).
 */
import { Incoming } from "../hosts/incoming.js";
import {
  answersIn,
  calledTools,
  failureOf,
  NO_FAILURE,
  NOTHING,
  notSent,
  OVERFLOW,
  outcomeOf,
  paidFor,
  promptTokensIn,
  readsIn,
  sincePrompt,
  sum,
  usageOf,
  wholeAnswer,
} from "../hosts/replies.js";
import { unlessSilent, within } from "../hosts/waiting.js";
import { sessionRules } from "./agents.js";
import { knownRules } from "./calls.js";
import { knownError, knownMessages, knownRejection } from "./messages.js";
import { availableModels, keysOf, settingsOf } from "./models.js";
import { followsTools, LAB_KEY } from "./requests.js";

/**
 * @typedef {import("../host.js").Host} Host
 * @typedef {import("../host.js").Ask} Ask
 * @typedef {import("../host.js").Used} Usage
 * @typedef {import("./context.js").Context} Context
 */

/** How long a short call to OpenCode may take. */
const QUICK_MS = 15_000;

/** How long the reason of a failed turn may take to arrive after its end: events lag behind. */
const REASON_MS = 1_000;

/** @implements {Host} */
export class OpenCode2 {
  #ctx;
  #parent;
  #sessions;
  #brand;
  #registration;
  #publish;
  #text = "";
  /** Each session's usage when it was last read. @type {Map<string, Usage>} */
  #paid = new Map();
  /** The rules for the run's sessions; set before its first session. @type {import("../hosts/lab-sessions.js").Warden | undefined} */
  guard;

  /**
   * @param {object} parts
   * @param {Context} parts.ctx
   * @param {string} parts.parent the user's session
   * @param {import("../hosts/lab-sessions.js").LabSessions} parts.sessions
   * @param {string} parts.brand the name by which the user knows the workflow
   * @param {import("../core/types.js").Registration} parts.registration
   * @param {(panel: object) => void} parts.publish sends the terminal what it shows while a run is running
   */
  constructor({ ctx, parent, sessions, brand, registration, publish }) {
    this.#ctx = ctx;
    this.#parent = parent;
    this.#sessions = sessions;
    this.#brand = brand;
    this.#registration = registration;
    this.#publish = publish;
  }

  /** The text that was last reported. */
  get shown() {
    return this.#text;
  }

  /**
   * Names the user's session after the task if it has no name yet. Otherwise OpenCode would pay a model for a name.
   * @param {string} text
   */
  async nameSession(text) {
    try {
      const { title } = await within(QUICK_MS, this.#ctx.session.get({ sessionID: this.#parent }));
      if (title !== undefined && !title.startsWith("New session - ")) return;
      const name = `${this.#brand}: ${text.replace(/\s+/g, " ").trim().slice(0, 60) || "no task"}`;
      await within(QUICK_MS, this.#ctx.session.update({ sessionID: this.#parent, title: name }));
    } catch {
      // A name is no reason to stop.
    }
  }

  /**
   * Returns the facts that determine which model the user's session uses; the core decides.
   * @returns {Promise<import("../core/types.js").SessionModelFacts>}
   */
  async sessionModel() {
    const [session, usual] = await Promise.all([
      within(QUICK_MS, this.#ctx.session.get({ sessionID: this.#parent })).catch(() => undefined),
      within(QUICK_MS, this.#ctx.model.default()).catch(() => undefined),
    ]);
    const name = (/** @type {import("./context.js").ModelReference | null | undefined} */ model) =>
      model ? `${model.providerID}/${model.id}` : null;
    return { message: null, session: name(session?.model), configured: name(usual?.data) };
  }

  get #warden() {
    if (!this.guard) throw new Error("a session was opened before its isolation was in force");
    return this.guard;
  }

  /** @type {Host["activity"]} */
  get activity() {
    return this.guard ? this.#sessions.activity(this.guard) : null;
  }

  /**
   * @param {string} id
   * @param {Omit<import("../hosts/lab-sessions.js").LabSession, "guard">} session
   */
  #enlist(id, session) {
    const enlisted = { ...session, guard: this.#warden };
    this.#sessions.set(id, enlisted);
    return enlisted;
  }

  /** @type {Host["openSession"]} */
  async openSession({ role, title }) {
    const agent = this.#warden.agent(role);
    const input = {
      title,
      agent,
      permissions: sessionRules(this.#registration, agent),
      metadata: { [LAB_KEY]: role },
      // Dropped by 2.0.15, where the session is one of its own.
      parentID: this.#parent,
    };
    try {
      const { id } = await within(QUICK_MS, this.#ctx.session.create(input));
      this.#enlist(id, { role });
      this.#paid.set(id, NOTHING);
      return { session: id };
    } catch (error) {
      return { failure: failureOf(knownRejection(error)) };
    }
  }

  /** @type {Host["ask"]} */
  async ask(ask, onStep, files = []) {
    const id = ask.session;
    let requests = 0;
    const incoming = new Incoming();
    const before = this.#paid.get(id) ?? (await this.#spent(id).catch(() => NOTHING));
    /** @type {(error: any) => void} */
    let fail = () => {};
    /** @type {Promise<import("./context.js").Failure | undefined>} */
    const failed = new Promise((resolve) => {
      fail = resolve;
    });
    const session = this.#enlist(id, {
      role: ask.role,
      temperature: ask.temperature,
      system: ask.system,
      retries: ask.host_retries,
      deadline: performance.now() + ask.deadline_ms,
      noTools: ask.no_tools,
      incoming,
      onFailure: fail,
      onRequest: async (messages = []) => {
        if (requests > 0 && !session.repeats) {
          const used = { ...sum(await this.#spent(id), before, -1), requests };
          if (!followsTools(messages) || onStep?.(used) === false) throw notSent();
        }
        session.repeats = false;
        requests += 1;
        incoming.ask();
      },
    });
    const answering = unlessSilent(incoming, ask.idle_ms, this.#answer(ask, files));
    const error = await within(ask.deadline_ms, answering).then(
      () => undefined,
      (error) => error,
    );
    if (error) await this.#stop(id);
    // From now on no request of this session belongs to a call.
    delete session.onRequest;
    delete session.incoming;
    const messages = await this.#messages(id).catch(() => undefined);
    const turn = sincePrompt(ask, messages ?? []);
    const after = await this.#spent(id).catch(() => sum(before, paidFor(turn)));
    this.#paid.set(id, after);
    const used = {
      ...sum(after, before, -1),
      cut_off: paidFor(turn).cut_off,
      requests,
      host_retries: this.#sessions.takeRetries(id),
    };
    const failure = (/** @type {any} */ error) => ({ failure: { ...failureOf(error), ...used } });
    if (session.givenUp) return failure(session.givenUp);
    const answer = wholeAnswer(turn);
    const reads = messages ? readsIn(messages) : null;
    if (answer && (session.full || !answer.info.error))
      return outcomeOf(answer, used, reads, promptTokensIn(turn));
    if (session.full) return failure(session.full);
    if (error) return failure(knownRejection(error));
    if (answer) return outcomeOf(answer, used, reads, promptTokensIn(turn));
    const silent = { message: "the session ended without an answer" };
    const reason = await within(REASON_MS, failed).catch(() => silent);
    return failure(knownError(reason ?? silent));
  }

  /**
   * Prompts a session, and waits until its turn has ended.
   * @param {Ask} ask
   * @param {import("../host.js").File[]} files
   */
  async #answer(ask, files) {
    const sessionID = ask.session;
    const [providerID = "", ...rest] = ask.model.split("/");
    const variant = ask.variant ? { variant: ask.variant } : {};
    const model = { providerID, id: rest.join("/"), ...variant };
    await within(QUICK_MS, this.#ctx.session.switchModel({ sessionID, model }));
    const attached = files.map(({ mime, bytes }) => ({
      uri: `data:${mime};base64,${bytes.toString("base64")}`,
    }));
    await within(
      QUICK_MS,
      this.#ctx.session.prompt({
        sessionID,
        text: ask.text,
        ...(attached.length > 0 && { files: attached }),
      }),
    );
    await this.#ctx.session.wait({ sessionID });
  }

  /** @type {Host["recover"]} */
  async recover(ask, since) {
    const id = ask.session;
    this.#enlist(id, { role: ask.role, temperature: ask.temperature, system: ask.system });
    const lost = {
      name: "Lost",
      message: "the process that asked has ended without an answer",
      ...NO_FAILURE,
    };
    await this.#stop(id);
    try {
      const messages = await this.#messages(id);
      this.#paid.set(id, await this.#spent(id));
      const turn = sincePrompt(ask, messages, since);
      const steps = turn.filter(({ info }) => info.role === "assistant");
      const used = { ...paidFor(turn), requests: steps.length };
      const answer = wholeAnswer(turn);
      if (answer) return outcomeOf(answer, used, readsIn(messages));
      // A request is on record only once its answer has begun. A prompt that isn't on record was never delivered.
      return { failure: { ...lost, ...used, name: turn.length > 0 ? lost.name : "Unsent" } };
    } catch (error) {
      const failure = failureOf(knownRejection(error));
      return { failure: failure.name === "NotFoundError" ? failure : lost };
    }
  }

  /**
   * Throws unless OpenCode may replace a session's conversation with a summary.
   * @param {string} sessionID
   * @param {import("../hosts/lab-sessions.js").LabSession} session
   */
  async compact(sessionID, session) {
    const messages = await this.#messages(sessionID);
    const prompt = messages.findLastIndex(({ info }) => info.role === "user");
    const steps = answersIn(messages.slice(prompt)).map((step) =>
      calledTools(step) ? "tool-calls" : (step.info.finish ?? null),
    );
    if (session.onRequest && session.guard.mayCompact(session.role, steps)) return;
    const message = "OpenCode would have summarised the conversation to make room";
    session.full = { name: OVERFLOW, data: { message } };
    throw new Error(message);
  }

  /** Returns what a session has cost so far. @param {string} sessionID @returns {Promise<Usage>} */
  async #spent(sessionID) {
    return usageOf(await within(QUICK_MS, this.#ctx.session.get({ sessionID })));
  }

  /** @param {string} sessionID */
  async #messages(sessionID) {
    return knownMessages(await within(QUICK_MS, this.#ctx.session.context({ sessionID })));
  }

  /** Stops a session and waits until what it was doing has ended. @param {string} sessionID */
  async #stop(sessionID) {
    await this.abort(sessionID);
    await within(QUICK_MS, this.#ctx.session.wait({ sessionID })).catch(() => {});
  }

  /** @type {Host["abort"]} */
  async abort(sessionID) {
    await within(QUICK_MS, this.#ctx.session.interrupt({ sessionID })).catch(() => {});
  }

  /**
   * No message of a chat can be changed here. The text is kept for the end of the command, and the terminal gets the panel.
   * @type {Host["report"]}
   */
  async report(text, panel = null) {
    this.#text = text;
    this.#publish({ session: this.#parent, text, panel });
  }

  /**
   * Shows a text as the result of a command. Models read `forModel` in its place, at once or with the next prompt.
   * @param {string} text
   * @param {{forModel: string, asks: boolean, delivery: string | undefined}} how `asks`: whether the session's model is asked now
   */
  async show(text, { forModel, asks, delivery }) {
    await within(
      QUICK_MS,
      this.#ctx.session.synthetic({
        sessionID: this.#parent,
        text: forModel,
        description: text,
        resume: asks,
        ...(delivery && { delivery }),
      }),
    );
  }

  /** @type {Host["place"]} */
  get place() {
    return undefined;
  }

  /** @type {Host["amend"]} */
  async amend() {}

  /** @type {Host["notify"]} */
  notify(tone, message, toast) {
    this.#publish({ session: this.#parent, notice: { tone, message, toast, title: this.#brand } });
  }

  /** @type {Host["models"]} */
  models() {
    return within(QUICK_MS, availableModels(this.#ctx));
  }

  /** Returns the settings of the providers, by name; these include their keys. */
  settings() {
    return within(QUICK_MS, settingsOf(this.#ctx)).catch(() => /** @type {[string, string][]} */ ([]));
  }

  /** Returns the environment variables in which providers look for their keys, and the known keys. */
  keys() {
    return within(QUICK_MS, keysOf(this.#ctx)).catch(() => ({ names: [], values: [] }));
  }

  /** @type {Host["version"]} */
  async version() {
    return this.#ctx.app?.version ?? null;
  }

  /** @type {Host["agents"]} */
  async agents() {
    const listed = await within(QUICK_MS, this.#ctx.agent.list()).catch(() => undefined);
    return listed?.data.map(({ id, permissions }) => ({ name: id, rules: knownRules(permissions) })) ?? null;
  }

  /** @type {Host["plugins"]} */
  async plugins() {
    const listed = await within(QUICK_MS, this.#ctx.plugin.list()).catch(() => undefined);
    const own = (listed?.data ?? []).filter(({ source }) => source && source.type !== "builtin");
    return own.map(({ id, source }) => source?.target ?? source?.path ?? id);
  }
}
