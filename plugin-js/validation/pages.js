/**
 * The pages that counterfeits of the application serve (counterfeit.js): an empty one, and the application's start page as it was
 * when its tests ran, without scripts and thus without anything that these would have fetched, and with other words.
 *
 * A test that asserts the words of the start page fails there, and one that asserts only that there is a page, a heading or a list
 * passes. The names of controls stay: a test that fills in a form and asserts nothing meaningful afterwards has to get that far.
 */
import { get } from "./http.js";

/** @typedef {{type: string, body: string, data: boolean}} Page */

/** @type {Page} */
export const BLANK = {
  type: "text/html; charset=utf-8",
  body: '<!doctype html>\n<html lang="en"><head><title></title></head><body></body></html>\n',
  data: true,
};

/** The maximum number of redirects of a start page. */
const MOST_REDIRECTS = 5;

/** The time limit of a page, in ms. */
const PAGE_MS = 10_000;

/**
 * The start page of a running application.
 * @param {string} base its address
 * @returns {Promise<Page>} rejects if there is none
 */
export async function startPage(base) {
  let url = new URL("/", base);
  for (let left = MOST_REDIRECTS; ; left -= 1) {
    const { status, headers, body } = await get(url, { timeout: PAGE_MS });
    const target = headers.get("location");
    if (status >= 300 && status < 400 && target !== undefined && left > 0) {
      url = new URL(target, url);
      // Pages elsewhere don't belong to the application.
      if (url.origin !== new URL(base).origin) throw new Error(`the start page leads to ${url.origin}`);
      continue;
    }
    const type = headers.get("content-type") ?? "text/html";
    return { type, body: frozen(body.toString("utf8"), type), data: false };
  }
}

/**
 * A page without scripts and with other words.
 * @param {string} text
 * @param {string} type the content type
 */
export function frozen(text, type) {
  if (/\bjson\b/.test(type)) return withOtherValues(text);
  return /\bhtml\b/.test(type) ? withOtherWords(withoutScripts(text)) : otherWords(text);
}

/** The pieces of HTML: a comment, a style sheet, a tag, a text. */
const PIECES =
  /<!--[\s\S]*?(?:-->|$)|<style\b[\s\S]*?(?:<\/style\s*>|$)|<[!?/]?[a-z](?:"[^"]*"|'[^']*'|[^'">])*>|[^<]+|</gi;

/** The tags of controls, which users find by name. Each of these has to be closed. */
const CONTROL = /^<(\/?)(?:a|button|label|select|summary)\b/i;

/** @param {string} html */
function withOtherWords(html) {
  let within = 0;
  return html.replace(PIECES, (piece) => {
    const control = CONTROL.exec(piece);
    if (control) within = Math.max(0, within + (control[1] ? -1 : 1));
    return piece.startsWith("<") || within > 0 ? piece : otherWords(piece);
  });
}

/** Replaces strings and numbers in data; the structure stays. @param {string} text */
function withOtherValues(text) {
  const other = (/** @type {string} */ _, /** @type {unknown} */ value) => {
    if (typeof value === "number") return value + 1;
    return typeof value === "string" ? otherWords(value) : value;
  };
  try {
    return JSON.stringify(JSON.parse(text), other);
  } catch {
    return otherWords(text);
  }
}

/** Named character references, which stay; numeric ones, which don't; letters and digits. */
const LETTERS = /&[a-z]\w*;|&#\w+;|\p{L}|\p{N}/giu;

/**
 * Replaces every letter and digit, always in the same way: a letter of the Latin alphabet by the one half the alphabet away, keeping
 * upper and lower case.
 * @param {string} text
 */
function otherWords(text) {
  return text.replace(LETTERS, (found) => {
    if (/^[a-z]$/i.test(found)) {
      const first = found < "a" ? 65 : 97;
      return String.fromCharCode(first + ((found.charCodeAt(0) - first + 13) % 26));
    }
    if (/^\d$/.test(found)) return `${(Number(found) + 5) % 10}`;
    return /^&[a-z]/i.test(found) ? found : "n";
  });
}

/** @param {string} html */
export function withoutScripts(html) {
  return (
    html
      .replace(/<script\b[\s\S]*?(?:<\/script\s*>|$)/gi, "")
      .replace(/<link\b[^>]*\b(?:modulepreload|as\s*=\s*["']?script)[^>]*>/gi, "")
      // Event handlers, only within tags.
      .replace(/<[a-z](?:"[^"]*"|'[^']*'|[^'">])*>/gi, (tag) =>
        tag.replace(/\son\w+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)/gi, ""),
      )
      .replace(/javascript:/gi, "#")
  );
}
