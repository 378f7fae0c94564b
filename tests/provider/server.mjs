// A provider that serves OpenAI-compatible chat completions from a script: no model, no network except
// loopback, no randomness.

import { createServer } from "node:http";
import { stepFor, Unscripted } from "./script.mjs";

/** @typedef {import("node:http").IncomingMessage} IncomingMessage */
/** @typedef {import("node:http").ServerResponse} ServerResponse */
/** @typedef {import("./script.mjs").ModelRequest} ModelRequest */
/** @typedef {import("./script.mjs").ReplyStep} ReplyStep */
/** @typedef {import("./script.mjs").Script} Script */
/** @typedef {import("./script.mjs").Step} Step */

/**
 * @typedef {object} Scenario
 * @property {Record<string, Script>} models the script of each model
 */

/**
 * How a request ended: the whole answer was sent; the script broke the connection off; the script refused;
 * the client disconnected first; the scenario had no step for it; null while it is open.
 * @typedef {"completed" | "cut" | "refused" | "disconnected" | "unscripted" | null} Outcome
 */

/**
 * The record of a request.
 * @typedef {ModelRequest & {
 *   definitions: string,
 *   body: string,
 *   headers: Record<string, string>,
 *   stream: boolean,
 *   startedAt: number,
 *   endedAt: number | null,
 *   outcome: Outcome,
 *   status: number | null,
 *   text: string,
 * }} Recorded `startedAt` and `endedAt` in milliseconds since 1970; `text` is the text that was sent;
 *   `definitions` are the tools as described in the request; `body` is the raw request
 */

const SECRET_HEADERS = ["authorization", "cookie", "x-api-key", "api-key"];

/**
 * Starts a provider on a free loopback port.
 * @param {Scenario} scenario
 * @param {{ port?: number }} [options]
 */
export async function startProvider(scenario, { port = 0 } = {}) {
  const provider = new Provider(scenario);
  await provider.listen(port);
  return provider;
}

export class Provider {
  /** @type {Recorded[]} every request so far, in order of arrival */
  requests = [];
  /** The most requests that were ever open at once. */
  peak = 0;

  #scenario;
  #server;
  #port = 0;
  #open = 0;
  /** @type {Map<unknown, number>} */
  #counts = new Map();
  /** @type {Map<string, (() => void)[]>} the requests that wait for a held model's release */
  #held = new Map();
  /** @type {Set<() => void>} */
  #watchers = new Set();

  /** @param {Scenario} scenario */
  constructor(scenario) {
    this.#scenario = scenario;
    this.#server = createServer((request, response) => this.#route(request, response));
    this.#server.on("clientError", (_, socket) => socket.destroy());
  }

  /** The address for OpenCode's configuration. */
  get baseURL() {
    return `http://127.0.0.1:${this.#port}/v1`;
  }

  /** @returns {Recorded[]} requests for which the scenario has no step; tests expect none */
  get unscripted() {
    return this.requests.filter((request) => request.outcome === "unscripted");
  }

  /** @param {string} model @returns {Recorded[]} */
  requestsOf(model) {
    return this.requests.filter((request) => request.model === model);
  }

