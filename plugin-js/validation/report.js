/**
 * Reads Playwright's output. An absent report, an empty one and one that can't be read are three different things, and none of them
 * means that anything passed.
 */

/**
 * @typedef {import("../kernel/door.js").Folder} Folder
 * @typedef {import("../core/types.js").ValidationTestSeen} TestSeen
 * @typedef {{ran: "absent"} | {ran: "empty"} | {ran: "unparsable", message: string}} NoReport
 * @typedef {{tests: TestSeen[], errors: string[], playwright: string | null, browser: string | null}} Report
 */

/** This package's report (reporter.js) and Playwright's own: both must exist. */
const SEEN = "seen.json";
const OWN = "report.json";

/**
 * @param {Folder} run
 * @param {string} folder the folder of this run of the tests, relative to the run's directory
 * @returns {Promise<Report | NoReport>}
 */
export async function readRun(run, folder) {
  const own = await read(run, `${folder}/${OWN}`, (report) => report.suites);
  return "ran" in own ? own : readListed(run, folder);
}

/**
 * The same if the tests were only listed: there is no report of Playwright's own.
 * @param {Folder} run
 * @param {string} folder
 * @returns {Promise<Report | NoReport>}
 */
export function readListed(run, folder) {
  return read(run, `${folder}/${SEEN}`, (report) => report.tests);
}

/**
 * The observations of pages (look.js).
 * @param {Folder} run
 * @param {string} folder
 * @returns {Promise<import("../core/types.js").ValidationLookedAt>}
 */
export async function readPages(run, folder) {
  const file = `${folder}/${SEEN}`;
  if (!(await run.status(file))) return { looked: "unreadable", message: `${file} doesn't exist` };
  try {
    const { pages, axe } = JSON.parse((await run.read(file)).toString("utf8"));
    return { looked: "pages", pages, axe };
  } catch (error) {
    return { looked: "unreadable", message: `${file}: ${error instanceof Error ? error.message : error}` };
  }
}

/**
 * @param {Folder} run
 * @param {string} file
 * @param {(report: any) => unknown} listed the part of it that must be a non-empty list
 * @returns {Promise<Report | NoReport>}
 */
async function read(run, file, listed) {
  if (!(await run.status(file))) return { ran: "absent" };
  const text = (await run.read(file)).toString("utf8");
  if (text.trim() === "") return { ran: "empty" };
  let report;
  try {
    report = JSON.parse(text);
    if (!Array.isArray(listed(report))) throw new Error("it has no list of tests");
  } catch (error) {
    return { ran: "unparsable", message: `${file}: ${error instanceof Error ? error.message : error}` };
  }
  const errors = Array.isArray(report.errors) ? report.errors : [];
  if (/** @type {unknown[]} */ (listed(report)).length === 0 && errors.length === 0) return { ran: "empty" };
  const { tests = [], playwright = null, browser = null } = report;
  return { tests, errors, playwright, browser };
}
