// Draws a terminal's screens as one animated SVG: text in a fixed grid, without scripts, in the reader's own font.

/** @typedef {{ at: number, screen: string }} Frame `at`: milliseconds since the start; `screen`: text with ANSI colours */
/** @typedef {{ text: string, color: string, background: string, bold: boolean, column: number }} Run of text with the same look */

const CELL = { width: 8.4, height: 18 };
const PAPER = "#0a0a0a";
const INK = "#eeeeee";
/** How long the last screen stays, in milliseconds. */
const REST_MS = 5000;

/**
 * @param {Frame[]} frames in their order
 * @param {{ columns: number, rows: number, longest: number, title: string }} options `longest`: how long one screen stays at most, in
 *   ms
 */
export function svg(frames, { columns, rows, longest, title }) {
  const shown = frames.filter(({ screen }, index) => screen !== frames[index - 1]?.screen);
  const stays = shown.map(({ at }, index) => {
    const next = shown[index + 1];
    return next === undefined ? REST_MS : Math.min(next.at - at, longest);
  });
  const whole = stays.reduce((sum, ms) => sum + ms, 0);
  const lines = new Map();
  /** Returns the id of a line, which is drawn only once for all screens. @param {string} line */
  const idOf = (line) => {
    const known = lines.get(line);
    if (known !== undefined) return known.id;
    const id = `l${lines.size}`;
    lines.set(line, { id, drawn: drawn(runs(line)) });
    return id;
  };
  const screens = shown.map(({ screen }) =>
    screen
      .split("\n")
      .slice(0, rows)
      .map((line, row) => ({ line, row }))
      .filter(({ line }) => drawn(runs(line)) !== "")
      .map(({ line, row }) => `<use href="#${idOf(line)}" y="${row * CELL.height}"/>`)
      .join(""),
  );
  let before = 0;
  const rules = stays.map((ms, index) => {
    const [from, to] = [before, before + ms].map((at) => ((100 * at) / whole).toFixed(3));
    before += ms;
    // A screen is visible from its time to that of the next, and hidden for the rest of the loop.
    const last = index === stays.length - 1;
    return `@keyframes k${index}{0%{visibility:${index === 0 ? "visible" : "hidden"}}${from}%{visibility:visible}${last ? "" : `${to}%,100%{visibility:hidden}`}}#s${index}{animation:k${index} ${whole}ms step-end infinite}`;
  });
  const size = { width: Math.ceil(columns * CELL.width) + 24, height: rows * CELL.height + 24 };
  const style = `text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre}g.s{visibility:hidden}${rules.join("")}@media(prefers-reduced-motion){g.s{animation:none!important}g.s:last-of-type{visibility:visible}}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" role="img">`,
    `<title>${escaped(title)}</title><style>${style}</style>`,
    `<rect width="100%" height="100%" rx="8" fill="${PAPER}"/>`,
    `<defs>${[...lines.values()].map(({ id, drawn }) => `<g id="${id}">${drawn}</g>`).join("")}</defs>`,
    `<g transform="translate(12 12)">${screens.map((uses, index) => `<g class="s" id="s${index}">${uses}</g>`).join("")}</g>`,
    "</svg>\n",
  ].join("\n");
}

/** @param {Run[]} all */
function drawn(all) {
  const parts = all.map(({ text, color, background, bold, column }) => {
    const [x, width] = [column, [...text].length].map((cells) => (cells * CELL.width).toFixed(1));
    const paper =
      background === PAPER
        ? ""
        : `<rect x="${x}" width="${width}" height="${CELL.height}" fill="${background}"/>`;
    if (text.trim() === "") return paper;
    const weight = bold ? ' font-weight="bold"' : "";
    return `${paper}<text x="${x}" y="13" fill="${color}" textLength="${width}"${weight}>${escaped(text)}</text>`;
  });
  return parts.join("");
}

/**
 * Splits a line into runs by its ANSI sequences (SGR: ECMA-48, 8.3.117; 24-bit colours as in xterm).
 * @param {string} line
 * @returns {Run[]}
 */
export function runs(line) {
  const all = [];
  let look = { color: INK, background: PAPER, bold: false };
  let column = 0;
  for (const [codes, text] of pieces(line)) {
    look = changed(look, codes);
    if (text !== "") all.push({ text, column, ...look });
    column += [...text].length;
  }
  return all;
}

/** Returns the successive looks of a line, each with its text. @param {string} line @returns {[number[], string][]} */
function pieces(line) {
  const [first = "", ...rest] = line.split("\u001b[");
  return [
    [[], first],
    ...rest.map((part) => {
      const [, codes = "", text = ""] = /^([\d;]*)m([\s\S]*)$/.exec(part) ?? [];
      return /** @type {[number[], string]} */ ([codes.split(";").map(Number), text]);
    }),
  ];
}

/**
 * @param {{ color: string, background: string, bold: boolean }} look
 * @param {number[]} codes
 */
function changed(look, codes) {
  const next = { ...look };
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at];
    if (code === 0) Object.assign(next, { color: INK, background: PAPER, bold: false });
    else if (code === 1) next.bold = true;
    else if (code === 22) next.bold = false;
    else if (code === 39) next.color = INK;
    else if (code === 49) next.background = PAPER;
    else if (code === 38 || code === 48) {
      const [kind, ...rest] = codes.slice(at + 1);
      const color = kind === 2 ? hex(rest.slice(0, 3)) : palette(rest[0] ?? 0);
      if (code === 38) next.color = color;
      else next.background = color;
      at += kind === 2 ? 4 : 2;
    } else if (code !== undefined && ((code >= 30 && code < 38) || (code >= 90 && code < 98))) {
      next.color = palette(code < 38 ? code - 30 : code - 82);
    }
  }
  return next;
}

const hex = (/** @type {number[]} */ rgb) =>
  `#${rgb.map((part) => part.toString(16).padStart(2, "0")).join("")}`;

const SIXTEEN =
  "#000000 #cd3131 #0dbc79 #e5e510 #2472c8 #bc3fbc #11a8cd #e5e5e5 #666666 #f14c4c #23d18b #f5f543 #3b8eea #d670d6 #29b8db #ffffff".split(
    " ",
  );

/** Returns one of xterm's 256 colours. @param {number} index */
function palette(index) {
  if (index < 16) return SIXTEEN[index] ?? INK;
  if (index >= 232) return hex(Array(3).fill(8 + 10 * (index - 232)));
  const of = (/** @type {number} */ part) => (part === 0 ? 0 : 55 + 40 * part);
  const cube = index - 16;
  return hex([of(Math.floor(cube / 36)), of(Math.floor(cube / 6) % 6), of(cube % 6)]);
}

const escaped = (/** @type {string} */ text) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
