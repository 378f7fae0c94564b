/**
 * What arrives while a model answers a call: how much, and how long it has been silent. OpenCode 1.18.33 reports every
 * piece of text and of reasoning (`message.part.delta`), and each part that starts or ends (`message.part.updated`). It reports
 * nothing of a tool call while the model writes its arguments.
 */
export class Incoming {
  #now;
  /** Whether a request is in progress. */
  #asked = false;
  /** When something last arrived, or the request was sent. */
  #last;
  /** Whether any part of an answer has arrived since the prompt. */
  #came = false;
  /** Characters of text and reasoning since the prompt. */
  #characters = 0;
  /** When the first of them arrived for the current request. @type {number | undefined} */
  #first;
  /** When the latest of them arrived. */
  #latest = 0;
  /** Milliseconds in which those of earlier requests arrived. */
  #wrote = 0;
  /** Tool calls that are being written or running. @type {Set<string>} */
  #tools = new Set();

  /** @param {() => number} [now] milliseconds */
  constructor(now = () => performance.now()) {
    this.#now = now;
    this.#last = now();
  }

  /** Records that a request is sent. */
  ask() {
    this.#wrote = this.#writing;
    this.#first = undefined;
    this.#asked = true;
    this.#tools.clear();
    this.#last = this.#now();
  }

  /**
   * Records that OpenCode will send the request again after this many milliseconds.
   * @param {number} ms
   */
  wait(ms) {
    this.#tools.clear();
    this.#last = this.#now() + Math.max(0, ms || 0);
  }

  /**
   * Records a piece of text or of reasoning.
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
   * Records that a part of the answer started, changed or ended.
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

  /** Milliseconds in which text and reasoning arrived. */
  get #writing() {
    if (this.#first === undefined) return this.#wrote;
    const isWriting = this.#asked && this.#tools.size === 0;
    return this.#wrote + (isWriting ? this.#now() : this.#latest) - this.#first;
  }

  /** @returns {Omit<import("../core/types.js").Incoming, "session">} what is shown to people */
  get seen() {
    return {
      waiting: !this.#came,
      characters: this.#characters,
      writing_ms: Math.round(this.#writing),
    };
  }

  /** How many milliseconds a request has waited with nothing arriving; a running tool doesn't count as the model's silence. */
  get silence() {
    if (!this.#asked || this.#tools.size > 0) return 0;
    return Math.max(0, this.#now() - this.#last);
  }
}
