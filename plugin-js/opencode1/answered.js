/**
 * The message that a command becomes: there the command runs, and ends without a model turn.
 *
 * OpenCode 1.18 doesn't pass the model that the user has chosen to a command's hook. It passes it to the hook of the message that the
 * command becomes, which follows at once. So a command leaves a placeholder part, and runs when its message arrives.
 *
 * OpenCode 1.18 turns every command into a prompt, and has no option that skips the model. It asks the model until the last
 * user message has a finished answer. So the message that the command would become is turned into that answer: an
 * assistant message without parts, which no model sees. OpenCode then considers the turn finished and the command successful
 * (seen on 1.18.33).
 *
 * In a session that is busy with another turn, such an answer would end that turn. So it gets a time before that turn. If OpenCode
 * can't report whether the session is busy, the command ends with an error: that, too, calls no model, but OpenCode logs it.
 */

import { randomUUID } from "node:crypto";

/** The key of a part's metadata that marks the message of a finished command. */
const DONE = "opencode-design-lab-done";

/** The key of a part's metadata that marks the message of a pending command. */
const PENDING = "opencode-design-lab-pending";

/** Thrown if a command can't end in another way; the TUI shows nothing of it. */
export class Handled extends Error {
  name = "DesignLabHandled";
  stack = "";
}

/** Replaces a command's prompt, so that its message can be recognised. */
export const DONE_PART = { type: "text", text: "", synthetic: true, metadata: { [DONE]: true } };

/**
 * Commands that wait for the message that they become.
 * @template Asked
 */
export class PendingCommands {
  /** @type {Map<string, Asked>} */
  #waiting = new Map();

  /**
   * Replaces a command's prompt with a placeholder part.
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
   * Returns the command that a message is for and removes it; `undefined` for any other message.
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
 * Replaces all parts of a command's message with one part, and sets the message's time to now, after everything that was shown
 * meanwhile.
 * @param {{message: any, parts: any[]}} output of the hook `chat.message`
 * @param {object} part
 */
export function answer({ message, parts }, part) {
  const { id, messageID, sessionID } = parts[0];
  parts.splice(0, parts.length, { ...part, id, messageID, sessionID });
  message.time.created = Date.now();
}

/**
 * Whether a message belongs to a finished command.
 * @param {any[]} parts
 */
export function isDone(parts) {
  return parts.some((part) => part.metadata?.[DONE]);
}

/**
 * Turns a user message into a finished answer, in place: OpenCode keeps its own references.
 * @param {{message: any, parts: any[]}} output of the hook `chat.message`
 * @param {{id: string, created: number, busy: boolean}} asked the user message that is answered, and whether the model is in a turn
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
    // The TUI shows it under the answer.
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
