// A real small language model behind the API that OpenCode uses: SmolLM2-135M, run by llama.cpp, on loopback. It answers one request
// at a time, as such servers do, and its answers are not scripted.

import { randomInt } from "node:crypto";
import { createServer } from "node:http";
import path from "node:path";
import { pathToFileURL } from "node:url";

/** The name of the model. */
export const MODEL = "smollm2-135m";

/** The model's limits, in tokens. It was trained with 8,192. */
export const LIMIT = { context: 8_192, output: 512 };

/**
 * @typedef {object} Answered a request, and the model's answer
 * @property {{role: string, content: string}[]} messages
 * @property {string[]} tools the tools that were offered
 * @property {string} text
 * @property {number} prompt tokens
 * @property {number} completion tokens
 * @property {number} ms
 */

/**
 * Loads the model and serves it.
 * @param {{directory: string, weights: string}} installed where the npm packages are, and the file of the weights
 */
export async function serveModel({ directory, weights }) {
  const entry = path.join(directory, "node_modules/node-llama-cpp/dist/index.js");
  const { getLlama, LlamaChatSession } = await import(pathToFileURL(entry).href);
  const llama = await getLlama({ gpu: false, build: "never", logLevel: "error", usePrebuiltBinaries: true });
  const model = await llama.loadModel({ modelPath: weights });
  // One thread: with OpenCode and a browser running, two would mostly wait for each other.
  const context = await model.createContext({ contextSize: LIMIT.context, threads: 1 });
  const sequence = context.getSequence();
  /** @type {Answered[]} */
  const answered = [];
  let last = Promise.resolve();

  /**
   * @param {any} asked
   * @param {(text: string) => void} heard
   * @param {AbortSignal} signal
   */
  async function answer(asked, heard, signal) {
    /** @type {{role: string, content: string}[]} */
    const messages = asked.messages.map((/** @type {any} */ { role, content }) => ({
      role,
      content: textOf(content),
    }));
    const tools = (asked.tools ?? []).map((/** @type {any} */ tool) => tool.function.name);
    const room = LIMIT.context - LIMIT.output - 64;
    const prompt = messages.reduce((sum, { content }) => sum + model.tokenize(content).length + 8, 0);
    if (prompt > room) throw Object.assign(new Error(tooLong(prompt, room)), { status: 400 });
    const began = performance.now();
    const session = new LlamaChatSession({ contextSequence: sequence, autoDisposeSequence: false });
    try {
      session.setChatHistory(history(messages.slice(0, -1)));
      const text = await session.prompt(messages.at(-1)?.content ?? "", {
        maxTokens: Math.min(asked.max_tokens ?? LIMIT.output, LIMIT.output),
        temperature: asked.temperature ?? 0.7,
        // Answers vary, as with any server; the answer itself is recorded.
        seed: randomInt(2 ** 31),
        repeatPenalty: { penalty: 1.1 },
        onTextChunk: heard,
        signal,
        stopOnAbortSignal: true,
      });
      const completion = model.tokenize(text).length;
      const ms = Math.round(performance.now() - began);
      answered.push({ messages, tools, text, prompt, completion, ms });
      return { prompt, completion };
    } finally {
      session.dispose({ disposeSequence: false });
      await sequence.clearHistory();
    }
  }

  const server = createServer(async (request, response) => {
    if (request.url?.endsWith("/models"))
      return json(response, 200, { object: "list", data: [{ id: MODEL, object: "model" }] });
    if (request.method !== "POST" || !request.url?.endsWith("/chat/completions"))
      return json(response, 404, { error: { message: `nothing is at ${request.url}` } });
    let body = "";
    for await (const chunk of request) body += chunk;
    const asked = JSON.parse(body);
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    const before = last;
    let done = () => {};
    last = new Promise((resolve) => {
      done = () => resolve(undefined);
    });
    await before;
    try {
      if (!gone.signal.aborted) await respond(response, asked, (heard) => answer(asked, heard, gone.signal));
    } finally {
      done();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return {
    baseURL: `http://127.0.0.1:${port}/v1`,
    answered,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await llama.dispose();
    },
  };
}

/**
 * @param {import("node:http").ServerResponse} response
 * @param {any} asked
 * @param {(heard: (text: string) => void) => Promise<{prompt: number, completion: number}>} answer
 */
async function respond(response, asked, answer) {
  const head = { id: "chatcmpl-1", created: Math.floor(Date.now() / 1000), model: MODEL };
  const usage = (/** @type {{prompt: number, completion: number}} */ { prompt, completion }) => ({
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
  });
  const finish = (/** @type {{completion: number}} */ { completion }) =>
    completion >= LIMIT.output ? "length" : "stop";
  try {
    if (!asked.stream) {
      let content = "";
      const used = await answer((text) => {
        content += text;
      });
      const choices = [{ index: 0, message: { role: "assistant", content }, finish_reason: finish(used) }];
      return json(response, 200, { ...head, object: "chat.completion", choices, usage: usage(used) });
    }
    const event = (/** @type {object} */ value) => response.write(`data: ${JSON.stringify(value)}\n\n`);
    const chunk = (/** @type {object} */ delta, /** @type {string | null} */ finish_reason) => ({
      ...head,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, finish_reason }],
    });
    const used = await answer((content) => {
      if (!response.headersSent) response.writeHead(200, { "Content-Type": "text/event-stream" });
      event(chunk({ role: "assistant", content }, null));
    });
    if (!response.headersSent) response.writeHead(200, { "Content-Type": "text/event-stream" });
    event({ ...chunk({}, finish(used)), usage: usage(used) });
    response.end("data: [DONE]\n\n");
  } catch (error) {
    const { message, status = 500 } = /** @type {Error & {status?: number}} */ (error);
    if (response.headersSent) response.destroy();
    else json(response, status, { error: { message, type: "invalid_request_error", code: status } });
  }
}

/** Returns the message of llama.cpp's own server. @param {number} prompt @param {number} room */
const tooLong = (prompt, room) =>
  `the request exceeds the available context size: request (${prompt} tokens), context (${room} tokens)`;

/**
 * @param {{role: string, content: string}[]} messages
 * @returns {object[]} the conversation in node-llama-cpp's form
 */
const history = (messages) =>
  messages.map(({ role, content }) => {
    if (role === "assistant") return { type: "model", response: [content] };
    return { type: role === "system" ? "system" : "user", text: content };
  });

/** @param {unknown} content @returns {string} */
function textOf(content) {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => part.text ?? "").join("");
}

/**
 * @param {import("node:http").ServerResponse} response
 * @param {number} status
 * @param {object} body
 */
function json(response, status, body) {
  if (response.destroyed) return;
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}
