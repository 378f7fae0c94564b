/**
 * The rules for the sessions of Flow's models: gathers the facts that the core asks for, and enforces its verdict
 * (src/flow/guard.rs documents what that guarantees, and what it doesn't).
 */
import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { readPlain } from "../kernel/plain-file.js";
import { isBelow, join, locate } from "../kernel/real-path.js";

/**
 * @typedef {import("../core/types.js").FlowRole} FlowRole
 * @typedef {import("../core/types.js").FlowPlace} FlowPlace
 * @typedef {import("./lab-sessions.js").Warden} Warden
 */

/** @implements {Warden} */
export class FlowGuard {
  #core;
  #project;
  #place;
  /** Calls whose paths currently lead into the reviewer's copy. @type {Map<string, {args: any, given: any, top: string}>} */
  #led = new Map();

  /**
   * @param {Pick<import("../core/flow.js").FlowCore, "inquire" | "instructionFiles" | "readsCopy" | "systemText" | "verdict" | "withoutNearInstructions">} core
   * @param {string} project absolute
   * @param {import("../flow/request.js").Place} place
   */
  constructor(core, project, place) {
    this.#core = core;
    this.#project = project;
    this.#place = place;
  }

  /** Marks the processes that a worker's shells start. @type {NonNullable<Warden["shell"]>} */
  shell(role) {
    if (role !== "worker") return {};
    const [name = "", value = ""] = this.#place.workMark().split("=");
    return { [name]: value };
  }

  /** @type {Warden["agent"]} */
  agent(role) {
    return `flow-${/** @type {FlowRole} */ (role)}`;
  }

  /** @type {Warden["systemText"]} */
  async systemText(role, own, host) {
    const before = this.#core.readsCopy(/** @type {FlowRole} */ (role)) ? await this.#before(host) : [];
    return this.#core.systemText(/** @type {FlowRole} */ (role), own, host, before);
  }

  /**
   * Returns the project's instruction files that OpenCode would send to a reviewer.
   * @param {string} host the system prompt that it would send
   */
  async #before(host) {
    const top = await this.#place.top();
    const files = [];
    // OpenCode also loads instructions from addresses.
    for (const file of this.#core.instructionFiles(host).filter((named) => path.isAbsolute(named))) {
      // A file may be a link that leads out of the project, and the path of a project may contain a link.
      const inTop = [file, locate(file).real].find((spelled) => isBelow(spelled, top));
      if (inTop === undefined) continue;
      const now = textOf(file);
      files.push({ path: file, now, before: await this.#place.before(path.relative(top, inTop)) });
    }
    return files;
  }

  /** Allows summaries, because work on a feature may be long. */
  mayCompact() {
    return true;
  }

  /** @type {Warden["before"]} */
  async before(tool, callID, args, role) {
    const inquiry = this.#core.inquire(role, tool, JSON.stringify(args ?? {}));
    if (inquiry.kind === "deny") throw new Error(inquiry.message);
    if (this.#core.readsCopy(/** @type {FlowRole} */ (role)))
      await this.#lead(tool, callID, /** @type {any} */ (args));
    if (inquiry.kind === "allow") return;
    const lane = this.#place.lane();
    const located = (/** @type {string[]} */ all) => all.map((given) => this.#locate(given, lane?.directory));
    const within = lane === undefined ? {} : { within: this.#locate(lane.root) };
    const kept = located([...this.#place.kept, ...(lane?.kept ?? [])]);
    const facts = { kept, paths: located(inquiry.paths), ...within };
    const refused = this.#core.verdict(inquiry.paths, facts);
    if (refused !== null) throw new Error(refused);
  }

  /** @type {Warden["after"]} */
  after(_tool, callID, result) {
    const led = this.#led.get(callID);
    if (!led) return;
    this.#led.delete(callID);
    Object.assign(led.args, led.given);
    // Models name files by their paths in the project.
    const named = (/** @type {string} */ text) => text.replaceAll(this.#place.reviewed(), led.top);
    result.output = named(this.#core.withoutNearInstructions(result.output));
    result.title = named(result.title);
  }

  /**
   * Makes a reviewer's tool read the copy of the files that were checked, whatever happens to the project meanwhile.
   * @param {string} tool
   * @param {string} callID
   * @param {any} args changed in place: OpenCode keeps its own reference
   */
  async #lead(tool, callID, args) {
    const copy = this.#place.reviewed();
    if (!existsSync(copy)) return;
    const top = await this.#place.top();
    const key = tool === "read" ? "filePath" : "path";
    const given = path.resolve(join(this.#project, String(args[key] ?? "")));
    // The path of a project may contain a link.
    const inside = isBelow(given, this.#project)
      ? path.join(path.relative(top, realpathSync(this.#project)), path.relative(this.#project, given))
      : path.relative(top, given);
    const led = isBelow(given, copy) ? given : path.join(copy, inside);
    if (!isBelow(led, copy) || !isBelow(locate(led).real, locate(copy).real))
      throw new Error(`${args[key] ?? "The path"} is not one of the reviewed files.`);
    this.#led.set(callID, { args, given: { [key]: args[key] }, top });
    args[key] = led;
  }

  /**
   * @param {string} given
   * @param {string} [directory] where the session works, if not in the project
   * @returns {FlowPlace}
   */
  #locate(given, directory = this.#project) {
    const absolute = join(directory, given);
    return { given, absolute: path.resolve(absolute), real: locate(absolute).real };
  }
}

/** Returns the content of an instruction file; `null` if it can't be read. @param {string} file absolute */
function textOf(file) {
  try {
    return readPlain(file);
  } catch {
    return null;
  }
}
