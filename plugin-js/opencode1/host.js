/**
 * The host port on OpenCode 1.x: child sessions, prompts, the live block in the chat, toasts, models.
 * Shapes are those of OpenCode 1.18.33; errors of a model come back as data in `info.error`.
 */

/**
 * @typedef {import("@opencode-ai/plugin").PluginInput["client"]} Client
 * @typedef {import("../host.js").Host} Host
 * @typedef {import("../host.js").Ask} Ask
 * @typedef {import("../host.js").CallFailure} CallFailure
 * @typedef {import("../host.js").AvailableModel} AvailableModel
 * @typedef {import("../host.js").Role} Role
 * @typedef {import("../types.js").Tokens} Tokens
 * @typedef {import("@opencode-ai/sdk").AssistantMessage} AssistantMessage
 * @typedef {import("@opencode-ai/sdk").Part} Part
 */

/** @type {Record<Role, string>} The agents that lab sessions run as; registered in the config hook. */
const AGENTS = {
  topic: "design-lab-topic",
  designer: "design-lab-designer",
  reviewer: "design-lab-reviewer",
};

/** The key of the block's metadata under which the TUI plugin finds the panel. */
export const PANEL = "opencode-design-lab";

/** How every block begins (src/report/chat.rs). */
const TITLE = "Design Lab · ";

/** How long a call that only tells the server something may take. */
const QUICK_MS = 15_000;

/** @implements {Host} */
export class OpenCode1 {
  #client;
  #parent;
  #directory;
  #sessions;
  #terminal;
  /** The part that holds the block, once it is shown. @type {Record<string, any> | undefined} */
  #block;
  #blockText = "";
  /** What is shown or about to be: the block's text, and the panel's data. */
  #latest = "";
  /** As whom the block is put into the chat. @type {{agent?: string, model?: any, variant?: string}} */
  #voice = {};
  /** What each session had cost when it was last looked at. @type {Map<string, Usage>} */
  #paid = new Map();
  /** The isolation of the run; set before its first session. @type {import("./guard.js").Guard | undefined} */
  guard;
  /** One patch at a time; a newer text waits and replaces what waits. */
  #patching = Promise.resolve();

  /**
   * @param {object} parts
   * @param {Client} parts.client
   * @param {string} parts.parent the user's session
   * @param {string} parts.directory the project
   * @param {import("./lab-sessions.js").LabSessions} parts.sessions
   * @param {import("./terminal.js").Terminal | undefined} parts.terminal where `opencode run` shows progress
   */
  constructor({ client, parent, directory, sessions, terminal }) {
    this.#client = client;
    this.#parent = parent;
    this.#directory = directory;
    this.#sessions = sessions;
    this.#terminal = terminal;
  }

  /** What the block in the chat says. */
  get shown() {
    return this.#blockText;
  }

