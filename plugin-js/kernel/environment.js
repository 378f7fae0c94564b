/**
 * The environment of everything that a workflow starts: the user's, without the keys of OpenCode's providers, and with the mark of
 * what a model started. The code that runs there may be a model's work.
 */

/** The variables through which OpenCode itself receives secrets. */
const HANDED = [
  "OPENCODE_AUTH_CONTENT",
  "OPENCODE_CONFIG_CONTENT",
  "OPENCODE_PASSWORD",
  "OPENCODE_SERVER_PASSWORD",
];

/** The name and the value of the mark by which an OpenCode knows that a model, not a person, started it. */
export const MARK_NAME = "OPENCODE_DESIGN_LAB_SHELL";
export const MARK_VALUE = "model";

/** A shorter value isn't a key, and may well be the value of something else. */
const SHORTEST_KEY = 8;

/**
 * @typedef {object} Keys
 * @property {string[]} names of the variables in which providers look for their keys
 * @property {string[]} values the known keys
 */

/**
 * @param {NodeJS.ProcessEnv} environment
 * @param {Keys} keys
 * @returns {Record<string, string>}
 */
export function forPrograms(environment, { names, values }) {
  const left = new Set([...names, ...HANDED]);
  const known = values.filter((value) => value.length >= SHORTEST_KEY);
  /** @type {Record<string, string>} */
  const kept = { [MARK_NAME]: MARK_VALUE };
  for (const [name, value = ""] of Object.entries(environment)) {
    if (!left.has(name) && !known.some((key) => value.includes(key))) kept[name] = value;
  }
  return kept;
}
