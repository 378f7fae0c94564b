/**
 * The environment of the shells that models start. OpenCode's hook of a shell names its command, not its session (seen on 2.0.15), so the
 * tool call before it is remembered until it ends.
 */
import { isCalledFromModelsShell, isModelsShellRunning } from "../hosts/callers.js";
import { MARK } from "../hosts/models-shell.js";

/** @typedef {import("../hosts/lab-sessions.js").LabSession | undefined} Session `undefined` for a session of the user */

/** A run's model doesn't get the password with which programs send commands to OpenCode. */
const NOTHING = { OPENCODE_PASSWORD: "" };

/** How long a program that a shell left running is expected to send commands, in milliseconds. */
const RECENT_MS = 10 * 60_000;

/** A shell's program runs at the latest this long after its start is reported, in milliseconds. */
const STARTING_MS = 10_000;

export class Shells {
  /** Calls of shells that haven't started one. @type {Map<string, {command: string, session: Session}>} */
  #calls = new Map();
  /**
   * When the shells of calls started that haven't ended. OpenCode may not report the end of one that was interrupted.
   * @type {Map<string, number>}
   */
  #open = new Map();
  /** When the last call ended. */
  #endedAt = Number.NEGATIVE_INFINITY;
  #now;
  #isCalled;
  #isRunning;

  /**
   * @param {object} [facts]
   * @param {() => number} [facts.now] in milliseconds
   * @param {(recently: boolean) => boolean} [facts.isCalled] whether a program of a model's shell sends requests to this process
   * @param {() => boolean} [facts.isRunning] whether such a program is running
   */
  constructor({
    now = () => performance.now(),
    isCalled = isCalledFromModelsShell,
    isRunning = isModelsShellRunning,
  } = {}) {
    this.#now = now;
    this.#isCalled = isCalled;
    this.#isRunning = isRunning;
  }

  /** Returns a function that tells whether a model's shell may have been running at any time since this call. */
  watch() {
    const since = this.#now();
    const isRunning = () => this.#open.size > 0 && this.#isRunning();
    const hasStarted = () => [...this.#open.values()].some((startedAt) => startedAt >= since - STARTING_MS);
    const wasRunning = isRunning();
    return () => wasRunning || this.#endedAt >= since || hasStarted() || isRunning();
  }

  /** Whether what has just arrived may come from a program of a model's shell. */
  get haveCalled() {
    return this.#isCalled(this.#open.size > 0 || this.#now() - this.#endedAt < RECENT_MS);
  }

  /** @param {string} id @param {string} command @param {Session} session */
  call(id, command, session) {
    this.#calls.set(id, { command, session });
  }

  /** Forgets a call that has ended: it may never have started a shell. @param {string} id */
  end(id) {
    this.#calls.delete(id);
    if (this.#open.delete(id)) this.#endedAt = this.#now();
  }

  /**
   * Returns what the environment of a starting shell gets in addition; nothing for a command that a person typed. A shell that a
   * model's program ordered by a request is a model's, too. If several sessions have called the same command, the shell gets no mark
   * of a run, because processes with that mark are ended with the run.
   * @param {string} command
   * @returns {Record<string, string>}
   */
  start(command) {
    const calls = [...this.#calls].filter(([, call]) => call.command === command);
    const [first] = calls;
    if (!first) return this.haveCalled ? { ...MARK } : {};
    const [id, { session }] = first;
    this.#calls.delete(id);
    this.#open.set(id, this.#now());
    const isOne = calls.every(([, call]) => call.session === session);
    return { ...MARK, ...(isOne && session ? { ...NOTHING, ...session.guard.shell?.(session.role) } : {}) };
  }
}
