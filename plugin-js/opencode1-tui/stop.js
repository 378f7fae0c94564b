/** Stops runs from the TUI, after the user has confirmed. */

/**
 * @typedef {import("@opencode-ai/plugin/tui").TuiPluginApi} Api
 * @typedef {import("./index.js").Run} Run
 */

/**
 * Asks for confirmation. The preselected answer lets the runs continue.
 * @param {Api} api
 * @param {Run[]} runs the active runs
 */
export function askToStop(api, runs) {
  const one = runs.length === 1;
  const names = [...new Set(runs.map(({ panel }) => panel.name))].join(" and ");
  /** @param {boolean} stops */
  const chosen = (stops) => {
    api.ui.dialog.clear();
    if (stops) stop(api, runs);
  };
  api.ui.dialog.replace(() =>
    api.ui.DialogSelect({
      title: one ? `Stop the ${names} run?` : `Stop all ${runs.length} ${names} runs?`,
      options: [
        { title: one ? "Keep it running" : "Keep them running", value: false },
        { title: `Stop ${one ? "it" : "them"} and keep the results so far`, value: true },
      ],
      flat: true,
      skipFilter: true,
      onSelect: ({ value }) => chosen(value),
    }),
  );
}

/**
 * Stops runs through the command of that name, which reports the result in the chat. Shows an error here only if no answer
 * arrives at all.
 * @param {Api} api
 * @param {Run[]} runs
 */
async function stop(api, runs) {
  // One command stops all runs of its workflow.
  const commands = new Map(runs.map((run) => [run.panel.cancel, run]));
  for (const [command, { session, panel }] of commands) {
    const asked = api.client.session.command({ sessionID: session, command, arguments: "" });
    const answer = await asked.catch(() => undefined);
    if (answer?.response) continue;
    const message = `The server didn't answer. Type /${command} in a session of this project.`;
    api.ui.toast({ variant: "error", title: panel.name, message });
  }
}
