/**
 * The module that the tests of a run import: Playwright's own `test` and `expect`. Each test has its pages watched, whichever context
 * they belong to: their console output, their failed requests, their addresses, and what answers for the application; the browser's
 * version is recorded too. The shell writes this into the run, with the path of Playwright filled in (playwright.js).
 */
import { test as base, expect as playwrights } from "@playwright/test";
import { beginRules, triedRules } from "./properties.js";

/** The attachment that contains the observations. */
const ATTACHMENT = "validation-page.json";

/** How much of a page's text is recorded, in characters; and how long a page may take to provide it, in ms. */
const LONGEST_TEXT = 10_000;
const TELL_MS = 2_000;

/** The maximum number of items of each kind that is recorded. */
const MOST = 1_000;

/** The longest code of a test that is recorded, in characters; and how much of it at most. What is cut off counts as a change. */
const LONGEST_CODE = 2_000;
const MOST_CODE = 50;

/** This module loads before the test files, which could replace it. */
const { stringify } = JSON;

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

/** The code that tests run in pages, with the context to which it applies. @type {{code: string, of: object}[]} */
const evaluated = [];

/**
 * The contexts of the browser that are open, each with the file whose hook opened it; null if a test did. What a hook opens, such as a
 * page of `beforeAll`, serves all tests of its file.
 * @type {Map<object, string | null>}
 */
const open = new Map();

/** Whether a test is running, as opposed to a hook before all tests; and whether it has ended, so that all further calls are ours. */
let isTest = false;
let isOver = false;

/**
 * What the shell says about the tests (playwright.js): the address of the application, whether a counterfeit replaces it, and the mark
 * by which the reporter knows what is written here. No test should find out, so it is gone from the environment before the first test
 * file loads. Playwright's main process starts the others, and keeps it for them.
 */
const told = JSON.parse(process.env.VALIDATION_TESTS ?? "{}");
const { address: application = "", control = false, mark = "" } = told;
if (process.env.TEST_WORKER_INDEX !== undefined) delete process.env.VALIDATION_TESTS;

/** The address to which the relative ones of such requests refer. @type {WeakMap<object, string | undefined>} */
const bases = new WeakMap();

/**
 * How long the actions and the assertions of a test may wait against a counterfeit (src/validation/patience.rs).
 * @typedef {{wait_ms: number, assert_ms: number}} Waits
 */

/** Those of the test that is running; undefined if only Playwright's own limits apply. @type {Waits | undefined} */
let waits;

/** The requests of pages that are under way, and when the last one began or ended. @type {WeakMap<object, {pending: Set<object>, last: number}>} */
const traffic = new WeakMap();

/** How much longer `expect.poll` may wait than other assertions, in ms: its last call may be long over. */
const POLL_MS = 300;

/** The requests whose answers a page needs for what it shows. */
const NEEDED = new Set(["document", "script", "stylesheet", "xhr", "fetch"]);

