/**
 * The module that the tests of a run import: Playwright's own `test` and `expect`. Each test has its pages watched: their console
 * output, their failed requests and their addresses; the browser's version is recorded too. The shell writes this into the run, with
 * the path of Playwright filled in (playwright.js).
 */
import { test as base } from "@playwright/test";

/** The attachment that contains the observations. */
const ATTACHMENT = "validation-page.json";

/** How much of a page's text is recorded, in characters; and how long a page may take to provide it, in ms. */
const LONGEST_TEXT = 10_000;
const TELL_MS = 2_000;

/** The maximum number of items of each kind that is recorded. */
const MOST = 1_000;

export { expect } from "@playwright/test";

/** @type {import("@playwright/test").Fixtures<{validationControl: boolean, validationWatched: void}, {}, import("@playwright/test").PlaywrightTestArgs>} */
const watching = {
  validationControl: [false, { option: true }],
  validationWatched: [
    async ({ context, validationControl }, use, testInfo) => {
      // After an unexpected failure Playwright starts another browser: if all tests should fail, that would take most of the time.
      if (validationControl) testInfo.fail();
      const console = /** @type {{level: string, text: string, page: string}[]} */ ([]);
      const failed_requests =
        /** @type {{method: string, url: string, status: number | null, reason: string}[]} */ ([]);
      const visited = /** @type {Set<string>} */ (new Set());
      const mocks = /** @type {Set<string>} */ (new Set());
      /**
       * @template T
       * @param {T[]} list
       * @param {T} item
       */
      const note = (list, item) => list.length < MOST && list.push(item);
      const noteMock = (/** @type {string} */ mock) => mocks.size < MOST && mocks.add(mock);
      noteMocks(context, "context", noteMock);
      context.on("page", (page) => {
        noteMocks(page, "page", noteMock);
        page.on("framenavigated", (frame) => {
          if (frame === page.mainFrame() && visited.size < MOST) visited.add(frame.url());
        });
      });
      context.on("console", (message) =>
        note(console, { level: message.type(), text: message.text(), page: message.page()?.url() ?? "" }),
      );
      context.on("weberror", (web) =>
        note(console, { level: "pageerror", text: `${web.error()}`, page: web.page()?.url() ?? "" }),
      );
      context.on("requestfailed", (request) =>
        note(failed_requests, {
          method: request.method(),
          url: request.url(),
          status: null,
          reason: request.failure()?.errorText ?? "",
        }),
      );
      context.on("response", (response) => {
        const [request, status] = [response.request(), response.status()];
        if (status < 400) return;
        note(failed_requests, { method: request.method(), url: request.url(), status, reason: "" });
      });
      await use();
      // A test that passes anyway would also cause another browser to start.
      if (validationControl && testInfo.status === "passed") testInfo.expectedStatus = "passed";
      const failed = testInfo.status !== testInfo.expectedStatus;
      const shown = failed ? await shownBy(context.pages().at(-1)) : undefined;
      const launched = context.browser();
      const browser = launched && `${launched.browserType().name()} ${launched.version()}`;
      const body = JSON.stringify({
        browser,
        console,
        failed_requests,
        visited: [...visited],
        mocks: [...mocks],
        shown,
      });
      await testInfo.attach(ATTACHMENT, { body, contentType: "application/json" });
    },
    { auto: true },
  ],
};

export const test = base.extend(watching);

/** The functions with which a test answers for the application. Playwright records no step for most of these. */
const MOCKS = ["route", "routeFromHAR", "routeWebSocket", "setContent"];

/**
 * Records when a test answers for the application.
 * @param {any} owner the object that has these functions
 * @param {string} name the owner's name
 * @param {(mock: string) => void} note
 */
function noteMocks(owner, name, note) {
  for (const mock of MOCKS) {
    const original = owner[mock];
    if (typeof original !== "function") continue;
    owner[mock] = (/** @type {unknown[]} */ ...given) => {
      note(mock === "setContent" ? `${name}.${mock}(…)` : `${name}.${mock}(${given[0]})`);
      return original.apply(owner, given);
    };
  }
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
