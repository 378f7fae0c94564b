/**
 * The module that the tests of a run import: Playwright's own `test` and `expect`. Each test has its pages watched, whichever context
 * they belong to: their console output, their failed requests, their addresses, and what answers for the application; the browser's
 * version is recorded too. The shell writes this into the run, with the path of Playwright filled in (playwright.js).
 */
import { test as base } from "@playwright/test";
import { beginRules, triedRules } from "./properties.js";

/** The attachment that contains the observations. */
const ATTACHMENT = "validation-page.json";

/** How much of a page's text is recorded, in characters; and how long a page may take to provide it, in ms. */
const LONGEST_TEXT = 10_000;
const TELL_MS = 2_000;

/** The maximum number of items of each kind that is recorded. */
const MOST = 1_000;

export { expect } from "@playwright/test";

/**
 * What is observed of a test, and of the hooks before it.
 * @typedef {object} Observed
 * @property {{level: string, text: string, page: string}[]} console
 * @property {{method: string, url: string, status: number | null, reason: string}[]} failed_requests
 * @property {Set<string>} visited the addresses that pages reached
 * @property {Set<string>} opened the addresses outside the application that the test itself asked for
 */

/** @returns {Observed} */
const nothing = () => ({ console: [], failed_requests: [], visited: new Set(), opened: new Set() });

/** What is observed of the test that is running, or of what precedes it. A worker runs one test at a time. */
let now = nothing();

/**
 * The calls with which tests answer for the application, with the context to which each applies.
 * @type {{mock: string, of: object}[]}
 */
const mocks = [];

/**
 * The contexts of the browser that are open, each with the file whose hook opened it; null if a test did. What a hook opens, such as a
 * page of `beforeAll`, serves all tests of its file.
 * @type {Map<object, string | null>}
 */
const open = new Map();

/** Whether a test is running, as opposed to a hook before all tests. */
let isTest = false;

/** The address of the application. */
let application = "";

/** The address to which the relative ones of such requests refer. @type {WeakMap<object, string | undefined>} */
const bases = new WeakMap();

/** @type {import("@playwright/test").Fixtures<{validationControl: boolean, validationAddress: string, validationSeed: number | null, validationWatched: void}, {validationBrowser: void}, import("@playwright/test").PlaywrightTestArgs & import("@playwright/test").PlaywrightTestOptions, import("@playwright/test").PlaywrightWorkerArgs>} */
const watching = {
  validationControl: [false, { option: true }],
  validationAddress: ["", { option: true }],
  validationSeed: [null, { option: true }],
  validationBrowser: [
    async ({ browser, playwright }, use) => {
      watchMaker(browser, watchContext);
      watchMaker(playwright.request, (requests, given) => watchRequests(requests, given?.baseURL));
      // Hooks may open pages in ways of their own: their classes are watched before the first one runs.
      const context = await browser.newContext();
      await context.newPage();
      await context.close();
      await use();
    },
    { auto: true, scope: "worker" },
  ],
  validationWatched: [
    async (
      { context, request, baseURL, validationControl, validationAddress, validationSeed },
      use,
      testInfo,
    ) => {
      // After an unexpected failure Playwright starts another browser: if all tests should fail, that would take most of the time.
      if (validationControl) testInfo.fail();
      application = validationAddress;
      isTest = true;
      beginRules({ seed: validationSeed, control: validationControl, timeout: () => testInfo.timeout });
      watchContext(context);
      open.set(context, null);
      watchRequests(request, baseURL);
      await use();
      // A test that passes anyway would also cause another browser to start.
      if (validationControl && testInfo.status === "passed") testInfo.expectedStatus = "passed";
      const failed = testInfo.status !== testInfo.expectedStatus;
      const shown = failed ? await shownBy(context.pages().at(-1)) : undefined;
      const launched = context.browser();
      const browser = launched && `${launched.browserType().name()} ${launched.version()}`;
      const { console, failed_requests, visited, opened } = now;
      const body = JSON.stringify({
        browser,
        console,
        failed_requests,
        visited: [...visited],
        opened: [...opened],
        mocks: [...new Set(mocks.filter(({ of }) => serves(of, testInfo.file)).map(({ mock }) => mock))],
        shown,
        rules: triedRules(),
      });
      await testInfo.attach(ATTACHMENT, { body, contentType: "application/json" });
      now = nothing();
      isTest = false;
      mocks.splice(0, mocks.length, ...mocks.filter(({ of }) => typeof open.get(of) === "string"));
      for (const [one, file] of open) if (file === null) open.delete(one);
    },
    { auto: true },
  ],
};

export const test = base.extend(watching);

/** Whether a context serves a test of this file: its own do, and those that a hook of the file opened. @param {object} context @param {string} file */
const serves = (context, file) => (open.get(context) || file) === file;

/** The file whose hook is running. */
function fileNow() {
  try {
    return base.info().file;
  } catch {
    return "";
  }
}

/**
 * @template T
 * @param {T[]} list
 * @param {T} item
 */
const note = (list, item) => list.length < MOST && list.push(item);

/** @param {Set<string>} set @param {string} item */
const noteOnce = (set, item) => set.size < MOST && set.add(item);

/** The classes whose functions are watched. */
const watched = /** @type {WeakSet<object>} */ (new WeakSet());

/**
 * What the objects of a class share; undefined if it is watched already.
 * @param {object} object one of them
 */
function unwatched(object) {
  const shared = Object.getPrototypeOf(object);
  if (watched.has(shared)) return undefined;
  watched.add(shared);
  return shared;
}

/**
 * Watches functions of a class of Playwright's, so that no object of it is missed.
 * @param {object} object one of its objects
 * @param {Record<string, (object: any, given: any[]) => void>} called by function: what happens before each call
 */
