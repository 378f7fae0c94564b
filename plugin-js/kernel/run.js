/**
 * Performs a run: passes events to the core in order, and performs the commands that it returns. Events queue up; commands run
 * concurrently.
 */
import path from "node:path";
import { LONGEST_TIMER_MS, steadyClock } from "./clock.js";
import { record } from "./journal.js";
import { problemsOf } from "./problems.js";

/**
 * @typedef {import("./journal.js").EventKind} EventKind
 * @typedef {import("./journal.js").Command} Command
 * @typedef {import("../core/types.js").Problem} Problem
 * @typedef {import("../host.js").Host} Host
 *
 * @typedef {object} Ending
 * @property {boolean} done whether the run reached its result
 * @property {boolean} resumable whether a run that has no directory yet is worth keeping
 * @property {string} brief the prompt of the one model turn at the end; empty if there is none
 * @property {string} [account] what a model that called the command learns about the run
 * @property {import("../core/types.js").Wanted | null} [further] a further round that is due
 * @property {Problem} [problem] why the shell had to stop: the journal stays as it is

 *
 * @callback Perform carries out an effect that belongs to the workflow. Resolves with the event that answers it; events after
 *   the signal are ignored.
 * @param {any} command
 * @param {AbortSignal} signal fires when the run ends: nothing of the effect may be left running then
 * @param {(kind: EventKind) => void} [tell] reports what happens meanwhile
 * @returns {Promise<EventKind>}
 *
 * @typedef {object} Own what only the workflow of a run knows while it runs
 * @property {Perform} [perform]
 * @property {(job: string, reply: import("../core/types.js").Reply) => Promise<import("../core/types.js").LookedUp[]>} [lookUp]
 *   looks up what an answer cites, so that its event carries the results
 * @property {(role: import("../host.js").Role) => Promise<string | undefined>} [directory] where a session works, if not in the
 *   project; absolute
 * @property {(name: string) => Promise<void>} [claimed] called once the run has its directory, before that is journaled
 */

/** How long aborted calls may take to finish. */
const LET_GO_MS = 5_000;

export class RunShell {
  #core;
  #handle;
  #host;
  #store;
  #onChange;
  #own;
  #ending = new AbortController();
  /** The run's clock. */
  now;
  /** @type {Promise<void>} */
  #events = Promise.resolve();
  /** @type {NodeJS.Timeout | undefined} */
  #alarm;
  /** Calls in flight, so that the end can wait for them to finish. */
  #calls = new Set();
  /** Sessions with a prompt in flight, by job. @type {Map<string, string>} */
  #asking = new Map();
  /** Sessions that were stopped. */
  #stopped = new Set();
  /** What unfinished calls with several steps have used so far, by job. @type {Map<string, import("../core/types.js").Spending>} */
  #using = new Map();
  /** @type {Promise<unknown>[]} */
  #writes = [];
  #over = false;
  /** @type {(ending: Ending) => void} */
  #end = () => {};

