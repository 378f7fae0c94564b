/**
 * Shows a run while it is running. A fault in showing it is reported, and never stops the run.
 *
 * @param {import("../host.js").Host} host
 * @param {() => {text: string, panel: import("../core/types.js").Panel | null}} look the run's current state
 * @param {() => void} [shown] called after each drawing
 * @returns {() => Promise<void>} draws it again; neither throws nor rejects
 */
export function drawing(host, look, shown = () => {}) {
  let isReported = false;
  return async () => {
    try {
      const { text, panel } = look();
      await host.report(text, panel);
      shown();
      isReported = false;
    } catch (error) {
      // Once, not at every tick.
      if (!isReported) tell(error);
      isReported = true;
    }
  };

  /** @param {unknown} error */
  function tell(error) {
    const message = error instanceof Error ? error.message : String(error);
    try {
      host.notify("warning", `The run continues, but can't be shown: ${message}`, true);
    } catch {
      // No one is left to notify.
    }
  }
}