/** @type {import("@playwright/test").Fixtures<{validationSeed: number | null, validationWaits: Record<string, Waits> | null, validationProxies: Record<string, string> | null, validationWatched: void}, {validationBrowser: void}, import("@playwright/test").PlaywrightTestArgs & import("@playwright/test").PlaywrightTestOptions, import("@playwright/test").PlaywrightWorkerArgs>} */
const watching = {
  validationSeed: [null, { option: true }],
  validationWaits: [null, { option: true }],
  validationProxies: [null, { option: true }],
  proxy: async ({ proxy, validationProxies }, use, { file, titlePath }) => {
    if (validationProxies === null) return use(proxy);
    const server = validationProxies[[file, ...titlePath.slice(1)].join(" › ")];
    // What a failed assertion proves depends on the lie: under another one, a hollow test could be judged met.
    if (server === undefined)
      throw new Error("it is not known which changes of the application this test meets");
    await use({ server });
  },
  validationBrowser: [
    async ({ browser, playwright }, use) => {
      watchMaker(browser, watchContext);
      watchMaker(playwright.request, (requests, given) => watchRequests(requests, given?.baseURL));
      watchClass(playwright.chromium, launchesOf());
      watchClass(playwright.selectors, {
        // What finds elements runs in the page, too, and may do anything there.
        register: () => noteCode(owned(), "selectors.register()"),
      });
      // Hooks may open pages in ways of their own: their classes are watched before the first one runs.
      const context = await browser.newContext();
      const page = await context.newPage();
      const element = await page.evaluateHandle("document");
      watchClass(element, runsOf("$eval", "$$eval"));
      // The class of all handles is that from which the one of elements derives.
      watchClass(Object.getPrototypeOf(element), runsOf("evaluate", "evaluateHandle"));
      await context.close();
      evaluated.splice(0);
      await use();
    },
    { auto: true, scope: "worker" },
  ],
  validationWatched: [
    async ({ context, request, baseURL, validationSeed, validationWaits }, use, testInfo) => {
      // A test could replace it.
      const attach = testInfo.attach.bind(testInfo);
      // A test that keeps itself from being watched leaves what it did.
      forget();
      isTest = true;
      waits = validationWaits?.[testInfo.titlePath.slice(1).join(" › ")];
      beginRules({ seed: validationSeed, control, timeout: () => testInfo.timeout });
      watchContext(context);
      open.set(context, null);
      watchRequests(request, baseURL);
      await use();
      isOver = true;
      waits = undefined;
      const failed = testInfo.status !== testInfo.expectedStatus;
      const shown = failed ? await shownBy(context.pages().at(-1)) : undefined;
      const launched = context.browser();
      const browser = launched && `${launched.browserType().name()} ${launched.version()}`;
      const { console, failed_requests, visited, opened } = now;
      const body = stringify({
        mark,
        browser,
        console,
        failed_requests,
        visited: [...visited],
        opened: [...opened],
        mocks: [...new Set(mocks.filter(({ of }) => serves(of, testInfo.file)).map(({ mock }) => mock))],
        evaluated: codeOf(testInfo.file),
        shown,
        rules: triedRules(),
      });
      await attach(ATTACHMENT, { body, contentType: "application/json" });
      // After an unexpected failure Playwright starts another browser: if all tests should fail, that would take most of the time. The
      // test itself can't see it any more.
      if (control && testInfo.status === "failed") testInfo.expectedStatus = "failed";
      now = nothing();
      isTest = false;
      isOver = false;
      forget();
      for (const [one, file] of open) if (file === null) open.delete(one);
    },
    { auto: true },
  ],
};

/** Forgets what tests did; what a hook did to a page that is still open, counts for the next test of its file, too. */
function forget() {
  const isLeft = (/** @type {{of: object}} */ { of }) => typeof open.get(of) === "string";
  mocks.splice(0, mocks.length, ...mocks.filter(isLeft));
  evaluated.splice(0, evaluated.length, ...evaluated.filter(isLeft));
}

export const test = base.extend(watching);

export const expect = control ? patient(playwrights) : playwrights;

/** Whether a context serves a test of this file: its own do, and those that a hook of the file opened. @param {object} context @param {string} file */
const serves = (context, file) => (open.get(context) || file) === file;

/**
 * The code that a test of a file ran in pages, each once.
 * @param {string} file
 */
function codeOf(file) {
  const all = [...new Set(evaluated.filter(({ of }) => serves(of, file)).map(({ code }) => code))];
  return all.length <= MOST_CODE ? all : [...all.slice(0, MOST_CODE - 1), "…"];
}

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

/** The functions that bound assertions. */
const bounded = /** @type {WeakSet<object>} */ (new WeakSet());

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
 * The context to which an object of Playwright's belongs.
 * @param {any} object
 * @returns {object}
 */
function contextOf(object) {
  for (let one = object; one; one = one._page ?? one._frame ?? one._parent) if (open.has(one)) return one;
  return object;
}

/**
 * Records the code that functions of a class run in a page: of these, the first argument, or the second after a selector.
 * @param {string[]} names
 */
