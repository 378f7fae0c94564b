/**
 * Translates tool calls, their results and permission rules between OpenCode 2 and the form in which they are judged, which is that of
 * OpenCode 1. Names and arguments are those of 2.0.15.
 */
import { homedir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { requestText } from "../hosts/lab-sessions.js";

/**
 * @typedef {import("./context.js").Rule} Rule
 * @typedef {{tool: string, id: string, input?: any, result: import("./context.js").ToolResult}} Read a call that was made
 */

/** The tools whose names differ. */
const NAMES = new Map([
  ["patch", "apply_patch"],
  ["shell", "bash"],
  ["subagent", "task"],
]);

/** The tools that OpenCode 1 gives `filePath` instead of `path`. */
const TAKES_FILE_PATH = ["edit", "read", "write"];

/** The tools whose `path` may be below the home directory. */
const TAKES_PATH = [...TAKES_FILE_PATH, "glob", "grep"];

/**
 * Returns a call in the form in which it is judged.
 * @param {string} tool
 * @param {Record<string, unknown> | undefined} input
 */
export function judged(tool, input) {
  const args = plain(tool, input);
  if (TAKES_FILE_PATH.includes(tool)) {
    args.filePath = args.path;
    delete args.path;
  }
  return { tool: NAMES.get(tool) ?? tool, args };
}

/**
 * Returns the input with which a call is made after it was judged: guards may have changed its arguments.
 * @param {string} tool
 * @param {Record<string, unknown>} args
 */
export function called(tool, args) {
  const input = { ...args };
  if (TAKES_FILE_PATH.includes(tool)) {
    input.path = input.filePath;
    delete input.filePath;
  }
  return input;
}

/**
 * @param {string} tool
 * @param {Record<string, unknown>} [input]
 */
function plain(tool, input = {}) {
  const args = { ...input };
  // OpenCode 2 looks for `~/` in the home directory, whereas a path is judged as one of the project.
  if (TAKES_PATH.includes(tool) && typeof args.path === "string")
    args.path = args.path.replace(/^~(?=\/|$)/, home());
  if (TAKES_FILE_PATH.includes(tool)) delete args.filePath;
  // A command in the background would wake the session's model when it ends, after the call is over.
  if (tool === "shell") delete args.background;
  return args;
}

/** The home directory, as OpenCode sees it. */
function home() {
  return process.env.OPENCODE_TEST_HOME ?? homedir();
}

/**
 * Removes from the result of a call, in place, what its model may not read.
 * @param {Read} event
 * @param {import("../hosts/lab-sessions.js").Warden} guard
 * @param {string} directory the one to which paths are relative
 */
export function withhold(event, guard, directory) {
  const { content } = event.result;
  const items = typeof content === "string" ? [{ type: "text", text: content }] : content;
  const text = items.map((item) => item.text ?? "").join("\n");
  // OpenCode 1 names what was read in the first line, where guards look for it.
  const frame = frameOf(event, directory);
  const result = { title: "", output: frame + text, metadata: { ...event.result.metadata } };
  guard.after(NAMES.get(event.tool) ?? event.tool, event.id, result);
  if (result.output === frame + text) return;
  const kept = result.output.startsWith(frame) ? result.output.slice(frame.length) : result.output;
  event.result = { content: [{ type: "text", text: kept }] };
}

/** @param {Read} event @param {string} directory */
function frameOf({ tool, input, result }, directory) {
  if (tool !== "read") return "";
  const uri = result.output?.uri;
  // A listing doesn't name its directory in full.
  const isFile = typeof uri === "string" && uri.startsWith("file:");
  const named = isFile ? fileURLToPath(uri) : plain(tool, input).path;
  return typeof named === "string" ? `<path>${path.resolve(directory, named)}</path>\n` : "";
}

/**
 * Returns a permission map of OpenCode 1 as the rules of OpenCode 2, in the same order: the last one that matches decides in both. A
 * question to the user would keep a session waiting for ever, because nobody watches it: so it counts as a refusal.
 * @param {Record<string, string | Record<string, string>>} [map]
 * @returns {Rule[]}
 */
export function rulesOf(map = {}) {
  return Object.entries(map).flatMap(([permission, value]) => {
    const action = ofHost(permission);
    const entries = typeof value === "string" ? [["*", value]] : Object.entries(value);
    return entries.map(([resource = "*", effect]) => ({
      action,
      resource,
      effect: /** @type {Rule["effect"]} */ (effect === "allow" ? "allow" : "deny"),
    }));
  });
}

/**
 * Returns rules of OpenCode 2 in the form of OpenCode 1.
 * @param {Rule[]} rules
 */
export function knownRules(rules) {
  return rules.map(({ action, resource, effect }) => ({
    permission: NAMES.get(action) ?? action,
    pattern: resource,
    action: effect,
  }));
}

/**
 * Returns a request for permission in words.
 * @param {{action: string, resource?: string, resources?: string[]}} event
 */
export function requested({ action, resource, resources }) {
  return requestText(NAMES.get(action) ?? action, resources ?? [resource ?? ""]);
}

/** @param {string} permission of OpenCode 1 */
function ofHost(permission) {
  if (permission === "apply_patch") return "edit";
  return [...NAMES].find(([, known]) => known === permission)?.[0] ?? permission;
}
