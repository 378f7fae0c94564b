/**
 * `processes.json`: the processes that a run has started. An entry is written before its process starts, its facts afterwards. A file
 * that can't be read is an error, never an empty list: treating it as empty would lose track of what is running.
 */
import { SharedCore } from "../core/shared.js";

/**
 * @typedef {import("./facts.js").Facts} Facts
 * @typedef {import("../core/types.js").ValidationProcessEnd} ProcessEnd
 *
 * @typedef {object} Intent
 * @property {number} n distinguishes the entries of a run
 * @property {string} name its purpose
 * @property {string} mark `NAME=value` in its environment, and in that of everything that it starts
 * @property {string} owner_run_id
 * @property {string[]} wanted the command
 * @property {string} directory the directory in which it starts
 * @property {number} port
 * @property {number} grace_ms the time that it has to end
 * @property {string} intended_at
 *
 * @typedef {object} Outcome
 * @property {string | null} started_at
 * @property {string | null} ownership_hash with which this machine recognises the entry as its own: nobody without its key can make one
 * @property {ProcessEnd | null} end its outcome
 *
 * @typedef {Intent & Facts & Outcome} Entry
 */

export const FILE = "processes.json";

const VERSION = 1;

const EMPTY = JSON.stringify({ version: VERSION, processes: [] });

/** The registry of processes can't be read. */
export class RegistryError extends Error {
  /**
   * @param {string} file
   * @param {string} mark
   * @param {unknown} cause
   */
  constructor(file, mark, cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(
      `${file} can't be read (${why}), so it is unknown which processes this run started. Find them with: ` +
        `grep -l ${mark} /proc/[0-9]*/environ. Once none of them is running, delete the file and type /validate-resume.`,
    );
    this.name = "RegistryError";
  }
}

/** The registry of processes is missing. */
export class LostRegistryError extends RegistryError {
  /**
   * @param {string} file
   * @param {string} mark
   */
  constructor(file, mark) {
    super(file, mark, "it is missing");
    this.message =
      `The list of the processes that this run started is missing: ${file}. Find them with: ` +
      `grep -l ${mark} /proc/[0-9]*/environ. Once none of them is running, write an empty list: ` +
      `echo '${EMPTY}' > ${file}`;
  }
}

/** @param {Intent} intent @returns {Entry} */
export function entryOf(intent) {
  return {
    ...intent,
    pid: null,
    pgid: null,
    boot_id: null,
    start_ticks: null,
    user: null,
    cwd: null,
    cmd: null,
    started_at: null,
    ownership_hash: null,
    end: null,
  };
}

/**
 * The ownership hash of an entry, made with this machine's key, which no project contains: an entry that was changed, or that belongs
 * to another directory, has a different one. Null if there is no key.
 * @param {import("../kernel/door.js").Folder} run
 * @param {Entry} entry
 */
export function ownershipOf(run, { started_at, ownership_hash, end, ...identity }) {
  const facts = Object.entries(identity).sort(([one], [other]) => (one < other ? -1 : 1));
  return new SharedCore().vouch("process", JSON.stringify([run.path, facts]));
}

/** @param {Entry[]} processes */
export function print(processes) {
  return `${JSON.stringify({ version: VERSION, processes }, null, 2)}\n`;
}

/**
 * @param {string} text
 * @returns {Entry[]} throws if the text isn't such a list
 */
export function parse(text) {
  const { version, processes } = JSON.parse(text) ?? {};
  if (version !== VERSION) throw new Error(`its version is ${JSON.stringify(version)}`);
  if (!Array.isArray(processes)) throw new Error("it has no list of processes");
  for (const entry of processes) {
    const wrong = SHAPE.find(([key, fits]) => !fits(entry?.[key]));
    if (wrong) throw new Error(`an entry has a wrong \`${wrong[0]}\``);
  }
  return processes;
}

const isText = (/** @type {unknown} */ value) => typeof value === "string";
const isCount = (/** @type {unknown} */ value) => Number.isSafeInteger(value) && Number(value) >= 0;
const isTexts = (/** @type {unknown} */ value) => Array.isArray(value) && value.every(isText);
const isPid = (/** @type {unknown} */ value) => Number.isSafeInteger(value) && Number(value) > 1;
/** @param {(value: unknown) => boolean} fits */
const orNull = (fits) => (/** @type {unknown} */ value) => value === null || fits(value);

/** @type {[keyof Entry, (value: unknown) => boolean][]} */
const SHAPE = [
  ["n", isCount],
  ["name", isText],
  ["mark", (value) => typeof value === "string" && /^\w+=[\w~-]+$/.test(value)],
  ["owner_run_id", isText],
  ["wanted", isTexts],
  ["directory", isText],
  ["port", isCount],
  ["grace_ms", isCount],
  ["intended_at", isText],
  ["pid", orNull(isPid)],
  ["pgid", orNull(isPid)],
  ["boot_id", orNull(isText)],
  ["start_ticks", orNull(isText)],
  ["user", orNull(isCount)],
  ["cwd", orNull(isText)],
  ["cmd", orNull(isTexts)],
  ["started_at", orNull(isText)],
  ["ownership_hash", orNull(isText)],
  ["end", orNull((value) => typeof value === "object")],
];
