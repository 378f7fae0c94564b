/**
 * The pages that counterfeits of the application give (counterfeit.js): an empty one, and the application's start page as it was
 * when its tests were run, without scripts and thus without whatever these would have fetched.
 */
import { get } from "./http.js";

/** @typedef {{type: string, body: string, data: boolean}} Page */

/** @type {Page} */
export const BLANK = {
  type: "text/html; charset=utf-8",
  body: '<!doctype html>\n<html lang="en"><head><title></title></head><body></body></html>\n',
  data: true,
};

/** How often a start page may lead on to another. */
const MOST_REDIRECTS = 5;

/** How long a page may take, in ms. */
const PAGE_MS = 10_000;

/**
 * The start page of an application that runs.
 * @param {string} base its address
 * @returns {Promise<Page>} rejects where it gives none
 */
export async function startPage(base) {
  let url = new URL("/", base);
  for (let left = MOST_REDIRECTS; ; left -= 1) {
    const { status, headers, body } = await get(url, { timeout: PAGE_MS });
    const target = headers.get("location");
    if (status >= 300 && status < 400 && target !== undefined && left > 0) {
      url = new URL(target, url);
      // What lies elsewhere isn't the application's.
      if (url.origin !== new URL(base).origin) throw new Error(`the start page leads to ${url.origin}`);
      continue;
    }
    const type = headers.get("content-type") ?? "text/html";
    return { type, body: withoutScripts(body.toString("utf8")), data: false };
  }
}

/** @param {string} html */
export function withoutScripts(html) {
  return (
    html
      .replace(/<script\b[\s\S]*?(?:<\/script\s*>|$)/gi, "")
      .replace(/<link\b[^>]*\b(?:modulepreload|as\s*=\s*["']?script)[^>]*>/gi, "")
      // Handlers, within tags alone.
      .replace(/<[a-z](?:"[^"]*"|'[^']*'|[^'">])*>/gi, (tag) =>
        tag.replace(/\son\w+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)/gi, ""),
      )
      .replace(/javascript:/gi, "#")
  );
}
