/**
 * The environment of the shells that models start. OpenCode's hook of a shell names its command, not its session (seen on 2.0.15), so the
 * tool call before it is remembered until it ends.
 */
import { MARK } from "../hosts/models-shell.js";

/** @typedef {import("../hosts/lab-sessions.js").LabSession | undefined} Session `undefined` for a session of the user */

/** A run's model doesn't get the password with which programs send commands to OpenCode. */
const NOTHING = { OPENCODE_PASSWORD: "" };

export class Shells {
  /** Calls of shells that haven't started one. @type {Map<string, {command: string, session: Session}>} */
  #calls = new Map();

  /** @param {string} id @param {string} command @param {Session} session */
  call(id, command, session) {
    this.#calls.set(id, { command, session });
  }

  /** Forgets a call that has ended: it may never have started a shell. @param {string} id */
  end(id) {
    this.#calls.delete(id);
  }

  /**
   * Returns what the environment of a starting shell gets in addition; nothing for a command that a person typed. If several sessions
   * have called the same command, the shell gets no mark of a run, because processes with that mark are ended with the run.
   * @param {string} command
   * @returns {Record<string, string>}
   */
  start(command) {
    const calls = [...this.#calls].filter(([, call]) => call.command === command);
    const [first] = calls;
    if (!first) return {};
    const [id, { session }] = first;
    this.end(id);
    const isOne = calls.every(([, call]) => call.session === session);
    return { ...MARK, ...(isOne && session ? { ...NOTHING, ...session.guard.shell?.(session.role) } : {}) };
  }
}
