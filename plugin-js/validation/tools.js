/**
 * Finds Playwright Test, Node.js and a browser, without installing or running anything; what isn't found is reported.
 * Playwright Test is the project's own; if it has none, the one that `/validate-init --install` has put into a separate directory.
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
 * @property {string} library the module that tests import
 * @property {string | null} directory where Playwright Test is, relative to the project's root; null if the root resolves it
 * @property {FastCheck | undefined} fastCheck undefined if it isn't installed
 * @property {string | null} browser null for Playwright's own
 * @property {boolean} films whether Playwright has its program for videos
 *
 * @typedef {object} FastCheck
 * @property {string} from a file whose modules resolve it
 * @property {string} version
 *
 * @typedef {object} Where
 * @property {string} project absolute
 * @property {{directory: string | null}} settings
 *
 * @typedef {object} Playwright
 * @property {string} directory the directory of `@playwright/test`
 * @property {string | undefined} core the directory of `playwright-core`
 */

/** Where Playwright Test is installed if the project has none (src/validation/install.rs). */
const INSTALLED = ".opencode/validation";

const PACKAGE = "@playwright/test";

/**
 * Names of browsers, and their paths on macOS and Windows. The headless one comes first, which Playwright's own is too: it starts in
 * a third of the time. The most likely ones follow.
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
  const fastCheck = findFastCheck({ project, settings });
  return {
    node,
    cli: cli ?? "",
    library: library ?? "",
    directory,
    fastCheck,
    browser,
    films: browsers.films,
  };
}

/**
 * The existing installations of Playwright Test before it is installed.
 * @param {Where} where
 * @returns {import("../core/types.js").ValidationInstallInput}
 */
export function findInstall({ project, settings }) {
  const own = findPlaywright(path.resolve(project, settings.directory ?? ".")) !== undefined;
  const place = path.join(project, INSTALLED);
  const stands = statSync(place, { throwIfNoEntry: false }) ? textOf(path.join(place, "package.json")) : null;
  return { own, installed: versionIn(place) ?? null, fast_check: fastCheckIn(place) ?? null, stands };
}

/** Whether tests run with the Playwright Test that was installed for them. @param {Where} where */
export function isInstalled(where) {
  return placeOf(where) === INSTALLED;
}

/**
 * The version of Playwright Test in this very directory; undefined unless it is complete.
 * @param {string} directory absolute
 * @returns {string | undefined}
 */
export function versionIn(directory) {
  if (!isFile(path.join(directory, "node_modules", PACKAGE, "cli.js"))) return undefined;
  const playwright = findPlaywright(directory);
  // Packages above this directory belong to other projects.
  if (!playwright?.core || path.relative(realpathSync(directory), playwright.core).startsWith(".."))
    return undefined;
  const { version } = readJson(path.join(playwright.directory, "package.json"));
  return typeof version === "string" ? version : undefined;
}

/**
 * The version of fast-check in this very directory.
 * @param {string} directory absolute
 * @returns {string | undefined}
 */
export function fastCheckIn(directory) {
  const { version } = readJson(path.join(directory, "node_modules/fast-check/package.json"));
  return typeof version === "string" && packageFrom(directory, "pure-rand") ? version : undefined;
}

/**
 * Where Playwright Test is, relative to the project's root; null if the root resolves it.
 * @param {Where} where
 * @returns {string | null | undefined} undefined if it isn't found
 */
function placeOf({ project, settings: { directory } }) {
  if (findPlaywright(path.resolve(project, directory ?? "."))) return directory;
  return versionIn(path.join(project, INSTALLED)) === undefined ? undefined : INSTALLED;
}

/**
 * The file of axe-core, resolved from the directory in which Playwright is found.
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
 * fast-check, resolved from the directory in which Playwright is found.
 * @param {Where} where
 * @returns {FastCheck | undefined}
 */
export function findFastCheck({ project, settings }) {
  const from = path.resolve(project, placeOf({ project, settings }) ?? ".");
  const directory = packageFrom(from, "fast-check");
  const { version } = directory ? readJson(path.join(directory, "package.json")) : {};
  return typeof version === "string" ? { from: path.join(from, "package.json"), version } : undefined;
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
 * Resolves a package as Node.js does.
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
 * What Playwright has installed for its own use.
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

/** @param {string} file @returns {any} an empty object if it can't be read */
function readJson(file) {
  try {
    return JSON.parse(textOf(file)) ?? {};
  } catch {
    return {};
  }
}

/** @param {string} file @returns {string} empty if it can't be read */
function textOf(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/**
 * The browser that the settings name: a file, or the name of a program.
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
 * A browser that Playwright can drive, other than its own.
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
