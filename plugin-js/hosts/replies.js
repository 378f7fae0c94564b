/**
 * Converts what OpenCode 1.x lists of a session to the core's form: replies, failures and their costs. Sends no requests and keeps no
 * state.
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

/** The most bytes of an error that are kept: its text comes from a provider and may have any length. */
const LONGEST_ERROR = 64 * 1024;

/** The most bytes of an answer that are kept: many times what any model writes in one answer. */
const LONGEST_ANSWER = 4 * 1024 * 1024;

/**
 * Returns the beginning of a text, as a copy, because a substring would keep the whole string in memory.
 * @param {unknown} text
 * @param {number} [most] bytes
 */
export function bounded(text, most = LONGEST_ERROR) {
  const whole = String(text);
  if (whole.length * 3 <= most) return whole;
  return Buffer.from(whole.slice(0, most)).subarray(0, most).toString();
}

/** The start of OpenCode's own time-out messages, for the response headers and for the next chunk (seen on 1.18.33). */
const TIMED_OUT = /^(Provider response headers timed out|SSE read timed out)/;

/** Whether OpenCode stopped waiting for a provider. @param {unknown} message */
export function isHostTimeout(message) {
  return TIMED_OUT.test(String(message));
}

/**
 * Converts any error of the client, the server or a provider to the core's form. Response bodies and addresses are left
 * out: they may contain data that doesn't belong in an artefact.
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

/** OpenCode's name for the error of a prompt that exceeds the model's context. */
export const OVERFLOW = "ContextOverflowError";

/**
 * Returns the figures that llama.cpp's server sends with its message when a prompt is too large. Reads nothing else in the body.
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
 * Converts an assistant message to a reply or a failure.
 * @param {{info: AssistantMessage, parts: Part[]}} message the last one of a turn
 * @param {Usage & {host_retries?: number, requests?: number}} used over the whole turn
 * @param {number | null} reads how often its session has read files so far; null if unknown
 * @param {number} [prompt] tokens of its prompt, as reported; 0 if not reported
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
 * Returns the text of a message, without OpenCode's own additions and without reasoning.
 * @param {Part[]} parts
 */
export function textOf(parts) {
  return parts.map((part) => (part.type === "text" && !part.synthetic ? part.text : "")).join("");
}

/**
 * Returns the milliseconds that a provider asked to wait (RFC 9110 §10.2.3, and the `-ms` form that some vendors send).
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
 * Returns one of our prompts and all messages after it; empty if it never arrived.
 * @param {Ask} ask
 * @param {Message[]} messages
 * @param {number} [since] the earliest time at which it was sent
 */
export function sincePrompt({ text }, messages, since = 0) {
  const at = messages.findLastIndex(
    ({ info, parts }) => info.role === "user" && info.time.created >= since && textOf(parts) === text,
  );
  return at < 0 ? [] : messages.slice(at);
}

/**
 * Returns the model's answers, step by step. OpenCode's summaries of a conversation are not answers, nor is what it records for a
 * request that wasn't sent.
 * @param {Message[]} messages
 */
export function answersIn(messages) {
  return messages.filter(({ info }) => info.role === "assistant" && !info.summary && !isRefused(info.error));
}

/**
 * Whether a step ended with a tool call, so that its model is asked again. Any other finished step is the answer, however it
 * ended. After an unknown finish reason, too, OpenCode 1.18 asks again, and never stops.
 * @param {Message} step
 */
export function calledTools({ info, parts }) {
  return (
    Boolean(info.finish) &&
    parts.some((part) => part.type === "tool" && !(/** @type {any} */ (part).metadata?.providerExecuted))
  );
}

/**
 * Returns the tokens of the first request for a prompt, cached ones included, as the provider reported.
 * @param {Message[]} turn
 */
export function promptTokensIn(turn) {
  const [first] = answersIn(turn);
  const { input, cache_read, cache_write } = usageOf(first?.info).tokens;
  return input + cache_read + cache_write;
}

/** The tools that show a model the content of files. */
const READING = ["grep", "read"];

/**
 * Counts how often files were read or searched successfully.
 * @param {Message[]} messages
 */
export function readsIn(messages) {
  const calls = messages.flatMap(({ parts }) => parts).filter((part) => part.type === "tool");
  return calls.filter(({ tool, state }) => READING.includes(tool) && state.status === "completed").length;
}

/**
 * Returns the answer to a prompt once the model has finished or failed, otherwise `undefined`. OpenCode records the finish reason
 * when the answer is complete, but marks it completed only after a snapshot of the project.
 * @param {Message[]} turn
 */
export function wholeAnswer(turn) {
  const last = answersIn(turn).at(-1);
  if (!last) return undefined;
  return last.info.error || (last.info.finish && !calledTools(last)) ? last : undefined;
}

/** The text that OpenCode records in place of a request that wasn't sent. */
const NOT_SENT = "Design Lab sends no further request for this call";

/** The error that keeps a request from being sent. */
export const notSent = () => new Error(NOT_SENT);

/** @param {any} error of a message */
function isRefused(error) {
  return String(error?.data?.message ?? "").includes(NOT_SENT);
}

/**
 * Returns what one message cost; only assistant messages cost anything. Each request whose answer started and ended is a step with
 * a start and a finish; if the answer breaks off, OpenCode may ask again in the same message (seen on 1.18.33).
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
 * Returns what was paid: the sum over all assistant messages. Every step is such a message, summaries too, and `prompt` returns only
 * the last one.
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
