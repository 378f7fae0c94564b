/**
 * Lists and runs tests with Playwright Test (tools.js). It runs in Node.js, in its own process group, and nothing of it is left
 * afterwards, not even a browser. This package's own configuration controls it: nothing is retried, and everything is kept.
 */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { runCommand } from "../kernel/command.js";
import { endMarked } from "../kernel/group.js";
import { tail } from "./logs.js";
import { markOf } from "./processes.js";
import { PROGRESS, testUnderWay, watchProgress } from "./progress.js";
import { readListed, readPages, readRun } from "./report.js";
import { findAxe, findTools } from "./tools.js";

/**
 * @typedef {import("../core/types.js").ValidationEffect} Effect
 * @typedef {Extract<Effect, {command: "run_tests"}> & {proxy?: string, proxies?: TestProxy[]}} RunTests `proxy`: the address in front of
 *   the application; `proxies`: that of each test, if there are several
 * @typedef {Omit<import("../core/types.js").ValidationTestLie, "lie"> & {proxy: string}} TestProxy
 * @typedef {Extract<Effect, {command: "list_tests"}>} ListTests
 * @typedef {Extract<Effect, {command: "list_own_tests"}>} ListOwnTests
 * @typedef {Extract<Effect, {command: "look_at_pages"}>} LookAtPages
 * @typedef {import("../core/types.js").ValidationListed} Listed
 * @typedef {import("../core/types.js").ValidationLookedAt} LookedAt
 * @typedef {import("../core/types.js").ValidationRanTests} RanTests
 * @typedef {{directory: string, tests: import("../core/types.js").ValidationTestName[] | null}} Own the project's own
 *   tests in a directory; null for all of them
 * @typedef {{ran: RanTests, playwright: string | null, browser: string | null, directory: string | null}} Ran the result, with the
 *   versions used and the directory of Playwright Test
 */

/** The folder of everything related to Playwright, relative to the run's directory; and that of the tests. */
export const FOLDER = "playwright";
const TESTS = "tests";

/** The folder of a pass. @param {string} against @param {number} pass */
const folderOf = (against, pass) => `${FOLDER}/${against}-${pass}`;

/** The folder of the configuration with which people run the tests by hand. Playwright's output there belongs to them. */
const BY_HAND = "by-hand";

/** The time limit of a listing, in ms. */
const LIST_MS = 120_000;

/** How much of Playwright's message is reported if the tests can't be read, in characters. */
const SAID = 4_000;

/**
 * A counterfeit keeps no state and answers at once, so tests may run in parallel against it.
 */
const CONTROL = { fullyParallel: true, workers: 4 };

const REPORTER = fileURLToPath(new URL("./reporter.js", import.meta.url));
const LOOK = fileURLToPath(new URL("./look.js", import.meta.url));
const FIXTURE = new URL("./fixture.js", import.meta.url);
const PROPERTIES = new URL("./properties.js", import.meta.url);

/** The module that the tests import, relative to the run's directory. */
const FIXTURE_FILE = `${TESTS}/validation.ts`;

/** The module beside it, and what they find as fast-check. */
const PROPERTIES_FILE = `${TESTS}/properties.js`;
const FAST_CHECK_FILE = `${TESTS}/node_modules/fast-check/index.js`;

export class Playwright {
  #store;
  #project;
  #settings;
  #environment;
  #traces;
  /** The file that shows the progress of the tests that are running or ended last. */
  #progress = "";

  /**
   * @param {object} parts
   * @param {import("../kernel/store.js").Store} parts.store of the run
   * @param {string} parts.project absolute
   * @param {{browser: string | null, directory: string | null}} parts.settings
   * @param {Record<string, string>} parts.environment
   * @param {boolean} parts.traces whether traces are kept
   */
  constructor({ store, project, settings, environment, traces }) {
    this.#store = store;
    this.#project = project;
    this.#settings = settings;
    this.#environment = environment;
    this.#traces = traces;
  }

