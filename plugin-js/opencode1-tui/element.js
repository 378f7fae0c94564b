/** Elements of the host's terminal toolkit, without a compiler for JSX. */
import { createElement, insert, spread } from "@opentui/solid";

/**
 * @typedef {import("@opentui/solid").Element} Element
 * @typedef {Record<string, unknown>} Properties
 */

/**
 * What is given as a function follows the signals that it reads.
 * @param {"b" | "box" | "text"} tag
 * @param {Properties | (() => Properties)} properties
 * @param {...(string | Element | (() => string | Element[]))} children
 * @returns {Element}
 */
export function element(tag, properties, ...children) {
  const made = createElement(tag);
  spread(made, properties, true);
  for (const child of children) insert(made, child);
  return made;
}
