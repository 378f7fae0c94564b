/**
 * Stops a run when another process requests it or when this process receives a signal to end.
 */
import { setTimeout as pause } from "node:timers/promises";
import { isMainThread } from "node:worker_threads";
import { DesignLabError } from "../core/load.js";
import { ownerOf } from "./lock.js";

/** The reason that a run records when the user stops it by its command. */
export const BY_COMMAND = "you cancelled it";

/** How long the end of the process waits for runs to stop in order. Their journals don't need this time. */
const PATIENCE_MS = 3_000;

/** How long to wait for another process, in ms: it checks every two seconds, and lets aborted calls finish. */
const OTHER_PROCESS = { patience: 15_000, pause: 200 };

/** The file that another process creates in a run directory to have the run stopped. */
const REQUEST = "cancel.request";

const SIGNALS = /** @type {const} */ (["SIGHUP", "SIGINT", "SIGTERM"]);

/**
 * Asks the process that owns a run to stop it, and waits until it has released the run. Rejects with a `DesignLabError` if it
 * still holds the run afterwards.
 * @param {Pick<import("./machine.js").Machine, "notStopped">} core
 * @param {import("./door.js").Folder} run
 * @param {{patience: number, pause: number}} waiting in ms: in total, and between two checks
 */
export async function askToStop(core, run, waiting = OTHER_PROCESS) {
  await run.mark(REQUEST);
  let owner = await ownerOf(run);
  for (let left = waiting.patience; left > 0 && owner.kind === "process"; left -= waiting.pause) {
    await pause(waiting.pause);
    owner = await ownerOf(run);
  }
  // A process that doesn't check now may do so later: the request stays for it.
  if (owner.kind === "process") throw new DesignLabError([core.notStopped(run.name, owner.name)]);
  await run.remove(REQUEST);
}

/**
 * Whether another process has requested that this run stop; each request is seen once.
 * @param {import("./door.js").Folder} run
 */
export async function isStopRequested(run) {
  return run.remove(REQUEST).catch(() => false);
}

/**
 * Lets a run stop in order when the process receives a signal to end: calls in flight are aborted, which saves their cost. Then
 * the signal has its usual effect. Workers don't receive signals, so nothing is done there.
 * @param {import("./run.js").RunShell} run
 * @returns {() => void} stops listening
 */
export function stopOnSignals(run) {
  if (!isMainThread) return () => {};
  const listeners = SIGNALS.map((signal) => {
    const listener = async () => {
      process.off(signal, listener);
      const late = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
      await Promise.race([run.cancel(`the process received ${signal}`), late]);
      // Other listeners have received the signal already, and decide.
      if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
    };
    process.on(signal, listener);
    return () => process.off(signal, listener);
  });
  return () => {
    for (const stop of listeners) stop();
  };
}

/**
 * Runs an action that ends in order when the process receives a signal to end: the action's own signal is aborted, and once it
 * has ended, the process's signal has its usual effect.
 * @template T
 * @param {(signal: AbortSignal) => Promise<T>} action
 * @returns {Promise<T>}
 */
export async function endingInOrder(action) {
  const wording = new AbortController();
  /** @type {NodeJS.Signals | undefined} */
  let received;
  const listener = (/** @type {NodeJS.Signals} */ signal) => {
    received ??= signal;
    wording.abort();
  };
  for (const signal of SIGNALS) process.on(signal, listener);
  try {
    return await action(wording.signal);
  } finally {
    for (const signal of SIGNALS) process.off(signal, listener);
    if (received) process.kill(process.pid, received);
  }
}
