/**
 * What the sessions of Validation's models may do: they read the project, and nothing that runs of this package have left in it. What
 * another run has found is no evidence, and no model is to be led by it.
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
   * @param {string[]} hidden absolute: directories of which no session reads anything
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

  /** A long look at a project may need it. */
  mayCompact() {
    return true;
  }

  /** @type {Warden["before"]} */
  async before(tool, _callID, args) {
    const refused = this.#core.refusal(tool);
    if (refused !== null) throw new Error(refused);
    // Which of its arguments are paths differs between the tools: what leads there is one.
    const texts = Object.values(args ?? {}).filter((value) => typeof value === "string");
    if (texts.some((text) => this.#leadsThere(text)))
      throw new Error("This session can't read files of runs. Read the project itself.");
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
