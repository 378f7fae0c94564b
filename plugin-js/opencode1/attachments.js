/**
 * What the user attached to a command, as OpenCode 1.18 hands it over: file parts, each with an address. Names with `@` are made
 * parts by the server, and by the TUI as well: what is there twice is meant once.
 */
import path from "node:path";
import { fileURLToPath } from "node:url";

/** @typedef {import("../shell/attachments.js").Named} Named */

/**
 * @param {any[]} parts
 * @returns {Named[]}
 */
export function attachedTo(parts) {
  const files = parts.filter((part) => part.type === "file" && typeof part.url === "string");
  const urls = [...new Set(files.map((part) => part.url))];
  return urls.map((url) => described(files.find((part) => part.url === url)));
}

/**
 * @param {{url: string, mime?: string, filename?: string}} part
 * @returns {Named}
 */
function described({ url, mime = "", filename }) {
  if (url.startsWith("file:")) {
    const address = new URL(url);
    const file = fileURLToPath(address);
    return { name: filename ?? path.basename(file), mime, file, lines: linesOf(address.searchParams) };
  }
  const data = /^data:[^,]*?(;base64)?,(.*)$/s.exec(url);
  const name = filename ?? "what was pasted";
  if (!data) return { name, mime, lines: null };
  const bytes = data[1] ? Buffer.from(data[2] ?? "", "base64") : Buffer.from(decoded(data[2] ?? ""));
  return { name, mime, bytes, lines: null };
}

/**
 * `@file#10-20` comes as `?start=10&end=20`, both from 1 and both meant.
 * @param {URLSearchParams} search
 * @returns {import("../types.js").Lines | null}
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
