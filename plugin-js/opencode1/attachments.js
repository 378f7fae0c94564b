/**
 * What the user attached to a command, as OpenCode 1.18 hands it over: file parts, each with an address. Names with `@` are made
 * parts by the server, and by the TUI as well: what is there twice is meant once.
 */
import { statSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** @typedef {import("../design-lab/attachments.js").Named} Named */

/**
 * @param {any[]} parts
 * @param {string} text what was typed
 * @param {string} root what names in the text are relative to
 * @returns {Named[]}
 */
export function attachedTo(parts, text, root) {
  const files = parts.filter((part) => part.type === "file" && typeof part.url === "string");
  /** @type {Map<string, Named>} by address, which is a place on this machine where it has one */
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
 * In the order in which they are named: OpenCode hands them over as it gets them read. Others come last, as they came.
 * @param {Named[]} attached
 * @param {string} text
 */
function inOrder(attached, text) {
  const placed = attached.map((named) => {
    // What goes on is another name, but for the end of a sentence.
    const name = `@${named.name.replace(/[^\w]/g, "\\$&")}(?![\\w#/-]|\\.\\w)`;
    const at = text.search(new RegExp(name));
    return { named, at: at < 0 ? text.length : at };
  });
  return placed.sort((one, other) => one.at - other.at).map(({ named }) => named);
}

/**
 * Files and folders that were typed and that OpenCode has not made parts (seen on 1.18.33): it takes `file#10-20` for a name, and so it does
 * GitHub's `file#L10-L20`; and
 * `opencode run` puts a text with spaces in quotes, the last of which it takes for the end of the name.
 * @param {string} text
 * @param {string} root
 * @returns {Named[]}
 */
function typed(text, root) {
  const named = [];
  for (const [, word = "", range = "", first, last] of text.matchAll(
    /(?<![\w`])@([^\s`"'#]+)(#L?(\d+)(?:-L?(\d+))?(?![\w#-]))?/g,
  )) {
    // What ends a sentence may end a name as well.
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
 * `@file#10-20` comes as `?start=10&end=20`, both from 1 and both meant.
 * @param {URLSearchParams} search
 * @returns {import("../core/types.js").Lines | null}
 */
function linesOf(search) {
  const first = Number.parseInt(search.get("start") ?? "", 10);
  if (!(first >= 0)) return null;
  const last = Number.parseInt(search.get("end") ?? "", 10);
  return { first: bounded(first), last: last >= 0 ? bounded(last) : null };
}

/** What the core counts lines by. @param {number} line */
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
