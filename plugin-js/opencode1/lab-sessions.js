import { bounded, failureOf, isHostTimeout, OVERFLOW } from "./replies.js";

/** The longest account of a call that is shown, in characters. */
const SHOWN = 200;

/**
 * Which sessions belong to a run. What OpenCode's hooks do for a lab session begins with a look-up here, and ends
 * there for every other session.
 *
 * @typedef {import("../host.js").Role} Role
 *
 * @typedef {object} Warden what applies to the sessions of one run
 * @property {(role: any) => string} agent as whom such a session is prompted
 * @property {(role: any, own: string, host: string) => string | Promise<string>} systemText the system prompt of its model, beside what
 *   OpenCode would add
 * @property {(role: any, steps: (string | null)[]) => boolean} mayCompact whether OpenCode may summarise its conversation
 * @property {(tool: string, callID: string, args: unknown, role: any) => Promise<void>} before judges a call; throws where it
 *   is refused: the model reads the error's message
 * @property {(tool: string, callID: string, result: {title: string, output: string, metadata: any}) => void} after takes out
 *   of a result, in place, what the model may not read
 * @property {(role: any) => Record<string, string>} [shell] what the model's shells have in their environment
 *
 * @typedef {object} LabSession
 * @property {Role} role
 * @property {Warden} guard what applies to the sessions of its run
 * @property {number} [temperature] what the model is to be asked with
 * @property {string} [system] the system text of its role
 * @property {number} [retries] how often OpenCode may repeat a request by itself
 * @property {number} [deadline] when its call is aborted, by `performance.now()`
 * @property {import("./incoming.js").Incoming} [incoming] what comes in of its call
 * @property {() => Promise<void>} [onRequest] hears of every request before it is sent; throws when it may not be
 * @property {object} [givenUp] the error after which OpenCode was asked to repeat it no more
 * @property {string} [refused] what its model asked leave for and was refused
 * @property {boolean} [summarises] whether its next request asks for a summary of the conversation
 * @property {object} [full] the error of a prompt for which the context has no room left
 * @property {import("../host.js").CallFailure} [overflow] the provider's error for a prompt that was larger than the context
 */
export class LabSessions {
  /** @type {Map<string, LabSession>} */
  #sessions = new Map();
  /** The server masks some failures; their true account comes as an event. @type {Map<string, import("../host.js").CallFailure>} */
  #errors = new Map();

  /** How often OpenCode has repeated the request under way. @type {Map<string, number>} */
  #retries = new Map();

  /** What models ask leave for, by request. @type {Map<string, {session: string, text: string}>} */
  #asked = new Map();

  /** What the models of each run are seen to do. @type {WeakMap<Warden, {tool: string | null, files: Set<string>}>} */
  #seen = new WeakMap();

  /** Whether no run is running. */
  get idle() {
    return this.#sessions.size === 0;
  }

  /** @param {string} id */
  get(id) {
    return this.#sessions.get(id);
  }

  /**
   * @param {string} id
   * @param {LabSession} session
   */
  set(id, session) {
    this.#sessions.set(id, session);
  }

