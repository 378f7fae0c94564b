/**
 * What the sessions of Flow's models may do: gathers the facts that the core asks for, and enforces its verdict
 * (src/flow/guard.rs says what that promises, and what not).
 */
import path from "node:path";
import { join, locate } from "../kernel/real-path.js";

/**
 * @typedef {import("../core/types.js").FlowRole} FlowRole
 * @typedef {import("../core/types.js").FlowPlace} FlowPlace
 * @typedef {import("./lab-sessions.js").Warden} Warden
 */

/** @implements {Warden} */
export class FlowGuard {
  #core;
  #project;
  #kept;

  /**
   * @param {Pick<import("../core/flow.js").FlowCore, "inquire" | "verdict" | "systemText">} core
   * @param {string} project absolute
   * @param {string[]} kept absolute: directories that no session may change
   */
  constructor(core, project, kept) {
    this.#core = core;
    this.#project = project;
    this.#kept = kept;
  }

  /** @type {Warden["agent"]} */
  agent(role) {
    return `flow-${/** @type {FlowRole} */ (role)}`;
  }

  /** @type {Warden["systemText"]} */
  systemText(role, own, host) {
    return this.#core.systemText(/** @type {FlowRole} */ (role), own, host);
  }

  /** Work on a feature may be long. */
  mayCompact() {
    return true;
  }

  /** @type {Warden["before"]} */
  async before(tool, _callID, args, role) {
    const inquiry = this.#core.inquire(role, tool, JSON.stringify(args ?? {}));
    if (inquiry.kind === "deny") throw new Error(inquiry.message);
    if (inquiry.kind === "allow") return;
    const [kept, paths] = [this.#kept, inquiry.paths].map((all) => all.map((given) => this.#place(given)));
    const refused = this.#core.verdict(inquiry.paths, { kept, paths });
    if (refused !== null) throw new Error(refused);
  }

  after() {}

  /**
   * @param {string} given
   * @returns {FlowPlace}
   */
  #place(given) {
    const absolute = join(this.#project, given);
    return { given, absolute: path.resolve(absolute), real: locate(absolute).real };
  }
}
