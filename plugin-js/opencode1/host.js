/**
 * The host port on OpenCode 1.x: child sessions, prompts, the live message in the chat, toasts, models.
 * Shapes are those of OpenCode 1.18.33, which returns a model's errors as data in `info.error`.
 */
import { randomBytes } from "node:crypto";
import { Incoming } from "../hosts/incoming.js";
import { hostNameOf, settingsIn } from "../hosts/provider-facts.js";
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
  textOf,
  usageOf,
  wholeAnswer,
} from "../hosts/replies.js";
import { QUICK_MS, unlessSilent, within } from "../hosts/waiting.js";
import { locate } from "../kernel/real-path.js";

/**
 * @typedef {import("@opencode-ai/plugin").PluginInput["client"]} Client
 * @typedef {import("../host.js").Host} Host
 * @typedef {import("../host.js").Ask} Ask
 * @typedef {import("../host.js").AvailableModel} AvailableModel
 * @typedef {import("../host.js").Role} Role
 * @typedef {import("../host.js").Used} Usage
 */

/** The key of the live message's metadata under which the TUI plugin finds the panel. */
export const PANEL = "opencode-design-lab";

/** The key of the live message's metadata that holds its time, if that isn't now. */
const CREATED = "opencode-design-lab-created";

/** The start of every live message (src/design_lab/report/chat.rs, src/flow/status.rs, src/validation/status.rs). */
const TITLE = /^(Design Lab|Flow|Validation) · /;

/** The names of the failures of a call that exceeded one of its deadlines. */
const LATE = ["Timeout", "Silent"];

/**
 * Sets a live message's time, in place; other messages stay as they are.
 * @param {{message: any, parts: any[]}} output of the hook `chat.message`
 */
export function date({ message, parts }) {
  const created = parts.find((part) => part.ignored)?.metadata?.[CREATED];
  if (typeof created === "number") message.time.created = created;
}

/** @implements {Host} */
export class OpenCode1 {
  #client;
  #parent;
  #directory;
  #sessions;
  #terminal;
  #brand;
  #reported;
  /** The part that holds the live message, once it is shown. @type {Record<string, any> | undefined} */
  #part;
  #text = "";
  /** The content that is shown or about to be: the live message's text and the panel's data. */
  #latest = "";
  /** The agent and model that the live message names. @type {{agent?: string, model?: any, variant?: string}} */
  #voice = {};
  /** The time of the live message, if it must not be the latest. @type {number | undefined} */
  #created;
  /** The id of the live message, if it must not be the latest. @type {string | undefined} */
  #messageID;
  /** Each session's cost when it was last read. @type {Map<string, Usage>} */
  #paid = new Map();
  /** The directory in which each session works. @type {Map<string, string>} */
  #places = new Map();
  /** The rules for the run's sessions; set before its first session. @type {import("../hosts/lab-sessions.js").Warden | undefined} */
  guard;
  /** Allows one patch at a time; a newer text replaces the one that is waiting. */
  #patching = Promise.resolve();

  /**
   * @param {object} parts
   * @param {Client} parts.client
   * @param {string} parts.parent the user's session
   * @param {string} parts.directory the project
   * @param {import("../hosts/lab-sessions.js").LabSessions} parts.sessions
   * @param {import("./terminal.js").Terminal | undefined} parts.terminal where `opencode run` shows progress
   * @param {string} parts.brand the name by which the user knows the workflow
   * @param {() => void} [parts.reported] is called instead of showing a live message
   */
  constructor({ client, parent, directory, sessions, terminal, brand, reported }) {
    this.#client = client;
    this.#parent = parent;
    this.#directory = directory;
    this.#sessions = sessions;
    this.#terminal = terminal;
    this.#brand = brand;
    this.#reported = reported;
  }

