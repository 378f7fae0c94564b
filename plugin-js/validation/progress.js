/**
 * The progress of a run of tests: Playwright's reporter writes it to a file (reporter.js), which is read at intervals.
 */
import { readFileSync } from "node:fs";

/** @typedef {import("../core/types.js").ValidationTestUnderWay} TestUnderWay */
/** @typedef {{test: number, of: number}} Far the number of the test that started last, from 1, and how many there are */

/** The file, in the folder of the pass. */
export const PROGRESS = "progress.json";

/** The interval at which it is read, in ms. */
const EVERY_MS = 1_000;

/**
 * Watches the file until it is stopped.
 * @param {string} file absolute
 * @param {(far: Far) => void} heard called for each change
 * @returns {() => void} stops it
 */
export function watchProgress(file, heard) {
  let last = 0;
  const timer = setInterval(() => {
    const far = read(file);
    if (!far || far.test === last) return;
    last = far.test;
    heard(far);
  }, EVERY_MS);
  return () => clearInterval(timer);
}

/**
 * The test that started last.
 * @param {string} file absolute
 * @returns {TestUnderWay | null} null before the first test starts
 */
export function testUnderWay(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8")).began ?? null;
  } catch {
    return null;
  }
}

/** @param {string} file @returns {Far | undefined} undefined before the first test starts */
function read(file) {
  try {
    const { test, of } = JSON.parse(readFileSync(file, "utf8"));
    return Number.isSafeInteger(test) && Number.isSafeInteger(of) ? { test, of } : undefined;
  } catch {
    return undefined;
  }
}
