/**
 * What the requests of a run's sessions contain, and which of them are sent at all. Sessions of runs that this process doesn't run get
 * none: after a crash, OpenCode's background service continues what was in progress, without the run and its rules.
 */
import { notSent } from "../hosts/replies.js";
import { QUICK_MS, within } from "../hosts/waiting.js";
import { hasBegun } from "./messages.js";
import { onlyNotes } from "./notes.js";

/**
 * @typedef {import("./context.js").Context} Context
 * @typedef {import("./context.js").ContextEvent} ContextEvent
 * @typedef {import("../hosts/lab-sessions.js").LabSession} LabSession
 */

/** The key of a session's metadata that marks it as one of a run. */
export const LAB_KEY = "opencode-design-lab";

/** What a session of a run reads whose run is not running in this process. */
export const NOT_RUNNING =
  "This session belongs to a run that is not running here. Resume the run, or use a session of your own.";

/** How long an interrupted turn may take to end. */
const ENDING_MS = 5_000;

/** How OpenCode introduces the instruction files near a file that was read (seen on 2.0.15). */
const NEAR = /^Instructions from: /;

/**
 * Returns the session of a run that an event is about; `undefined` for a session of the user. Throws if the run isn't running here.
 * @param {Context} ctx
 * @param {ReturnType<typeof import("./state.js").shared>} state
 * @param {string} id
 */
export async function labSession(ctx, { sessions, others }, id) {
  const session = sessions.get(id);
  if (session) return session;
  if (others.has(id)) return undefined;
  const { metadata } = await ctx.session.get({ sessionID: id });
  if (metadata?.[LAB_KEY]) throw new Error(NOT_RUNNING);
  others.add(id);
  return undefined;
}

/**
 * Ends a turn of the user's own session, without a trace in the chat, if its next request would only answer notes.
 * @param {Context} ctx
 * @param {ContextEvent} event
 * @param {Map<string, string>} queued the sessions of prompts that wait for the end of a turn: OpenCode would not send them after this
 */
export async function endIfIdle(ctx, { sessionID, messages }, queued) {
  if (!onlyNotes(messages) || [...queued.values()].includes(sessionID)) return;
  await within(QUICK_MS, ctx.session.interrupt({ sessionID, resume: true }));
  // OpenCode ends this hook with the turn. An error would be shown to the user as a failure.
  await new Promise((resolve) => setTimeout(resolve, ENDING_MS).unref());
  throw new Error("There is nothing to answer.");
}

/**
 * Prepares a request, in place.
 * @param {ContextEvent} event
 * @param {LabSession} session
 */
export async function prepare(event, session) {
  // Only a call of its run may ask its model: neither a person who opens the session nor a command that ends later.
  if (!session.onRequest) throw notSent();
  const { model } = event;
  if (model && session.model && session.model !== `${model.providerID}/${model.id}`)
    throw new Error("This session's model was changed.");
  removeForeign(event.messages, session);
  await session.onRequest(event.messages);
  if (session.temperature !== undefined) event.options.temperature = session.temperature;
  if (session.system !== undefined) {
    const text = await session.guard.systemText(session.role, session.system, hostText(event.system));
    event.system.splice(0, event.system.length, { type: "text", text });
  }
  if (session.role !== "worker") removeLaterInstructions(event.messages);
  if (session.noTools) for (const name of Object.keys(event.tools)) delete event.tools[name];
}

/**
 * Removes, in place, what others have sent to the session: any program that knows the password of OpenCode's server can. What comes
 * before the run's own prompts may be OpenCode's summary of the conversation.
 * @param {ContextEvent["messages"]} messages
 * @param {LabSession} session
 */
function removeForeign(messages, { prompts, role: reader }) {
  const isOwn = (/** @type {ContextEvent["messages"][number]} */ { content }) =>
    content.some(({ text }) => text !== undefined && prompts?.has(text));
  const first = messages.findIndex((message) => message.role === "user" && isOwn(message));
  if (first === -1) return;
  const isKept = (/** @type {ContextEvent["messages"][number]} */ message, /** @type {number} */ at) =>
    at < first ||
    message.role !== "user" ||
    isOwn(message) ||
    (reader === "worker" && NEAR.test(message.content[0]?.text ?? ""));
  messages.splice(0, messages.length, ...messages.filter(isKept));
}

/**
 * Returns what OpenCode would send, with the project's instructions last: there the core looks for their end.
 * @param {ContextEvent["system"]} parts
 */
function hostText(parts) {
  const texts = parts.map(({ text }) => text);
  const holds = (/** @type {string} */ text) => /^Instructions from:/m.test(text);
  return [...texts.filter((text) => !holds(text)), ...texts.filter(holds)].join("\n");
}

/**
 * Removes, in place, the instructions that OpenCode adds during a conversation: files near one that was read, and changes of the
 * project's own. They may be among the files that a reviewer judges, and no guard has seen them.
 * @param {ContextEvent["messages"]} messages
 */
function removeLaterInstructions(messages) {
  const isLater = (/** @type {ContextEvent["messages"][number]} */ { role, content }) =>
    role === "system" || (role === "user" && NEAR.test(content[0]?.text ?? ""));
  messages.splice(0, messages.length, ...messages.filter((message) => !isLater(message)));
}

/**
 * Whether the last message of the model called tools and their results follow: only then is the model asked again within a call.
 * @param {ContextEvent["messages"]} messages
 */
export function followsTools(messages) {
  const last = messages.findLastIndex(({ role }) => role === "assistant");
  return messages.slice(last + 1).some(({ role }) => role === "tool");
}

/**
 * Decides whether OpenCode may repeat a failed request, in place. It would continue an answer that broke off with a further message,
 * so that its first half would be missing: such a call fails, and the run decides.
 * @param {import("./context.js").RetryEvent} event
 * @param {import("../hosts/lab-sessions.js").LabSessions} sessions
 */
export function decideRetry(event, sessions) {
  const { sessionID, error, decision } = event;
  const session = sessions.get(sessionID);
  if (!session || !decision.retry) return;
  const message = error.message ?? "";
  // The first attempt is the request itself.
  const attempt = event.attempt - 1;
  const isBroken = hasBegun(error);
  const retry = { attempt, message, next: Date.now() + decision.delay };
  if (!isBroken && sessions.noteRetry(sessionID, retry)) {
    session.repeats = true;
    return;
  }
  event.decision = { retry: false };
  session.givenUp ??= { name: "APIError", data: { message, isRetryable: true } };
  Object.assign(/** @type {any} */ (session.givenUp).data, isBroken ? {} : { statusCode: error.status });
}
