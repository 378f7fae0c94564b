// The phrases that the project doesn't use, and a search for them.

import { readFileSync } from "node:fs";

/** @typedef {{pattern: RegExp, instead: string}} Phrase */

/** A finding: the line, counted from 1, the words, and what to write instead. */
/** @typedef {{line: number, found: string, instead: string}} Finding */

const ARROW = " => ";
/** White space between two words, which may span lines of a comment. */
const GAP = String.raw`(?:\s|\n[ \t]*(?:\/{2,3}!?|\*|#|>))+`;

/**
 * Reads the list: one phrase on each line, `regular expression => what to write instead`.
 *
 * @param {string} text
 * @returns {Phrase[]}
 */
export function parse(text) {
  return text
    .split("\n")
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => line.trim() !== "" && !line.startsWith("#"))
    .map(({ line, number }) => {
      const [pattern, instead, ...rest] = line.split(ARROW);
      if (pattern === undefined || instead === undefined || instead.trim() === "" || rest.length > 0) {
        throw new Error(`phrases.txt:${number}: expected \`regular expression${ARROW}replacement\``);
      }
      const words = pattern.replaceAll(" ", GAP);
      return { pattern: new RegExp(String.raw`(?<![\w-])(?:${words})(?![\w-])`, "giu"), instead };
    });
}

/** @type {Phrase[]} */
export const PHRASES = parse(readFileSync(new URL("phrases.txt", import.meta.url), "utf8"));

/**
 * Returns every refused phrase in a text, in the order of its lines.
 *
 * @param {string} text
 * @param {Phrase[]} [phrases]
 * @returns {Finding[]}
 */
export function find(text, phrases = PHRASES) {
  return phrases
    .flatMap(({ pattern, instead }) =>
      [...text.matchAll(pattern)].map((match) => ({
        line: text.slice(0, match.index).split("\n").length,
        found: match[0].split(/\s+/).join(" "),
        instead,
      })),
    )
    .sort((one, other) => one.line - other.line);
}
