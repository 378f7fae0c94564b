/**
 * Ends a command without a model turn.
 *
 * OpenCode 1.18 makes a prompt of every command, and has no option that leaves the model out. It asks the model as long as
 * the last user message has no finished answer. So the message that the command would become is turned into that answer: an
 * assistant message without any part, which no model is shown. OpenCode finds the turn over, and the command has succeeded
 * (seen on 1.18.33).
 *
 * In a session that is busy with another turn such an answer would end that turn. There it gets a time before that turn. Where OpenCode can't say whether the session is
 * busy, the command ends by an error: that, too, calls no model, but OpenCode logs it.
 */

/** The key of a part's metadata that tells the message of a command that is done. */
const DONE = "opencode-design-lab-done";

/** Thrown where a command can't end in another way; the TUI shows nothing of it. */
export class Handled extends Error {
  name = "DesignLabHandled";
  stack = "";
}

/** What a command leaves in the place of its prompt, so that its message is known again. */
export const DONE_PART = { type: "text", text: "", synthetic: true, metadata: { [DONE]: true } };

/**
 * Whether a message is that of a command that is done.
 * @param {any[]} parts
 */
export function isDone(parts) {
  return parts.some((part) => part.metadata?.[DONE]);
}

/**
 * Turns a user message into a finished answer, in place: OpenCode keeps its own references.
 * @param {{message: any, parts: any[]}} output of the hook `chat.message`
 * @param {{id: string, created: number, busy: boolean}} asked the user message that is answered, and whether a turn of the model does that
 * @param {{directory: string, worktree: string}} place
 */
export function finish({ message, parts }, { id: parentID, created, busy }, { directory, worktree }) {
  const { id, sessionID, agent, model } = message;
  const time = busy ? created - 1 : message.time.created;
  for (const key of Object.keys(message)) delete message[key];
  Object.assign(message, {
    id,
    sessionID,
    role: "assistant",
    parentID,
    agent,
    // The TUI names it under the answer.
    mode: "design lab",
    providerID: model.providerID,
    modelID: model.modelID,
    path: { cwd: directory, root: worktree },
    time: { created: time, completed: time },
    finish: "stop",
    cost: 0,
    tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
  });
  parts.length = 0;
}
