/**
 * The isolation of one run: gathers the facts that the core asks for, and enforces its verdict.
 */
import { lookup } from "node:dns/promises";
import { lstatSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { isKeptOut } from "../design-lab/ignore-file.js";
import { isRun } from "../design-lab/outputs.js";
import { join, locate } from "../kernel/real-path.js";

/**
 * @typedef {import("../core/types.js").Facts} Facts
 * @typedef {import("../core/types.js").PathFact} PathFact
 * @typedef {import("../core/types.js").UrlFact} UrlFact
 * @typedef {import("../core/types.js").IsolationRules} Rules
 * @typedef {import("./lab-sessions.js").Warden} Warden
 */

/** @typedef {import("../core/types.js").Role} Role */

/** @type {Record<Role, string>} The agents as which a run's sessions are prompted; registered in the config hook. */
const AGENTS = {
  topic: "design-lab-topic",
  designer: "design-lab-designer",
  reviewer: "design-lab-reviewer",
};

/** @implements {Warden} */
export class Guard {
  #core;
  #handle;
  #rules;
  /** Facts of allowed calls, for the check of their results. @type {Map<string, Facts>} */
  #facts = new Map();
  /** The contents of blocked directories, until they change. @type {Map<string, Look>} */
  #looks = new Map();

  /**
   * @param {import("../core/design-lab.js").Core} core
   * @param {Rules} rules
   */
  constructor(core, rules) {
    this.#core = core;
    this.#rules = rules;
    this.#handle = core.openRules(rules);
  }

  /** @type {Warden["agent"]} */
  agent(role) {
    return AGENTS[/** @type {Role} */ (role)];
  }

  /** @type {Warden["systemText"]} */
  systemText(role, own, host) {
    return this.#core.systemText(role, own, host);
  }

  /** @type {Warden["mayCompact"]} */
  mayCompact(role, steps) {
    return this.#core.mayCompact(role, steps);
  }

  /**
   * Judges a call before it is made. Throws if it is refused: the model reads the error's message.
   * @param {string} tool
   * @param {string} callID
   * @param {unknown} args
   */
  async before(tool, callID, args) {
    const text = JSON.stringify(args ?? {});
    const inquiry = this.#core.inquire(this.#handle, tool, text);
    if (inquiry.kind === "deny") throw new Error(inquiry.message);
    /** @type {Facts} */
    const facts = nothing();
    if (inquiry.kind === "ask") {
      facts.paths = inquiry.paths.map((given) => this.#path(given));
      facts.urls = await Promise.all(inquiry.urls.map(address));
      if (inquiry.guards) {
        for (const output of this.#outputs()) {
          const { guarded, runs } = this.#look(output);
          if (guarded) facts.guarded.push(output);
          facts.runs.push(...runs);
        }
      }
      const verdict = this.#core.verdict(this.#handle, tool, text, facts);
      if (verdict.kind === "deny") throw new Error(verdict.message);
      for (const name of inquiry.drop) delete (/** @type {Record<string, unknown>} */ (args)[name]);
    }
    this.#facts.set(callID, facts);
  }

  /**
   * Removes from a result what the model may not read.
   * @param {string} tool
   * @param {string} callID
   * @param {{title: string, output: string, metadata: any}} result changed in place
   */
  after(tool, callID, result) {
    const facts = this.#facts.get(callID) ?? nothing();
    this.#facts.delete(callID);
    const output = String(result.output ?? "");
    facts.linked = namedFiles(tool, output, result.metadata)
      .filter(hasFurtherNames)
      .map((file) => this.#path(file));
    const metadata = JSON.stringify(result.metadata ?? {});
    const replacement = this.#core.withhold(this.#handle, tool, facts, output, metadata);
    if (replacement === null) return;
    result.output = replacement;
    result.title = "";
    result.metadata = {};
  }

  /**
   * Applies new rules: when other runs start or end, different paths are blocked.
   * @param {Rules} rules
   */
  renew(rules) {
    const former = this.#handle;
    this.#handle = this.#core.openRules(rules);
    this.#rules = rules;
    this.#core.closeRules(former);
  }

  /** Releases the rules at the end of the run. */
  close() {
    this.#core.closeRules(this.#handle);
  }

  /**
   * @param {string} given
   * @returns {PathFact}
   */
  #path(given) {
    const absolute = join(this.#rules.project, given);
    const { real, status } = locate(absolute);
    let kind = /** @type {PathFact["kind"]} */ ("missing");
    if (status) kind = status.isDirectory() ? "directory" : status.isFile() ? "file" : "other";
    const shared = status?.isFile() && status.nlink > 1 && this.#holds(status.dev, status.ino);
    return { given, absolute, real, kind, same_file_as_blocked: Boolean(shared) };
  }

  /**
   * Whether this file itself is blocked, or is also a file in one of the blocked directories.
   * @param {number} device
   * @param {number} inode
   */
  #holds(device, inode) {
    const same = (/** @type {string} */ file) => {
      const status = statSync(file, { throwIfNoEntry: false });
      return status?.dev === device && status.ino === inode;
    };
    const configuration = this.#rules.blocked.filter((root) => !root.designs);
    if (configuration.some((root) => same(root.path))) return true;
    return this.#outputs().some((root) => {
      try {
        const entries = readdirSync(root, { recursive: true, withFileTypes: true });
        return entries.some((entry) => entry.isFile() && same(path.join(entry.parentPath, entry.name)));
      } catch (error) {
        // A missing directory contains nothing; one that can't be read may contain it.
        return /** @type {NodeJS.ErrnoException} */ (error).code !== "ENOENT";
      }
    });
  }

  /**
   * Returns the contents of a blocked directory. Reads it again when it or its `.rgignore` has changed.
   * @param {string} directory
   * @returns {Look}
   */
  #look(directory) {
    const changes = [directory, path.join(directory, ".rgignore")].map(changeOf);
    const stamp = changes.join();
    const known = this.#looks.get(directory);
    if (known?.stamp === stamp) return known;
    const look = {
      stamp,
      guarded: isKeptOut(directory),
      runs: isRun(directory) ? [directory] : directories(directory),
    };
    // A change that follows immediately may have the same time stamp.
    if (Date.now() - Math.max(...changes) > TICK_MS) this.#looks.set(directory, look);
    return look;
  }

  /** Returns the blocked directories that hold designs. The host's own are large and hold none as files. */
  #outputs() {
    return this.#rules.blocked.filter((root) => root.designs).map((root) => root.path);
  }
}

