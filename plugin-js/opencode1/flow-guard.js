/**
 * What the sessions of Flow's models may do. Planner and reviewer read. The worker works under the user's own rules, but
 * neither on what Flow keeps nor by commands of OpenCode: what it claims there would look like the user's word.
 *
 * What it doesn't promise: a program that the worker has run can write to any file of the user's. What was checked is
 * checked again, and the journal is a chain; by these it is seen.
 */
import path from "node:path";
import { join, locate } from "../kernel/real-path.js";

/**
 * @typedef {import("../core/types.js").FlowRole} FlowRole
 * @typedef {import("./lab-sessions.js").Warden} Warden
 */

/** What planner and reviewer are offered; `invalid` is what OpenCode makes of a call that no tool takes. */
const READING = new Set(["read", "grep", "glob", "list", "invalid"]);

/** What would start sessions in which none of this holds. */
const STARTING = new Set(["task", "subagent", "design_lab"]);

/** The lines of a patch that name files. */
const PATCHED = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm;

/** A command line with OpenCode in it, or Flow's own files. */
const OFF_LIMITS = /(?:^|[^\w.-])(?:opencode|\.flow)(?![\w-])/;

/** @implements {Warden} */
export class FlowGuard {
  #project;
  #kept;

  /**
   * @param {string} project absolute
   * @param {string[]} kept absolute: directories that no session may change
   */
  constructor(project, kept) {
    this.#project = project;
    this.#kept = kept;
  }

  /** @type {Warden["agent"]} */
  agent(role) {
    return `flow-${/** @type {FlowRole} */ (role)}`;
  }

  /** @type {Warden["systemText"]} */
  systemText(_role, own, host) {
    return `${own}\n\n${host}`;
  }

  /** Work on a feature may be long. */
  mayCompact() {
    return true;
  }

  /** @type {Warden["before"]} */
  async before(tool, _callID, args, role) {
    if (role !== "worker" && !READING.has(tool))
      throw new Error("This session only reads: read, grep and glob.");
    if (STARTING.has(tool)) throw new Error("This session can't start others.");
    const { command, workdir, filePath, patchText } = /** @type {Record<string, unknown>} */ (args ?? {});
    if (tool === "bash" && [command, workdir].some((text) => OFF_LIMITS.test(String(text ?? ""))))
      throw new Error("A command that runs opencode, or names .flow, is not for this session.");
    if (READING.has(tool)) return;
    const patched = [...String(patchText ?? "").matchAll(PATCHED)].map(([, name = ""]) => name.trim());
    for (const given of [...patched, ...(typeof filePath === "string" ? [filePath] : [])]) {
      if (this.#isKept(given)) throw new Error(`${given} belongs to Flow: no session may change it.`);
    }
  }

  after() {}

  /** @param {string} given */
  #isKept(given) {
    const absolute = join(this.#project, given);
    const places = [path.resolve(absolute), locate(absolute).real];
    const kept = this.#kept.flatMap((directory) => [directory, locate(directory).real]);
    return places.some((place) =>
      kept.some((directory) => place === directory || place.startsWith(`${directory}${path.sep}`)),
    );
  }
}
