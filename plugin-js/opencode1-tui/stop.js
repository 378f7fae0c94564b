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
  /** @param {boolean} stops */
  const chosen = (stops) => {
    api.ui.dialog.clear();
    if (stops) stop(api, runs);
  };
  api.ui.dialog.replace(() =>
    api.ui.DialogSelect({
      title: one ? "Stop the Design Lab run?" : `Stop all ${runs.length} Design Lab runs?`,
      options: [
        { title: one ? "Let it go on" : "Let them go on", value: false },
        { title: `Stop ${one ? "it" : "them"}, and keep what is there`, value: true },
      ],
      flat: true,
      skipFilter: true,
      onSelect: ({ value }) => chosen(value),
    }),
  );
}

/**
 * As the command of the same name does, which says in the chat what came of it. Only where no answer comes at all has the user
 * to be told here.
 * @param {Api} api
 * @param {Run[]} runs
 */
async function stop(api, [run]) {
  if (!run) return;
  const command = { sessionID: run.session, command: "design-lab-cancel", arguments: "" };
  const answer = await api.client.session.command(command).catch(() => undefined);
  if (answer?.response) return;
  const message = "The server didn't answer. Type /design-lab-cancel in a session of this project.";
  api.ui.toast({ variant: "error", title: "Design Lab", message });
}