  /** @param {number} port */
  async listen(port) {
    await new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(port, "127.0.0.1", () => resolve(undefined));
    });
    const address = this.#server.address();
    if (address && typeof address === "object") this.#port = address.port;
  }

  /** Ends every open request and stops the server. */
  async close() {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  /**
   * Makes further requests to this model wait after they have arrived and been recorded.
   * @param {string} model
   */
  hold(model) {
    if (!this.#held.has(model)) this.#held.set(model, []);
  }

  /**
   * Releases waiting requests, oldest first. Without a count, the model is no longer held.
   * @param {string} model
   * @param {number} [count]
   */
  release(model, count) {
    const waiting = this.#held.get(model);
    if (!waiting) throw new Error(`${model} is not held`);
    if (count === undefined) this.#held.delete(model);
    for (const go of waiting.splice(0, count ?? waiting.length)) go();
  }

  /**
   * Resolves once this many requests, of one model or of all, have arrived (with `ended`, have ended).
   * @param {number} count
   * @param {{ model?: string, ended?: boolean, timeoutMs?: number }} [options]
   * @returns {Promise<Recorded[]>}
   */
  waitFor(count, { model, ended = false, timeoutMs = 110_000 } = {}) {
    const found = () =>
      this.requests.filter(
        (request) => (!model || request.model === model) && (!ended || request.outcome !== null),
      );
    return new Promise((resolve, reject) => {
      const check = () => {
        const requests = found();
        if (requests.length < count) return;
        clearTimeout(deadline);
        this.#watchers.delete(check);
        resolve(requests);
      };
      const deadline = setTimeout(() => {
        this.#watchers.delete(check);
        const what = `${ended ? "ended " : ""}requests${model ? ` of ${model}` : ""}`;
        reject(new Error(`waited ${timeoutMs} ms for ${count} ${what}, saw ${found().length}`));
      }, timeoutMs);
      this.#watchers.add(check);
      check();
    });
  }

  /** @param {IncomingMessage} request @param {ServerResponse} response */
  async #route(request, response) {
    const path = new URL(request.url ?? "/", "http://127.0.0.1").pathname;
    if (request.method === "GET" && path === "/_requests") return sendJson(response, 200, this.requests);
    if (request.method === "GET" && path === "/v1/models") {
      const data = Object.keys(this.#scenario.models).map((id) => ({
        id,
        object: "model",
        owned_by: "script",
      }));
      return sendJson(response, 200, { object: "list", data });
    }
    if (request.method === "POST" && path === "/v1/chat/completions") {
      const chunks = [];
      for await (const chunk of request) chunks.push(chunk);
      return this.#complete(request, Buffer.concat(chunks).toString("utf8"), response);
    }
    return sendJson(response, 404, { error: { message: `no such route: ${request.method} ${path}` } });
  }

  /** @param {IncomingMessage} request @param {string} text @param {ServerResponse} response */
  async #complete(request, text, response) {
    let body;
    try {
      body = JSON.parse(text);
    } catch {
      return sendJson(response, 400, { error: { message: "the body is not JSON" } });
    }
    const recorded = this.#record(request, body, text);
    const gone = new AbortController();
    response.on("close", () => {
      gone.abort();
      if (recorded.outcome === null) this.#end(recorded, "disconnected");
    });
    try {
      const step = this.#step(recorded);
      await this.#gate(recorded.model, gone.signal);
      if (gone.signal.aborted) return;
      const outcome = await perform(step, recorded, response, gone.signal);
      if (outcome) this.#end(recorded, outcome);
    } catch (error) {
      if (gone.signal.aborted) return;
      this.#end(recorded, "unscripted");
      // 400, because a client would retry after a 500.
      recorded.status = 400;
      sendJson(response, 400, { error: { message: error instanceof Error ? error.message : String(error) } });
    }
  }

  /** @param {ModelRequest} request @returns {Step} */
  #step(request) {
    const script = this.#scenario.models[request.model];
    if (!script) throw new Unscripted(`the scenario has no model ${request.model}`);
    return stepFor(script, request, this.#counts);
  }

  /** @param {string} model @param {AbortSignal} gone @returns {Promise<void>} */
  #gate(model, gone) {
    const waiting = this.#held.get(model);
    if (!waiting) return Promise.resolve();
    return new Promise((resolve) => {
      waiting.push(resolve);
      gone.addEventListener("abort", () => {
        const at = waiting.indexOf(resolve);
        if (at >= 0) waiting.splice(at, 1);
        resolve();
      });
    });
  }

  /** @param {IncomingMessage} request @param {any} body @param {string} asked @returns {Recorded} */
  #record(request, body, asked) {
    /** @type {any[]} */
    const raw = Array.isArray(body.messages) ? body.messages : [];
    const messages = raw.map((message) => ({
      role: String(message.role),
      content: plainText(message.content),
      toolCalls: (message.tool_calls ?? []).map((/** @type {any} */ call) => call.function.name),
    }));
    const headers = Object.fromEntries(
      Object.entries(request.headers)
        .filter(([name]) => !SECRET_HEADERS.includes(name))
        .map(([name, value]) => [name, String(value)]),
    );
    const ofRole = (/** @type {string} */ role) =>
      messages.filter((m) => m.role === role).map((m) => m.content);
    /** @type {Recorded} */
    const recorded = {
      model: String(body.model),
      n: this.requestsOf(String(body.model)).length,
      messages,
      system: ofRole("system").join("\n\n"),
      user: ofRole("user").at(-1) ?? "",
      tools: (body.tools ?? []).map((/** @type {any} */ tool) => tool.function.name).sort(),
      definitions: JSON.stringify(body.tools ?? []),
      body: asked,
      temperature: body.temperature,
      headers,
      stream: body.stream === true,
      startedAt: Date.now(),
      endedAt: null,
      outcome: null,
      status: null,
      text: "",
    };
    this.requests.push(recorded);
    this.#open += 1;
    this.peak = Math.max(this.peak, this.#open);
    this.#changed();
    return recorded;
  }

  /** @param {Recorded} recorded @param {Outcome} outcome */
  #end(recorded, outcome) {
    recorded.outcome = outcome;
    recorded.endedAt = Date.now();
    this.#open -= 1;
    this.#changed();
  }

  #changed() {
    for (const check of [...this.#watchers]) check();
  }
}

/**
 * Performs a step. Returns null if the step doesn't end the request: then the client has to disconnect.
 * @param {Step} step
 * @param {Recorded} recorded
 * @param {ServerResponse} response
 * @param {AbortSignal} gone
 * @returns {Promise<Outcome>}
 */
