/**
 * The core, loaded on first need: every decision is made there.
 *
 * Values cross the boundary as JSON text; expected failures are returned as data and thrown here as {@link DesignLabError}, so
 * that callers get either a value or the reason why there is none.
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

/** Loads the core. Before any other call, it learns what must never leave it. */
function loaded() {
  if (!wasm) {
    wasm = load();
    know([]);
  }
  return wasm;
}

/**
 * Tells the core what may contain secrets, in addition to the environment: the secrets never leave it.
 * @param {[string, string][]} settings by name
 */
export function know(settings) {
  call("shared.know", json(surroundings(settings)));
}

/**
 * The environment, the settings and the home directories of this machine: the core decides which of them are secret.
 * @param {[string, string][]} settings in addition to the environment's
 * @returns {import("./types.js").Surroundings}
 */
function surroundings(settings) {
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
 * Calls into the core. A panic there is a bug of ours: it is reported with its message, and the core stays usable.
 * @template T
 * @param {(wasm: ReturnType<typeof load>) => T} call
 * @returns {T}
 */
function guarded(call) {
  const core = loaded();
  try {
    return call(core);
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError)) throw error;
    const message = core.takePanic() ?? String(error);
    throw new DesignLabError([
      {
        code: "internal.panic",
        message: `Design Lab failed: ${message}.`,
        next: "Nothing is lost: /design-lab-resume continues from the journal. Please report this message.",
      },
    ]);
  }
}

/**
 * Performs a call of the lists in `src/boundary/`. The classes beside this file, which are generated from the lists, know its types.
 * @param {string} name
 * @param {string[]} texts its arguments, at most five
 * @returns {any} its result
 */
export function call(name, ...texts) {
  const [first = "", second = "", third = "", fourth = "", fifth = ""] = texts;
  return outcome((wasm) => wasm.call(name, first, second, third, fourth, fifth));
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
 * JSON text that Rust can read: lone surrogates, which models do produce, become U+FFFD.
 * @param {unknown} value
 */
export function json(value) {
  const text = JSON.stringify(value);
  // Only lone surrogates, and texts about them, are written this way.
  if (!text?.includes("\\ud")) return text;
  return JSON.stringify(value, (_, item) => (typeof item === "string" ? item.toWellFormed() : item));
}

/** The version of this package. */
export function packageVersion() {
  return String(JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")).version);
}
