/**
 * Merges our rules with the user's, for the order in which OpenCode reads them: the last matching rule wins.
 *
 * Our rules that hide agents from `task`'s list and tools from every request go after the user's general rules, and before the
 * user's rules for exactly these.
 *
 * @typedef {string | Record<string, string>} Rule applies to a whole permission, or to each pattern within it
 */

/**
 * @param {Record<string, Rule>} ours by permission; one that ends in `*` hides tools
 * @param {string | Record<string, Rule>} [users]
 * @returns {Record<string, Rule>}
 */
export function withUsers(ours, users = {}) {
  const { task, ...others } = ours;
  const entries = Object.entries(others);
  const hidden = Object.fromEntries(entries.filter(([name]) => name.endsWith("*")));
  const first = entries.filter(([name]) => !name.endsWith("*"));
  const theirs = ruled(users);
  const rules = { ...Object.fromEntries(first), ...withHidden(hidden, theirs) };
  return task === undefined ? rules : { ...rules, task: withHidden(ruled(task), ruled(theirs.task)) };
}

/**
 * @template {Rule} T
 * @param {Record<string, T>} hidden by pattern
 * @param {Record<string, T>} users
 */
function withHidden(hidden, users) {
  const isOurs = (/** @type {string} */ name) =>
    Object.keys(hidden).some((ours) => name.startsWith(ours.slice(0, -1)));
  const rules = Object.entries(users);
  const general = rules.filter(([name]) => !isOurs(name));
  const special = rules.filter(([name]) => isOurs(name));
  return { ...Object.fromEntries(general), ...hidden, ...Object.fromEntries(special) };
}

/**
 * @template {Rule} T
 * @param {string | Record<string, T>} [rule] a single word applies to everything
 * @returns {Record<string, T>}
 */
function ruled(rule = {}) {
  return typeof rule === "string" ? { "*": /** @type {T} */ (rule) } : rule;
}