const runsOf = (...names) =>
  Object.fromEntries(
    names.map((name) => [
      name,
      (/** @type {any} */ object, /** @type {any[]} */ given) => {
        const at = name.startsWith("$") ? 1 : 0;
        const text = String(given[at]);
        const isFunction = typeof given[at] === "function";
        // Playwright runs the text of it, which is asked for only once: it could be another one the second time.
        given[at] = isFunction ? Object.assign(() => {}, { toString: () => text }) : text;
        // In parentheses, the name of a function is only its own.
        noteCode(object, isFunction ? `(${text})` : text);
      },
    ]),
  );

/** Records what is written to a page's storage, as the same code in the page. @param {string[]} names */
const writesOf = (...names) =>
  Object.fromEntries(
    names.map((name) => [name, (/** @type {any} */ object) => noteCode(object, `localStorage.${name}()`)]),
  );

/** @param {object} object @param {string} code */
function noteCode(object, code) {
  if (isOver) return;
  const text = code.length > LONGEST_CODE ? `${code.slice(0, LONGEST_CODE)}…` : code;
  note(evaluated, { code: text, of: contextOf(object) });
}

/** What stands for something of the test or the hook that is running, if it belongs to no context. */
function owned() {
  const its = {};
  open.set(its, isTest ? null : fileNow());
  return its;
}