  /**
   * @param {object} parts
   * @param {import("./machine.js").Machine} parts.core
   * @param {number} parts.handle the run in the core
   * @param {Host} parts.host
   * @param {import("./store.js").Store} parts.store
   * @param {Own} [parts.workflow]
   * @param {() => void} parts.onChange called when the live message may have changed
   * @param {() => number} [parts.now] a clock that runs evenly
   */
  constructor({ core, handle, host, store, workflow = {}, onChange, now = steadyClock() }) {
    this.#core = core;
    this.#handle = handle;
    this.#host = host;
    this.#store = store;
    this.#own = workflow;
    this.#onChange = onChange;
    this.now = now;
    /** @type {Promise<Ending>} Never rejects. */
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /**
   * Journals an event, applies it, and performs the commands that follow.
   * @param {EventKind} kind
   */
  feed(kind) {
    this.#events = this.#events
      .then(async () => {
        if (this.#over) return;
        const run = { core: this.#core, handle: this.#handle, store: this.#store };
        const commands = await record(run, this.now(), kind);
        // Shows the change first, so that users read about a call before it starts.
        this.#onChange();
        for (const command of commands) this.#perform(command);
      })
      .catch((error) => this.#halt(error));
    return this.#events;
  }

  /**
   * Feeds what the core decides about the run as it is once the events before are applied.
   * @param {(handle: number) => EventKind | null} decide
   */
  decide(decide) {
    this.#events = this.#events
      .then(() => {
        const kind = this.#over ? null : decide(this.#handle);
        if (kind) this.feed(kind);
      })
      .catch((error) => this.#halt(error));
    return this.#events;
  }

  /** The name by which the user knows the run: that of its directory. */
  get name() {
    return path.basename(this.#store.directory);
  }

  /**
   * Stops the run: calls in flight are aborted, and what exists is kept. Resolves when the run has ended.
   * @param {string} reason
   */
  cancel(reason) {
    this.feed({ event: "cancelled", reason });
    return this.ended;
  }

  /** @param {Command} command */
  #perform(command) {
    switch (command.command) {
      case "claim_directory":
        return this.#follow(this.#claim(command.name));
      case "record":
        this.feed(command.event);
        return;
      case "open_session":
        return this.#follow(this.#openSession(command));
      case "ask":
        return this.#follow(
          command.files?.length ? this.#askWith(command, command.files) : this.#send(command),
        );
      case "recover":
        return this.#follow(this.#ask(command.ask, this.#host.recover(command.ask, command.since)));
      case "abort":
        return this.#follow(this.#abort(command.session));
      case "write":
        this.#writes.push(this.#follow(this.#store.write(command.path, command.text)));
        return;
      case "create":
        this.#writes.push(this.#follow(this.#store.create(command.path, command.text)));
        return;
      case "discard":
        this.#writes.push(this.#follow(this.#store.discard(command.path)));
        return;
      case "wake_at":
        return this.#wakeAt(command.at);
      case "notify":
        this.#host.notify(command.tone, command.message, command.toast);
        return;
      case "finish":
        this.#finish(command).catch((error) => this.#halt(error));
        return;
      default:
        return this.#follow(this.#effect(command));
    }
  }

  /**
   * Stops the run if performing a command fails, so that no fault is silent.
   * @param {Promise<unknown>} action
   */
  #follow(action) {
    const call = action
      .catch((error) => this.#halt(error))
      .finally(() => {
        this.#calls.delete(call);
      });
    this.#calls.add(call);
    return call;
  }

  /** @param {any} command one that belongs to the workflow */
  async #effect(command) {
    const { perform } = this.#own;
    if (!perform) throw new Error(`the command ${command.command} has no handler`);
    const { signal } = this.#ending;
    // An effect may depend on earlier writes.
    await Promise.all(this.#writes);
    const tell = (/** @type {EventKind} */ event) => {
      if (!signal.aborted) this.feed(event);
    };
    tell(await perform(command, signal, tell));
  }

  /**
   * @param {import("../host.js").Ask} ask
   * @param {import("../host.js").File[]} [files]
   */
  #send(ask, files) {
    return this.#ask(
      ask,
      this.#host.ask(ask, (used) => this.#stepped(ask.job, used), files),
    );
  }

  /**
   * Sends files with a prompt. They are read first: if the run or the session is stopped meanwhile, nothing is sent.
   * @param {import("../host.js").Ask} ask
   * @param {import("../core/types.js").KeptFile[]} kept
   */
  async #askWith(ask, kept) {
    const files = [];
    for (const file of kept) files.push({ mime: file.mime, bytes: await this.#store.kept(file) });
    if (this.#ending.signal.aborted || this.#stopped.has(ask.session)) return;
    await this.#send(ask, files);
  }

  /** @param {string} session */
  async #abort(session) {
    this.#stopped.add(session);
    await this.#host.abort(session);
  }

  /** @param {string} name */
  async #claim(name) {
    const claimed = await this.#store.claim(name);
    if (claimed) await this.#own.claimed?.(name);
    this.feed(claimed ? { event: "directory_claimed", name } : { event: "directory_taken", name });
  }

  /** @param {Extract<Command, {command: "open_session"}>} command */
  async #openSession({ job, role, title }) {
    const directory = await this.#own.directory?.(role);
    const opened = await this.#host.openSession({ role, title, ...(directory && { directory }) });
    this.feed(
      "session" in opened
        ? { event: "session_opened", job, session: opened.session }
        : { event: "call_failed", job, failure: opened.failure },
    );
  }

  /**
   * @param {import("../host.js").Ask} ask
   * @param {ReturnType<Host["ask"]>} answering
   */
  async #ask({ job, session }, answering) {
    this.#asking.set(job, session);
    const answer = await answering.finally(() => {
      this.#asking.delete(job);
      this.#using.delete(job);
    });
    if ("failure" in answer) {
      this.feed({ event: "call_failed", job, failure: answer.failure });
      return;
    }
    const looked_up = await this.#own.lookUp?.(job, answer.reply);
    this.feed({ event: "answered", job, reply: { ...answer.reply, ...(looked_up && { looked_up }) } });
  }

  /**
   * Returns whether a call may take a further step: false when the budget is reached or the call has used all its steps.
   * @param {string} job
   * @param {import("../host.js").Stepped} used
   */
  #stepped(job, used) {
    if (this.#over) return false;
    this.#using.set(job, { job, ...used });
    try {
      const event = this.#core.overspending(this.#handle, job, [...this.#using.values()]);
      if (event) this.feed(event);
      return !event;
    } catch (error) {
      // The caller that reports the step isn't at fault.
      this.#halt(error);
      return false;
    }
  }

  /**
   * Sets the alarm. Timers may fire a little early: the core then asks for another.
   * @param {number} at
   */
  #wakeAt(at) {
    clearTimeout(this.#alarm);
    const wait = Math.min(Math.max(0, at - this.now()), LONGEST_TIMER_MS);
    this.#alarm = setTimeout(() => this.feed({ event: "woken" }), wait);
  }

  /** @param {Extract<Command, {command: "finish"}>} command */
  async #finish({ done, resumable, brief }) {
    clearTimeout(this.#alarm);
    this.#ending.abort();
    await Promise.all(this.#writes);
    await this.feed({ event: "closed" });
    await this.#settle({ done, resumable, brief });
  }

  /**
   * Stops the shell after a fault: no new calls start, calls in flight are aborted, and the journal stays as it is.
   * @param {unknown} error
   */
  #halt(error) {
    if (this.#over) return;
    clearTimeout(this.#alarm);
    this.#ending.abort();
    for (const session of this.#asking.values()) this.#follow(this.#abort(session));
    const [problem] = problemsOf(this.#core, error);
    this.#settle({ done: false, resumable: true, brief: "", problem });
  }

  /**
   * Ends the run: nothing more is journaled. Aborted calls get a moment to finish, because the isolation of their sessions is
   * lifted afterwards.
   * @param {Ending} ending
   */
  async #settle(ending) {
    if (this.#over) return;
    this.#over = true;
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, LET_GO_MS);
    });
    await Promise.race([Promise.allSettled([...this.#calls]), late]);
    clearTimeout(timer);
    this.#end(ending);
  }
}
