// Scripts of models: the steps that answer requests, and how a script chooses among them.

/**
 * A request as a script sees it.
 * @typedef {object} ModelRequest
 * @property {string} model the model that was asked, without its provider
 * @property {number} n how many requests this model got before this one
 * @property {Message[]} messages the whole conversation
 * @property {string} system every system message, joined
 * @property {string} user the last user message
 * @property {string[]} tools the tools offered
 * @property {number | undefined} temperature
 */

/** @typedef {{ role: string, content: string, toolCalls: string[] }} Message */

/** @typedef {{ name: string, arguments: Record<string, unknown> }} ToolCall */

/**
 * @typedef {object} Usage
 * @property {number} input prompt tokens, cached ones included
 * @property {number} output answer tokens, reasoning included
 * @property {number} [cached]
 * @property {number} [reasoning]
 */

/**
 * How a reply is sent. There are no delays by default.
 * @typedef {object} ReplyOptions
 * @property {string | null} [finish] the finish reason; by default `stop`, or `tool_calls` if a tool is called
 * @property {string} [reasoning] sent before the text, as `reasoning_content`
 * @property {ToolCall[]} [toolCalls]
 * @property {Usage} [usage] by default a token per four characters
 * @property {number} [chunk] characters per chunk; by default 512
 * @property {number} [delayMs] before the first byte
 * @property {number} [chunkDelayMs] between chunks
 * @property {number} [cutAfter] characters of text after which the connection breaks
 * @property {boolean} [unfinished] whether the answer ends without its last chunk, but otherwise like a complete one
 */

/** @typedef {{ kind: "reply", text: string } & ReplyOptions} ReplyStep */
/** @typedef {{ kind: "error", status: number, headers: Record<string, string>, body: string | Buffer, delayMs?: number }} ErrorStep */
/** @typedef {{ kind: "hang", afterHeaders: boolean }} HangStep */
/** @typedef {ReplyStep | ErrorStep | HangStep} Step */

/**
 * A step answers every request alike; an array has one entry per request, in order; a function chooses;
 * rules choose by pattern. All of them nest.
 * @typedef {Step | Script[] | ((request: ModelRequest) => Script) | Rules} Script
 */

/** @typedef {{ rules: { when: RegExp | ((request: ModelRequest) => boolean), script: Script }[] }} Rules */

/**
 * The model answers with this content.
 * @param {string | object} content text, or a value that is sent as JSON
 * @param {ReplyOptions} [options]
 * @returns {ReplyStep}
 */
export function reply(content, options = {}) {
  const text = typeof content === "string" ? content : JSON.stringify(content, null, 2);
  return { kind: "reply", text, ...options };
}

/**
 * The model calls a tool; its next request carries the result.
 * @param {string} name
 * @param {Record<string, unknown>} args
 * @param {ReplyOptions} [options]
 */
export function callTool(name, args, options = {}) {
  return reply("", { ...options, toolCalls: [{ name, arguments: args }] });
}

/**
 * The same script for a model that first reads a file of the project in each of its conversations.
 * @param {string} filePath
 * @param {Script} script
 * @returns {Script}
 */
export const reading = (filePath, script) => (request) =>
  request.messages.some(({ toolCalls }) => toolCalls.includes("read"))
    ? script
    : callTool("read", { filePath });

/** The model ends its turn without text. */
export const empty = () => reply("");

/**
 * The text breaks off because the connection does.
 * @param {string | object} content
 * @param {number} after how many characters still arrive
 * @param {ReplyOptions} [options]
 */
export const cutOff = (content, after, options = {}) => reply(content, { ...options, cutAfter: after });

/**
 * The provider returns an error.
 * @param {number} status
 * @param {{ message?: string, code?: string, headers?: Record<string, string>, body?: string | Buffer, delayMs?: number }} [options]
 * @returns {ErrorStep}
 */
export function httpError(
  status,
  { message = `scripted ${status}`, code, headers = {}, body, delayMs } = {},
) {
  const error = { message, type: "scripted_error", code: code ?? null };
  return { kind: "error", status, headers, body: body ?? JSON.stringify({ error }), delayMs };
}

/** @param {number} seconds the wait that the provider requests */
export const rateLimited = (seconds) =>
  httpError(429, {
    message: "Rate limit reached",
    code: "rate_limit_exceeded",
    headers: { "retry-after": String(seconds) },
  });

export const unauthorized = () =>
  httpError(401, { message: "Incorrect API key provided", code: "invalid_api_key" });

export const contextOverflow = () =>
  httpError(400, {
    message:
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
    code: "context_length_exceeded",
  });

/**
 * The provider never answers; with `afterHeaders`, it sends status 200 first.
 * @param {{ afterHeaders?: boolean }} [options]
 * @returns {HangStep}
 */
export const hang = ({ afterHeaders = false } = {}) => ({ kind: "hang", afterHeaders });

/**
 * A rule: requests whose last user message matches follow this script, which counts only those.
 * @param {RegExp | ((request: ModelRequest) => boolean)} when
 * @param {Script} script
 * @returns {Rules["rules"][number]}
 */
export const on = (when, script) => ({ when, script });

/**
 * The first matching rule decides.
 * @param {Rules["rules"]} rules
 * @returns {Rules}
 */
export const rules = (...rules) => ({ rules });

/** A request for which the scenario has no step: a fault of the test, and recorded as one. */
export class Unscripted extends Error {
  name = "Unscripted";
}

/**
 * Follows a script to the step for this request. `counts` holds how often each array has been asked.
 * @param {Script} script
 * @param {ModelRequest} request
 * @param {Map<unknown, number>} counts
 * @returns {Step}
 */
export function stepFor(script, request, counts) {
  if (typeof script === "function") return stepFor(script(request), request, counts);
  if (Array.isArray(script)) {
    const turn = counts.get(script) ?? 0;
    counts.set(script, turn + 1);
    const next = script[turn];
    if (!next) {
      throw new Unscripted(
        `${request.model} was asked ${turn + 1} times, its script ends after ${script.length}`,
      );
    }
    return stepFor(next, request, counts);
  }
  if ("rules" in script) {
    const rule = script.rules.find(({ when }) =>
      when instanceof RegExp ? when.test(request.user) : when(request),
    );
    if (!rule) throw new Unscripted(`no rule of ${request.model} matches: ${request.user.slice(0, 200)}`);
    return stepFor(rule.script, request, counts);
  }
  return script;
}
