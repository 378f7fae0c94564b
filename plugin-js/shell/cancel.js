/**
 * Stopping runs: by `/design-lab-cancel`, or because the process is told to end.
 */
import { isMainThread } from "node:worker_threads";
import { DesignLabError } from "../core.js";

/** How long the end of the process waits for runs to stop in good order. Their journals need none of it. */
const PATIENCE_MS = 3_000;

const SIGNALS = /** @type {const} */ (["SIGHUP", "SIGINT", "SIGTERM"]);

/**
 * Stops every run that is on here, and says so.
 * @param {Pick<import("./carry.js").Request, "core" | "running">} request
 */
export async function cancel({ core, running }) {
  const runs = [...running];
  if (runs.length === 0) {
    throw new DesignLabError([
      {
        code: "run.none-running",
        message: "No run is on in this process.",
        next: "/design-lab-status lists the runs.",
      },
    ]);
  }
  await Promise.all(runs.map((run) => run.cancel("you asked for it")));
  return core.stoppedRuns(runs.map((run) => run.name));
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
