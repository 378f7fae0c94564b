/**
 * The plugin as the TUI of OpenCode 1.x loads it: a panel in the sidebar while a run is active, one line beside the prompt
 * if there is no sidebar, and a key that stops the run.
 *
 * It runs separately from the server plugin, maybe on another machine. Its data comes with the server's events: the
 * live message in the chat carries the panel, and changes at least every two seconds. It requests nothing and stores nothing.
 */
import { PANEL } from "../opencode1/host.js";
import { element } from "./element.js";
import { drawPanel } from "./panel.js";
import { askToStop } from "./stop.js";
import { createSignal, onCleanup } from "./toolkit.js";

/**
 * @typedef {import("@opencode-ai/plugin/tui").TuiPluginApi} Api
 * @typedef {{session: string, panel: import("../core/types.js").Panel}} Run `session` is the session in which it was started
 */

/** The host's own text beside the prompt needs all of a narrower terminal. */
const COLUMNS_FOR_LINE = 80;
const COLUMNS_FOR_HINT = 110;
/** The process of a run that is silent for this long has died. */
const SILENCE_MS = 15_000;
const FRAME_MS = 120;
const STOP = "design-lab.stop";

/** @param {Api} api */
export async function tui(api) {
  /** The active runs, by the part that is the run's live message. */
  const [runs, setRuns] = createSignal(/** @type {Map<string, Run>} */ (new Map()));
  const [frame, setFrame] = createSignal(0);
  const [sidebars, setSidebars] = createSignal(0);
  /** @type {Map<string, NodeJS.Timeout>} */
  const silences = new Map();
  /** Releases the timer and the key that exist while a run is active. @type {(() => void) | undefined} */
  let release;

  /** @param {string} part @param {Run} run */
  function show(part, run) {
    clearTimeout(silences.get(part));
    silences.set(
      part,
      setTimeout(() => remove(part), SILENCE_MS),
    );
    release ??= attend(run.panel);
    setRuns((last) => new Map(last).set(part, run));
  }

  /** @param {string} part */
  function remove(part) {
    clearTimeout(silences.get(part));
    silences.delete(part);
    setRuns((last) => new Map([...last].filter(([other]) => other !== part)));
    if (runs().size > 0) return;
    release?.();
    release = undefined;
  }

  /** Animates the spinners and registers the key. @param {import("../core/types.js").Panel} first */
  function attend({ name }) {
    const title = `Stop the ${name} run`;
    const animated = api.kv.get("animations_enabled", true);
    const clock = animated ? setInterval(() => setFrame((last) => last + 1), FRAME_MS) : undefined;
    const forget = api.keymap.registerLayer({
      commands: [
        {
          name: STOP,
          title,
          category: "Design Lab",
          namespace: "palette",
          run: () => askToStop(api, [...runs().values()]),
        },
      ],
      bindings: [{ key: "<leader>k", cmd: STOP, desc: title }],
    });
    return () => {
      clearInterval(clock);
      forget();
    };
  }

  function stopKey() {
    const bindings = api.keymap.getCommandBindings({ visibility: "registered", commands: [STOP] }).get(STOP);
    return api.keys.formatBindings(bindings ?? []) ?? "";
  }

  function hint() {
    const key = stopKey();
    return key && `${key} stops the ${runs().size === 1 ? "run" : "runs"}`;
  }

  api.event.on("message.part.updated", ({ properties: { part } }) => {
    const panel = part.type === "text" ? part.metadata?.[PANEL] : undefined;
    if (panel) show(part.id, { session: part.sessionID, panel: /** @type {any} */ (panel) });
    else if (runs().has(part.id)) remove(part.id);
  });
  api.lifecycle.onDispose(() => {
    for (const part of runs().keys()) remove(part);
  });

  // While no run is active, nothing is drawn at all: an empty element would still take up a gap.
  api.slots.register({
    // Before the host's own parts, the first of which has order 100.
    order: 50,
    slots: {
      sidebar_content() {
        setSidebars((count) => count + 1);
        onCleanup(() => setSidebars((count) => count - 1));
        return () =>
          runs().size > 0 &&
          element(
            "box",
            { gap: 1 },
            ...[...runs().values()].map(({ panel }) => drawPanel(api.theme.current, panel, frame)),
            element("text", { fg: api.theme.current.textMuted }, hint()),
          );
      },
      session_prompt_right() {
        return () => {
          const [first] = runs().values();
          const columns = api.renderer.width;
          if (!first || sidebars() > 0 || columns < COLUMNS_FOR_LINE) return undefined;
          const parts = [first.panel.summary, columns < COLUMNS_FOR_HINT ? "" : hint()];
          const line = parts.filter((part) => part).join(" · ");
          return element("text", { fg: api.theme.current.textMuted, wrapMode: "none", truncate: true }, line);
        };
      },
    },
  });
}
