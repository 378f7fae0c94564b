/**
 * The sessions of a run's models on OpenCode 2: opens them, asks them, and looks for answers that an earlier process left. Shapes are those
 * of 2.0.15.
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
import { QUICK_MS, unlessSilent, within } from "../hosts/waiting.js";
import { sessionRules } from "./agents.js";
import { knownError, knownMessages, knownRejection } from "./messages.js";
import { followsTools, LAB_KEY } from "./requests.js";

/**
 * @typedef {import("../host.js").Host} Host
 * @typedef {import("../host.js").Ask} Ask
 * @typedef {import("../host.js").Used} Usage
 */

/** How long the reason of a failed turn may take to arrive after its end: events lag behind. */
const REASON_MS = 1_000;

export class Conversations {
  #ctx;
  #parent;
  #sessions;
  #registration;
  /** Each session's usage when it was last read. @type {Map<string, Usage>} */
  #paid = new Map();
  /** What the run has asked in each session. @type {Map<string, Set<string>>} */
  #prompts = new Map();
  /** The rules for the run's sessions; set before its first session. @type {import("../hosts/lab-sessions.js").Warden | undefined} */
  guard;

  /**
   * @param {object} parts
   * @param {import("./context.js").Context} parts.ctx
   * @param {string} parts.parent the user's session
   * @param {import("../hosts/lab-sessions.js").LabSessions} parts.sessions
   * @param {import("../core/types.js").Registration} parts.registration
   */
  constructor({ ctx, parent, sessions, registration }) {
    this.#ctx = ctx;
    this.#parent = parent;
    this.#sessions = sessions;
    this.#registration = registration;
  }

  get #warden() {
    if (!this.guard) throw new Error("a session was opened before its isolation was in force");
    return this.guard;
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
      this.#prompts.set(id, new Set());
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
    /** What the steps before the last request have used. @type {Usage} */
    let finished = NOTHING;
    const incoming = new Incoming();
    const before = this.#paid.get(id) ?? (await this.#spent(id).catch(() => NOTHING));
    /** @type {(error: any) => void} */
    let fail = () => {};
    /** @type {Promise<import("./context.js").Failure | undefined>} */
    const failed = new Promise((resolve) => {
      fail = resolve;
    });
    const prompts = await this.#promptsIn(id);
    prompts.add(ask.text);
    const session = this.#enlist(id, {
      role: ask.role,
      model: ask.model,
      prompts,
      temperature: ask.temperature,
      system: ask.system,
      retries: ask.host_retries,
      deadline: performance.now() + ask.deadline_ms,
      noTools: ask.no_tools,
      incoming,
      onFailure: fail,
      onRequest: async (messages = []) => {
        if (requests > 0 && !session.repeats) {
          finished = sum(await this.#spent(id), before, -1);
          const used = { ...finished, requests };
          if (!followsTools(messages) || onStep?.(used) === false) throw notSent();
        }
        session.repeats = false;
        requests += 1;
        incoming.ask();
      },
    });
    const over = new AbortController();
    const answering = unlessSilent(incoming, ask.idle_ms, this.#answer(ask, files), over.signal);
    const error = await within(ask.deadline_ms, answering).then(
      () => undefined,
      (error) => error,
    );
    over.abort();
    if (error) await this.#stop(id);
    // From now on no request of this session belongs to a call.
    delete session.onRequest;
    delete session.incoming;
    const listing = await this.#messages(id).catch((error) => failureOf(knownRejection(error)));
    const messages = Array.isArray(listing) ? listing : undefined;
    const isGone = !Array.isArray(listing) && listing.name === "NotFoundError";
    const turn = sincePrompt(ask, messages ?? []);
    const after = await this.#spent(id).catch(() => sum(before, paidFor(turn)));
    this.#paid.set(id, after);
    const used = {
      ...sum(after, before, -1),
      cut_off: paidFor(turn).cut_off,
      // A session that the user has deleted no longer shows its last request.
      ...(isGone && { ...finished, cut_off: 1 }),
      requests,
      host_retries: this.#sessions.takeRetries(id),
    };
    const failure = (/** @type {any} */ error) => ({ failure: { ...failureOf(error), ...used } });
    if (session.givenUp) return failure(session.givenUp);
    if (session.refused !== undefined) return failure({ name: "NobodyThere", message: session.refused });
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

  /** Returns what the run has asked in a session, which an earlier process may have opened. @param {string} sessionID */
  async #promptsIn(sessionID) {
    const known = this.#prompts.get(sessionID);
    if (known) return known;
    const messages = await this.#messages(sessionID).catch(() => []);
    const asked = messages.filter(({ info }) => info.role === "user").flatMap(({ parts }) => parts);
    const prompts = new Set(asked.map((part) => ("text" in part ? part.text : "")));
    this.#prompts.set(sessionID, prompts);
    return prompts;
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

  /** 2.0.15 has no `remove` for plugins: there, the user deletes the session. @type {Host["discard"]} */
  async discard(sessionID) {
    const removing = Promise.resolve().then(() => this.#ctx.session.remove?.({ sessionID }));
    await within(QUICK_MS, removing).catch(() => {});
  }
}