function watchClass(object, called) {
  const shared = unwatched(object);
  if (!shared) return;
  for (const [name, before] of Object.entries(called)) {
    const original = shared[name];
    if (typeof original !== "function") continue;
    shared[name] = function (/** @type {unknown[]} */ ...given) {
      before(this, given);
      return original.apply(this, given);
    };
  }
}

/** The functions with which a test answers for the application. Playwright records no step for most of these. */
const MOCKS = [
  "route",
  "routeFromHAR",
  "routeWebSocket",
  "addInitScript",
  "exposeFunction",
  "exposeBinding",
  "newCDPSession",
];

/**
 * Records when a test answers for the application.
 * @param {string} name the name of the class
 * @param {(object: any) => object} contextOf the context to which an object belongs
 */
const mocksOf = (name, contextOf) =>
  Object.fromEntries(
    MOCKS.map((mock) => [
      mock,
      (/** @type {any} */ object, /** @type {any[]} */ [what]) => {
        const argument = ["addInitScript", "newCDPSession"].includes(mock) ? "…" : what;
        note(mocks, { mock: `${name}.${mock}(${argument})`, of: contextOf(object) });
      },
    ]),
  );

/**
 * Records an address outside the application that a test asks for.
 * @param {unknown} wanted
 * @param {string | undefined} base the address to which a relative one refers
 */
function noteOpened(wanted, base) {
  const address = typeof wanted === "string" ? wanted : /** @type {any} */ (wanted)?.url?.();
  if (typeof address !== "string" || !URL.canParse(address, base)) return;
  const { href, protocol, origin } = new URL(address, base);
  const isOwn = URL.canParse(application) && origin === new URL(application).origin;
  if (!isOwn && protocol !== "about:") noteOnce(now.opened, href);
}

/**
 * The address to which the relative ones of a context refer.
 * @param {any} context
 * @returns {string | undefined}
 */
const baseOf = (context) => context._options?.baseURL;

/**
 * Watches what `newContext` of a class of Playwright's makes.
 * @param {object} maker one of its objects
 * @param {(made: any, given: any) => void} watch
 */
function watchMaker(maker, watch) {
  const shared = unwatched(maker);
  if (!shared) return;
  const { newContext } = shared;
  shared.newContext = async function (/** @type {any[]} */ ...given) {
    const made = await newContext.apply(this, given);
    watch(made, given[0]);
    return made;
  };
}

/** @param {import("@playwright/test").BrowserContext} context */
function watchContext(context) {
  if (open.has(context)) return;
  open.set(context, isTest ? null : fileNow());
  context.on("close", () => open.delete(context));
  watchClass(
    context,
    mocksOf("context", (object) => object),
  );
  watchRequests(context.request, baseOf(context));
  for (const page of context.pages()) watchPage(page);
  context.on("page", watchPage);
  context.on("console", (message) =>
    note(now.console, { level: message.type(), text: message.text(), page: message.page()?.url() ?? "" }),
  );
  context.on("weberror", (web) =>
    note(now.console, { level: "pageerror", text: `${web.error()}`, page: web.page()?.url() ?? "" }),
  );
  context.on("requestfailed", (request) =>
    note(now.failed_requests, {
      method: request.method(),
      url: request.url(),
      status: null,
      reason: request.failure()?.errorText ?? "",
    }),
  );
  context.on("response", (response) => {
    const [request, status] = [response.request(), response.status()];
    if (status < 400) return;
    note(now.failed_requests, { method: request.method(), url: request.url(), status, reason: "" });
  });
}

/** @param {import("@playwright/test").Page} page */
function watchPage(page) {
  watchClass(
    page,
    mocksOf("page", (/** @type {import("@playwright/test").Page} */ object) => object.context()),
  );
  watchClass(page.mainFrame(), {
    setContent: (frame) => note(mocks, { mock: "page.setContent(…)", of: frame.page().context() }),
    addScriptTag: (frame) => note(mocks, { mock: "page.addScriptTag(…)", of: frame.page().context() }),
    goto: (frame, [address]) => noteOpened(address, baseOf(frame.page().context())),
  });
  page.on("framenavigated", (frame) => {
    if (frame === page.mainFrame()) noteOnce(now.visited, frame.url());
  });
}

/**
 * @param {import("@playwright/test").APIRequestContext} requests
 * @param {string | undefined} base the address to which relative ones refer
 */
function watchRequests(requests, base) {
  bases.set(requests, base);
  watchClass(requests, { fetch: (one, [wanted]) => noteOpened(wanted, bases.get(one) ?? application) });
}

/**
 * What a page shows; undefined when there is no page, or it doesn't answer in time.
 * @param {import("@playwright/test").Page | undefined} page
 */
async function shownBy(page) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, TELL_MS);
  });
  // biome-ignore lint/performance/useDomNodeTextContent: what is hidden isn't shown
  const reading = page?.evaluate(() => ({ title: document.title, text: document.body?.innerText ?? "" }));
  // A late result is ignored.
  reading?.catch(() => {});
  try {
    const { title, text } = (await Promise.race([reading, late])) ?? {};
    return text === undefined
      ? undefined
      : { address: page?.url(), title, text: text.slice(0, LONGEST_TEXT) };
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Watches tests that import Playwright's `test` itself too: the project's own. Playwright keeps the fixtures of each `test` in its
 * own list; with a version that doesn't, these tests aren't watched, but their results are reported all the same.
 */
export function watchAll() {
  for (const symbol of Object.getOwnPropertySymbols(base)) {
    const { fixtures } = /** @type {any} */ (base)[symbol];
    if (Array.isArray(fixtures))
      fixtures.push({ fixtures: watching, location: { file: "tests/validation.ts", line: 0, column: 0 } });
  }
}
