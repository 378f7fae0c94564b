/**
 * Shows a run while it goes on. What goes wrong with that is told, and never stops the run.
 *
 * @param {import("../host.js").Host} host
 * @param {() => {text: string, panel: import("../types.js").Panel | null}} look how the run stands now
 * @param {() => void} shown called each time when it is drawn
 * @returns {() => void} draws it anew
 */
export function drawing(host, look, shown) {
  let told = false;
  return () => {
    try {
      const { text, panel } = look();
      host.report(text, panel).then(shown);
      told = false;
    } catch (error) {
      // Once, and not at every tick.
      const message = error instanceof Error ? error.message : String(error);
      if (!told) host.notify("warning", `The run goes on, but can't be shown: ${message}`, true);
      told = true;
    }
  };
}
