/**
 * The host port on OpenCode 2: sessions, prompts, results, models. Shapes are those of 2.0.15. The link to the user's session, which that
 * version drops, is sent for later ones (docs/hosts.md).
 */
import { QUICK_MS, within } from "../hosts/waiting.js";
import { knownRules } from "./calls.js";
import { Conversations } from "./conversations.js";
import { availableModels, keysOf, settingsOf } from "./models.js";

/**
 * @typedef {import("../host.js").Host} Host
 * @typedef {import("./context.js").Context} Context
 *
 * @typedef {object} Start
 * @property {string} forModel what models read in its place
 * @property {string | undefined} delivery
 * @property {string} name what the user's session is named after if it has no name yet
 */

/** @implements {Host} */
export class OpenCode2 extends Conversations {
  #ctx;
  #parent;
  #sessions;
  #brand;
  #publish;
  #text = "";
  /** How the chat shows that a run has started; undefined if none is expected. @type {Start | undefined} */
  #start;
  /** Whether a run has started. */
  hasStarted = false;

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
    super({ ctx, parent, sessions, registration });
    this.#ctx = ctx;
    this.#parent = parent;
    this.#sessions = sessions;
    this.#brand = brand;
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

  /** @type {Host["activity"]} */
  get activity() {
    return this.guard ? this.#sessions.activity(this.guard) : null;
  }

  /**
   * Makes the chat show when a run starts, with its expected cost: no message of a chat can be changed here, so nothing else is shown
   * until the run ends.
   * @param {Start} how
   */
  announceStart(how) {
    this.#start = how;
  }

  /**
   * The text is kept for the end of the command, and the terminal gets the panel.
   * @type {Host["report"]}
   */
  async report(text, panel = null) {
    this.#text = text;
    this.#publish({ session: this.#parent, text, panel });
    const start = this.#start;
    if (!panel || !start) return;
    this.#start = undefined;
    this.hasStarted = true;
    await this.nameSession(start.name);
    // The sidebar shows the same, and the result comes with the end of the run.
    await this.show(`${text}\n\n${outlook(panel)}`, { ...start, asks: false }).catch(() => {});
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

  /** @type {Host["program"]} */
  async program() {
    return { program: "opencode", version: this.#ctx.app?.version ?? null };
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

/** Returns what the user does instead of waiting for this message to change. @param {{cancel: string}} panel */
function outlook({ cancel }) {
  const status = cancel.replace(/-cancel$/, "-status");
  return `  This message stays as it is. /${status} shows the current state,\n  and /${cancel} stops the run.`;
}
