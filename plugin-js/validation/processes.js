/**
 * The processes of a run. A run owns only what it started, and ends only what is proven to be its own: the recorded process, and
 * processes that carry its mark. Anything else is left alone and reported, with the command with which a person can inspect it.
 *
 * Each starts in its own process group (group.js), which ends with this process; its output goes directly to a file.
 *
 * What this can't guarantee: between checking a process and signalling it there is a moment in which it may end and its process ID
 * may be reused. Only a descriptor of the process would close this gap, and neither Node nor Bun has one.
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
 * @property {string} name its purpose
 * @property {string[]} argv
 * @property {string} cwd absolute
 * @property {Record<string, string>} env
 * @property {number} port the port on which it should listen
 * @property {number} grace_ms the time that it has to end
 * @property {string} log the file of its output, relative to the run's directory
 *
 * @typedef {object} Started
 * @property {Entry} entry
 * @property {import("../kernel/group.js").ChildProcess} child
 * @property {{file: string, from: number}} log the file of its output, and the offset at which that begins
 *
 * @typedef {object} Sight the current processes of an entry
 * @property {"gone" | "ours" | "another" | "unknown"} first the process that was started: `unknown` if there is no process ID
 * @property {import("./facts.js").Comparison} compared the comparison with the record
 * @property {number[]} group the processes in its group, if the group belongs to the run
 * @property {number[]} strays the processes outside the group that carry the mark
 * @property {number[]} guards the guards, and the processes that they started
 * @property {boolean} guarded whether the group contains guards and nothing else
 */

/** The environment variable that contains a run's marks. */
const VARIABLE = "DESIGN_LAB_VALIDATION";

/** The pauses between two checks of processes that are ending, in ms. */
const SHORTEST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 100;

/** How long processes may take to disappear after they were killed. */
const FORCE_MS = 2_000;

/**
 * The mark that distinguishes the processes of a run from all others. A copy of the run has another mark.
 * @param {import("../kernel/door.js").Folder} run
 */
export function markOf(run) {
  return `${VARIABLE}=${createHash("sha256").update(run.path).digest("hex").slice(0, 32)}`;
}

export class Processes {
  #store;
  #mayHaveLeft;
  /** The entries, once read. The file is not read again after that. @type {Entry[] | undefined} */
  #entries;
  /** The entries that this machine didn't write: they are never used to find or end anything. @type {Set<Entry>} */
  #others = new Set();
  /** The processes that this process has started itself, by entry. @type {Map<number, Started>} */
  #started = new Map();
  /** Ends that have not been reported yet. @type {ProcessEnd[]} */
  #ends = [];

  /**
   * @param {import("../kernel/store.js").Store} store of the run
   * @param {boolean} [mayHaveLeft] whether an earlier process may have started some: a registry must then exist
   */
  constructor(store, mayHaveLeft = false) {
    // The key of this machine authenticates its entries.
    markRuns();
    this.#store = store;
    this.#mayHaveLeft = mayHaveLeft;
  }

  /**
   * Starts a process, which the run owns from then on.
   * @param {Wanted} wanted
   * @returns {Promise<Started | {not_started: string}>} the process, or the system's reason why it couldn't start
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
   * Records the current facts of a process.
   * @param {Started} started
   */
  async note(started) {
    refresh(started);
    await this.#save();
  }

  /**
   * Whether any of these processes belongs to what was started, and the proof of it.
   * @param {Started} started
   * @param {number[]} candidates
   * @returns {"group" | "nonce" | undefined} undefined if none does
   */
  belongs({ entry }, candidates) {
    const { group, strays } = this.#look(entry);
    if (candidates.some((pid) => group.includes(pid))) return "group";
    return candidates.some((pid) => strays.includes(pid)) ? "nonce" : undefined;
  }

  /** The processes of it that are running. @param {Started} started */
  running({ entry }) {
    const { group, strays } = this.#look(entry);
    return [...group, ...strays];
  }

  /** Ends everything that the run has started and that isn't known to have ended, the latest first. */
  async stopAll() {
    const entries = await this.#load();
    for (const entry of entries.filter(({ end }) => end === null).reverse()) await this.#stop(entry);
  }

