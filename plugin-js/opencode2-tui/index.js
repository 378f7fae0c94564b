/**
 * The plugin as the terminal of OpenCode 2 loads it: the panel of each active run in the sidebar, its summary above the prompt, and its
 * notices as toasts. The terminal may run on another machine: all it shows comes from the server plugin, whose events these are.
 */
import { element } from "../opencode1-tui/element.js";
import { drawPanel } from "../opencode1-tui/panel.js";
import { createSignal } from "../opencode1-tui/toolkit.js";

/**
 * @typedef {import("../core/types.js").Panel} Panel
 *
 * @typedef {{session: string, panel?: Panel | null, notice?: {tone: string, title: string, message: string, toast: boolean}}} Sent
 *
 * @typedef {object} Context what OpenCode 2.0.15 passes to a terminal plugin, as far as it is used
 * @property {any} theme the colours of the user's theme, by purpose
 * @property {{rpc: (definition: object) => {events: {on: (name: string, hear: (event: {data: Sent}) => void) => () => void}}}} client
 * @property {{slot: (slot: object) => void, toast?: {show: (toast: object) => void}}} ui
 */

/** The process of a run that is silent for this long has died. */
const SILENCE_MS = 15_000;
const FRAME_MS = 120;

/** The server plugin's channel (../opencode2/setup.js). */
const CHANNEL = { id: "opencode-design-lab", methods: {}, events: { panel: { schema: { type: "object" } } } };

/** @param {Context} [context] */
export async function setup(context) {
  if (!context?.ui?.slot) return undefined;
  /** The panels of active runs, by the session in which each was started. */
  const [panels, setPanels] = createSignal(/** @type {Map<string, Panel>} */ (new Map()));
  const [frame, setFrame] = createSignal(0);
  /** @type {Map<string, NodeJS.Timeout>} */
  const silences = new Map();
  /** @type {NodeJS.Timeout | undefined} */
  let spinning;

  /** @param {string} session @param {Panel | null} panel */
  function keep(session, panel) {
    clearTimeout(silences.get(session));
    silences.delete(session);
    setPanels((last) => {
      const next = new Map([...last].filter(([other]) => other !== session));
      return panel ? next.set(session, panel) : next;
    });
    if (panel)
      silences.set(
        session,
        setTimeout(() => keep(session, null), SILENCE_MS),
      );
    if (panels().size > 0) spinning ??= setInterval(() => setFrame((last) => last + 1), FRAME_MS);
    else stopSpinning();
  }

  function stopSpinning() {
    clearInterval(spinning);
    spinning = undefined;
  }

  const stop = context.client.rpc(CHANNEL).events.on("panel", ({ data }) => {
    const { session, panel, notice } = data;
    if (panel !== undefined) keep(session, panel);
    if (notice?.toast) {
      const { tone, title, message } = notice;
      context.ui.toast?.show({ variant: tone, title, message, sessionID: session });
    }
  });

  // OpenCode 2.0.15 ends if a slot draws an empty text: nothing to draw is `undefined`.
  context.ui.slot({
    append: "sidebar.content",
    render: () => () => {
      const shown = [...panels().values()];
      if (shown.length === 0) return undefined;
      const drawn = shown.map((panel) => drawPanel(coloursOf(context.theme), panel, frame));
      return element("box", { gap: 1 }, ...drawn);
    },
  });
  context.ui.slot({
    append: "session.composer.top",
    render: () => () => {
      const [first] = panels().values();
      if (!first) return undefined;
      const style = { fg: context.theme.text.muted, wrapMode: "none", truncate: true };
      return element("text", style, `${first.summary} · /${first.cancel} stops it`);
    },
  });
  return () => {
    stop();
    stopSpinning();
    for (const silence of silences.values()) clearTimeout(silence);
  };
}

/** Returns the theme's colours under OpenCode 1's names. @param {any} theme @returns {any} */
function coloursOf({ text }) {
  const { success, warning, error, info } = text.feedback;
  return {
    text: text.base,
    textMuted: text.muted,
    primary: info.base,
    success: success.base,
    warning: warning.base,
    error: error.base,
  };
}
