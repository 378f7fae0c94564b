/**
 * The clock of a run: it starts at the wall clock's time and then runs evenly, whatever happens to the wall clock. A step back
 * must not make a run wait, and a step forward must not end one.
 * @returns {() => number} the time now: milliseconds since 1970-01-01 UTC
 */
export function steadyClock() {
  const offset = Date.now() - performance.now();
  return () => Math.round(offset + performance.now());
}

/** Node and Bun fire a longer timer immediately. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The user's local date: `YYYY-MM-DD`. @param {Date} now */
export function localDate(now) {
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