  /**
   * A session that descends from a lab session is one.
   * @param {string} id
   * @param {string | undefined} parent
   */
  adopt(id, parent) {
    const session = parent === undefined ? undefined : this.#sessions.get(parent);
    if (session && !this.#sessions.has(id)) this.#sessions.set(id, session);
  }

  /**
   * Forgets the sessions of a run that is over.
   * @param {Warden} guard
   */
  release(guard) {
    for (const [id, session] of this.#sessions) {
      if (session.guard !== guard) continue;
      this.#sessions.delete(id);
      this.#errors.delete(id);
      this.#retries.delete(id);
    }
  }

  /**
   * @param {string | undefined} id
   * @param {unknown} error
   */
  noteError(id, error) {
    const session = id === undefined ? undefined : this.#sessions.get(id);
    if (id === undefined || !session) return;
    const failure = failureOf(error);
    this.#errors.set(id, failure);
    // OpenCode reports it here alone: it summarises then, and what comes of that is another error.
    if (failure.name === OVERFLOW) session.overflow ??= failure;
  }

  /**
   * OpenCode is about to repeat a request by itself, for the `attempt`th time.
   * @param {string} id
   * @param {{attempt: number, message: string, next: number}} retry
   * @returns {boolean} whether it may; where not, the call has failed for the reason given
   */
  noteRetry(id, { attempt, message: wording, next }) {
    const session = this.#sessions.get(id);
    const message = bounded(wording);
    // What took too long once takes as long again.
    const isTooSlow = isHostTimeout(message);
    if (session?.retries !== undefined && (attempt > session.retries || isTooSlow)) {
      session.givenUp = { name: "APIError", data: { message, isRetryable: true } };
      return false;
    }
    const wait = next - Date.now();
    if (session?.deadline !== undefined && performance.now() + wait >= session.deadline) {
      // The wait that a provider asked for would outlast the call.
      const responseHeaders = { "retry-after-ms": String(wait) };
      session.givenUp = { name: "APIError", data: { message, isRetryable: true, responseHeaders } };
      return false;
    }
    session?.incoming?.wait(wait);
    if (session) this.#retries.set(id, attempt);
    return true;
  }

  /**
   * How often OpenCode repeated the last request of a session, once.
   * @param {string} id
   */
  takeRetries(id) {
    const retries = this.#retries.get(id) ?? 0;
    this.#retries.delete(id);
    return retries;
  }

  /**
   * A model asks for leave.
   * @param {{id: string, sessionID: string, permission: string, patterns?: string[]}} request
   */
  noteRequest({ id, sessionID, permission, patterns = [] }) {
    const text = bounded(`${permission}: ${patterns.join(", ")}`);
    if (this.#sessions.has(sessionID)) this.#asked.set(id, { session: sessionID, text });
  }

  /**
   * What a model asked for was allowed or refused.
   * @param {{sessionID: string, requestID: string, reply: string}} answer
   */
  noteAnswer({ sessionID, requestID, reply }) {
    const session = this.#sessions.get(sessionID);
    if (session && reply === "reject") session.refused = this.#asked.get(requestID)?.text ?? "";
    this.#asked.delete(requestID);
  }

  /**
   * A model calls a tool.
   * @param {string} sessionID
   * @param {string} tool
   * @param {any} args
   */
  noteTool(sessionID, tool, args) {
    const guard = this.#sessions.get(sessionID)?.guard;
    if (!guard) return;
    const seen = this.#seen.get(guard) ?? { tool: null, files: new Set() };
    const what = args?.filePath ?? args?.command ?? args?.pattern ?? args?.path;
    seen.tool = typeof what === "string" ? `${tool} ${what}`.slice(0, SHOWN) : tool;
    if ((tool === "write" || tool === "edit") && typeof args?.filePath === "string")
      seen.files.add(args.filePath);
    this.#seen.set(guard, seen);
  }

  /**
   * What the models of a run are seen to do.
   * @param {Warden} guard
   * @returns {import("../core/types.js").Activity}
   */
  activity(guard) {
    const { tool = null, files = [] } = this.#seen.get(guard) ?? {};
    const asked = [...this.#asked.values()].find(
      ({ session }) => this.#sessions.get(session)?.guard === guard,
    );
    return { tool, files: [...files], asks: asked?.text ?? null, calls: this.#calls(guard) };
  }

  /**
   * What has come in of each call of a run that is under way.
   * @param {Warden} guard
   */
  #calls(guard) {
    const calls = [];
    for (const [session, { guard: its, incoming }] of this.#sessions)
      if (its === guard && incoming) calls.push({ session, ...incoming.seen });
    return calls;
  }

  /**
   * The last error of a session, once.
   * @param {string} id
   */
  takeError(id) {
    const error = this.#errors.get(id);
    this.#errors.delete(id);
    return error;
  }
}
