/**
 * What OpenCode 1.x lists of a session, as the core wants it: replies, failures, and what they cost. Nothing is asked or
 * kept here.
 */

/**
 * @typedef {import("../host.js").Ask} Ask
 * @typedef {import("../host.js").CallFailure} CallFailure
 * @typedef {import("../host.js").Used} Usage
 * @typedef {import("../core/types.js").Tokens} Tokens
 * @typedef {import("@opencode-ai/sdk").AssistantMessage} AssistantMessage
 * @typedef {import("@opencode-ai/sdk").Part} Part
 * @typedef {{info: any, parts: Part[]}} Message as the server lists it
 */

/** @type {Usage} */
export const NOTHING = {
  cost: 0,
  tokens: { input: 0, output: 0, reasoning: 0, cache_read: 0, cache_write: 0 },
  cut_off: 0,
};

export const NO_FAILURE = {
  status: null,
  retryable: null,
  retry_after_ms: null,
  host_retries: 0,
  requests: 0,
  ...NOTHING,
};

/** The most bytes of an error that are kept: its text is a provider's, and may be of any length. */
const LONGEST_ERROR = 64 * 1024;

/** The most bytes of an answer that are kept: many times what any model writes at once. */
const LONGEST_ANSWER = 4 * 1024 * 1024;

/**
 * The beginning of a text. It is a copy: part of a string keeps the whole in memory.
 * @param {unknown} text
 * @param {number} [most] bytes
 */
export function bounded(text, most = LONGEST_ERROR) {
  const whole = String(text);
  if (whole.length * 3 <= most) return whole;
  return Buffer.from(whole.slice(0, most)).subarray(0, most).toString();
}

/** How OpenCode's own time-outs begin, of its wait for an answer to begin and for the next piece of it (seen on 1.18.33). */
const TIMED_OUT = /^(Provider response headers timed out|SSE read timed out)/;

/** Whether OpenCode stopped waiting for a provider. @param {unknown} message */
export function isHostTimeout(message) {
  return TIMED_OUT.test(String(message));
}

/**
 * Any error of the client's, the server's or a provider's as the core wants it. Response bodies and addresses stay
 * out: they may carry what nobody wants in an artefact.
 * @param {any} error
 * @param {number} [now] milliseconds since 1970
 * @returns {CallFailure}
 */
export function failureOf(error, now = Date.now()) {
  const data = error?.data ?? {};
  const message = bounded(data.message ?? error?.message ?? "no further account");
  return {
    name: isHostTimeout(message) ? "HostTimeout" : bounded(error?.name ?? error?._tag ?? "UnknownError"),
    message,
    status: data.statusCode ?? null,
    retryable: data.isRetryable ?? null,
    retry_after_ms: retryAfter(data.responseHeaders, now),
    host_retries: 0,
    requests: 0,
    ...NOTHING,
    ...contextIn(data.responseBody),
  };
}

/** How OpenCode names the error of a prompt that the model's context doesn't hold. */
export const OVERFLOW = "ContextOverflowError";

/**
 * The figures that llama.cpp's server gives beside its message when a prompt is too large. Nothing else is read of the body.
 * @param {unknown} body
 */
function contextIn(body) {
  try {
    const { n_prompt_tokens: prompt_tokens, n_ctx: context_tokens } = JSON.parse(bounded(body)).error;
    if (Number.isSafeInteger(prompt_tokens) && Number.isSafeInteger(context_tokens))
      return { prompt_tokens, context_tokens };
  } catch {
    // Other servers answer in another form, or with no JSON at all.
  }
  return {};
}

/**
 * What an assistant message amounts to.
 * @param {{info: AssistantMessage, parts: Part[]}} message the last one of a turn
 * @param {Usage & {host_retries?: number, requests?: number}} used over the whole turn
 * @param {number | null} reads how often its session has read so far; null if that isn't known
 * @param {number} [prompt] tokens of its prompt, as reported; 0 where nobody says
 * @returns {{reply: import("../core/types.js").Reply} | {failure: CallFailure}}
 */
export function outcomeOf({ info, parts }, used, reads, prompt = 0) {
  const spent = { host_retries: 0, requests: 0, ...used };
  if (info.error) return { failure: { ...failureOf(info.error), ...spent } };
  const model = `${info.providerID}/${info.modelID}`;
  const { input, output, cache_read, cache_write } = usageOf(info).tokens;
  const held = input + output + cache_read + cache_write;
  return {
    reply: {
      text: bounded(textOf(parts), LONGEST_ANSWER),
      finish: info.finish ?? "unknown",
      model,
      reads,
      ...spent,
      ...(prompt > 0 ? { prompt_tokens: prompt } : {}),
      ...(held > 0 ? { held } : {}),
    },
  };
}

/**
 * What was written in a message: OpenCode's own additions and reasoning left out.
 * @param {Part[]} parts
 */
