import { locate } from "../kernel/real-path.js";
import { bounded, failureOf, isHostTimeout, OVERFLOW } from "./replies.js";

/** The longest description of a tool call that is shown, in characters. */
const SHOWN = 200;

/**
 * Returns a request for permission in words.
 * @param {string} permission
 * @param {string[]} patterns
 */
export const requestText = (permission, patterns) => bounded(`${permission}: ${patterns.join(", ")}`);

/**
 * The sessions that belong to a run. Each of OpenCode's hooks that concerns them starts with a look-up here, and returns at once for
 * any other session.
 *
 * @typedef {import("../host.js").Role} Role
 *
 * @typedef {object} Warden what applies to the sessions of one run
 * @property {(role: any) => string} agent returns the agent as which such a session is prompted
 * @property {(role: any, own: string, host: string) => string | Promise<string>} systemText returns its model's system prompt, given
 *   what OpenCode would send
 * @property {(role: any, steps: (string | null)[]) => boolean} mayCompact whether OpenCode may summarise its conversation
 * @property {(tool: string, callID: string, args: unknown, role: any) => Promise<void>} before judges a call; throws if it
 *   is refused: the model reads the error's message
 * @property {(tool: string, callID: string, result: {title: string, output: string, metadata: any}) => void} after removes from
 *   a result, in place, what the model may not read
 * @property {(role: any) => Record<string, string>} [shell] returns additional environment variables for the model's shells
 *
 * @typedef {object} LabSession
 * @property {Role} role
 * @property {Warden} guard what applies to the sessions of its run
 * @property {number} [temperature] the temperature of its requests
 * @property {string} [system] the system text of its role
 * @property {string} [model] the model that its call asks, as `provider/model`
 * @property {Set<string>} [prompts] everything that its run has asked in it
 * @property {number} [retries] how often OpenCode may repeat a request on its own
 * @property {number} [deadline] when its call is aborted, on the clock of `performance.now()`
 * @property {import("./incoming.js").Incoming} [incoming] what has arrived for its call
 * @property {(messages?: any[]) => Promise<void>} [onRequest] is called before each request is sent; throws if it may not be sent
 * @property {boolean} [noTools] whether its model gets no tools
 * @property {boolean} [repeats] whether its next request repeats a failed one
 * @property {(error: unknown) => void} [onFailure] is called when its turn has failed
 * @property {object} [givenUp] the error after which OpenCode was not allowed to retry
 * @property {string} [refused] the permission that its model requested and was refused
 * @property {boolean} [summarises] whether its next request asks for a summary of the conversation
 * @property {object} [full] the error of a prompt that no longer fits into the context
 * @property {import("../host.js").CallFailure} [overflow] the provider's error for a prompt that exceeded the context
 */
export class LabSessions {
  /** @type {Map<string, LabSession>} */
  #sessions = new Map();
  /** The server masks some failures; the true error comes as an event. @type {Map<string, import("../host.js").CallFailure>} */
  #errors = new Map();

  /** How often OpenCode has repeated the current request. @type {Map<string, number>} */
  #retries = new Map();

  /** Pending permission requests of models, by id. @type {Map<string, {session: string, text: string}>} */
  #asked = new Map();

  /** The observed activity of each run's models. @type {WeakMap<Warden, {tool: string | null, files: Set<string>}>} */
  #seen = new WeakMap();

  /**
   * How often the plugin is loaded in each directory, with links resolved: OpenCode may load it again before it ends the earlier
   * one.
   * @type {Map<string, number>}
   */
  #attended = new Map();

  /** Where sessions work that are not in the user's project, with links resolved. @type {Set<string>} */
  #lanes = new Set();

  /**
   * The sessions of this process: OpenCode loads the plugin again for each directory in which a session works, and the rules of a
   * run apply in all of them.
   */
  static ofProcess = new LabSessions();

  /** Notes that the plugin is loaded in a directory. @param {string} directory absolute */
  attend(directory) {
    const { real } = locate(directory);
    this.#attended.set(real, (this.#attended.get(real) ?? 0) + 1);
  }

