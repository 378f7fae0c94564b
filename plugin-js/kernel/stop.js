/**
 * Stopping a run: because another process asks for it, or because this one gets a signal to end.
 */
import { setTimeout as pause } from "node:timers/promises";
import { isMainThread } from "node:worker_threads";
import { DesignLabError } from "../core/load.js";
import { ownerOf } from "./lock.js";

/** How long the end of the process waits for runs to stop in good order. Their journals need none of it. */
const PATIENCE_MS = 3_000;

/** How long to wait for another process, in ms: it looks every other second, and lets aborted calls go. */
const OTHER_PROCESS = { patience: 15_000, pause: 200 };

/** What another process leaves in a run directory to have the run stopped. */
const REQUEST = "cancel.request";

const SIGNALS = /** @type {const} */ (["SIGHUP", "SIGINT", "SIGTERM"]);

/**
 * Asks the process that owns a run to stop it, and waits until it has let go of it. Rejects with a `DesignLabError` where it
 * has the run still.
 * @param {Pick<import("./machine.js").Machine, "notStopped">} core
 * @param {import("./door.js").Folder} run
 * @param {{patience: number, pause: number}} waiting in ms: how long altogether, and between two looks
 */
export async function askToStop(core, run, waiting = OTHER_PROCESS) {
  await run.mark(REQUEST);
  let owner = await ownerOf(run);
  for (let left = waiting.patience; left > 0 && owner.kind === "process"; left -= waiting.pause) {
    await pause(waiting.pause);
    owner = await ownerOf(run);
  }
  // A process that doesn't look now may do so later: the request stays for it.
  if (owner.kind === "process") throw new DesignLabError([core.notStopped(run.name, owner.name)]);
  await run.remove(REQUEST);
}

/**
 * Whether another process has asked for this run to be stopped; each request is seen once.
 * @param {import("./door.js").Folder} run
 */
export async function isStopRequested(run) {
  return run.remove(REQUEST).catch(() => false);
}

/**
 * Lets a run stop in good order when the process gets a signal to end: calls in flight are aborted, which spares their cost.
 * Then the signal does what it would have done without us. In a worker signals don't arrive, and nothing is done.
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
      // Whoever else listens has been told already, and decides.
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
 * Does something that ends in good order when the process gets a signal to end: its own signal is aborted, and once it has ended the
 * process's does what it would have done without us.
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