export function textOf(parts) {
  return parts.map((part) => (part.type === "text" && !part.synthetic ? part.text : "")).join("");
}

/**
 * Milliseconds that a provider asked to wait (RFC 9110 §10.2.3, and the `-ms` form that some vendors send).
 * @param {Record<string, string> | undefined} headers
 * @param {number} now
 * @returns {number | null}
 */
function retryAfter(headers, now) {
  const milliseconds = Number.parseFloat(headers?.["retry-after-ms"] ?? "");
  if (Number.isFinite(milliseconds)) return Math.max(0, Math.round(milliseconds));
  const value = headers?.["retry-after"];
  if (!value) return null;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, Math.round(seconds * 1000));
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/**
 * A prompt of ours and all that followed; empty where it never arrived.
 * @param {Ask} ask
 * @param {Message[]} messages
 * @param {number} [since] when it was sent at the earliest
 */
export function sincePrompt({ text }, messages, since = 0) {
  const at = messages.findLastIndex(
    ({ info, parts }) => info.role === "user" && info.time.created >= since && textOf(parts) === text,
  );
  return at < 0 ? [] : messages.slice(at);
}

/**
 * What the model said, step by step; neither OpenCode's summaries of a conversation are answers, nor what it notes in place of a
 * request that wasn't sent.
 * @param {Message[]} messages
 */
export function answersIn(messages) {
  return messages.filter(({ info }) => info.role === "assistant" && !info.summary && !isRefused(info.error));
}

/**
 * Whether a step has ended with a call of a tool: its model is asked on. Any other step that has ended is the answer, however it
 * ended. OpenCode 1.18 asks on after an end that it doesn't know, too, and never stops.
 * @param {Message} step
 */
export function calledTools({ info, parts }) {
  return (
    Boolean(info.finish) &&
    parts.some((part) => part.type === "tool" && !(/** @type {any} */ (part).metadata?.providerExecuted))
  );
}

/**
 * Tokens of the first request that a prompt led to, cached ones included, as the provider reported.
 * @param {Message[]} turn
 */
export function promptTokensIn(turn) {
  const [first] = answersIn(turn);
  const { input, cache_read, cache_write } = usageOf(first?.info).tokens;
  return input + cache_read + cache_write;
}

/** The tools that show a model what stands in files. */
const READING = ["grep", "read"];

/**
 * How often files were read or searched, where that came to something.
 * @param {Message[]} messages
 */
export function readsIn(messages) {
  const calls = messages.flatMap(({ parts }) => parts).filter((part) => part.type === "tool");
  return calls.filter(({ tool, state }) => READING.includes(tool) && state.status === "completed").length;
}

/**
 * What a prompt led to, once the model has said all of it or failed. OpenCode notes how an answer ended when it has all of
 * it, and calls it completed only after a snapshot of the project.
 * @param {Message[]} turn
 */
export function wholeAnswer(turn) {
  const last = answersIn(turn).at(-1);
  if (!last) return undefined;
  return last.info.error || (last.info.finish && !calledTools(last)) ? last : undefined;
}

/** What OpenCode notes in place of a request that wasn't sent. */
const NOT_SENT = "Design Lab sends no further request for this call";

/** The error that keeps a request from being sent. */
export const notSent = () => new Error(NOT_SENT);

/** @param {any} error of a message */
function isRefused(error) {
  return String(error?.data?.message ?? "").includes(NOT_SENT);
}

/**
 * What one message cost; only assistant messages do. A request whose answer has begun and ended is a step that has started and
 * finished; where it breaks off OpenCode may ask again in the same message (seen on 1.18.33).
 * @param {any} info
 * @param {Part[]} [parts]
 * @returns {Usage}
 */
export function usageOf(info, parts = []) {
  const tokens = info?.tokens ?? {};
  const count = (/** @type {string} */ type) => parts.filter((part) => part.type === type).length;
  return {
    cost: info?.cost ?? 0,
    cut_off: Math.max(0, count("step-start") - count("step-finish")),
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
export function paidFor(messages) {
  return messages.reduce((total, { info, parts }) => sum(total, usageOf(info, parts)), NOTHING);
}

/**
 * @param {Usage} a
 * @param {Usage} b
 * @param {1 | -1} [sign]
 * @returns {Usage} `a + b`, or `a - b`, never below 0
 */
export function sum(a, b, sign = 1) {
  const add = (/** @type {keyof Tokens} */ key) => Math.max(0, a.tokens[key] + sign * b.tokens[key]);
  return {
    cost: Math.max(0, a.cost + sign * b.cost),
    cut_off: Math.max(0, a.cut_off + sign * b.cut_off),
    tokens: {
      input: add("input"),
      output: add("output"),
      reasoning: add("reasoning"),
      cache_read: add("cache_read"),
      cache_write: add("cache_write"),
    },
  };
}
