/** Draws a run's panel: rows that the core has written, in the colours of the user's theme. */
import { element } from "./element.js";

/**
 * @typedef {import("@opencode-ai/plugin/tui").TuiThemeCurrent} Theme
 * @typedef {import("../core/types.js").Panel} Panel
 * @typedef {import("../core/types.js").Row} Row
 * @typedef {import("../core/types.js").Look} Look
 */

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/** Colours of the mark, the text and the figures. @type {Record<Look, [keyof Theme, keyof Theme, keyof Theme]>} */
const COLOURS = {
  title: ["text", "text", "text"],
  heading: ["text", "text", "textMuted"],
  plain: ["textMuted", "textMuted", "text"],
  ranked: ["textMuted", "text", "text"],
  remark: ["textMuted", "textMuted", "textMuted"],
  waiting: ["textMuted", "textMuted", "textMuted"],
  working: ["primary", "text", "text"],
  pausing: ["warning", "text", "warning"],
  done: ["success", "text", "textMuted"],
  failed: ["error", "text", "error"],
};

/**
 * @param {Theme} theme
 * @param {Panel} panel
 * @param {() => number} frame increases if spinners may move
 */
export function drawPanel(theme, { rows }, frame) {
  return element("box", {}, ...rows.map((row) => drawRow(theme, row, frame)));
}

/**
 * @param {Theme} theme
 * @param {Row} row
 * @param {() => number} frame
 */
function drawRow(theme, { look, mark, text, figures }, frame) {
  // A remote server may have a later version of the package, with looks that this version doesn't know.
  const [ofMark, ofText, ofFigures] = (COLOURS[look] ?? COLOURS.plain).map((name) => theme[name]);
  const sign = () => (look === "working" ? (FRAMES[frame() % FRAMES.length] ?? mark) : mark);
  const bold = look === "title" || look === "heading";
  const fitting = look === "remark" ? { wrapMode: "word" } : { wrapMode: "none", truncate: true };
  return element(
    "box",
    { flexDirection: "row", gap: 1, marginTop: look === "heading" ? 1 : 0 },
    ...(mark ? [element("text", { fg: ofMark, flexShrink: 0 }, sign)] : []),
    element(
      "text",
      { fg: ofText, flexGrow: 1, flexShrink: 1, ...fitting },
      bold ? element("b", {}, text) : text,
    ),
    ...(figures ? [element("text", { fg: ofFigures, flexShrink: 0, wrapMode: "none" }, figures)] : []),
  );
}