  /** Ends any processes of Playwright and its browsers that an earlier process of this run left. */
  async sweep() {
    await endMarked(this.#mark());
  }

  /** The required programs, or what is missing. */
  tools() {
    return findTools({
      project: this.#project,
      settings: this.#settings,
      environment: this.#environment,
    });
  }

  /**
   * @param {ListTests} command
   * @param {AbortSignal} signal
   * @returns {Promise<Listed>}
   */
  list({ effect, files }, signal) {
    return this.#list({ effect, files, own: null }, signal);
  }

  /**
   * Lists the project's own tests.
   * @param {ListOwnTests} command
   * @param {AbortSignal} signal
   * @returns {Promise<Listed>}
   */
  listOwn({ effect, directory }, signal) {
    return this.#list({ effect, files: [], own: { directory, tests: null } }, signal);
  }

  /**
   * @param {{effect: number, files: string[], own: Own | null}} wanted
   * @param {AbortSignal} signal
   * @returns {Promise<Listed>}
   */
  async #list(wanted, signal) {
    const tools = this.tools();
    if ("obstacle" in tools) return { listed: "impossible", obstacle: tools };
    const folder = `${FOLDER}/${wanted.own ? "list-own" : "list"}`;
    const listing = {
      ...wanted,
      tools,
      folder,
      base_url: null,
      test_ms: 0,
      wait_ms: null,
      further: ["--list"],
      control: false,
      isShared: true,
      video: false,
    };
    const seen = await this.#run({ ...listing, timeout_ms: LIST_MS }, signal);
    if (seen.ended_by !== "itself")
      throw new Error(`Playwright did not list the tests within ${LIST_MS / 1000} s`);
    const { folder: run } = this.#store;
    const report = await readListed(run, folder);
    const said = async () => (await tail(run, `${folder}/stdout.log`, SAID)).trim();
    if ("ran" in report)
      return {
        listed: "unreadable",
        message: (await said()) || `Playwright left no usable report (${report.ran})`,
      };
    if (report.errors.length > 0)
      return { listed: "unreadable", message: report.errors.join("\n\n").slice(0, SAID) };
    const tests = report.tests.map(({ file, title, tags }) => ({ file, title, tags }));
    return { listed: "tests", tests };
  }

