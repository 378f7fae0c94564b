/**
 * The plugin as the TUI of OpenCode 1.x loads it: a panel in the sidebar while a run is on, one line beside the prompt
 * where there is no sidebar, and a key that stops the run.
 *
 * It runs apart from the server plugin, maybe on another machine. What it shows comes with the events of the server: the
 * block in the chat carries the panel, and changes at least every two seconds. Nothing is asked for, nothing is kept.
 */
import { createSignal, onCleanup } from "solid-js";
import { PANEL } from "../opencode1/host.js";
import { element } from "./element.js";
import { drawPanel } from "./panel.js";
import { askToStop } from "./stop.js";

/**
 * @typedef {import("@opencode-ai/plugin/tui").TuiPluginApi} Api
 * @typedef {{session: string, panel: import("../types.js").Panel}} Run `session` is the one that it was started in
 */

/** A run that has said nothing for so long died with its process. */
const SILENCE_MS = 15_000;
const FRAME_MS = 120;
const STOP = "design-lab.stop";

/** @param {Api} api */
async function tui(api) {
  /** By the part that is the run's block. */
  const [runs, setRuns] = createSignal(/** @type {Map<string, Run>} */ (new Map()));
  const [frame, setFrame] = createSignal(0);
  const [sidebars, setSidebars] = createSignal(0);
  /** @type {Map<string, NodeJS.Timeout>} */
  const silences = new Map();
  /** What there is while a run is on. @type {(() => void) | undefined} */
  let release;

  /** @param {string} block @param {Run} [run] none when it is over */
  function set(block, run) {
    clearTimeout(silences.get(block));
    silences.delete(block);
    const now = new Map(runs());
    if (run) {
      now.set(block, run);
      silences.set(
        block,
        setTimeout(() => set(block), SILENCE_MS),
      );
    } else if (!now.delete(block)) return;
    setRuns(now);
    if (now.size > 0) release ??= attend();
    else {
      release?.();
      release = undefined;
    }
  }

  /** Moves the spinners and listens for the key. */
  function attend() {
    const animated = api.kv.get("animations_enabled", true);
    const clock = animated ? setInterval(() => setFrame((last) => last + 1), FRAME_MS) : undefined;
    const forget = api.keymap.registerLayer({
      commands: [
        {
          name: STOP,
          title: "Stop the Design Lab run",
          category: "Design Lab",
          namespace: "palette",
          run: () => askToStop(api, [...runs().values()]),
        },
      ],
      bindings: [{ key: "<leader>k", cmd: STOP, desc: "Stop the Design Lab run" }],
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

  api.event.on("message.part.updated", ({ properties: { part } }) => {
    const panel = part.type === "text" ? part.metadata?.[PANEL] : undefined;
    set(part.id, panel ? { session: part.sessionID, panel: /** @type {any} */ (panel) } : undefined);
  });
  api.lifecycle.onDispose(() => {
    for (const block of runs().keys()) set(block);
  });

  api.slots.register({
    // Before the host's own parts, the first of which has 100.
    order: 50,
    slots: {
      sidebar_content() {
        setSidebars((count) => count + 1);
        onCleanup(() => setSidebars((count) => count - 1));
        return element("box", { gap: 1 }, () =>
          [...runs().values()].map(({ panel }) => drawPanel(api, panel, frame, stopKey())),
        );
      },
      session_prompt_right() {
        const line = () => {
          const [first] = runs().values();
          return first && sidebars() === 0 ? first.panel.summary : "";
        };
        return element(
          "text",
          () => ({ fg: api.theme.current.textMuted, wrapMode: "none", truncate: true }),
          line,
        );
      },
    },
  });
}

export default { id: "opencode-design-lab", tui };
