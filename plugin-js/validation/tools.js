/**
 * Where Playwright Test, Node.js and a browser are. Nothing is installed and nothing is run to find out; what isn't found is told.
 * Playwright Test is the project's own; where that has none, the one that `/validate-init --install` has put into a directory of ours.
 */
import { readFileSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { find } from "../kernel/group.js";

/**
 * @typedef {import("../core/types.js").ValidationObstacle} Obstacle
 * @typedef {Record<string, string>} Environment
 *
 * @typedef {object} Tools
 * @property {string} node
 * @property {string} cli Playwright's program
 * @property {string} library what tests import
 * @property {string | null} directory where Playwright Test is, from the project's root; null if the root finds it
 * @property {string | null} browser null for Playwright's own
 * @property {boolean} films whether Playwright has what it makes videos by
 *
 * @typedef {object} Where
 * @property {string} project absolute
 * @property {{directory: string | null}} settings
 *
 * @typedef {object} Playwright
 * @property {string} directory of `@playwright/test`
 * @property {string | undefined} core of `playwright-core`
 */

/** Where Playwright Test is put where the project has none (src/validation/install.rs). */
const INSTALLED = ".opencode/validation";

const PACKAGE = "@playwright/test";

/**
 * Browsers by their names, and where macOS and Windows keep them. First the one without windows, as Playwright's own is: it starts
 * in a third of the time. Then the likeliest.
 */
const NAMES = [
  "chromium-headless-shell",
  "google-chrome",
  "google-chrome-stable",
  "chromium",
  "chromium-browser",
  "microsoft-edge",
];
const PLACES = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
];

/**
 * @param {object} where
 * @param {string} where.project absolute
 * @param {{browser: string | null, directory: string | null}} where.settings
 * @param {Environment} where.environment
 * @returns {Tools | Obstacle}
 */
export function findTools({ project, settings, environment }) {
  const node = find(process.platform === "win32" ? "node.exe" : "node", environment.PATH ?? "");
  if (!node) return { obstacle: "no_node" };
  const directory = placeOf({ project, settings });
  const playwright = directory !== undefined && findPlaywright(path.resolve(project, directory ?? "."));
  if (!playwright) return { obstacle: "no_playwright" };
  const browsers = browsersOf(playwright, environment);
  const browser = settings.browser
    ? given(project, settings.browser, environment)
    : (browsers.own ?? findBrowser(environment));
  if (browser === undefined) return { obstacle: "no_browser", directory };
  const [cli, library] = ["cli.js", "index.js"].map((file) => path.join(playwright.directory, file));
  return { node, cli: cli ?? "", library: library ?? "", directory, browser, films: browsers.films };
}

/**
 * What there is of Playwright Test before it is installed.
 * @param {Where} where
 * @returns {import("../core/types.js").ValidationInstallInput}
 */
export function findInstall({ project, settings }) {
  const own = findPlaywright(path.resolve(project, settings.directory ?? ".")) !== undefined;
  const place = path.join(project, INSTALLED);
  const stands = statSync(place, { throwIfNoEntry: false }) ? textOf(path.join(place, "package.json")) : null;
  return { own, installed: versionIn(place) ?? null, stands };
}

/** Whether tests run by the Playwright Test that was installed for them. @param {Where} where */
export function isInstalled(where) {
  return placeOf(where) === INSTALLED;
}

/**
 * The version of the Playwright Test that is installed in this very directory; none unless it is whole.
 * @param {string} directory absolute
 * @returns {string | undefined}
 */
export function versionIn(directory) {
  if (!isFile(path.join(directory, "node_modules", PACKAGE, "cli.js"))) return undefined;
  const playwright = findPlaywright(directory);
  // What lies above belongs to somebody else.
  if (!playwright?.core || path.relative(realpathSync(directory), playwright.core).startsWith(".."))
    return undefined;
  const { version } = readJson(path.join(playwright.directory, "package.json"));
  return typeof version === "string" ? version : undefined;
}

/**
 * Where Playwright Test is, from the project's root; null if the root finds it.
 * @param {Where} where
 * @returns {string | null | undefined} undefined where it is nowhere
 */