/** Records the browsers that a test starts, or connects to, itself: what they show is unknown. */
const launchesOf = () =>
  Object.fromEntries(
    ["launch", "launchPersistentContext", "launchServer", "connect", "connectOverCDP"].map((name) => [
      name,
      () => note(mocks, { mock: `browserType.${name}(…)`, of: owned() }),
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
    if (given[0]?.proxy) note(mocks, { mock: "newContext({ proxy })", of: made });
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
  context.on("serviceworker", (worker) => watchClass(worker, runsOf("evaluate", "evaluateHandle")));
  context.on("request", (request) => noteTraffic(request, true));
  context.on("requestfinished", (request) => noteTraffic(request, false));
  context.on("console", (message) =>
    note(now.console, { level: message.type(), text: message.text(), page: message.page()?.url() ?? "" }),
  );
  context.on("weberror", (web) =>
    note(now.console, { level: "pageerror", text: `${web.error()}`, page: web.page()?.url() ?? "" }),
  );
  context.on("requestfailed", (request) => {
    noteTraffic(request, false);
    note(now.failed_requests, {
      method: request.method(),
      url: request.url(),
      status: null,
      reason: request.failure()?.errorText ?? "",
    });
  });
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
  const frame = /** @type {any} */ (page.mainFrame());
  // Older versions ask a locator instead.
  boundAssertions(typeof frame._expect === "function" ? frame : page.locator("html"));
  boundActions(/** @type {any} */ (page)._timeoutSettings);
  watchClass(page.locator("html"), runsOf("evaluate", "evaluateAll", "evaluateHandle", "waitForFunction"));
  const { localStorage } = /** @type {any} */ (page);
  if (localStorage) watchClass(localStorage, writesOf("setItem", "removeItem", "clear"));
  page.on("worker", (worker) => watchClass(worker, runsOf("evaluate", "evaluateHandle")));
  watchClass(page.mainFrame(), {
    ...runsOf("evaluate", "evaluateHandle", "$eval", "$$eval", "waitForFunction"),
    setContent: (frame) => note(mocks, { mock: "page.setContent(…)", of: frame.page().context() }),
    addScriptTag: (frame) => note(mocks, { mock: "page.addScriptTag(…)", of: frame.page().context() }),
    addStyleTag: (frame) => note(mocks, { mock: "page.addStyleTag(…)", of: frame.page().context() }),
    goto: (frame, [address]) => noteOpened(address, baseOf(frame.page().context())),
  });
  page.on("framenavigated", (frame) => {
    if (frame === page.mainFrame()) noteOnce(now.visited, frame.url());
  });
}

/**
 * Records that a request of a page began or ended.
 * @param {import("@playwright/test").Request} request
 * @param {boolean} begins
 */
function noteTraffic(request, begins) {
  const context = contextOfRequest(request);
  if (!context || !NEEDED.has(request.resourceType())) return;
  const its = traffic.get(context) ?? { pending: new Set(), last: 0 };
  traffic.set(context, its);
  its.last = performance.now();
  if (begins) its.pending.add(request);
  else its.pending.delete(request);
}

/** The context of a request; undefined if it is a service worker's. @param {import("@playwright/test").Request} request */
function contextOfRequest(request) {
  try {
    return request.frame().page().context();
  } catch {
    return undefined;
  }
}

/**
 * How long a page still has to wait until it has received no answer for this long, in ms; 0 if it hasn't for longer.
 * @param {object} context the page's
 * @param {number} ms
 */
function untilQuiet(context, ms) {
  const { pending, last } = traffic.get(context) ?? { pending: new Set(), last: Number.NEGATIVE_INFINITY };
  return pending.size > 0 ? ms : Math.max(0, last + ms - performance.now());
}

/**
 * Bounds how long assertions wait, even those that state a time themselves. An assertion fails when its page has received no answer
 * for as long as the test may wait. What is true at once never fails: Playwright checks it at least once. Versions of Playwright that
 * have no such function keep their limits.
 * @param {any} object a frame or a locator
 */
function boundAssertions(object) {
  const shared = Object.getPrototypeOf(object);
  const original = shared._expect;
  if (typeof original !== "function" || bounded.has(original)) return;
  shared._expect = async function (/** @type {unknown} */ what, /** @type {any} */ options) {
    const stated = options?.timeout;
    if (!waits || typeof stated !== "number") return original.call(this, what, options);
    const { assert_ms, wait_ms } = waits;
    const until = performance.now() + Math.max(stated, wait_ms);
    const once = (/** @type {number} */ timeout) => original.call(this, what, { ...options, timeout });
    for (let seen = await once(Math.min(stated || assert_ms, assert_ms)); ; ) {
      if (!seen.timedOut || !waits) return seen;
      const left = Math.min(untilQuiet(this.page().context(), assert_ms), until - performance.now());
      // Playwright's last check may be long over.
      seen = await once(Math.max(1, left));
      if (left < 1) return seen;
    }
  };
  bounded.add(shared._expect);
}

/**
 * Playwright's `expect`, in which the assertions that call a function again and again wait no longer than the test may either. `toPass`
 * gets several times as long, so that an assertion in the function can fail meanwhile.
 * @template {object} T
 * @param {T} original
 * @returns {T}
 */
function patient(original) {
  const least = (/** @type {any} */ options, /** @type {(waits: Waits) => number} */ limit) =>
    waits
      ? { ...options, timeout: Math.min(options?.timeout || Number.POSITIVE_INFINITY, limit(waits)) }
      : options;
  return new Proxy(original, {
    apply(target, self, given) {
      const matchers = Reflect.apply(/** @type {any} */ (target), self, given);
      if (typeof given[0] !== "function") return matchers;
      const toPass = (/** @type {any} */ options) =>
        matchers.toPass(least(options, ({ assert_ms }) => 3 * assert_ms));
      return new Proxy(matchers, { get: (its, name) => (name === "toPass" ? toPass : its[name]) });
    },
    get(target, name) {
      const its = /** @type {any} */ (target)[name];
      if (name === "configure" || name === "extend")
        return (/** @type {any[]} */ ...given) => patient(its(...given));
      if (name !== "poll") return its;
      return (/** @type {unknown} */ probe, /** @type {any} */ options) => {
        const given = typeof options === "string" ? { message: options } : options;
        return its(
          probe,
          least(given, ({ assert_ms }) => assert_ms + POLL_MS),
        );
      };
    },
  });
}

/**
 * Bounds how long actions wait, even those that state a time themselves.
 * @param {any} settings Playwright's limits of a page; undefined in versions that keep them elsewhere
 */
function boundActions(settings) {
  const shared = settings && unwatched(settings);
  if (!shared) return;
  for (const name of ["timeout", "navigationTimeout"]) {
    // Newer versions return an object from the one, and the number from the other.
    const number = typeof shared[`_${name}`] === "function" ? `_${name}` : name;
    const original = shared[number];
    if (typeof original !== "function") continue;
    shared[number] = function (/** @type {unknown[]} */ ...given) {
      const limit = original.apply(this, given);
      return waits && typeof limit === "number" ? Math.min(limit || waits.wait_ms, waits.wait_ms) : limit;
    };
  }
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
