/**
 * A program for Node.js that looks at pages of the application in a browser: each page's metadata, and what axe-core finds on it.
 * No test runs in it, and each page is loaded afresh. Its one argument is a file that names the pages; it writes its findings to
 * another file.
 */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

/**
 * @typedef {import("../core/types.js").ValidationPageSeen} PageSeen
 *
 * @typedef {object} Wanted
 * @property {string} library Playwright
 * @property {import("@playwright/test").LaunchOptions} launch
 * @property {string | null} axe the file of axe-core; null if it isn't used
 * @property {string[]} pages
 * @property {number} page_ms the time limit of each page
 * @property {string} report the output file
 */

/** The rules of axe-core that are used: the requirements of WCAG at levels A and AA. */
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** The maximum number of items that is reported for one page (src/validation/protocol.rs), and the maximum length of a text. */
const MOST = 50;
const LONGEST = 500;

/** How long a page may continue loading after its first content, in ms: scripts build some pages. */
const SETTLE_MS = 5_000;

const [, , file = ""] = process.argv;
const wanted = /** @type {Wanted} */ (JSON.parse(readFileSync(file, "utf8")));
const { chromium } = createRequire(import.meta.url)(wanted.library);
const script = wanted.axe === null ? null : readFileSync(wanted.axe, "utf8");
/** @type {import("@playwright/test").Browser} */
const browser = await chromium.launch(wanted.launch);
const pages = [];
for (const url of wanted.pages) pages.push(await look(url));
await browser.close();
const axe = script === null ? null : (/axe v(\S+)/.exec(script.slice(0, LONGEST))?.[1] ?? "unknown");
writeFileSync(`${wanted.report}.part`, `${JSON.stringify({ pages, axe }, null, 2)}\n`);
renameSync(`${wanted.report}.part`, wanted.report);

/**
 * @param {string} url
 * @returns {Promise<PageSeen>}
 */
async function look(url) {
  const nothing = {
    url,
    at: url,
    status: null,
    is_html: false,
    title: null,
    language: null,
    description: null,
    canonical: null,
    barriers: [],
    problem: null,
  };
  // A page may block foreign scripts; nobody can vouch for a certificate that this machine made itself.
  const context = await browser.newContext({ bypassCSP: true, ignoreHTTPSErrors: true });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(wanted.page_ms);
    const response = await page.goto(url, { timeout: wanted.page_ms });
    await page.waitForLoadState("networkidle", { timeout: SETTLE_MS }).catch(() => {});
    const said = await page.evaluate(metadata);
    const seen = { ...nothing, at: page.url(), status: response?.status() ?? null, ...shortened(said) };
    return { ...seen, barriers: script !== null && seen.is_html ? await barriers(page, script) : [] };
  } catch (error) {
    return { ...nothing, problem: short(error instanceof Error ? error.message : String(error)) };
  } finally {
    await context.close();
  }
}

/** The metadata of a page. It runs in the page. */
function metadata() {
  const meta = /** @type {HTMLMetaElement | null} */ (document.querySelector('meta[name="description" i]'));
  const link = /** @type {HTMLLinkElement | null} */ (
    document.querySelector('link[rel~="canonical" i][href]')
  );
  return {
    is_html: document.contentType === "text/html",
    title: document.title,
    language: document.documentElement.lang,
    description: meta?.content ?? null,
    canonical: link?.href ?? null,
  };
}

/** @param {ReturnType<typeof metadata>} said */
function shortened({ is_html, ...texts }) {
  const wording = Object.entries(texts).map(([key, text]) => [key, text === null ? null : short(text)]);
  return /** @type {ReturnType<typeof metadata>} */ ({ is_html, ...Object.fromEntries(wording) });
}

/**
 * @param {import("@playwright/test").Page} page
 * @param {string} axe its text
 * @returns {Promise<PageSeen["barriers"]>}
 */
async function barriers(page, axe) {
  // As a separate module, so that it can't be confused with the page's own `axe`.
  const { violations } = await page.evaluate(`(async () => {
    const module = { exports: {} };
    ${axe}
    const options = { runOnly: { type: "tag", values: ${JSON.stringify(RULES)} }, resultTypes: ["violations"] };
    return module.exports.run(document, options);
  })()`);
  return violations.slice(0, MOST).map((/** @type {import("axe-core").Result} */ broken) => ({
    rule: broken.id,
    impact: broken.impact ?? "minor",
    help: short(broken.help),
    elements: broken.nodes.length,
    example: short(String(broken.nodes[0]?.target.join(" ") ?? "")),
  }));
}

/** @param {string} text */
function short(text) {
  return text.slice(0, LONGEST);
}