function placeOf({ project, settings: { directory } }) {
  if (findPlaywright(path.resolve(project, directory ?? "."))) return directory;
  return versionIn(path.join(project, INSTALLED)) === undefined ? undefined : INSTALLED;
}

/**
 * The file of axe-core, which is looked for where Playwright is.
 * @param {Where} where
 * @returns {string | undefined}
 */
export function findAxe({ project, settings }) {
  const from = path.resolve(project, placeOf({ project, settings }) ?? ".");
  const wrapped = packageFrom(from, "@axe-core/playwright");
  const directory = packageFrom(from, "axe-core") ?? (wrapped && packageFrom(wrapped, "axe-core"));
  const file = directory && path.join(directory, "axe.min.js");
  return file && isFile(file) ? file : undefined;
}

/**
 * @param {string} from absolute
 * @returns {Playwright | undefined}
 */
function findPlaywright(from) {
  const directory = packageFrom(from, PACKAGE);
  if (!directory) return undefined;
  const inner = packageFrom(directory, "playwright");
  return { directory, core: inner && packageFrom(inner, "playwright-core") };
}

/**
 * A package as Node.js finds it.
 * @param {string} from absolute
 * @param {string} name
 */
function packageFrom(from, name) {
  for (let folder = from; ; folder = path.dirname(folder)) {
    const directory = path.join(folder, "node_modules", name);
    if (isFile(path.join(directory, "package.json"))) return realpathSync(directory);
    if (path.dirname(folder) === folder) return undefined;
  }
}

/**
 * What Playwright has installed for itself.
 * @param {Playwright} playwright
 * @param {Environment} environment
 * @returns {{own: null | undefined, films: boolean}}
 */
function browsersOf({ core }, environment) {
  if (!core) return { own: undefined, films: false };
  const folder = browserFolder(core, environment);
  /** @type {{name: string, revision: string}[]} */
  const listed = readJson(path.join(core, "browsers.json")).browsers ?? [];
  const isThere = (/** @type {string} */ name) =>
    listed
      .filter((browser) => browser.name === name)
      .some(({ revision }) =>
        isFile(path.join(folder, `${name.replaceAll("-", "_")}-${revision}`, "INSTALLATION_COMPLETE")),
      );
  return { own: isThere("chromium-headless-shell") ? null : undefined, films: isThere("ffmpeg") };
}

/**
 * @param {string} core
 * @param {Environment} environment
 */
function browserFolder(core, environment) {
  const named = environment.PLAYWRIGHT_BROWSERS_PATH;
  if (named === "0") return path.join(core, ".local-browsers");
  if (named) return path.resolve(named);
  const home = environment.HOME ?? homedir();
  if (process.platform === "darwin") return path.join(home, "Library/Caches/ms-playwright");
  if (process.platform === "win32")
    return path.join(environment.LOCALAPPDATA ?? path.join(home, "AppData/Local"), "ms-playwright");
  return path.join(environment.XDG_CACHE_HOME ?? path.join(home, ".cache"), "ms-playwright");
}

/** @param {string} file @returns {any} an empty object where it can't be read */
function readJson(file) {
  try {
    return JSON.parse(textOf(file)) ?? {};
  } catch {
    return {};
  }
}

/** @param {string} file @returns {string} empty where it can't be read */
function textOf(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/**
 * The browser that the settings name: a file, or a program's name.
 * @param {string} project
 * @param {string} browser
 * @param {Environment} environment
 */
function given(project, browser, environment) {
  if (!/[\\/]/.test(browser)) return find(browser, environment.PATH ?? "");
  const file = path.resolve(project, browser);
  return isFile(file) ? file : undefined;
}

/**
 * A browser that Playwright can drive, beside its own.
 * @param {{PATH?: string}} environment
 */
export function findBrowser({ PATH = "" }) {
  for (const name of NAMES) {
    const file = find(name, PATH);
    if (file) return file;
  }
  return PLACES.find(isFile);
}

/** @param {string} file */
function isFile(file) {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
}