  /** @type {NonNullable<Host["alongside"]>} */
  alongside(reported) {
    return new OpenCode1({
      ...{ client: this.#client, parent: this.#parent, directory: this.#directory },
      ...{ sessions: this.#sessions, terminal: this.#terminal, brand: this.#brand, reported },
    });
  }

  /** The live message's text. */
  get shown() {
    return this.#text;
  }

  /**
   * Returns whether the user's session is in a turn, and the last user message. Within a turn, that is the message being answered,
   * because live messages are user messages, too. Returns `undefined` if the server can't be asked.
   * @returns {Promise<{id: string, created: number, busy: boolean, answer: string | undefined} | undefined>} `answer`: the answer
   *   in progress
   */
  async lastAsked() {
    const status = await within(QUICK_MS, this.#client.session.status()).catch(asError);
    if (!status.data) return undefined;
    const busy = Boolean(status.data[this.#parent]);
    const { data = [] } = await this.#messages(this.#parent);
    const last = data.findLast(({ info, parts }) => info.role === "user" && !(busy && isLive(parts)))?.info;
    const answer = data.findLast(({ info }) => info.role === "assistant" && !info.time.completed);
    return last && { id: last.id, created: last.time.created, busy, answer: answer?.info.id };
  }

  /**
   * Backdates live messages while the session is in a turn. OpenCode asks the model again for each user message that is newer than the
   * one being answered (seen on 1.18.33), and live messages are user messages; so they get an earlier time. The TUI marks messages
   * after the answer in progress as queued; so they also get an id before that answer.
   */
  async joinTurn() {
    const last = await this.lastAsked();
    if (!last?.busy) return;
    this.#created = last.created - 1;
    if (last.answer) this.#messageID = idBefore(last.answer);
  }

  /**
   * Names the user's session after the task if it has no name yet. Otherwise OpenCode would pay a model for a name,
   * based on a conversation that it considers empty (seen on 1.18.33).
   * @param {string} text
   */
  async nameSession(text) {
    const path = { id: this.#parent };
    const session = await within(QUICK_MS, this.#client.session.get({ path })).catch(asError);
    if (!session.data?.title.startsWith("New session - ")) return;
    const title = `${this.#brand}: ${text.replace(/\s+/g, " ").trim().slice(0, 60) || "no task"}`;
    await within(QUICK_MS, this.#client.session.update({ path, body: { title } })).catch(asError);
  }

  /**
   * Makes live messages name the agent and the model of a user message. OpenCode continues with those that the session's last user
   * message names, and a live message is a user message (seen on 1.18.33).
   * @param {any} message the user message that the command becomes
   */
  speakAs({ agent, model }) {
    this.#voice = { agent, model, variant: model?.variant };
  }

  /** Does the same for a command that a model calls within a turn: uses the message being answered. */
  async speakAsBefore() {
    const { data = [] } = await this.#messages(this.#parent);
    const last = data.findLast(({ info, parts }) => info.role === "user" && !isLive(parts));
    if (last) this.speakAs(last.info);
  }

  /**
   * Returns the facts that determine which model the user's session uses; the core decides.
   * @returns {Promise<import("../core/types.js").SessionModelFacts>}
   */
  async sessionModel() {
    if (!this.#voice.model) await this.speakAsBefore();
    const path = { id: this.#parent };
    const [session, config] = await Promise.all([
      within(QUICK_MS, this.#client.session.get({ path })).catch(asError),
      within(QUICK_MS, this.#client.config.get()).catch(asError),
    ]);
    // The v1 types don't include a session's model.
    const own = /** @type {any} */ (session.data)?.model;
    const { model } = this.#voice;
    return {
      message: model ? `${model.providerID}/${model.modelID}` : null,
      session: own ? `${own.providerID}/${own.id}` : null,
      configured: config.data?.model ?? null,
    };
  }

  /**
   * @param {string} id
   * @param {Omit<import("../hosts/lab-sessions.js").LabSession, "guard">} session
   */
  #enlist(id, session) {
    this.#sessions.set(id, { ...session, guard: this.#warden });
  }

  get #warden() {
    if (!this.guard) throw new Error("a session was opened before its isolation was in force");
    return this.guard;
  }

  /** @type {Host["activity"]} */
  get activity() {
    return this.guard ? this.#sessions.activity(this.guard) : null;
  }

  /** @type {Host["openSession"]} */
  async openSession({ role, title, directory = this.#directory }) {
    // The server accepts more than the v1 types declare: the agent, so that the session is labelled correctly.
    const body = /** @type {any} */ ({ parentID: this.#parent, title, agent: this.#warden.agent(role) });
    if (directory !== this.#directory) this.#sessions.enterLane(directory);
    const created = await within(QUICK_MS, this.#client.session.create({ body, query: { directory } })).catch(
      asError,
    );
    if (!created.data) return { failure: failureOf(created.error) };
    const unguarded = directory === this.#directory ? null : this.#unguarded(directory);
    if (unguarded) {
      await this.discard(created.data.id);
      return unguardedIn(unguarded);
    }
    this.#places.set(created.data.id, directory);
    this.#enlist(created.data.id, { role });
    this.#paid.set(created.data.id, NOTHING);
    return { session: created.data.id };
  }

  /** @type {NonNullable<Host["enters"]>} */
  async enters(directory, model) {
    this.#sessions.enterLane(directory);
    const listed = await within(QUICK_MS, this.#client.config.providers({ query: { directory } })).catch(
      asError,
    );
    if (!listed.data) return `OpenCode can't work in ${directory}: ${failureOf(listed.error).message}`;
    const [provider, ...rest] = model.split("/");
    const found = listed.data.providers.find(({ id }) => id === provider);
    if (!found?.models[rest.join("/")]) return `OpenCode doesn't find the model ${model} in ${directory}`;
    return this.#unguarded(directory);
  }

  /** Returns why this plugin's rules wouldn't apply to sessions in a directory; `null` if they would. @param {string} directory */
  #unguarded(directory) {
    return this.#sessions.attends(directory)
      ? null
      : `OpenCode doesn't load this plugin in ${directory}; name it in the project's opencode.json or in your own`;
  }

  /** @type {NonNullable<Host["leaves"]>} */
  async leaves(directory) {
    await within(QUICK_MS, this.#client.instance.dispose({ query: { directory } })).catch(asError);
  }

  /**
   * Returns the directory in which a session works. Rejects with OpenCode's error if that isn't known.
   * @param {string} session
   */
  async #placeOf(session) {
    const known = this.#places.get(session);
    if (known !== undefined) return known;
    const found = await within(QUICK_MS, this.#client.session.get({ path: { id: session } }));
    if (!found.data?.directory)
      throw found.error ?? new Error("OpenCode doesn't say where the session works");
    const { directory } = found.data;
    // The path of a project may contain a link.
    const isProject = locate(directory).real === locate(this.#directory).real;
    this.#places.set(session, isProject ? this.#directory : directory);
    return isProject ? this.#directory : directory;
  }

  /**
   * Returns the directory in which a session works, for a request that stops or reads what is there.
   * @param {string} session
   */
  async #query(session) {
    return { directory: await this.#placeOf(session).catch(() => this.#directory) };
  }

  /**
   * Returns the directory in which a session is prompted, or why it may not be: the session's rules apply only where this plugin is
   * loaded, and after a restart OpenCode hasn't loaded anything there yet.
   * @param {Ask} ask
   * @returns {Promise<{directory: string} | {failure: import("../host.js").CallFailure}>}
   */
  async #promptable({ session, model }) {
    try {
      const directory = await this.#placeOf(session);
      if (directory === this.#directory) return { directory };
      this.#sessions.enterLane(directory);
      const unguarded = this.#unguarded(directory) && (await this.enters(directory, model));
      return unguarded ? unguardedIn(unguarded) : { directory };
    } catch (error) {
      return { failure: failureOf(error) };
    }
  }

  /** @type {Host["ask"]} */
  async ask(ask, onStep, files = []) {
    const query = await this.#promptable(ask);
    if ("failure" in query) return query;
    let requests = 0;
    const incoming = new Incoming();
    /** By message; each message is a step. @type {Map<string, Usage>} */
    const steps = new Map();
    const finished = () => [...steps.values()].reduce((all, one) => sum(all, one), NOTHING);
    this.#enlist(ask.session, {
      onRequest: async () => {
        const last = requests > 0 && (await this.#lastStep(ask.session));
        if (last) {
          steps.set(last.info.id, usageOf(last.info));
          if (!calledTools(last) || onStep?.({ ...finished(), requests }) === false) throw notSent();
        }
        requests += 1;
        incoming.ask();
      },
      role: ask.role,
      temperature: ask.temperature,
      system: ask.system,
      retries: ask.host_retries,
      deadline: performance.now() + ask.deadline_ms,
      incoming,
    });
    const before = this.#paid.get(ask.session) ?? paidFor((await this.#messages(ask.session)).data ?? []);
    const answering = unlessSilent(incoming, ask.idle_ms, this.#prompt(ask, files, query));
    const answered = await within(ask.deadline_ms, answering).catch(asError);
    const isLate = LATE.includes(answered.error?.name);
    if (isLate) await this.abort(ask.session);
    const { data: messages, error: unread } = await this.#messages(ask.session);
    const isGone = !messages && failureOf(unread).name === "NotFoundError";
    const after = messages
      ? paidFor(messages)
      : sum(before, usageOf(answered.data?.info, answered.data?.parts));
    this.#paid.set(ask.session, after);
    const reads = messages ? readsIn(messages) : null;
    const used = {
      ...sum(after, before, -1),
      // A session that the user has deleted no longer shows its last request.
      ...(isGone && { ...finished(), cut_off: 1 }),
      requests,
      host_retries: this.#sessions.takeRetries(ask.session),
    };
    const session = this.#sessions.get(ask.session);
    // The result of an aborted session looks like an empty answer.
    if (session?.givenUp) return { failure: { ...failureOf(session.givenUp), ...used } };
    // `opencode run` rejects every permission request (seen on 1.18.33), because there is no user to ask.
    if (session?.refused !== undefined && this.#terminal) {
      const nobody = failureOf({ name: "NobodyThere", message: session.refused });
      return { failure: { ...nobody, ...used } };
    }
    // The answer was complete before OpenCode tried to summarise the conversation or to ask the model again.
    const turn = sincePrompt(ask, messages ?? []);
    const answer = wholeAnswer(turn);
    const prompt = promptTokensIn(turn);
    if (answer && (session?.full || !answer.info.error)) return outcomeOf(answer, used, reads, prompt);
    if (session?.full) return { failure: { ...(session.overflow ?? failureOf(session.full)), ...used } };
    if (!answered.data) {
      const wording = this.#sessions.takeError(ask.session);
      // After a deadline the session only reports that it was aborted, which we did.
      return { failure: { ...((!isLate && wording) || failureOf(answered.error)), ...used } };
    }
    const outcome = outcomeOf(answered.data, used, reads, prompt);
    const failed = "failure" in outcome && outcome.failure.name === OVERFLOW;
    return failed && session?.overflow ? { failure: { ...session.overflow, ...used } } : outcome;
  }

  /** @type {Host["recover"]} */
  async recover(ask, since) {
    this.#enlist(ask.session, { role: ask.role, temperature: ask.temperature, system: ask.system });
    const lost = {
      name: "Lost",
      message: "the process that asked has ended without an answer",
      ...NO_FAILURE,
    };
    const query = await this.#query(ask.session);
    const busy = await within(QUICK_MS, this.#client.session.status({ query })).catch(asError);
    if (busy.data?.[ask.session]) await this.abort(ask.session);
    const listed = await this.#messages(ask.session);
    if (!listed.data) {
      const failure = failureOf(listed.error);
      return { failure: failure.name === "NotFoundError" ? failure : lost };
    }
    this.#paid.set(ask.session, paidFor(listed.data));
    const turn = sincePrompt(ask, listed.data, since);
    const used = { ...paidFor(turn), requests: answersIn(turn).length };
    const answer = wholeAnswer(turn);
    if (answer) return outcomeOf(answer, used, readsIn(listed.data));
    // OpenCode records that it asks a model before it sends the request (seen on 1.18.33).
    const asked = turn.some(({ info }) => info.role === "assistant");
    return { failure: { ...lost, ...used, name: asked ? lost.name : "Unsent" } };
  }

  /**
   * @param {Ask} ask
   * @param {import("../host.js").File[]} files
   * @param {{directory: string}} query
   */
  #prompt(ask, files, query) {
    const [providerID, ...rest] = ask.model.split("/");
    const body = {
      agent: this.#warden.agent(ask.role),
      model: { providerID: providerID ?? "", modelID: rest.join("/") },
      system: ask.system,
      parts: [{ type: /** @type {const} */ ("text"), text: ask.text }, ...files.map(filePart)],
      ...(ask.variant ? { variant: ask.variant } : {}),
      // OpenCode turns this into session rules that deny every tool, and then offers none (seen on 1.18.33).
      ...(ask.no_tools ? { tools: { "*": false } } : {}),
    };
    return this.#client.session.prompt({ path: { id: ask.session }, query, body });
  }

  /** @param {string} session */
  #messages(session) {
    return within(QUICK_MS, this.#client.session.messages({ path: { id: session } })).catch(asError);
  }

  /**
   * Returns the last finished step of the answer in progress.
   * @param {string} session
   * @returns {Promise<import("../hosts/replies.js").Message | undefined>}
   */
  async #lastStep(session) {
    const request = this.#client.session.messages({ path: { id: session }, query: { limit: 3 } });
    const { data: messages = [] } = await within(QUICK_MS, request).catch(asError);
    const answers = /** @type {import("../hosts/replies.js").Message[]} */ (answersIn(messages));
    const asked = answers.at(-1)?.info.parentID;
    return answers.findLast(({ info }) => info.finish && info.parentID === asked);
  }

  /**
   * Returns how each step of the model's answer to the last prompt ended; `null` for one that failed or hasn't ended.
   * @param {string} session
   * @returns {Promise<(string | null)[]>}
   */
  async steps(session) {
    const { data: messages = [] } = await this.#messages(session);
    const prompt = messages.findLastIndex(({ info, parts }) => info.role === "user" && textOf(parts) !== "");
    return answersIn(messages.slice(prompt)).map((step) =>
      calledTools(step) ? "tool-calls" : (step.info.finish ?? null),
    );
  }

  /** @type {Host["abort"]} */
  async abort(session) {
    const query = await this.#query(session);
    await within(QUICK_MS, this.#client.session.abort({ path: { id: session }, query })).catch(asError);
  }

  /** @type {Host["discard"]} */
  async discard(session) {
    await within(QUICK_MS, this.#client.session.delete({ path: { id: session } })).catch(asError);
  }

  /** @type {Host["report"]} */
  report(text, panel = null) {
    if (this.#reported) {
      this.#reported();
      return this.#patching;
    }
    const latest = JSON.stringify([text, panel]);
    if (latest === this.#latest) return this.#patching;
    this.#latest = latest;
    this.#text = text;
    const draw = async () => {
      if (latest === this.#latest) await this.#draw(text, panel);
    };
    this.#patching = this.#patching.then(draw).catch(() => {});
    return this.#patching;
  }

  /**
   * Shows the live message, or updates it. Every client of the server receives a changed part with all its content, which is how the
   * panel reaches the TUI.
   * @param {string} text
   * @param {import("../host.js").Panel | null} panel
   */
  async #draw(text, panel) {
    const content = { text, metadata: panel ? { [PANEL]: panel } : undefined };
    if (!this.#part) {
      const metadata = { ...content.metadata, ...(this.#created && { [CREATED]: this.#created }) };
      const part = /** @type {any} */ ({ type: "text", ignored: true, ...content, metadata });
      const shown = await within(
        QUICK_MS,
        this.#client.session.prompt({
          path: { id: this.#parent },
          body: { ...this.#voice, messageID: this.#messageID, noReply: true, parts: [part] },
        }),
      );
      this.#part = shown.data?.parts[0];
      return;
    }
    await this.#patch({ ...this.#part, ...content });
  }

  /** Changes a part of a message. @param {Record<string, any>} part the whole part */
  async #patch(part) {
    await within(
      QUICK_MS,
      // The v1 client has no method for this route; its transport knows the server and the credentials.
      /** @type {any} */ (this.#client)._client.patch({
        url: `/session/${part.sessionID}/message/${part.messageID}/part/${part.id}`,
        body: part,
        headers: { "content-type": "application/json" },
      }),
    );
  }

  /** @type {Host["place"]} */
  get place() {
    const { sessionID, messageID, id } = this.#part ?? {};
    return this.#part && { session: sessionID, message: messageID, part: id };
  }

  /** @type {Host["amend"]} */
  async amend({ session, message, part: id }, text) {
    const path = { id: session, messageID: message };
    const found = await within(QUICK_MS, this.#client.session.message({ path }));
    if (!found.data && found.response?.status !== 404) throw new Error("the session can't be reached");
    const part = found.data?.parts.find((part) => part.id === id);
    // A note in a run directory from elsewhere must not change what another person wrote.
    if (part?.type !== "text" || !part.ignored || !TITLE.test(part.text)) return;
    if (part.text === text && !part.metadata) return;
    await this.#patch({ ...part, text, metadata: undefined });
  }

  /** @type {Host["notify"]} */
  notify(tone, message, toast) {
    this.#terminal?.progress(message);
    if (!toast) return;
    const body = { title: this.#brand, message, variant: tone };
    within(QUICK_MS, this.#client.tui.showToast({ body })).catch(() => {});
  }

  /** @type {Host["models"]} */
  async models() {
    /** @type {AvailableModel[]} */
    const models = [];
    for (const provider of await this.#providers()) {
      for (const model of Object.values(provider.models)) {
        models.push(describe(provider, /** @type {any} */ (model)));
      }
    }
    return models;
  }

  async #providers() {
    const listed = await within(QUICK_MS, this.#client.config.providers());
    return listed.data?.providers ?? [];
  }

  /**
   * Returns the settings of the connected providers, by name; these include their keys.
   * @returns {Promise<[string, string][]>}
   */
  async settings() {
    const providers = await this.#providers().catch(() => []);
    return providers.flatMap((provider) => {
      const { id, key, options } = /** @type {any} */ (provider);
      return settingsIn(`provider.${id}`, { key, options });
    });
  }

  /**
   * Returns the environment variables in which providers look for their keys, and the known keys.
   * @returns {Promise<{names: string[], values: string[]}>}
   */
  async keys() {
    const providers = /** @type {any[]} */ (await this.#providers().catch(() => []));
    const texts = (/** @type {unknown[]} */ values) => values.filter((value) => typeof value === "string");
    return {
      names: texts(providers.flatMap(({ env }) => env ?? [])),
      values: texts(providers.flatMap(({ key, options }) => [key, options?.apiKey])),
    };
  }

  /** @type {Host["program"]} */
  async program() {
    // The v1 client has no method for this route.
    const { get } = /** @type {any} */ (this.#client)._client;
    const [health, paths] = await Promise.all([
      within(QUICK_MS, get({ url: "/global/health" })).catch(asError),
      within(QUICK_MS, this.#client.path.get()).catch(asError),
    ]);
    // Kilo differs from OpenCode 1 in the name of its directories (seen on 7.7.9).
    const isKilo = /[\\/]kilo$/.test(paths.data?.config ?? "");
    return { program: isKilo ? "kilo" : "opencode", version: health.data?.version ?? null };
  }

  /** @type {Host["plugins"]} */
  async plugins() {
    const config = await within(QUICK_MS, this.#client.config.get()).catch(asError);
    // A plugin may be listed with its options.
    const listed = /** @type {any[]} */ (config.data?.plugin ?? []);
    return listed.map((entry) => String(Array.isArray(entry) ? entry[0] : entry));
  }

  /** @type {Host["agents"]} */
  async agents() {
    const listed = await within(QUICK_MS, this.#client.app.agents()).catch(asError);
    // The server returns the rules in force as a list; the v1 types declare an older form.
    const agents = /** @type {any[] | undefined} */ (listed.data);
    return agents?.map(({ name, permission }) => ({ name, rules: permission ?? [] })) ?? null;
  }
}

/**
 * Returns an id that OpenCode orders just before this one, or `undefined` if this one doesn't start with a time in hexadecimal digits.
 * @param {string} id
 */
export function idBefore(id) {
  const time = /^msg_([0-9a-f]{12})/.exec(id)?.[1];
  if (time === undefined) return undefined;
  const before = (BigInt(`0x${time}`) - 1n).toString(16).padStart(12, "0");
  return `msg_${before}${randomBytes(7).toString("hex")}`;
}

/** Whether these are the parts of a live message, which no model reads. @param {any[]} parts */
function isLive(parts) {
  return parts.every((part) => part.ignored);
}

/** The failure of a session that would work where this plugin's rules don't apply. @param {string} message */
function unguardedIn(message) {
  return { failure: failureOf({ name: "Unguarded", message }) };
}

/** @param {import("../host.js").File} file */
function filePart({ mime, bytes }) {
  const url = `data:${mime};base64,${bytes.toString("base64")}`;
  return { type: /** @type {const} */ ("file"), mime, url };
}

/**
 * Returns the facts by which the core chooses and prices models, and nothing else, because a provider also holds its key.
 * @param {Record<string, any>} provider
 * @param {Record<string, any>} model
 * @returns {AvailableModel}
 */
function describe(provider, model) {
  return {
    provider: provider.id,
    model: model.id,
    name: model.name ?? model.id,
    context: model.limit?.context ?? 0,
    output: model.limit?.output ?? 0,
    cost_input: model.cost?.input ?? 0,
    cost_output: model.cost?.output ?? 0,
    reasoning: model.capabilities?.reasoning ?? false,
    tool_call: model.capabilities?.toolcall ?? true,
    temperature: model.capabilities?.temperature ?? true,
    images: model.capabilities?.input?.image ?? false,
    release_date: model.release_date ?? "",
    status: model.status ?? "",
    // The key that OpenCode gives its own provider if the user has none for it (seen on 1.18.33).
    brought_along: provider.options?.apiKey === "public",
    host: hostNameOf(provider.options?.baseURL ?? model.api?.url),
  };
}

/**
 * Returns a rejection in the shape of the client's results.
 * @param {unknown} error
 * @returns {{data: undefined, error: any}}
 */
function asError(error) {
  return { data: undefined, error };
}
