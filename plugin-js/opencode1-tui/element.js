/** Creates elements of the host's terminal toolkit without a JSX compiler. */
import { createElement, insert, spread } from "./toolkit.js";

/** @typedef {import("@opentui/solid").Element} Element */

/**
 * @param {"b" | "box" | "text"} tag
 * @param {Record<string, unknown>} properties
 * @param {...(string | Element | (() => string))} children a function is updated with the signals that it reads
 * @returns {Element}
 */
export function element(tag, properties, ...children) {
  const made = createElement(tag);
  spread(made, properties, true);
  for (const child of children) insert(made, child);
  return made;
}
