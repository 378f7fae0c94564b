/**
 * Shows a run while it goes on. What goes wrong with that is told, and never stops the run.
 *
 * @param {import("../host.js").Host} host
 * @param {() => {text: string, panel: import("../core/types.js").Panel | null}} look how the run stands now
 * @param {() => void} [shown] called each time when it is drawn
 * @returns {() => Promise<void>} draws it anew; neither throws nor rejects
 */
export function drawing(host, look, shown = () => {}) {
  let told = false;
  return async () => {
    try {
      const { text, panel } = look();
      await host.report(text, panel);
      shown();
      told = false;
    } catch (error) {
      // Once, and not at every tick.
      if (!told) tell(error);
      told = true;
    }
  };

  /** @param {unknown} error */
  function tell(error) {
    const message = error instanceof Error ? error.message : String(error);
    try {
      host.notify("warning", `The run goes on, but can't be shown: ${message}`, true);
    } catch {
      // There is nobody left to tell.
    }
  }
}