  /**
   * The last user message of the user's session; none while the session is in a turn, or where that can't be told.
   * @returns {Promise<string | undefined>}
   */
  async lastAsked() {
    const busy = await within(QUICK_MS, this.#client.session.status()).catch(asError);
    if (!busy.data || busy.data[this.#parent]) return undefined;
    const listed = await this.#messages(this.#parent);
    return listed.data?.findLast(({ info }) => info.role === "user")?.info.id;
  }

  /**
   * Names the user's session after the task if it has no name yet. Otherwise OpenCode would pay a model for a name,
   * made from a conversation that it takes for empty (seen on 1.18.33).
   * @param {string} text
   */
  async nameSession(text) {
    const path = { id: this.#parent };
    const session = await within(QUICK_MS, this.#client.session.get({ path })).catch(asError);
    if (!session.data?.title.startsWith("New session - ")) return;
    const title = `Design Lab: ${text.replace(/\s+/g, " ").trim().slice(0, 60) || "no task"}`;
    await within(QUICK_MS, this.#client.session.update({ path, body: { title } })).catch(asError);
  }

  /**
   * Within a turn the block is the session's last user message, and OpenCode goes on with the agent and the model that such
   * a message names (seen on 1.18.33): it has to name those that the turn began with.
   */
  async speakAsBefore() {
    const path = { id: this.#parent };
    const listed = await within(QUICK_MS, this.#client.session.messages({ path })).catch(asError);
    const { agent, model, variant } = /** @type {any} */ (
      listed.data?.findLast(({ info }) => info.role === "user")?.info ?? {}
    );
    this.#voice = { agent, model, variant: model?.variant ?? variant };
  }

  /**
   * The model that the user's session used last.
   * @returns {Promise<string | null>} `provider/model`
   */
  async currentModel() {
    const path = { id: this.#parent };
    const listed = await within(QUICK_MS, this.#client.session.messages({ path })).catch(asError);
    const last = listed.data?.findLast(({ info }) => info.role === "assistant")?.info;
    return last?.role === "assistant" ? `${last.providerID}/${last.modelID}` : null;
  }

  /**
   * @param {string} id
   * @param {Omit<import("./lab-sessions.js").LabSession, "guard">} session
   */
  #enlist(id, session) {
    if (!this.guard) throw new Error("a session was opened before its isolation was in force");
    this.#sessions.set(id, { ...session, guard: this.guard });
  }

  /** @type {Host["openSession"]} */
  async openSession({ role, title }) {
    // The server takes more than the v1 types know: the agent, so that the session is labelled rightly.
    const body = /** @type {any} */ ({ parentID: this.#parent, title, agent: AGENTS[role] });
    const created = await within(
      QUICK_MS,
      this.#client.session.create({ body, query: { directory: this.#directory } }),
    ).catch(asError);
    if (!created.data) return { failure: failureOf(created.error) };
    this.#enlist(created.data.id, { role });
    this.#paid.set(created.data.id, NOTHING);
    return { session: created.data.id };
  }

  /** @type {Host["ask"]} */
  async ask(ask, onStep) {
    /** By message, and a message is a step. @type {Map<string, Usage>} */
    const steps = new Map();
    this.#enlist(ask.session, {
      onMessage: (info) => {
        steps.set(info.id, usageOf(info));
        if (info.finish === "tool-calls") onStep?.([...steps.values()].reduce((all, one) => sum(all, one)));
      },
      role: ask.role,
      temperature: ask.temperature,
      system: ask.system,
      retries: ask.host_retries,
      deadline: performance.now() + ask.deadline_ms,
    });
    const before = this.#paid.get(ask.session) ?? paidFor((await this.#messages(ask.session)).data ?? []);
    const answered = await within(ask.deadline_ms, this.#prompt(ask)).catch(asError);
    if (answered.error?.name === "Timeout") await this.abort(ask.session);
    const { data: messages } = await this.#messages(ask.session);
    const after = messages ? paidFor(messages) : sum(before, usageOf(answered.data?.info));
    this.#paid.set(ask.session, after);
    const used = { ...sum(after, before, -1), host_retries: this.#sessions.takeRetries(ask.session) };
    const session = this.#sessions.get(ask.session);
    // What an aborted session gives back looks like an empty answer.
    if (session?.givenUp) return { failure: { ...failureOf(session.givenUp), ...used } };
    // The answer was whole before OpenCode wanted to summarise it.
    if (session?.full) {
      const answer = wholeAnswer(sincePrompt(ask, messages ?? []));
      return answer ? outcomeOf(answer, used) : { failure: { ...failureOf(session.full), ...used } };
    }
    if (!answered.data) {
      const told = this.#sessions.takeError(ask.session);
      // After a deadline the session only tells that it was aborted, which we did.
      const error = answered.error?.name === "Timeout" ? answered.error : (told ?? answered.error);
      return { failure: { ...failureOf(error), ...used } };
    }
    return outcomeOf(answered.data, used);
  }

  /** @type {Host["recover"]} */
  async recover(ask, since) {
    this.#enlist(ask.session, { role: ask.role, temperature: ask.temperature, system: ask.system });
    const lost = {
      name: "Lost",
      message: "the process that asked is gone, and no answer came",
      ...NO_FAILURE,
    };
    const busy = await within(QUICK_MS, this.#client.session.status()).catch(asError);
    if (busy.data?.[ask.session]) await this.abort(ask.session);
    const listed = await this.#messages(ask.session);
    if (!listed.data) {
      const failure = failureOf(listed.error);
      return { failure: failure.name === "NotFoundError" ? failure : lost };
    }
    this.#paid.set(ask.session, paidFor(listed.data));
    const turn = sincePrompt(ask, listed.data, since);
    const used = paidFor(turn);
    const answer = wholeAnswer(turn);
    return answer ? outcomeOf(answer, used) : { failure: { ...lost, ...used } };
  }

  /** @param {Ask} ask */
  #prompt(ask) {
    const [providerID, ...rest] = ask.model.split("/");
    const body = {
      agent: AGENTS[ask.role],
      model: { providerID: providerID ?? "", modelID: rest.join("/") },
      system: ask.system,
      parts: [{ type: /** @type {const} */ ("text"), text: ask.text }],
      ...(ask.variant ? { variant: ask.variant } : {}),
    };
    return this.#client.session.prompt({ path: { id: ask.session }, body });
  }

  /** @param {string} session */
  #messages(session) {
    return within(QUICK_MS, this.#client.session.messages({ path: { id: session } })).catch(asError);
  }

  /**
   * How the model's answers to the last prompt ended, step by step; null where one didn't come about.
   * @param {string} session
   * @returns {Promise<(string | null)[]>}
   */
  async steps(session) {
    const { data: messages = [] } = await this.#messages(session);
    const prompt = messages.findLastIndex(({ info, parts }) => info.role === "user" && textOf(parts) !== "");
    return answersIn(messages.slice(prompt)).map(({ info }) => info.finish ?? null);
  }

  /** @type {Host["abort"]} */
  async abort(session) {
    await within(QUICK_MS, this.#client.session.abort({ path: { id: session } })).catch(asError);
  }

  /** @type {Host["report"]} */
  report(text, panel = null) {
    const latest = JSON.stringify([text, panel]);
    if (latest === this.#latest) return this.#patching;
    this.#latest = latest;
    this.#blockText = text;
    const draw = async () => {
      if (latest === this.#latest) await this.#draw(text, panel);
    };
    this.#patching = this.#patching.then(draw).catch(() => {});
    return this.#patching;
  }

  /**
   * Any client of the server hears of a part that changes, with all that it carries: so the panel reaches the TUI.
   * @param {string} text
   * @param {import("../host.js").Panel | null} panel
   */
  async #draw(text, panel) {
    const content = { text, metadata: panel ? { [PANEL]: panel } : undefined };
    if (!this.#block) {
      const part = /** @type {any} */ ({ type: "text", ignored: true, ...content });
      const shown = await within(
        QUICK_MS,
        this.#client.session.prompt({
          path: { id: this.#parent },
          body: { ...this.#voice, noReply: true, parts: [part] },
        }),
      );
      this.#block = shown.data?.parts[0];
      return;
    }
    await this.#patch({ ...this.#block, ...content });
  }

  /** Changes a part of a message. @param {Record<string, any>} part the whole of it */
  async #patch(part) {
    await within(
      QUICK_MS,
      // The v1 client has no method for this route; its own transport knows server and credentials.
      /** @type {any} */ (this.#client)._client.patch({
        url: `/session/${part.sessionID}/message/${part.messageID}/part/${part.id}`,
        body: part,
        headers: { "content-type": "application/json" },
      }),
    );
  }

  /** @type {Host["place"]} */
  get place() {
    const { sessionID, messageID, id } = this.#block ?? {};
    return this.#block && { session: sessionID, message: messageID, part: id };
  }

  /** @type {Host["amend"]} */
  async amend({ session, message, part: id }, text) {
    const path = { id: session, messageID: message };
    const found = await within(QUICK_MS, this.#client.session.message({ path }));
    if (!found.data && found.response?.status !== 404) throw new Error("the session can't be reached");
    const part = found.data?.parts.find((part) => part.id === id);
    // A note in a run directory that came from elsewhere must not change what somebody wrote.
    if (part?.type !== "text" || !part.ignored || !part.text.startsWith(TITLE)) return;
    await this.#patch({ ...part, text, metadata: undefined });
  }

  /** @type {Host["notify"]} */
  notify(tone, message, toast) {
    this.#terminal?.progress(message);
    if (!toast) return;
    const body = { title: "Design Lab", message, variant: tone };
    within(QUICK_MS, this.#client.tui.showToast({ body })).catch(() => {});
  }

  /** @type {Host["models"]} */
  async models() {
    /** @type {AvailableModel[]} */
    const models = [];
    for (const provider of await this.#providers()) {
      for (const model of Object.values(provider.models)) {
        models.push(describe(provider.id, /** @type {any} */ (model)));
      }
    }
    return models;
  }

  async #providers() {
    const listed = await within(QUICK_MS, this.#client.config.providers());
    return listed.data?.providers ?? [];
  }

  /**
   * What the connected providers are set to, by name: their keys are among it.
   * @returns {Promise<[string, string][]>}
   */
  async settings() {
    const providers = await this.#providers().catch(() => []);
    return providers.flatMap((provider) => {
      const { id, key, options } = /** @type {any} */ (provider);
      return settingsIn(`provider.${id}`, { key, options });
    });
  }

  /** @type {Host["version"]} */
  async version() {
    // The v1 client has no method for this route.
    const { get } = /** @type {any} */ (this.#client)._client;
    const health = await within(QUICK_MS, get({ url: "/global/health" })).catch(asError);
    return health.data?.version ?? null;
  }

  /** @type {Host["plugins"]} */
  async plugins() {
    const config = await within(QUICK_MS, this.#client.config.get()).catch(asError);
    // One may be listed with its options.
    const listed = /** @type {any[]} */ (config.data?.plugin ?? []);
    return listed.map((entry) => String(Array.isArray(entry) ? entry[0] : entry));
  }

  /** @type {Host["agents"]} */
  async agents() {
    const listed = await within(QUICK_MS, this.#client.app.agents()).catch(asError);
    // The server gives the rules in force as a list; the v1 types know an older form.
    const agents = /** @type {any[] | undefined} */ (listed.data);
    return agents?.map(({ name, permission }) => ({ name, rules: permission ?? [] })) ?? null;
  }
}

/**
 * The facts that the core chooses and prices models by; nothing else of a provider, which holds its key.
 * @param {string} provider
 * @param {Record<string, any>} model
 * @returns {AvailableModel}
 */
function describe(provider, model) {
  return {
    provider,
    model: model.id,
    name: model.name ?? model.id,
    context: model.limit?.context ?? 0,
    output: model.limit?.output ?? 0,
    cost_input: model.cost?.input ?? 0,
    cost_output: model.cost?.output ?? 0,
    reasoning: model.capabilities?.reasoning ?? false,
    tool_call: model.capabilities?.toolcall ?? true,
    temperature: model.capabilities?.temperature ?? true,
    release_date: model.release_date ?? "",
    status: model.status ?? "",
  };
}

/**
 * Every text in a value, by its path.
 * @param {string} name
 * @param {unknown} value
 * @returns {[string, string][]}
 */
function settingsIn(name, value) {
  if (typeof value === "string") return [[name, value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => settingsIn(`${name}.${key}`, item));
}

/**
 * Waits at most so long. What is awaited goes on: whoever calls aborts it where that matters.
 * @template T
 * @param {number} ms
 * @param {Promise<T>} action
 * @returns {Promise<T>}
 */
async function within(ms, action) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((_, reject) => {
    const error = Object.assign(new Error(`no answer within ${ms} ms`), { name: "Timeout" });
    // Node and Bun fire a longer timer at once.
    timer = setTimeout(() => reject(error), Math.min(ms, 2 ** 31 - 1));
  });
  try {
    return await /** @type {Promise<T>} */ (Promise.race([action, late]));
  } finally {
    clearTimeout(timer);
  }
}

/**
 * A rejection in the shape of the client's results.
 * @param {unknown} error
 * @returns {{data: undefined, error: any}}
 */
function asError(error) {
  return { data: undefined, error };
}

/**
 * Any error of the client's, the server's or a provider's as the core wants it. Response bodies and addresses stay
 * out: they may carry what nobody wants in an artefact.
 * @param {any} error
 * @returns {CallFailure}
 */
function failureOf(error) {
  const data = error?.data ?? {};
  return {
    name: String(error?.name ?? "UnknownError"),
    message: String(data.message ?? error?.message ?? "no further account"),
    status: data.statusCode ?? null,
    retryable: data.isRetryable ?? null,
    retry_after_ms: retryAfter(data.responseHeaders),
    host_retries: 0,
    ...NOTHING,
  };
}

/**
 * What an assistant message amounts to.
 * @param {{info: AssistantMessage, parts: Part[]}} message the last one of a turn
 * @param {Usage & {host_retries?: number}} used over the whole turn
 * @returns {{reply: import("../types.js").Reply} | {failure: CallFailure}}
 */
function outcomeOf({ info, parts }, used) {
  const spent = { host_retries: 0, ...used };
  if (info.error) return { failure: { ...failureOf(info.error), ...spent } };
  const model = `${info.providerID}/${info.modelID}`;
  return { reply: { text: textOf(parts), finish: info.finish ?? "unknown", model, ...spent } };
}

/**
 * What was written in a message: OpenCode's own additions and reasoning left out.
 * @param {Part[]} parts
 */
function textOf(parts) {
  return parts.map((part) => (part.type === "text" && !part.synthetic ? part.text : "")).join("");
}

/**
 * Milliseconds that a provider asked to wait (RFC 9110 §10.2.3, and the `-ms` form that some vendors send).
 * @param {Record<string, string> | undefined} headers
 * @returns {number | null}
 */
function retryAfter(headers) {
  const milliseconds = Number.parseFloat(headers?.["retry-after-ms"] ?? "");
  if (Number.isFinite(milliseconds)) return Math.max(0, Math.round(milliseconds));
  const value = headers?.["retry-after"];
  if (!value) return null;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, Math.round(seconds * 1000));
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
}

/** @typedef {{info: any, parts: Part[]}} Message as the server lists it */

/**
 * A prompt of ours and all that followed; empty where it never arrived.
 * @param {Ask} ask
 * @param {Message[]} messages
 * @param {number} [since] when it was sent at the earliest
 */
function sincePrompt({ text }, messages, since = 0) {
  const at = messages.findLastIndex(
    ({ info, parts }) => info.role === "user" && info.time.created >= since && textOf(parts) === text,
  );
  return at < 0 ? [] : messages.slice(at);
}

/**
 * What the model said, step by step; OpenCode's summaries of a conversation are no answers.
 * @param {Message[]} messages
 */
function answersIn(messages) {
  return messages.filter(({ info }) => info.role === "assistant" && !info.summary);
}

/**
 * What a prompt led to, once the model has said all of it or failed. OpenCode notes how an answer ended when it has all of
 * it, and calls it completed only after a snapshot of the project.
 * @param {Message[]} turn
 */
function wholeAnswer(turn) {
  const last = answersIn(turn).at(-1);
  const { error, finish } = last?.info ?? {};
  return error || (finish && finish !== "tool-calls") ? last : undefined;
}

/** @typedef {import("../host.js").Used} Usage */

/** @type {Usage} */
const NOTHING = { cost: 0, tokens: { input: 0, output: 0, reasoning: 0, cache_read: 0, cache_write: 0 } };

const NO_FAILURE = { status: null, retryable: null, retry_after_ms: null, host_retries: 0, ...NOTHING };

/**
 * What one message cost; only assistant messages do.
 * @param {any} info
 * @returns {Usage}
 */
function usageOf(info) {
  const tokens = info?.tokens ?? {};
  return {
    cost: info?.cost ?? 0,
    tokens: {
      input: tokens.input ?? 0,
      output: tokens.output ?? 0,
      reasoning: tokens.reasoning ?? 0,
      cache_read: tokens.cache?.read ?? 0,
      cache_write: tokens.cache?.write ?? 0,
    },
  };
}

/**
 * `prompt` returns the last assistant message only, and every step is one, summaries too: the sum over all of them is
 * what was paid.
 * @param {Message[]} messages
 */
function paidFor(messages) {
  return messages.reduce((total, { info }) => sum(total, usageOf(info)), NOTHING);
}

/**
 * @param {Usage} a
 * @param {Usage} b
 * @param {1 | -1} [sign]
 * @returns {Usage} `a + b`, or `a - b`, never below 0
 */
function sum(a, b, sign = 1) {
  const add = (/** @type {keyof Tokens} */ key) => Math.max(0, a.tokens[key] + sign * b.tokens[key]);
  return {
    cost: Math.max(0, a.cost + sign * b.cost),
    tokens: {
      input: add("input"),
      output: add("output"),
      reasoning: add("reasoning"),
      cache_read: add("cache_read"),
      cache_write: add("cache_write"),
    },
  };
}
