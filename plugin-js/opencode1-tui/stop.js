/** Stops runs from the TUI, once the user has said so twice. */

/**
 * @typedef {import("@opencode-ai/plugin/tui").TuiPluginApi} Api
 * @typedef {import("./index.js").Run} Run
 */

/**
 * Asks first. What the keys choose unless they are moved is to let the runs go on.
 * @param {Api} api
 * @param {Run[]} runs those that are on
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
        { title: one ? "Let it continue" : "Let them continue", value: false },
        { title: `Stop ${one ? "it" : "them"} and keep the results so far`, value: true },
      ],
      flat: true,
      skipFilter: true,
      onSelect: ({ value }) => chosen(value),
    }),
  );
}

/**
 * As the command of that name does, which says in the chat what came of it. Only where no answer comes at all has the user
 * to be told here.
 * @param {Api} api
 * @param {Run[]} runs
 */
async function stop(api, runs) {
  // One command stops all that are its own.
  const commands = new Map(runs.map((run) => [run.panel.cancel, run]));
  for (const [command, { session, panel }] of commands) {
    const asked = api.client.session.command({ sessionID: session, command, arguments: "" });
    const answer = await asked.catch(() => undefined);
    if (answer?.response) continue;
    const message = `The server didn't answer. Type /${command} in a session of this project.`;
    api.ui.toast({ variant: "error", title: panel.name, message });
  }
}
