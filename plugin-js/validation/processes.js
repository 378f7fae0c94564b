/**
 * The processes of a run. Only what was started here is owned, and nothing is ended but what is shown to be owned: the process
 * that was written down, and what carries its mark. Whatever can't be shown is left alone and told, with the command by which a
 * person can look at it.
 *
 * Each is started in a group of its own (group.js), which ends with this process; its output goes to a file and not through us.
 *
 * What it doesn't promise: between the look at a process and the signal to it there is a moment in which it may end and its
 * number be another's. Only a descriptor of the process would close it, which neither Node nor Bun has.
 */
import { createHash, randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { isGuard, kill, obstacle, startGroup } from "../kernel/group.js";
import { markRuns } from "../kernel/key.js";
import { environmentOf, holdsFiles, isMarked, living, pids } from "../kernel/proc.js";
import { bootId, compare, tell } from "./facts.js";
import { entryOf, FILE, LostRegistryError, ownershipOf, parse, print, RegistryError } from "./registry.js";

/**
 * @typedef {import("./registry.js").Entry} Entry
 * @typedef {import("./registry.js").ProcessEnd} ProcessEnd
 *
 * @typedef {object} Wanted
 * @property {string} name what it is for
 * @property {string[]} argv
 * @property {string} cwd absolute
 * @property {Record<string, string>} env
 * @property {number} port on which it is to listen
 * @property {number} grace_ms that it has to end in
 * @property {string} log the file of its output, below the run's directory
 *
 * @typedef {object} Started
 * @property {Entry} entry
 * @property {import("../kernel/group.js").ChildProcess} child
 * @property {{file: string, from: number}} log the file of its output, and where in it that begins
 *
 * @typedef {object} Sight what there is of an entry's processes
 * @property {"gone" | "ours" | "another" | "unknown"} first the process that was started: `unknown` where there is no number
 * @property {import("./facts.js").Comparison} compared it with what was written down
 * @property {number[]} group what is in its group, where that is ours
 * @property {number[]} strays what carries the mark outside of that
 * @property {number[]} guards with what they have begun themselves
 * @property {boolean} guarded whether the group has guards and nothing else
 */

/** The variable that has a run's marks. */
const VARIABLE = "DESIGN_LAB_VALIDATION";

/** The pauses between two looks at processes that are ending, in ms. */
const SHORTEST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 100;

/** How long processes get to be gone after they were ended by force. */
const FORCE_MS = 2_000;

/**
 * What tells the processes of a run from all others. A copy of the run is another one.
 * @param {import("../kernel/door.js").Folder} run
 */
export function markOf(run) {
  return `${VARIABLE}=${createHash("sha256").update(run.path).digest("hex").slice(0, 32)}`;
}

export class Processes {
  #store;
  #mayHaveLeft;
  /** The list, once it was read. What is on disk then is never read back. @type {Entry[] | undefined} */
  #entries;
  /** Those of them that this machine didn't write: nothing is looked for or ended by them. @type {Set<Entry>} */
  #others = new Set();
  /** What this process has started itself, by entry. @type {Map<number, Started>} */
  #started = new Map();
  /** Ends that nobody has taken note of. @type {ProcessEnd[]} */
  #ends = [];

  /**
   * @param {import("../kernel/store.js").Store} store of the run
   * @param {boolean} [mayHaveLeft] whether an earlier process may have started some: then there has to be a list
   */
  constructor(store, mayHaveLeft = false) {
    // Its entries are known by the key of this machine.
    markRuns();
    this.#store = store;
    this.#mayHaveLeft = mayHaveLeft;
  }

  /**
   * Starts a process, which is owned from then on.
   * @param {Wanted} wanted
   * @returns {Promise<Started | {not_started: string}>} or why it couldn't be, in the system's words
   */
  async start({ name, argv, cwd, env, port, grace_ms, log: file }) {
    const entries = await this.#load();
    const { folder } = this.#store;
    const mark = `${markOf(folder)}~${randomBytes(8).toString("hex")}`;
    const entry = entryOf({
      n: entries.reduce((most, { n }) => Math.max(most, n), 0) + 1,
      name,
      mark,
      owner_run_id: folder.name,
      wanted: argv,
      directory: cwd,
      port,
      grace_ms,
      intended_at: new Date().toISOString(),
    });
    entries.push(entry);
    await this.#save();
    const program = { argv, cwd, env, mark };
    const failed = async (/** @type {string} */ not_started) => {
      entries.splice(entries.indexOf(entry), 1);
      await this.#save();
      return { not_started };
    };
    const missing = obstacle(program);
    if (missing) return failed(missing);

    await this.#store.create(file, "");
    const log = await folder.open(file, "append");
    const from = (await log.stat()).size;
    const child = startGroup(program, { farewell: "polite", output: log.fd });
    const broken = new Promise((resolve) => child.on("error", resolve));
    await log.close();
    if (child.pid === undefined) {
      const error = /** @type {NodeJS.ErrnoException} */ (await broken);
      return failed(error.code ?? "UNKNOWN");
    }
    const started = { entry, child, log: { file, from } };
    this.#started.set(entry.n, started);
    entry.pid = child.pid;
    entry.started_at = new Date().toISOString();
    await this.note(started);
    return started;
  }

  /**
   * Writes down what a process looks like now.
   * @param {Started} started
   */
  async note(started) {
    refresh(started);
    await this.#save();
  }

  /**
   * Which of these processes belong to what was started, and by what that is known.
   * @param {Started} started
   * @param {number[]} candidates
   * @returns {"group" | "nonce" | undefined} undefined where none does
   */
  belongs({ entry }, candidates) {
    const { group, strays } = this.#look(entry);
    if (candidates.some((pid) => group.includes(pid))) return "group";
    return candidates.some((pid) => strays.includes(pid)) ? "nonce" : undefined;
  }

  /** What runs of it. @param {Started} started */
  running({ entry }) {
    const { group, strays } = this.#look(entry);
    return [...group, ...strays];
  }

  /** Ends everything that the run has started and that isn't known to have ended, the latest first. */
  async stopAll() {
    const entries = await this.#load();
    for (const entry of entries.filter(({ end }) => end === null).reverse()) await this.#stop(entry);
  }

  /** Ends one. @param {Started} started */
  async stop({ entry }) {
    if (entry.end === null) await this.#stop(entry);
  }

  /** The ends that nobody has taken note of yet. */
  takeEnds() {
    return this.#ends.splice(0);
  }

  /** @param {Entry} entry */
  async #stop(entry) {
    const started = this.#started.get(entry.n);
    if (started) await this.note(started);
    const end = await this.#end(entry, started);
    started?.child.stdin?.destroy();
    entry.end = end;
    this.#ends.push(end);
    await this.#save();
  }

  /**
   * @param {Entry} entry
   * @param {Started | undefined} started
   * @returns {Promise<ProcessEnd>}
   */
  async #end(entry, started) {
    const held = started !== undefined && isRunning(started.child);
    const seen = this.#look(entry);
    const { checked, differing } = seen.compared;
    const pid = entry.pid ?? seen.strays[0] ?? 0;
    const endedAs = (/** @type {ProcessEnd["end"]} */ end, why = "", look = "") => ({
      name: entry.name,
      pid,
      end,
      why,
      look,
      checked: held ? ["handle", ...checked] : checked,
    });
    const alone = (/** @type {string} */ why) => endedAs("left_alone", why, lookAt(pid));

    const untouched = seen.first === "another" ? differing : [];
    if (!held && untouched.length === 0 && seen.first === "ours" && !checked.includes("start time"))
      return alone("the system doesn't report when it started");
    if (seen.group.length + seen.strays.length > 0) {
      const ending = startsOf(seen);
      signal(entry, seen, "SIGTERM");
      await this.#gone(entry, entry.grace_ms, ending);
    }
    const stubborn = this.#look(entry);
    const forced = stubborn.group.length + stubborn.strays.length > 0;
    if (forced) {
      const ending = startsOf(stubborn);
      signal(entry, stubborn, "SIGKILL");
      await this.#gone(entry, FORCE_MS, ending);
    }
    await this.#dismiss(entry);
    if (untouched.length > 0) return alone(`another ${untouched.join(", ")} than the recorded one`);
    if (forced) {
      const left = this.#look(entry);
      if (left.group.length + left.strays.length > 0) return alone("it didn't end, not even by force");
      return endedAs("killed");
    }
    if (seen.group.length + seen.strays.length > 0) return endedAs("terminated");
    return endedAs(started ? "ended_by_itself" : "already_gone");
  }

  /**
   * Waits until nothing of it runs. One that is on its way out has lost all by which it is known, but not yet its sockets.
   * @param {Entry} entry
   * @param {number} patience in ms
   * @param {Map<number, string>} ending when each that is to end was started
   */
  async #gone(entry, patience, ending) {
    const deadline = performance.now() + patience;
    for (let wait = SHORTEST_PAUSE_MS; ; wait = Math.min(2 * wait, LONGEST_PAUSE_MS)) {
      const { group, strays } = this.#look(entry);
      const left = deadline - performance.now();
      const goes = [...ending].some(([pid, started]) => holdsFiles(pid, started));
      if ((group.length + strays.length === 0 && !goes) || left <= 0) return;
      await pause(Math.min(wait, left));
    }
  }

  /**
   * Ends the guards of what has ended, their group at once: one that is ended alone may begin a program at that very moment.
   * @param {Entry} entry
   */
  async #dismiss(entry) {
    const deadline = performance.now() + FORCE_MS;
    let isGroup = false;
    for (;;) {
      const { guards, guarded, group } = this.#look(entry);
      if ((guards.length === 0 && !(isGroup && group.length > 0)) || performance.now() > deadline) return;
      isGroup ||= guarded && entry.pgid !== null;
      if (isGroup) kill(-Number(entry.pgid), "SIGKILL");
      for (const guard of guards) kill(guard, "SIGKILL");
      await pause(SHORTEST_PAUSE_MS);
    }
  }

  /** @param {Entry} entry @returns {Sight} */
  #look(entry) {
    const started = this.#started.get(entry.n);
    if (started) refresh(started);
    return look(entry);
  }

  /** Rejects with a {@link RegistryError} where it can't be read. */
  async #load() {
    if (this.#entries) return this.#entries;
    const { folder } = this.#store;
    const entries = await entriesOf(folder, this.#mayHaveLeft);
    for (const entry of entries.filter((entry) => !isOwn(folder, entry))) {
      this.#others.add(entry);
      if (entry.end !== null) continue;
      entry.end = notOurs(entry);
      this.#ends.push(entry.end);
    }
    this.#entries = entries;
    return entries;
  }

  async #save() {
    const entries = this.#entries ?? [];
    for (const entry of entries.filter((entry) => !this.#others.has(entry)))
      entry.ownership_hash = ownershipOf(this.#store.folder, entry);
    await this.#store.write(FILE, print(entries));
  }
}

/**
 * What a run that nobody works on has left running.
 * @param {import("../kernel/door.js").Folder} run
 * @param {boolean} mayHaveLeft whether its journal says that it started some
 * @returns {Promise<import("../core/types.js").ValidationLeftProcess[]>} rejects with a {@link RegistryError} where nobody can say
 */
export async function leftIn(run, mayHaveLeft) {
  const entries = await entriesOf(run, mayHaveLeft);
  return entries
    .filter((entry) => entry.end === null && isOwn(run, entry))
    .flatMap((entry) => {
      const { group, strays } = look(entry);
      const pid = [...group, ...strays].sort((one, other) => one - other)[0];
      if (pid === undefined) return [];
      return [{ name: entry.name, pid, command: tell(pid, entry.mark)?.facts.cmd ?? entry.wanted }];
    });
}

/**
 * Whether this machine has written an entry for what this run started.
 * @param {import("../kernel/door.js").Folder} run
 * @param {Entry} entry
 */
function isOwn(run, entry) {
  const owner = ownershipOf(run, entry);
  const isOfRun = entry.owner_run_id === run.name && entry.mark.startsWith(`${markOf(run)}~`);
  return isOfRun && owner !== null && entry.ownership_hash === owner;
}

/** @param {Entry} entry @returns {ProcessEnd} of one that this machine didn't write */
function notOurs({ name, pid }) {
  return {
    name,
    pid: pid ?? 0,
    end: "left_alone",
    why: "an entry that this machine didn't write for this run",
    look: pid === null ? "" : lookAt(pid),
    checked: [],
  };
}

/** The command by which a person looks at a process. @param {number} pid */
function lookAt(pid) {
  return process.platform === "win32"
    ? `tasklist /v /fi "pid eq ${pid}"`
    : `ps -ww -o pid,pgid,lstart,args -p ${pid}`;
}

/**
 * @param {import("../kernel/door.js").Folder} run
 * @param {boolean} mayHaveLeft
 */
async function entriesOf(run, mayHaveLeft) {
  try {
    if (await run.status(FILE)) return parse((await run.read(FILE)).toString("utf8"));
  } catch (error) {
    throw new RegistryError(run.file(FILE), markOf(run), error);
  }
  if (mayHaveLeft) throw new LostRegistryError(run.file(FILE), markOf(run));
  return [];
}

/** @param {Entry} entry @returns {Sight} */
function look(entry) {
  const present = entry.pid === null ? undefined : tell(entry.pid, entry.mark);
  const compared = present ? compare(entry, present) : { checked: [], differing: [] };
  /** @type {Sight["first"]} */
  let first = "gone";
  if (entry.pid === null) first = "unknown";
  else if (present) first = compared.differing.length === 0 ? "ours" : "another";

  // One list for all that follows: what a guard begins after it was made can be taken for nothing else.
  const all = pids();
  const mine = all.filter((pid) => pid !== process.pid && pid !== entry.pid && isStray(entry, pid));
  // When what they watched over has ended, guards wait a second, by a program of their own.
  const watching = mine.filter(isGuard);
  const guards = mine.filter((pid) => watching.some((guard) => [pid, living(pid)?.parent].includes(guard)));
  // A guard that has gone since isn't known as one any more.
  const marked = mine.filter((pid) => !guards.includes(pid) && living(pid));
  const inGroup = (/** @type {number} */ pid) => entry.pgid !== null && living(pid)?.pgid === entry.pgid;
  // A number isn't given again while a group has it: who has it now has the group as well.
  const isOurs = first === "ours" || (first === "gone" && [...marked, ...guards].some(inGroup));
  const members = isOurs ? all.filter(inGroup) : [];
  const group = members.filter((pid) => !guards.includes(pid));
  const guarded = members.length > 0 && group.length === 0;
  if (isOurs && process.platform !== "linux" && entry.pid !== null && present) group.push(entry.pid);
  return { first, compared, group, strays: marked.filter((pid) => !group.includes(pid)), guards, guarded };
}

/** @param {Sight} seen @returns {Map<number, string>} by process, when it was started; none if the system doesn't tell */
function startsOf({ group, strays }) {
  return new Map(
    [...group, ...strays].flatMap((pid) => {
      const started = living(pid)?.started;
      return started === undefined ? [] : [/** @type {const} */ ([pid, started])];
    }),
  );
}

/** Whether the system has not said that it ended: until then its number is its own. @param {import("../kernel/group.js").ChildProcess} child */
export function isRunning(child) {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

/**
 * A process that is known to be ours may have become another program, or have taken another directory or title.
 * @param {Started} started
 */
function refresh({ entry, child }) {
  if (entry.pid === null || !isRunning(child)) return;
  const present = tell(entry.pid, entry.mark);
  if (present) Object.assign(entry, present.facts);
}

/**
 * Whether a process carries the mark of an entry and could have been started by it.
 * @param {Entry} entry
 * @param {number} pid
 */
function isStray({ mark, boot_id, start_ticks, user }, pid) {
  if (!isMarked(environmentOf(pid), mark)) return false;
  const stat = living(pid);
  if (!stat || (boot_id !== null && boot_id !== bootId())) return false;
  if (user !== null && tell(pid, mark)?.facts.user !== user) return false;
  return start_ticks === null || BigInt(stat.started) >= BigInt(start_ticks);
}

/**
 * @param {Entry} entry
 * @param {Sight} sight
 * @param {NodeJS.Signals} name
 */
function signal({ pid, pgid }, { group, strays }, name) {
  if (group.length > 0 && process.platform === "win32") kill(pid ?? 0, name);
  else if (group.length > 0 && pgid !== null) kill(-pgid, name);
  for (const stray of strays) kill(stray, name);
}
