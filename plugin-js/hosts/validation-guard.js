/**
 * The rules for the sessions of Validation's models: they may read the project, but nothing that runs of this package have left in it.
 * Another run's findings are not evidence, and must not influence a model.
 */
import path from "node:path";
import { isBelow, join, locate } from "../kernel/real-path.js";

/**
 * @typedef {import("../core/types.js").ValidationRole} ValidationRole
 * @typedef {import("./lab-sessions.js").Warden} Warden
 */

/** @implements {Warden} */
export class ValidationGuard {
  #core;
  #project;
  #hidden;

  /**
   * @param {Pick<import("../core/validation.js").ValidationCore, "refusal" | "systemText">} core
   * @param {string} project absolute
   * @param {string[]} hidden absolute: directories from which no session reads anything
   */
  constructor(core, project, hidden) {
    this.#core = core;
    this.#project = project;
    this.#hidden = hidden.flatMap((directory) => [directory, locate(directory).real]);
  }

  /** @type {Warden["agent"]} */
  agent(role) {
    return `validation-${/** @type {ValidationRole} */ (role)}`;
  }

  /** @type {Warden["systemText"]} */
  systemText(_role, own, host) {
    return this.#core.systemText(own, host);
  }

  /** Allows summaries, because a model may read much of a project. */
  mayCompact() {
    return true;
  }

  /** @type {Warden["before"]} */
  async before(tool, _callID, args) {
    const refused = this.#core.refusal(tool);
    if (refused !== null) throw new Error(refused);
    // Tools differ in which of their arguments are paths, so any text that leads into a hidden directory counts as one.
    const texts = Object.values(args ?? {}).filter((value) => typeof value === "string");
    if (texts.some((text) => this.#leadsThere(text)))
      throw new Error("This session can't read files of runs. Read the project's files instead.");
  }

  after() {}

  /** @param {string} text a path, a pattern of paths, or neither */
  #leadsThere(text) {
    const plain = text.replace(/[*?[{].*$/s, "");
    if (plain === "" || plain.includes("\0")) return false;
    const absolute = join(this.#project, plain);
    const places = [path.resolve(absolute), locate(absolute).real];
    return this.#hidden.some((directory) => places.some((place) => isBelow(place, directory)));
  }
}
