/**
 * The files that the user attached to a command, as OpenCode 1.18 passes them: file parts, each with an address. Both the server and
 * the TUI turn names with `@` into parts, so duplicates count once.
 */
import { statSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** @typedef {import("../design-lab/attachments.js").Named} Named */

/**
 * @param {any[]} parts
 * @param {string} text what was typed
 * @param {string} root the directory to which names in the text are relative
 * @returns {Named[]}
 */
export function attachedTo(parts, text, root) {
  const files = parts.filter((part) => part.type === "file" && typeof part.url === "string");
  /** @type {Map<string, Named>} by address, or by path and lines for a file on this machine */
  const attached = new Map();
  /** @param {string} address @param {Named} one */
  const add = (address, one) => {
    const key = one.file === undefined ? address : JSON.stringify([one.file, one.lines]);
    if (!attached.has(key)) attached.set(key, one);
  };
  for (const part of files) add(part.url, described(part));
  for (const one of typed(text, root)) add(one.name, one);
  return inOrder([...attached.values()], text);
}

/**
 * Sorts attachments in the order in which the text names them: OpenCode passes them in the order in which it finishes reading them.
 * Others come last, in their original order.
 * @param {Named[]} attached
 * @param {string} text
 */
function inOrder(attached, text) {
  const placed = attached.map((named) => {
    // A name that continues is a different name, unless a sentence ends there.
    const name = `@${named.name.replace(/[^\w]/g, "\\$&")}(?![\\w#/-]|\\.\\w)`;
    const at = text.search(new RegExp(name));
    return { named, at: at < 0 ? text.length : at };
  });
  return placed.sort((one, other) => one.at - other.at).map(({ named }) => named);
}

/**
 * Returns files and folders that were typed but that OpenCode hasn't turned into parts (seen on 1.18.33): it reads `file#10-20` as a
 * name, and also GitHub's `file#L10-L20`; and `opencode run` puts a text with spaces in quotes, and reads the last quote as the end
 * of the name.
 * @param {string} text
 * @param {string} root
 * @returns {Named[]}
 */
function typed(text, root) {
  const named = [];
  for (const [, word = "", range = "", first, last] of text.matchAll(
    /(?<![\w`])@([^\s`"'#]+)(#L?(\d+)(?:-L?(\d+))?(?![\w#-]))?/g,
  )) {
    // Punctuation at the end of a sentence may also be the end of a name.
    const name = [word, word.replace(/[.,;:!?)]+$/, "")].find((name) => kindOf(name, root));
    if (name === undefined) continue;
    const file = path.resolve(root, atHome(name));
    const lines =
      first === undefined
        ? null
        : { first: bounded(Number(first)), last: last === undefined ? null : bounded(Number(last)) };
    const mime = kindOf(name, root) === "folder" ? "application/x-directory" : "text/plain";
    named.push({ name: name + range, mime, file, lines });
  }
  return named;
}

/**
 * @param {string} name
 * @param {string} root
 */
function kindOf(name, root) {
  const found = statSync(path.resolve(root, atHome(name)), { throwIfNoEntry: false });
  if (found?.isDirectory()) return "folder";
  return found?.isFile() ? "file" : undefined;
}

/** @param {string} name */
const atHome = (name) => name.replace(/^~(?=\/)/, homedir());

/**
 * @param {{url: string, mime?: string, filename?: string}} part
 * @returns {Named}
 */
function described({ url, mime = "", filename }) {
  if (url.startsWith("file:")) {
    const address = new URL(url);
    // A folder's address may end in a slash, as the TUI writes it, or not, as the server does.
    const file = path.resolve(fileURLToPath(address));
    return { name: filename ?? path.basename(file), mime, file, lines: linesOf(address.searchParams) };
  }
  const data = /^data:[^,]*?(;base64)?,(.*)$/s.exec(url);
  const name = filename ?? "the pasted text";
  if (!data) return { name, mime, lines: null };
  const bytes = data[1] ? Buffer.from(data[2] ?? "", "base64") : Buffer.from(decoded(data[2] ?? ""));
  return { name, mime, bytes, lines: null };
}

/**
 * Returns the lines that `@file#10-20` selects; it comes as `?start=10&end=20`, counted from 1 and both inclusive.
 * @param {URLSearchParams} search
 * @returns {import("../core/types.js").Lines | null}
 */
function linesOf(search) {
  const first = Number.parseInt(search.get("start") ?? "", 10);
  if (!(first >= 0)) return null;
  const last = Number.parseInt(search.get("end") ?? "", 10);
  return { first: bounded(first), last: last >= 0 ? bounded(last) : null };
}

/** Limits a line number to the core's integer type. @param {number} line */
function bounded(line) {
  return Math.min(line, 2 ** 32 - 1);
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
