/**
 * What comes in of a call while its model answers: how much, and for how long nothing has come. OpenCode 1.18.33 reports every
 * piece of text and of reasoning (`message.part.delta`), and of each part that begins or ends (`message.part.updated`). Of a call
 * of a tool it tells nothing while the model writes its arguments.
 */
export class Incoming {
  #now;
  /** Whether a request is under way. */
  #asked = false;
  /** When something last came in, or the request was sent. */
  #last;
  /** Whether anything of an answer has come since the prompt. */
  #came = false;
  /** Characters of text and reasoning since the prompt. */
  #characters = 0;
  /** When the first of them came of the request that is under way. @type {number | undefined} */
  #first;
  /** When the latest of them came. */
  #latest = 0;
  /** Milliseconds in which those of earlier requests came. */
  #wrote = 0;
  /** Calls of tools that are being written, or at work. @type {Set<string>} */
  #tools = new Set();

  /** @param {() => number} [now] milliseconds */
  constructor(now = () => performance.now()) {
    this.#now = now;
    this.#last = now();
  }

  /** A request is sent. */
  ask() {
    this.#wrote = this.#writing;
    this.#first = undefined;
    this.#asked = true;
    this.#tools.clear();
    this.#last = this.#now();
  }

  /**
   * OpenCode sends the request again, so many milliseconds from now.
   * @param {number} ms
   */
  wait(ms) {
    this.#tools.clear();
    this.#last = this.#now() + Math.max(0, ms || 0);
  }

  /**
   * A piece of text or of reasoning came.
   * @param {string} text
   */
  hear(text) {
    this.#came = true;
    this.#characters += text.length;
    this.#last = this.#now();
    this.#latest = this.#last;
    this.#first ??= this.#last;
  }

  /**
   * A part of the answer began, changed or ended.
   * @param {any} part
   */
  see(part) {
    this.#last = this.#now();
    if (part.type === "step-finish") this.#asked = false;
    if (part.type !== "tool") return;
    this.#came = true;
    const isUnderWay = part.state.status === "pending" || part.state.status === "running";
    if (isUnderWay) this.#tools.add(part.callID);
    else this.#tools.delete(part.callID);
  }

  /** Milliseconds in which text and reasoning came. */
  get #writing() {
    if (this.#first === undefined) return this.#wrote;
    const isWriting = this.#asked && this.#tools.size === 0;
    return this.#wrote + (isWriting ? this.#now() : this.#latest) - this.#first;
  }

  /** @returns {Omit<import("../core/types.js").Incoming, "session">} what people are shown of it */
  get seen() {
    return {
      waiting: !this.#came,
      characters: this.#characters,
      writing_ms: Math.round(this.#writing),
    };
  }

  /** For how many milliseconds the model has been asked and nothing came; a tool at work isn't its silence. */
  get silence() {
    if (!this.#asked || this.#tools.size > 0) return 0;
    return Math.max(0, this.#now() - this.#last);
  }
}
