/** How long a call may take, and how long it may stay silent. */
import { LONGEST_TIMER_MS } from "../kernel/clock.js";

/** How long a short call to OpenCode may take. */
export const QUICK_MS = 15_000;

/**
 * Waits at most this long. The action itself continues; the caller aborts it if that matters.
 * @template T
 * @param {number} ms
 * @param {Promise<T>} action
 * @returns {Promise<T>}
 */
export async function within(ms, action) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((_, reject) => {
    const error = Object.assign(new Error(`no answer within ${ms} ms`), { name: "Timeout" });
    timer = setTimeout(() => reject(error), Math.min(ms, LONGEST_TIMER_MS));
  });
  try {
    return await /** @type {Promise<T>} */ (Promise.race([action, late]));
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Waits for an answer as long as parts of it keep arriving. The action itself continues, as above.
 * @template T
 * @param {import("./incoming.js").Incoming} incoming
 * @param {number} ms the longest silence allowed
 * @param {Promise<T>} action
 * @param {AbortSignal} [over] ends the wait, if the action may never settle
 * @returns {Promise<T>}
 */
export async function unlessSilent(incoming, ms, action, over) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const silent = new Promise((_, reject) => {
    const look = () => {
      if (over?.aborted) return;
      const left = ms - incoming.silence;
      if (left > 0) timer = setTimeout(look, Math.min(left, LONGEST_TIMER_MS));
      else reject(Object.assign(new Error(`nothing arrived for ${ms} ms`), { name: "Silent" }));
    };
    look();
    over?.addEventListener("abort", () => clearTimeout(timer), { once: true });
  });
  try {
    return await /** @type {Promise<T>} */ (Promise.race([action, silent]));
  } finally {
    clearTimeout(timer);
  }
}
