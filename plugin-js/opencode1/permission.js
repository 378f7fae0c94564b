/**
 * Our rules among the user's, by the order in which OpenCode reads them: the last one that fits counts.
 *
 * What we hide, agents from `task`'s list and tools from every request, goes after the user's rules for all of them, and before the
 * user's rules for just these.
 *
 * @typedef {string | Record<string, string>} Rule what holds of a permission, or of each pattern of what it is asked for
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
 * @param {string | Record<string, T>} [rule] one word holds of all
 * @returns {Record<string, T>}
 */
function ruled(rule = {}) {
  return typeof rule === "string" ? { "*": /** @type {T} */ (rule) } : rule;
}
