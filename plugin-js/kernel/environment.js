/**
 * The environment of what a workflow starts: the user's, without what OpenCode's providers are paid by. What runs there may be
 * a model's work.
 */

/** What OpenCode itself is handed secrets in. */
const HANDED = ["OPENCODE_AUTH_CONTENT", "OPENCODE_CONFIG_CONTENT", "OPENCODE_SERVER_PASSWORD"];

/** A shorter value is no key, and may well be that of something else. */
const SHORTEST_KEY = 8;

/**
 * @typedef {object} Keys
 * @property {string[]} names of variables in which providers look for their keys
 * @property {string[]} values the keys that are known
 */

/**
 * @param {NodeJS.ProcessEnv} environment
 * @param {Keys} keys
 * @returns {Record<string, string>}
 */
export function withoutKeys(environment, { names, values }) {
  const left = new Set([...names, ...HANDED]);
  const known = values.filter((value) => value.length >= SHORTEST_KEY);
  /** @type {Record<string, string>} */
  const kept = {};
  for (const [name, value = ""] of Object.entries(environment)) {
    if (!left.has(name) && !known.some((key) => value.includes(key))) kept[name] = value;
  }
  return kept;
}