async function perform(step, recorded, response, gone) {
  if (step.kind === "hang") {
    if (step.afterHeaders) {
      recorded.status = 200;
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    }
    return null;
  }
  await pause(step.delayMs, gone);
  if (gone.aborted) return null;
  if (step.kind === "error") {
    recorded.status = step.status;
    response.writeHead(step.status, { "content-type": "application/json", ...step.headers }).end(step.body);
    return "refused";
  }
  recorded.status = 200;
  return recorded.stream ? stream(step, recorded, response, gone) : whole(step, recorded, response);
}

/** @param {ReplyStep} step @param {Recorded} recorded @param {ServerResponse} response @returns {Outcome} */
function whole(step, recorded, response) {
  if (step.cutAfter !== undefined) {
    response.destroy();
    return "cut";
  }
  recorded.text = step.text;
  const message = {
    role: "assistant",
    content: step.text,
    ...(step.reasoning ? { reasoning_content: step.reasoning } : {}),
    ...(step.toolCalls ? { tool_calls: step.toolCalls.map((call, i) => toolCall(recorded, call, i)) } : {}),
  };
  sendJson(response, 200, {
    ...envelope(recorded, "chat.completion"),
    choices: [{ index: 0, message, finish_reason: finishReason(step) }],
    usage: usage(step, recorded),
  });
  return "completed";
}

/**
 * @param {ReplyStep} step
 * @param {Recorded} recorded
 * @param {ServerResponse} response
 * @param {AbortSignal} gone
 * @returns {Promise<Outcome>}
 */
async function stream(step, recorded, response, gone) {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  const head = envelope(recorded, "chat.completion.chunk");
  const send = (/** @type {object} */ fields) =>
    response.write(`data: ${JSON.stringify({ ...head, ...fields })}\n\n`);
  const delta = (/** @type {object} */ delta, /** @type {string | null} */ finish = null) =>
    send({ choices: [{ index: 0, delta, finish_reason: finish }] });

  delta({ role: "assistant", content: "" });
  if (step.reasoning) delta({ reasoning_content: step.reasoning });
  const text = step.text.slice(0, step.cutAfter);
  const size = step.chunk ?? 512;
  for (let at = 0; at < text.length; at += size) {
    if (at > 0) await pause(step.chunkDelayMs, gone);
    if (gone.aborted) return null;
    const content = text.slice(at, at + size);
    recorded.text += content;
    delta({ content });
  }
  if (step.cutAfter !== undefined) {
    // The text has to arrive before the connection breaks, or the client sees none of it.
    await new Promise((resolve) => response.write(": cut\n\n", resolve));
    await pause(step.chunkDelayMs, gone);
    response.destroy();
    return "cut";
  }
  if (step.unfinished) {
    response.end();
    return "completed";
  }
  for (const [index, call] of (step.toolCalls ?? []).entries()) {
    delta({ tool_calls: [{ index, ...toolCall(recorded, call, index) }] });
  }
  delta({}, finishReason(step));
  send({ choices: [], usage: usage(step, recorded) });
  response.end("data: [DONE]\n\n");
  return "completed";
}

/** @param {Recorded} recorded @param {string} object */
function envelope(recorded, object) {
  const created = Math.floor(recorded.startedAt / 1000);
  return { id: `${recorded.model}-${recorded.n}`, object, created, model: recorded.model };
}

/** @param {Recorded} recorded @param {import("./script.mjs").ToolCall} call @param {number} index */
function toolCall(recorded, call, index) {
  const id = `call_${recorded.model}_${recorded.n}_${index}`;
  return { id, type: "function", function: { name: call.name, arguments: JSON.stringify(call.arguments) } };
}

/** @param {ReplyStep} step */
const finishReason = ({ finish, toolCalls }) =>
  finish === undefined ? (toolCalls ? "tool_calls" : "stop") : finish;

/** @param {ReplyStep} step @param {Recorded} recorded */
function usage(step, recorded) {
  const tokens = (/** @type {string} */ text) => Math.ceil(text.length / 4);
  const {
    input = tokens(recorded.messages.map((message) => message.content).join("")),
    output = tokens(step.text) + tokens(step.reasoning ?? ""),
    cached = 0,
    reasoning = tokens(step.reasoning ?? ""),
  } = step.usage ?? {};
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}

/** @param {unknown} content a message's content: text, or parts, some of which are text @returns {string} */
function plainText(content) {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => (part?.type === "text" ? part.text : "")).join("");
}

/** @param {number | undefined} ms @param {AbortSignal} gone @returns {Promise<void>} */
function pause(ms, gone) {
  if (!ms || gone.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      gone.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    gone.addEventListener("abort", done);
  });
}

/** @param {ServerResponse} response @param {number} status @param {unknown} value */
function sendJson(response, status, value) {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}
