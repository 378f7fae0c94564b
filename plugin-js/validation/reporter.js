/**
 * Playwright's reporter for a run: writes the results of each test to `seen.json`, whether the tests ran or were only listed.
 *
 * Playwright's own JSON contains no assertions. They are steps; of those within another assertion (`toPass`, `poll`) only the
 * outermost counts, because the inner ones may fail until it passes. An assertion that was started but never awaited doesn't count.
 */
import { renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";

/**
 * @typedef {import("@playwright/test/reporter").Reporter} Reporter
 * @typedef {import("@playwright/test/reporter").TestCase} TestCase
 * @typedef {import("@playwright/test/reporter").TestResult} TestResult
 * @typedef {import("@playwright/test/reporter").TestStep} TestStep
 * @typedef {import("../core/types.js").ValidationTestSeen} TestSeen
 */

/** The attachment that fixture.js makes. */
const WATCHED = "validation-page.json";

/** The mark of what fixture.js writes (playwright.js). */
const { mark: MARK } = JSON.parse(process.env.VALIDATION_TESTS ?? "{}");

/** The maximum number of items of each kind that is reported for one test (src/validation/protocol.rs). */
const MOST = 50;
const LONGEST_ERROR = 2_000;
const LONGEST_LINE = 500;
const LONGEST_TRAIL = 200;
const LONGEST_TITLE = 200;
/** With the sign that something is cut off (fixture.js). */
const LONGEST_CODE = 2_001;

/** The module with the fixtures of ours, relative to the run's directory; they have this place in the project's own tests, too. */
const OURS = "tests/validation.ts";

/** The options of Playwright's with which a test takes another way to the application, or another browser. */
const AWAY = new Set(["proxy", "connectOptions", "launchOptions", "browser", "playwright"]);

/** Levels of console lines that are reported before others. */
const GRAVE = new Set(["pageerror", "error", "warning"]);

/** @implements {Reporter} */
export default class Seen {
  #root;
  #project;
  #file;
  #progress;
  #began = 0;
  #control;
  /** @type {TestCase[]} */
  #tests = [];
  /** @type {string[]} */
  #errors = [];
  /** Playwright's version. */
  #version = "";

  /**
   * @param {object} options
   * @param {string} options.root absolute: the run's directory
   * @param {string} options.project absolute: the project's root
   * @param {string} options.file absolute: the output file
   * @param {string} options.progress absolute: the file that shows the run's progress (progress.js)
   * @param {boolean} options.control whether the tests are expected to fail (fixture.js)
   */
  constructor({ root, project, file, progress, control }) {
    this.#root = root;
    this.#project = project;
    this.#file = file;
    this.#progress = progress;
    this.#control = control;
  }

  printsToStdio() {
    return false;
  }

  /**
   * @param {import("@playwright/test/reporter").FullConfig} config
   * @param {import("@playwright/test/reporter").Suite} suite
   */
  onBegin({ version }, suite) {
    this.#version = version;
    this.#tests = suite.allTests();
  }

  /** @param {TestCase} test */
  onTestBegin(test) {
    this.#began += 1;
    const began = { ...this.#place(fileOf(test)), title: titleOf(test), tags: test.tags };
    replace(this.#progress, { test: this.#began, of: this.#tests.length, began });
  }

  /** @param {import("@playwright/test/reporter").TestError} error */
  onError(error) {
    const { file = "", line = 0 } = error.location ?? {};
    const place = file === "" ? "" : `${this.#place(file).file}:${line}: `;
    this.#errors.push(place + plain(error.message ?? error.value ?? "", LONGEST_ERROR));
  }

  onEnd() {
    const tests = this.#tests.map((test) => this.#seen(test));
    const browser = this.#tests
      .map(({ results }) => watched(results[0]).browser)
      .find((name) => name !== null);
    const seen = { playwright: this.#version, browser: browser ?? null, tests, errors: this.#errors };
    replace(this.#file, seen);
  }

  /**
   * @param {TestCase} test
   * @returns {TestSeen}
   */
  #seen(test) {
    // A file may set retries for its tests: the first attempt counts.
    const [result] = test.results;
    const steps = result?.steps ?? [];
    const asserted = assertions(steps);
    const acted = actions(steps);
    const status = statusOf(test, result, this.#control);
    const page = watched(result);
    const isWatched = status !== "passed" || page.isMarked;
    const mocks = [...overridden(test, this.#root), ...(isWatched ? [] : ["unwatched"]), ...page.mocks];
    return {
      ...this.#place(fileOf(test)),
      title: titleOf(test),
      tags: test.tags,
      status,
      expects: asserted.length,
      caught: status === "passed" ? asserted.filter(({ error }) => error).length : 0,
      duration_ms: Math.max(0, Math.round(result?.duration ?? 0)),
      error:
        status === "passed" ? "" : plain(result?.error?.message ?? result?.error?.value ?? "", LONGEST_ERROR),
      console: [...page.console]
        .sort((one, other) => Number(GRAVE.has(other.level)) - Number(GRAVE.has(one.level)))
        .slice(0, MOST),
      failed_requests: page.failed_requests.slice(0, MOST),
      attachments: (result?.attachments ?? []).flatMap(({ name, path: file }) => {
        const below = file && pathFrom(this.#root, file);
        return below ? [{ name, path: below }] : [];
      }),
      steps: steps
        .filter(({ category }) => category !== "hook" && category !== "fixture")
        .map(({ title }) => plain(title, LONGEST_LINE))
        .slice(0, MOST),
      visited: page.visited.slice(0, MOST),
      trail: trailOf(steps).slice(0, LONGEST_TRAIL),
      ...(asserted.length > 0 && {
        slowest_assertion_ms: slowest(asserted),
      }),
      ...(acted.length > 0 && { slowest_action_ms: slowest(acted) }),
      ...(page.opened.length > 0 && { opened: page.opened.slice(0, MOST) }),
      ...(mocks.length > 0 && { mocks: mocks.slice(0, MOST) }),
      // Only what a test does against the application is judged.
      ...(page.evaluated.length > 0 && !this.#control && { evaluated: page.evaluated.slice(0, MOST) }),
      ...(page.shown && { shown: page.shown }),
      ...(page.rules.length > 0 && { rules: page.rules.slice(0, MOST) }),
    };
  }

  /**
   * The path of a file, and the owner of its tests that follows from it.
   * @param {string} file absolute
   * @returns {Pick<TestSeen, "whose" | "file">}
   */
  #place(file) {
    const written = pathFrom(this.#root, file);
    if (written) return { whose: "written", file: written };
    return { whose: "project", file: pathFrom(this.#project, file) ?? file };
  }
}

/**
 * @param {string} directory
 * @param {string} file
 * @returns {string | undefined} undefined if the file is elsewhere
 */
function pathFrom(directory, file) {
  const below = path.relative(directory, file).split(path.sep).join("/");
  return below.startsWith("..") || path.isAbsolute(below) ? undefined : below;
}

/**
 * The fixtures and options with which a test keeps itself from being watched, or takes another way to the application: by
 * `test.extend` or `test.use`. Playwright keeps them with each test and each group; with a version that doesn't, none is known.
 * @param {TestCase} test
 * @param {string} root the run's directory
 * @returns {string[]}
 */
function overridden(test, root) {
  const { _testType, parent } = /** @type {any} */ (test);
  const lists = [_testType?.fixtures ?? []];
  for (let suite = parent; suite; suite = suite.parent) lists.push(suite._use ?? []);
  // The first ones are Playwright's.
  const [first] = lists.flat();
  const known = new Set([first?.location?.file, OURS, path.join(root, OURS)]);
  const all = lists.flat().filter(({ fixtures, location }) => fixtures && !known.has(location?.file));
  // `contextOptions` may have a proxy, too.
  const isAway = (/** @type {string} */ name, /** @type {any} */ value) =>
    AWAY.has(name) ||
    (name === "contextOptions" && (typeof value === "function" || value?.proxy !== undefined));
  const names = all.flatMap(({ fixtures }) =>
    Object.entries(fixtures)
      .filter(([name, value]) => name.startsWith("validation") || isAway(name, [value].flat()[0]))
      .map(([name]) => name),
  );
  return [...new Set(names)].map((name) => `test.use({ ${name} })`);
}

/** The title path after the root, the project and the file. @param {TestCase} test */
const titleOf = (test) => test.titlePath().slice(3).join(" › ");

/** The file that contains a test, even if a function in another file creates it. @param {TestCase} test */
function fileOf(test) {
  let suite = /** @type {import("@playwright/test/reporter").Suite | undefined} */ (test.parent);
  while (suite && suite.type !== "file") suite = suite.parent;
  return suite?.location?.file ?? test.location.file;
}

/**
 * @param {TestCase} test
 * @param {TestResult | undefined} result
 * @param {boolean} control
 * @returns {TestSeen["status"]}
 */
function statusOf({ expectedStatus }, result, control) {
  if (expectedStatus === "skipped" || result?.status === "skipped") return "skipped";
  // It never ran.
  if (!result) return "interrupted";
  if (result.status === "timedOut") return "timed_out";
  // A test that declares its own failure as expected proves nothing.
  return result.status === "passed" && expectedStatus !== "passed" && !control ? "failed" : result.status;
}

/**
 * @param {TestStep[]} steps
 * @returns {TestStep[]}
 */
function assertions(steps) {
  return steps.flatMap((step) => {
    if (step.category !== "expect") return assertions(step.steps);
    // Playwright records a step's duration when the step ends.
    return step.duration >= 0 ? [step] : [];
  });
}

/**
 * The actions of a test and its hooks, even those within assertions; but none of Playwright's fixtures, such as starting a browser.
 * @param {TestStep[]} steps
 * @returns {TestStep[]}
 */
function actions(steps) {
  return steps.flatMap((step) => {
    if (step.category === "fixture") return [];
    const isDone = step.category === "pw:api" && step.duration >= 0;
    return [...(isDone ? [step] : []), ...actions(step.steps)];
  });
}

/** @param {TestStep[]} steps at least one @returns {number} ms */
const slowest = (steps) => Math.round(Math.max(...steps.map(({ duration }) => duration)));

/**
 * The actions and assertions of a test, in order; what happens within an assertion is part of it.
 * @param {TestStep[]} steps
 * @returns {NonNullable<TestSeen["trail"]>}
 */
function trailOf(steps) {
  return steps.flatMap((step) => {
    const { category, title, error } = step;
    if (category === "hook" || category === "fixture") return [];
    const kind = { expect: /** @type {const} */ ("expect"), "pw:api": /** @type {const} */ ("call") }[
      category
    ];
    if (!kind) return trailOf(step.steps);
    // A step that was never awaited shows nothing.
    if (step.duration < 0) return [];
    const why = error ? plain(error.message ?? error.value ?? "it failed", LONGEST_LINE) : "";
    // An action that fails within `toPass` or `poll`, or never ends, asserts nothing.
    const isAction = failed(step, "pw:api") || /while waiting on the predicate/.test(why);
    if (error && /toPass|poll/.test(title) && isAction && !failed(step, "expect"))
      return [{ kind: /** @type {const} */ ("call"), title: plain(title, LONGEST_TITLE), error: why }];
    return [{ kind, title: plain(title, LONGEST_TITLE), ...(why && { error: why }) }];
  });
}

/** Whether a step of a category failed, or never ended, within a step. @param {TestStep} step @param {string} category @returns {boolean} */
const failed = ({ steps }, category) =>
  steps.some(
    (step) =>
      (step.category === category && (step.error !== undefined || step.duration < 0)) ||
      failed(step, category),
  );

/** @typedef {Pick<TestSeen, "console" | "failed_requests" | "visited" | "shown"> & {isMarked: boolean, browser: string | null, opened: string[], mocks: string[], evaluated: string[], rules: import("../core/types.js").ValidationRuleTried[]}} Watched */

/**
 * What was observed of a test. Tests and their hooks can make attachments with the same name as fixture.js, but they don't know its mark.
 * @param {TestResult | undefined} result
 * @returns {Watched}
 */
function watched(result) {
  const made = (result?.attachments ?? []).filter(({ name, body }) => name === WATCHED && body);
  const nothing = {
    ...{ isMarked: false, browser: null, console: [], failed_requests: [] },
    ...{ visited: [], opened: [], mocks: [], evaluated: [], rules: [] },
  };
  return made.map(({ body }) => read(body)).find((one) => one !== undefined) ?? nothing;
}

/** @param {Buffer | undefined} body @returns {Watched | undefined} undefined if fixture.js didn't write it */
function read(body) {
  try {
    const seen = JSON.parse(`${body}`);
    if (seen.mark !== MARK) return undefined;
    const { browser, console, failed_requests, visited, opened, shown, mocks, evaluated, rules } = seen;
    return {
      isMarked: true,
      browser: typeof browser === "string" ? plain(browser, LONGEST_LINE) : null,
      console: console.map((/** @type {any} */ line) => ({
        level: `${line.level}`,
        text: plain(line.text, LONGEST_LINE),
        page: `${line.page}`,
      })),
      failed_requests: failed_requests.map((/** @type {any} */ request) => ({
        method: `${request.method}`,
        url: plain(request.url, LONGEST_LINE),
        status: request.status === null ? null : whole(request.status, 2 ** 16 - 1),
        reason: `${request.reason}`,
      })),
      visited: visited.map((/** @type {any} */ address) => plain(address, LONGEST_LINE)),
      opened: opened.map((/** @type {any} */ address) => plain(address, LONGEST_LINE)),
      mocks: mocks.map((/** @type {any} */ mock) => plain(mock, LONGEST_TITLE)),
      evaluated: evaluated.map((/** @type {any} */ code) => `${code}`.slice(0, LONGEST_CODE)),
      rules: rules.map((/** @type {any} */ rule) => ({
        inputs: whole(rule.inputs, 2 ** 32 - 1),
        interrupted: rule.interrupted === true,
      })),
      ...(shown && {
        shown: {
          address: plain(shown.address, LONGEST_LINE),
          title: plain(shown.title, LONGEST_LINE),
          text: plain(shown.text, LONGEST_ERROR),
        },
      }),
    };
  } catch {
    return undefined;
  }
}

/**
 * A whole number from 0 to a maximum. Throws for anything else: a test wrote that, and the core would refuse the whole report for it.
 * @param {unknown} value
 * @param {number} most
 * @returns {number}
 */
function whole(value, most) {
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0 || value > most)
    throw new RangeError(`${value}`);
  return value;
}

/**
 * Replaces a file atomically, so that readers always see a complete file.
 * @param {string} file
 * @param {unknown} content
 */
function replace(file, content) {
  const temporary = `${file}.part`;
  writeFileSync(temporary, `${JSON.stringify(content, null, 2)}\n`);
  renameSync(temporary, file);
}

/**
 * @param {string} text
 * @param {number} most characters
 */
function plain(text, most) {
  return stripVTControlCharacters(`${text}`).slice(0, most);
}
