/**
 * What the session's model reads in place of messages that are for people. Such a note needs no answer. But OpenCode asks the model
 * again if a note arrives while the model is at work (seen on 2.0.15), which the user would pay for.
 */
import { brandOf } from "../hosts/commands.js";

/** @param {string} command that the user typed and that has started a run */
export const started = (command) => `The user ran /${command}, which has started.`;

/** @param {string} command that the user typed and that has ended */
export const ended = (command) =>
  `The user ran /${command}. ${brandOf(command)} showed its result to the user.`;

/** @param {string} command that a model called */
export const seen = (command) => `${brandOf(command)} showed the state of /${command} to the user.`;

const NOTE =
  /^(The user ran \/[a-z-]+(, which has started\.|\. [A-Z][A-Za-z ]+ showed its result to the user\.)|[A-Z][A-Za-z ]+ showed the state of \/[a-z-]+ to the user\.)$/;

/**
 * Whether nothing but notes follow the model's last answer: then a request has nothing to ask.
 * @param {import("./context.js").ContextEvent["messages"]} messages
 */
export function onlyNotes(messages) {
  const last = messages.findLastIndex(({ role }) => role === "assistant");
  const since = messages.slice(last + 1);
  return last >= 0 && since.length > 0 && since.every(isNote);
}

/** @param {import("./context.js").ContextEvent["messages"][number]} message */
function isNote({ role, content }) {
  return role === "user" && content.length > 0 && content.every(({ text }) => NOTE.test(text ?? ""));
}