/**
 * @typedef {object} Look
 * @property {string} stamp when the directory and its `.rgignore` last changed
 * @property {boolean} guarded whether searches skip it
 * @property {string[]} runs the directories in it that may be runs, absolute; the directory itself if it is a run
 */

/** Changes within this time may have the same time stamp. */
const TICK_MS = 100;

/**
 * Returns when a file or directory last changed; 0 if it doesn't exist.
 * @param {string} file
 */
function changeOf(file) {
  try {
    return statSync(file, { throwIfNoEntry: false })?.ctimeMs ?? 0;
  } catch {
    return 0;
  }
}

/** @returns {Facts} */
function nothing() {
  return { paths: [], urls: [], guarded: [], runs: [], linked: [] };
}

/** @param {string} directory */
function directories(directory) {
  try {
    const entries = readdirSync(directory, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map((entry) => path.join(directory, entry.name));
  } catch {
    return [];
  }
}

/**
 * Returns the files whose text a result contains although the call didn't name them.
 * @param {string} tool
 * @param {string} output
 * @param {any} metadata
 * @returns {string[]} absolute
 */
function namedFiles(tool, output, metadata) {
  const loaded = Array.isArray(metadata?.loaded) ? metadata.loaded : [];
  const lines = tool === "grep" ? output.split("\n").filter((line) => line.endsWith(":")) : [];
  const itself = tool === "read" ? /^<path>(.*)<\/path>/.exec(output)?.[1] : undefined;
  return [...loaded, itself, ...lines.map((line) => line.slice(0, -1))].filter(
    (file) => typeof file === "string" && path.isAbsolute(file),
  );
}

/** @param {string} file */
function hasFurtherNames(file) {
  const status = lstatSync(file, { throwIfNoEntry: false });
  return status !== undefined && (status.isSymbolicLink() || status.nlink > 1);
}

/**
 * Resolves an address with the platform's own parser and resolver.
 * @param {string} given
 * @returns {Promise<UrlFact>}
 */
async function address(given) {
  if (!URL.canParse(given)) return { given, protocol: "", host: "", addresses: [] };
  const url = new URL(given);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const found = host === "" ? [] : await lookup(host, { all: true }).catch(() => []);
  return { given, protocol: url.protocol, host, addresses: found.map((entry) => entry.address) };
}
