/**
 * Shows a run while it continues. A fault in showing it is reported, and never stops the run.
 *
 * @param {import("../host.js").Host} host
 * @param {() => {text: string, panel: import("../core/types.js").Panel | null}} look how the run stands now
 * @param {() => void} [shown] called each time when it is drawn
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
      // Once, and not at every tick.
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
      // There is nobody left to tell.
    }
  }
}