  /** Whether the plugin is loaded in a directory. @param {string} directory absolute */
  attends(directory) {
    return (this.#attended.get(locate(directory).real) ?? 0) > 0;
  }

  /** Notes that sessions of runs work in a directory that is not the user's project. @param {string} directory absolute */
  enterLane(directory) {
    this.#lanes.add(locate(directory).real);
  }

  /** Whether a directory is such a place, in which nobody types commands. @param {string} directory absolute */
  isLane(directory) {
    return this.#lanes.has(locate(directory).real);
  }

  /** Notes that the plugin is no longer loaded there. @param {string} directory absolute */
  leave(directory) {
    const { real } = locate(directory);
    this.#attended.set(real, (this.#attended.get(real) ?? 1) - 1);
  }

  /** Whether no run is active. */
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
   * Registers a session that descends from a lab session as one.
   * @param {string} id
   * @param {string | undefined} parent
   */
  adopt(id, parent) {
    const session = parent === undefined ? undefined : this.#sessions.get(parent);
    if (session && !this.#sessions.has(id)) this.#sessions.set(id, session);
  }

  /**
   * Removes the sessions of a finished run.
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
    // OpenCode reports it only here: it then summarises the conversation, which ends in a different error.
    if (failure.name === OVERFLOW) session.overflow ??= failure;
  }

  /**
   * Records that OpenCode is about to repeat a request on its own, for the `attempt`th time.
   * @param {string} id
   * @param {{attempt: number, message: string, next: number}} retry
   * @returns {boolean} whether it may; if not, the call has failed for the reason given
   */
  noteRetry(id, { attempt, message: wording, next }) {
    const session = this.#sessions.get(id);
    const message = bounded(wording);
    // A request that timed out once would take as long again.
    const isTooSlow = isHostTimeout(message);
    if (session?.retries !== undefined && (attempt > session.retries || isTooSlow)) {
      session.givenUp = { name: "APIError", data: { message, isRetryable: true } };
      return false;
    }
    const wait = next - Date.now();
    if (session?.deadline !== undefined && performance.now() + wait >= session.deadline) {
      // The wait that a provider requested would outlast the call.
      const responseHeaders = { "retry-after-ms": String(wait) };
      session.givenUp = { name: "APIError", data: { message, isRetryable: true, responseHeaders } };
      return false;
    }
    session?.incoming?.wait(wait);
    if (session) this.#retries.set(id, attempt);
    return true;
  }

  /**
   * Returns how often OpenCode repeated the last request of a session, and resets the count.
   * @param {string} id
   */
  takeRetries(id) {
    const retries = this.#retries.get(id) ?? 0;
    this.#retries.delete(id);
    return retries;
  }

  /**
   * Records a model's permission request.
   * @param {{id: string, sessionID: string, permission: string, patterns?: string[]}} request
   */
  noteRequest({ id, sessionID, permission, patterns = [] }) {
    const text = requestText(permission, patterns);
    if (this.#sessions.has(sessionID)) this.#asked.set(id, { session: sessionID, text });
  }

  /**
   * Records that a permission request was granted or refused.
   * @param {{sessionID: string, requestID: string, reply: string}} answer
   */
  noteAnswer({ sessionID, requestID, reply }) {
    const session = this.#sessions.get(sessionID);
    if (session && reply === "reject") session.refused = this.#asked.get(requestID)?.text ?? "";
    this.#asked.delete(requestID);
  }

  /**
   * Records a model's tool call.
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
   * Returns the observed activity of a run's models.
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
   * Returns what has arrived for each current call of a run.
   * @param {Warden} guard
   */
  #calls(guard) {
    const calls = [];
    for (const [session, { guard: its, incoming }] of this.#sessions)
      if (its === guard && incoming) calls.push({ session, ...incoming.seen });
    return calls;
  }

  /**
   * Returns the last error of a session and removes it.
   * @param {string} id
   */
  takeError(id) {
    const error = this.#errors.get(id);
    this.#errors.delete(id);
    return error;
  }
}
