/**
 * The message that a command becomes: where it is carried out, and how it ends without a model turn.
 *
 * OpenCode 1.18 doesn't tell the hook of a command which model the user has chosen. It tells the hook of the message that the
 * command becomes, which follows at once. So a command leaves a part that holds its place, and is carried out there.
 *
 * OpenCode 1.18 makes a prompt of every command, and has no option that leaves the model out. It asks the model as long as
 * the last user message has no finished answer. So the message that the command would become is turned into that answer: an
 * assistant message without any part, which no model is shown. OpenCode finds the turn over, and the command has succeeded
 * (seen on 1.18.33).
 *
 * In a session that is busy with another turn such an answer would end that turn. There it gets a time before that turn. Where OpenCode can't say whether the session is
 * busy, the command ends by an error: that, too, calls no model, but OpenCode logs it.
 */

import { randomUUID } from "node:crypto";

/** The key of a part's metadata that tells the message of a command that is done. */
const DONE = "opencode-design-lab-done";

/** The key of a part's metadata that tells the message of a command that is to be carried out. */
const PENDING = "opencode-design-lab-pending";

/** Thrown where a command can't end in another way; the TUI shows nothing of it. */
export class Handled extends Error {
  name = "DesignLabHandled";
  stack = "";
}

/** What a command leaves in the place of its prompt, so that its message is known again. */
export const DONE_PART = { type: "text", text: "", synthetic: true, metadata: { [DONE]: true } };

/**
 * Commands that wait for the message that they become.
 * @template Asked
 */
export class PendingCommands {
  /** @type {Map<string, Asked>} */
  #waiting = new Map();

  /**
   * Puts a part that holds the command's place in the place of its prompt.
   * @param {any[]} parts of the prompt
   * @param {Asked} asked
   */
  leave(parts, asked) {
    const id = randomUUID();
    this.#waiting.set(id, asked);
    parts.splice(0, parts.length, {
      type: "text",
      text: "",
      synthetic: true,
      metadata: { [PENDING]: id },
    });
  }

  /**
   * The command that a message is for, once; nothing for any other message.
   * @param {any[]} parts of the message
   * @returns {Asked | undefined}
   */
  take(parts) {
    const id = parts.find((part) => part.metadata?.[PENDING])?.metadata[PENDING];
    const asked = this.#waiting.get(id);
    this.#waiting.delete(id);
    return asked;
  }
}

/**
 * Puts a part in the place of all parts of a command's message, and gives the message its time: what was shown meanwhile is earlier.
 * @param {{message: any, parts: any[]}} output of the hook `chat.message`
 * @param {object} part
 */
export function answer({ message, parts }, part) {
  const { id, messageID, sessionID } = parts[0];
  parts.splice(0, parts.length, { ...part, id, messageID, sessionID });
  message.time.created = Date.now();
}

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
