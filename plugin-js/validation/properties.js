/**
 * fast-check as the tests of a run import it: with the run's seed, few inputs, and no longer than the test has time. The shell writes
 * this into the run, with a module that wraps the installed fast-check in it (playwright.js).
 *
 * Each input drives a page, so a test may only lower their number. In a control pass the first input for which a rule fails is enough:
 * no smaller one is looked for.
 */

/** @typedef {typeof import("fast-check")} FastCheck */

/** The number of inputs with which a rule is tried. */
const MOST = 20;

/** The part of a test's time after which no further input is tried. The rest is for the one that is under way, and for the report. */
const SHARE = 0.75;

/** The maximum number of rules that are recorded for one test (src/validation/protocol.rs). */
const MOST_RULES = 50;

/** @type {import("fast-check").Parameters<any>} */
let fixed = {};

/** How long further inputs are tried, in ms. */
let left = () => Number.POSITIVE_INFINITY;

/** @type {{inputs: number, interrupted: boolean}[]} */
let tried = [];

/**
 * Begins a test.
 * @param {object} test
 * @param {number | null} test.seed null if tests can't use fast-check
 * @param {boolean} test.control whether a counterfeit replaces the application
 * @param {() => number} test.timeout in ms, which the test itself may change; 0 for none
 */
export function beginRules({ seed, control, timeout }) {
  fixed = { ...(seed !== null && { seed }), endOnFailure: control, includeErrorInReport: true };
  const began = performance.now();
  left = () => (timeout() > 0 ? began + SHARE * timeout() - performance.now() : Number.POSITIVE_INFINITY);
  tried = [];
}

/** The rules that the test has tried. */
export const triedRules = () => tried;

/**
 * @param {FastCheck} fastCheck
 */
export function bounded(fastCheck) {
  /** @param {import("fast-check").Parameters<any>} [given] */
  const parameters = ({ numRuns = MOST, examples = [] } = {}) => ({
    ...fixed,
    examples,
    numRuns: Math.min(Math.max(1, numRuns), MOST),
    ...(Number.isFinite(left()) && { interruptAfterTimeLimit: Math.max(1, left()) }),
  });
  const reporter = (/** @type {import("fast-check").RunDetails<any>} */ details) => {
    const { numRuns: inputs, interrupted } = details;
    if (tried.length < MOST_RULES) tried.push({ inputs, interrupted });
    const message = fastCheck.defaultReportMessage(details);
    if (message !== undefined) throw new Error(message);
  };
  /** @param {any} property @param {import("fast-check").Parameters<any>} [given] */
  const assert = (property, given) => {
    const wanted = { ...parameters(given), reporter };
    return property.isAsync() ? watched(property, wanted) : fastCheck.assert(property, wanted);
  };
  /** @param {any} property @param {any} wanted */
  const watched = async (property, wanted) => {
    const { run } = property;
    /** @type {any} */
    let last;
    property.run = (/** @type {any[]} */ ...given) => {
      last = run.apply(property, given);
      return last;
    };
    await fastCheck.assert(property, wanted);
    // The input that was under way when the time was up decides, too.
    const failure = await last;
    if (failure && !fastCheck.PreconditionFailure.isFailure(failure)) throw failure.error;
  };
  /** @param {any} property @param {import("fast-check").Parameters<any>} [given] */
  const check = (property, given) => fastCheck.check(property, parameters(given));
  const own = { ...fastCheck, assert, check };
  return { ...own, default: own, __esModule: true };
}