  /** Ends one process. @param {Started} started */
  async stop({ entry }) {
    if (entry.end === null) await this.#stop(entry);
  }

  /** Takes the ends that have not been reported yet. */
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
      return alone("the system doesn't report its start time, so it may be another program");
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
    if (untouched.length > 0)
      return alone(
        `it may be another program now, because its ${untouched.join(", ")} differs from the recorded one`,
      );
    if (forced) {
      const left = this.#look(entry);
      if (left.group.length + left.strays.length > 0) return alone("it didn't end even when it was killed");
      return endedAs("killed");
    }
    if (seen.group.length + seen.strays.length > 0) return endedAs("terminated");
    return endedAs(started ? "ended_by_itself" : "already_gone");
  }

  /**
   * Waits until none of it runs. A process that is exiting has lost everything that identifies it, but not yet its sockets.
   * @param {Entry} entry
   * @param {number} patience in ms
   * @param {Map<number, string>} ending when each process that should end was started
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
   * Ends the guards of a process that has ended, as a group: a guard that is ended alone may start a program at that very moment.
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

  /** Reads the entries. Rejects with a {@link RegistryError} if they can't be read. */
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
 * The processes that an abandoned run has left running.
 * @param {import("../kernel/door.js").Folder} run
 * @param {boolean} mayHaveLeft whether, according to its journal, it started some
 * @returns {Promise<import("../core/types.js").ValidationLeftProcess[]>} rejects with a {@link RegistryError} if this is unknown
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
 * Whether this machine wrote an entry for something that this run started.
 * @param {import("../kernel/door.js").Folder} run
 * @param {Entry} entry
 */
function isOwn(run, entry) {
  const owner = ownershipOf(run, entry);
  const isOfRun = entry.owner_run_id === run.name && entry.mark.startsWith(`${markOf(run)}~`);
  return isOfRun && owner !== null && entry.ownership_hash === owner;
}

/** @param {Entry} entry @returns {ProcessEnd} the end of an entry that this machine didn't write */
function notOurs({ name, pid }) {
  return {
    name,
    pid: pid ?? 0,
    end: "left_alone",
    why: "this machine didn't write its entry in processes.json",
    look: pid === null ? "" : lookAt(pid),
    checked: [],
  };
}

/** The command with which a person can inspect a process. @param {number} pid */
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

  // Everything below uses one list, so a process that a guard starts later can't be mistaken for anything else.
  const all = pids();
  const mine = all.filter((pid) => pid !== process.pid && pid !== entry.pid && isStray(entry, pid));
  // When the process that they watched has ended, guards wait a second, using a separate program.
  const watching = mine.filter(isGuard);
  const guards = mine.filter((pid) => watching.some((guard) => [pid, living(pid)?.parent].includes(guard)));
  // A guard that has ended since can no longer be recognised as one.
  const marked = mine.filter((pid) => !guards.includes(pid) && living(pid));
  const inGroup = (/** @type {number} */ pid) => entry.pgid !== null && living(pid)?.pgid === entry.pgid;
  // A process ID isn't reused while a group has it: the process that has it now has the group as well.
  const isOurs = first === "ours" || (first === "gone" && [...marked, ...guards].some(inGroup));
  const members = isOurs ? all.filter(inGroup) : [];
  const group = members.filter((pid) => !guards.includes(pid));
  const guarded = members.length > 0 && group.length === 0;
  if (isOurs && process.platform !== "linux" && entry.pid !== null && present) group.push(entry.pid);
  return { first, compared, group, strays: marked.filter((pid) => !group.includes(pid)), guards, guarded };
}

/** @param {Sight} seen @returns {Map<number, string>} when each process was started; empty if the system doesn't report it */
function startsOf({ group, strays }) {
  return new Map(
    [...group, ...strays].flatMap((pid) => {
      const started = living(pid)?.started;
      return started === undefined ? [] : [/** @type {const} */ ([pid, started])];
    }),
  );
}

/** Whether the system has not reported its end; until then it keeps its ID. @param {import("../kernel/group.js").ChildProcess} child */
export function isRunning(child) {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

/**
 * Updates the facts of a process of the run, which may have become another program, or changed its directory or title.
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
