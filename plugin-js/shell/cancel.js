/**
 * Stopping runs: by `/design-lab-cancel`, or because the process is told to end.
 */
import { setTimeout as pause } from "node:timers/promises";
import { isMainThread } from "node:worker_threads";
import { DesignLabError } from "../core.js";
import { Folder } from "./door.js";
import { carrier } from "./lock.js";
import { configured, survey } from "./runs.js";

/** How long the end of the process waits for runs to stop in good order. Their journals need none of it. */
const PATIENCE_MS = 3_000;

/** What another process leaves in a run directory to have the run stopped. */
const REQUEST = "cancel.request";
/** How long to wait for the other process: it looks every other second, and lets aborted calls go. */
const OTHER_MS = 15_000;
const LOOK_MS = 200;

const SIGNALS = /** @type {const} */ (["SIGHUP", "SIGINT", "SIGTERM"]);

/**
 * Stops what is meant, and says so: without a name every run that is on here, or the one that is on elsewhere.
 * @param {import("./carry.js").Request} request
 */
export async function cancel(request) {
  const { core, running, text } = request;
  let runs = [...running];
  if (text.trim() !== "" || runs.length === 0) {
    const { output } = await configured(request);
    const { name } = core.choose("cancel", text, await survey(core, output));
    runs = runs.filter((run) => run.name === name);
    if (runs.length === 0) {
      const owner = await askToStop(new Folder(output, name), { patience: OTHER_MS, pause: LOOK_MS });
      if (owner.kind === "process") throw new DesignLabError([core.notStopped(name, owner.name)]);
      return core.stoppedRuns([name]);
    }
  }
  await Promise.all(runs.map((run) => run.cancel("you asked for it")));
  return core.stoppedRuns(runs.map((run) => run.name));
}

/**
 * Asks the process that carries a run to stop it, and waits until it has let go of it.
 * @param {Folder} run
 * @param {{patience: number, pause: number}} waiting in ms: how long altogether, and between two looks
 * @returns {Promise<import("../types.js").Carrier>} who has it still
 */
export async function askToStop(run, waiting) {
  await run.mark(REQUEST);
  let owner = await carrier(run);
  for (let left = waiting.patience; left > 0 && owner.kind === "process"; left -= waiting.pause) {
    await pause(waiting.pause);
    owner = await carrier(run);
  }
  // A process that doesn't look now may do so later: the request stays for it.
  if (owner.kind === "nobody") await run.remove(REQUEST);
  return owner;
}

/**
 * Whether another process has asked for this run to be stopped; each request is seen once.
 * @param {Folder} run
 */
export async function isStopRequested(run) {
  return run.remove(REQUEST).catch(() => false);
}

/**
 * Lets a run stop in good order when the process is told to end: calls in flight are aborted, which spares their cost.
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
