/**
 * Stopping runs: by `/design-lab-cancel`, or because the process is told to end.
 */
import { open, rm, unlink } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { isMainThread } from "node:worker_threads";
import { DesignLabError } from "../core.js";
import { carrier } from "./lock.js";
import { configured, survey } from "./runs.js";
import { StoreError } from "./store.js";

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
    if (runs.length === 0) await stopElsewhere(core, path.join(output, name));
    if (runs.length === 0) return core.stoppedRuns([name]);
  }
  await Promise.all(runs.map((run) => run.cancel("you asked for it")));
  return core.stoppedRuns(runs.map((run) => run.name));
}

/**
 * Has another process stop its run, and waits until it has let go of it.
 * @param {import("../core.js").Core} core
 * @param {string} directory absolute
 */
async function stopElsewhere(core, directory) {
  const file = path.join(directory, REQUEST);
  try {
    await (await open(file, "w")).close();
  } catch (error) {
    throw new StoreError(file, error);
  }
  let owner = await carrier(directory);
  for (let left = OTHER_MS; left > 0 && owner.kind === "process"; left -= LOOK_MS) {
    await pause(LOOK_MS);
    owner = await carrier(directory);
  }
  // A process that doesn't look now may do so later: the request stays for it.
  if (owner.kind === "process")
    throw new DesignLabError([core.notStopped(path.basename(directory), owner.name)]);
  await rm(file, { force: true });
}

/**
 * Whether another process has asked for this run to be stopped; each request is seen once.
 * @param {string} directory absolute
 */
export async function isStopRequested(directory) {
  return unlink(path.join(directory, REQUEST)).then(
    () => true,
    () => false,
  );
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