  /**
   * @param {RunTests} command
   * @param {import("./tools.js").Tools} tools
   * @param {AbortSignal} signal
   * @param {(far: import("./progress.js").Far) => void} [began] called for each test that starts
   * @returns {Promise<Ran>}
   */
  async run({ against, pass, video = false, ...wanted }, tools, signal, began = () => {}) {
    const folder = folderOf(against, pass);
    const control = against !== "application";
    // The application keeps the changes that tests make, so tests run one after another.
    const isShared = against === "application" || against === "live";
    if (!control) await this.#writeByHand(wanted, tools);
    await this.#store.folder.folder(folder).removeAll();
    const until = performance.now() + wanted.timeout_ms;
    const unknown = { playwright: null, browser: null, directory: tools.directory };
    /** @type {import("./report.js").Report[]} */
    const reports = [];
    for (const { name, left, ...group } of groupsOf(wanted)) {
      const at = `${folder}${name}`;
      const before = reports.flatMap(({ tests }) => tests).length;
      this.#progress = this.#store.folder.file(`${at}/${PROGRESS}`);
      const stop = watchProgress(this.#progress, ({ test, of }) =>
        began({ test: before + test, of: before + of + left }),
      );
      const timeout_ms = Math.max(1, Math.ceil(until - performance.now()));
      const one = {
        ...wanted,
        ...group,
        timeout_ms,
        tools,
        folder: at,
        further: [],
        control,
        isShared,
        video,
      };
      const seen = await this.#run(one, signal).finally(stop);
      if (seen.ended_by === "timeout")
        return { ran: { ran: "timed_out", after_ms: wanted.timeout_ms }, ...unknown };
      const report = await readRun(this.#store.folder, at);
      if (!("ran" in report)) reports.push(report);
      // The tests of a file of the project are then missing in the report; those of others still count.
      else if (report.ran !== "empty" && !group.own) return { ran: report, ...unknown };
    }
    const [first] = reports;
    if (!first) return { ran: { ran: "empty" }, ...unknown };
    const browser = reports.map(({ browser }) => browser).find((name) => name !== null) ?? null;
    const tests = reports.flatMap(({ tests }) => tests);
    return { ...unknown, playwright: first.playwright, browser, ran: { ran: "report", tests } };
  }

  /** The test that started last in the tests that are running or ended last; null before the first one starts. */
  testUnderWay() {
    return testUnderWay(this.#progress);
  }

  /**
   * Looks at pages with a separate program in which no test runs.
   * @param {LookAtPages} command
   * @param {AbortSignal} signal
   * @returns {Promise<LookedAt>}
   */
  async look({ effect, pages, a11y, page_ms, timeout_ms }, signal) {
    const tools = this.tools();
    if ("obstacle" in tools) return { looked: "impossible", obstacle: tools };
    const { folder: run } = this.#store;
    const folder = `${FOLDER}/pages`;
    await run.folder(folder).removeAll();
    const axe = a11y ? findAxe({ project: this.#project, settings: this.#settings }) : undefined;
    const report = run.file(`${folder}/seen.json`);
    const launch = { headless: true, ...launchOptions(tools) };
    const wanted = { library: tools.library, launch, axe: axe ?? null, pages, page_ms, report };
    await this.#store.write(`${folder}/wanted.json`, `${JSON.stringify(wanted, null, 2)}\n`);
    const argv = [tools.node, LOOK, run.file(`${folder}/wanted.json`)];
    const seen = await this.#start(argv, { effect, folder, timeout_ms }, signal);
    if (seen.ended_by === "timeout") return { looked: "unreadable", message: "the checks took too long" };
    return readPages(run, folder);
  }

  /**
   * @param {object} wanted
   * @param {import("./tools.js").Tools} wanted.tools
   * @param {number} wanted.effect
   * @param {string} wanted.folder
   * @param {string[]} wanted.files
   * @param {Own | null} wanted.own
   * @param {string | null} wanted.base_url
   * @param {number} wanted.test_ms
   * @param {number | null} wanted.wait_ms
   * @param {number} [wanted.assert_ms]
   * @param {import("../core/types.js").ValidationTestWaits[]} [wanted.waits]
   * @param {number} wanted.timeout_ms
   * @param {string[]} wanted.further arguments
   * @param {boolean} wanted.control whether a counterfeit replaces the application
   * @param {boolean} wanted.isShared whether tests see the changes of other tests
   * @param {number} [wanted.rule_seed] the seed of fast-check
   * @param {boolean} wanted.video whether a video of each test is kept
   * @param {import("../core/types.js").ValidationTestName[]} [wanted.only] the tests in the files that run
   * @param {string} [wanted.proxy] the address in front of the application
   * @param {TestProxy[]} [wanted.proxies] the same of each test, if there are several
   * @param {AbortSignal} signal
   */
  async #run({ effect, timeout_ms, further, ...wanted }, signal) {
    const { folder: run } = this.#store;
    const { tools, folder } = wanted;
    // The results of a run that was requested before a crash don't count.
    await run.folder(folder).removeAll();
    await this.#writeFixture(tools);
    const config = `${folder}/playwright.config.cjs`;
    const places = { run: run.path, project: this.#project };
    await this.#store.write(config, configuration({ ...wanted, ...places, traces: this.#traces }));
    const argv = [tools.node, tools.cli, "test", "--config", run.file(config), ...further];
    // Only fixture.js and reporter.js read it: a test can read the configuration.
    const told = { address: wanted.base_url ?? "", control: wanted.control, mark: randomUUID() };
    const environment = { VALIDATION_TESTS: JSON.stringify(told) };
    return this.#start(argv, { effect, folder, timeout_ms, environment }, signal);
  }

  /**
   * @param {string[]} argv
   * @param {{effect: number, folder: string, timeout_ms: number, environment?: Record<string, string>}} wanted
   * @param {AbortSignal} signal
   */
  async #start(argv, { effect, folder, timeout_ms, environment }, signal) {
    const { folder: run } = this.#store;
    await this.#store.create(`${folder}/stdout.log`, "");
    const log = await run.open(`${folder}/stdout.log`, "append");
    try {
      const mark = `${this.#mark()}~${effect}`;
      const env = { ...this.#environment, ...environment, FORCE_COLOR: "0" };
      const seen = await runCommand({ argv, cwd: this.#project, env, mark, timeout_ms }, log, signal);
      if (seen.not_started !== null) throw new Error(`Playwright can't be started: ${seen.not_started}`);
      signal.throwIfAborted();
      return seen;
    } finally {
      await log.close();
    }
  }

  /**
   * Writes the module that the tests import, and the file that keeps the project's own settings away from them.
   * @param {import("./tools.js").Tools} tools
   */
  async #writeFixture({ library, fastCheck }) {
    const text = readFileSync(FIXTURE, "utf8").replaceAll(
      '"@playwright/test";',
      `${JSON.stringify(library)};`,
    );
    await this.#store.write(FIXTURE_FILE, text);
    await this.#store.write(PROPERTIES_FILE, readFileSync(PROPERTIES, "utf8"));
    await this.#store.folder.folder(`${TESTS}/node_modules`).removeAll();
    if (fastCheck) {
      // Node.js itself resolves it, as it would for the project.
      const found = `require("node:module").createRequire(${JSON.stringify(fastCheck.from)})("fast-check")`;
      const module = `module.exports = require("../../properties.js").bounded(${found});\n`;
      await this.#store.write(FAST_CHECK_FILE, module);
    }
    await this.#store.write(`${TESTS}/package.json`, '{ "type": "commonjs" }\n');
    await this.#store.write(`${TESTS}/tsconfig.json`, "{}\n");
  }

  /**
   * Writes a configuration for running the same tests by hand: its output is for people, and is not evidence.
   * @param {Pick<RunTests, "files" | "own" | "base_url" | "test_ms" | "rule_seed">} wanted
   * @param {import("./tools.js").Tools} tools
   */
  async #writeByHand({ files, own, base_url, test_ms, rule_seed }, tools) {
    const places = { run: this.#store.folder.path, project: this.#project };
    const configured = {
      outputDir: path.join(places.run, BY_HAND, "results"),
      respectGitIgnore: false,
      timeout: test_ms,
      updateSnapshots: "none",
      reporter: "list",
      use: used(base_url, tools, rule_seed),
    };
    const config = written({ ...places, files, own, configured, byHand: true });
    await this.#store.write(`${BY_HAND}/playwright.config.cjs`, config);
  }

  /** The mark of the tests, which differs from that of the servers: the tests aren't ended with them. */
  #mark() {
    return `${markOf(this.#store.folder)}-tests`;
  }
}

/**
 * The tests that run in a process of their own. Playwright loads test files into the process that writes the report, so a file can
 * falsify the results of all tests that run with it. Each of the project's files therefore runs alone. The tests that were written for
 * the run have a single author, and may import nothing (src/validation/suite.rs).
 * @param {Pick<RunTests, "files" | "own" | "only">} wanted
 * @returns {{name: string, files: string[], own: Own | null, left: number}[]} `name`: added to the folder of the pass; `left`: how many
 *   tests follow
 */
function groupsOf({ files, own, only }) {
  const theirs = own?.tests ?? [];
  const groups = [...new Set(theirs.map(({ file }) => file))].map((name, index) => ({
    name: `/own-${index + 1}`,
    files: /** @type {string[]} */ ([]),
    own: own && { ...own, tests: theirs.filter(({ file }) => file === name) },
  }));
  const written = files.length > 0 && only?.length !== 0 ? [{ name: "", files, own: null }] : [];
  const all = [...written, ...groups];
  const size = (/** @type {Own | null} */ own) => own?.tests?.length ?? 0;
  return all.map((group, index) => ({
    ...group,
    left: all.slice(index + 1).reduce((sum, { own }) => sum + size(own), 0),
  }));
}

/**
 * The configuration of Playwright. The project's own configuration is ignored, and none of its servers is started.
 * @param {object} wanted
 * @param {string} wanted.run absolute
 * @param {string} wanted.project absolute
 * @param {string} wanted.folder
 * @param {string[]} wanted.files
 * @param {Own | null} wanted.own
 * @param {string | null} wanted.base_url
 * @param {number} wanted.test_ms
 * @param {number | null} wanted.wait_ms how long an action or an assertion may wait; null for Playwright's own limit
 * @param {number} [wanted.assert_ms] how long an assertion may wait, if not as long as an action
 * @param {import("../core/types.js").ValidationTestWaits[]} [wanted.waits] what single tests may wait (fixture.js)
 * @param {import("./tools.js").Tools} wanted.tools
 * @param {boolean} wanted.control
 * @param {boolean} wanted.isShared
 * @param {number} [wanted.rule_seed]
 * @param {boolean} wanted.video whether videos of tests that pass are kept
 * @param {import("../core/types.js").ValidationTestName[]} [wanted.only]
 * @param {string} [wanted.proxy]
 * @param {TestProxy[]} [wanted.proxies]
 * @param {boolean} wanted.traces
 */
function configuration({ run, project, folder, files, own, base_url, traces, ...wanted }) {
  const { test_ms, wait_ms, assert_ms, waits = [], tools, control, isShared, only } = wanted;
  const { proxy, proxies = [], rule_seed, video } = wanted;
  const named = proxies.map(({ whose, file, title, proxy }) => {
    const place = path.resolve(whose === "written" ? run : project, file);
    return [`${place} › ${title}`, proxy];
  });
  const limits = waits.map(({ title, wait_ms, assert_ms }) => [title, { wait_ms, assert_ms }]);
  const at = (/** @type {string} */ name) => path.join(run, folder, name);
  const configured = {
    outputDir: at("artifacts"),
    respectGitIgnore: false,
    forbidOnly: true,
    retries: 0,
    repeatEach: 1,
    ...(isShared ? { fullyParallel: false, workers: 1 } : CONTROL),
    updateSnapshots: "none",
    timeout: test_ms,
    ...(wait_ms !== null && { expect: expecting(assert_ms ?? wait_ms) }),
    reporter: [
      ["json", { outputFile: at("report.json") }],
      ["junit", { outputFile: at("junit.xml") }],
      [REPORTER, { root: run, project, file: at("seen.json"), progress: at(PROGRESS), control }],
    ],
    use: {
      ...used(base_url, tools, rule_seed),
      ...(proxy && { proxy: { server: proxy } }),
      ...(named.length > 0 && { validationProxies: Object.fromEntries(named) }),
      ...(limits.length > 0 && { validationWaits: Object.fromEntries(limits) }),
      trace: traces ? "on" : "off",
      screenshot: "on",
      video: tools.films ? (video ? "on" : "retain-on-failure") : "off",
      ...(wait_ms !== null && { actionTimeout: wait_ms, navigationTimeout: wait_ms }),
    },
  };
  return written({ run, project, files, own, only, configured, byHand: false });
}

/**
 * The limits of assertions. Playwright lets `toPass` wait as long as the test; here it waits until what it contains has failed.
 * @param {number} timeout
 */
const expecting = (timeout) => ({ timeout, toPass: { timeout: 3 * timeout } });

/**
 * The browser, the address of the application, and the seed of fast-check.
 * @param {string | null} base_url
 * @param {import("./tools.js").Tools} tools
 * @param {number} [rule_seed]
 */
function used(base_url, tools, rule_seed) {
  return {
    browserName: "chromium",
    headless: true,
    ...(base_url !== null && { baseURL: base_url }),
    ...(rule_seed !== undefined && { validationSeed: rule_seed }),
    // Nobody can vouch for a certificate that this machine made itself.
    ...(base_url?.startsWith("https:") && { ignoreHTTPSErrors: true }),
    launchOptions: launchOptions(tools),
  };
}

/**
 * The text of a configuration file.
 * @param {object} wanted
 * @param {string} wanted.run absolute
 * @param {string} wanted.project absolute
 * @param {string[]} wanted.files
 * @param {Own | null} wanted.own
 * @param {import("../core/types.js").ValidationTestName[]} [wanted.only] the tests in the files that run
 * @param {object} wanted.configured
 * @param {boolean} wanted.byHand whether a person runs it, who may give another address of the application
 */
function written({ run, project, files, own, only, configured, byHand }) {
  const its = {
    testDir: path.join(run, TESTS),
    testMatch: files.map((file) => exactly(path.join(run, file))),
    ...(only && { grep: titlesOf(only, path.join(run, TESTS), run) }),
  };
  const projects = [...(files.length > 0 ? [its] : []), ...(own ? [ownTests(own, run, project)] : [])];
  const watching = `require(${JSON.stringify(path.join(run, FIXTURE_FILE))}).watchAll();\n`;
  const elsewhere = "if (process.env.BASE_URL) configured.use.baseURL = process.env.BASE_URL;\n";
  return `// Written by Validation, for one run of its tests.
${own ? watching : ""}const configured = ${JSON.stringify(configured, null, 2)};
${byHand ? elsewhere : ""}const projects = ${JSON.stringify(projects, null, 2)};
const compiled = ([key, value]) => [key, Array.isArray(value) ? value.map((text) => new RegExp(text)) : value];

module.exports = {
  ...configured,
  projects: projects.map((project) => Object.fromEntries(Object.entries(project).map(compiled))),
};
`;
}

/**
 * The directory of the project's own tests, and which of them run. Tests that validation runs wrote don't belong to them.
 * @param {Own} own
 * @param {string} run absolute
 * @param {string} project absolute
 */
function ownTests({ directory, tests }, run, project) {
  const testDir = path.resolve(project, directory);
  if (!tests) return { testDir, testIgnore: [`^${escaped(path.dirname(run) + path.sep)}`] };
  const files = new Set(tests.map(({ file }) => path.resolve(project, file)));
  return { testDir, testMatch: [...files].map(exactly), grep: titlesOf(tests, testDir, project) };
}

/**
 * The patterns that match these tests. Playwright matches them against the file, the groups and the title, each with its tags,
 * separated by spaces.
 * @param {import("../core/types.js").ValidationTestName[]} tests
 * @param {string} testDir absolute
 * @param {string} root the directory to which their files are relative
 */
function titlesOf(tests, testDir, root) {
  return tests.map(({ file, title }) => {
    const below = path.relative(testDir, path.resolve(root, file));
    const titles = title.split(" › ").map(escaped).join("(?: @\\S+)*(?: ›)? ");
    return `(?:^|[ \\\\/])${escaped(below)} ${titles}(?: @\\S+)*$`;
  });
}

/** @param {string} file */
const exactly = (file) => `^${escaped(file)}$`;

/** @param {string} text */
const escaped = (text) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

/** @param {import("./tools.js").Tools} tools */
function launchOptions({ browser }) {
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return { args, ...(browser !== null && { executablePath: browser }) };
}
