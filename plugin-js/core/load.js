/**
 * The core, loaded on first need: every decision is made there.
 *
 * Values cross the boundary as JSON text; expected failures come back as data and are thrown here as
 * {@link DesignLabError}, so that callers see either a value or the reason why there is none.
 */
import { readFileSync, realpathSync } from "node:fs";
import os from "node:os";
import { load } from "#core";

/** @typedef {import("./types.js").Problem} Problem */

/** An expected failure: its problems say what is wrong, where, and what to do. */
export class DesignLabError extends Error {
  /** @param {Problem[]} problems at least one */
  constructor(problems) {
    super(problems.map((problem) => problem.message).join(" "));
    this.name = "DesignLabError";
    this.code = problems[0]?.code ?? "internal.unknown";
    this.problems = problems;
  }
}

/** @type {ReturnType<typeof load> | undefined} */
let wasm;

/** Loads the core. Nothing is asked of it before it knows what must never leave it. */
function loaded() {
  if (!wasm) {
    wasm = load();
    wasm.know(json(surroundings([])));
  }
  return wasm;
}

/**
 * What this machine holds: which of it is secret is the core's business.
 * @param {[string, string][]} settings beside the environment's
 * @returns {import("./types.js").Surroundings}
 */
export function surroundings(settings) {
  const environment = Object.entries(process.env).map(([name, value]) => [name, value ?? ""]);
  const home = os.homedir();
  return {
    settings: /** @type {[string, string][]} */ ([...environment, ...settings]),
    homes: [...new Set([home, real(home)])],
  };
}

/** @param {string} directory */
function real(directory) {
  try {
    return realpathSync(directory);
  } catch {
    return directory;
  }
}

/**
 * Gives the core the key by which this machine recognises its own runs.
 * @param {string} key in hex; empty where there is none
 */
export function holdKey(key) {
  loaded().holdKey(key);
}

/**
 * What vouches for a text as written on this machine: made by the key that the core holds.
 * @param {string} purpose what kind of text it is; holds no NUL
 * @param {string} text
 * @returns {string | undefined} in hex; undefined where there is no key
 */
export function vouch(purpose, text) {
  return guarded((core) => core.vouch(purpose, text));
}

/**
 * Calls into the core. A panic there is a bug of ours: it is reported with its message and leaves the core usable.
 * @template T
 * @param {(wasm: ReturnType<typeof load>) => T} call
 * @returns {T}
 */
export function guarded(call) {
  const core = loaded();
  try {
    return call(core);
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError)) throw error;
    const message = core.takePanic() ?? String(error);
    throw new DesignLabError([
      {
        code: "internal.panic",
        message: `The core failed: ${message}.`,
        next: "Nothing is lost: /design-lab-resume continues from the journal. Please report this message.",
      },
    ]);
  }
}

/**
 * @param {(wasm: ReturnType<typeof load>) => string} call returns `{"ok": …}` or `{"problems": […]}` as JSON text
 * @returns {any} the value
 */
export function outcome(call) {
  const result = JSON.parse(guarded(call));
  if (result.problems) throw new DesignLabError(result.problems);
  return result.ok;
}

/**
 * JSON text that Rust reads: lone surrogates, which models do produce, become U+FFFD.
 * @param {unknown} value
 */
export function json(value) {
  const text = JSON.stringify(value);
  // Only lone surrogates are written so, and texts that speak of them.
  if (!text?.includes("\\ud")) return text;
  return JSON.stringify(value, (_, item) => (typeof item === "string" ? item.toWellFormed() : item));
}

/** The version of this package. */
export function packageVersion() {
  return String(JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")).version);
}

/**
 * @param {string[]} argv a command
 * @param {string} output of it, all
 * @returns {import("./types.js").TestsTold | null} what it shows about tests; null if it doesn't tell
 */
export function testsTold(argv, output) {
  return outcome((wasm) => wasm.testsTold(json(argv), output));
}
