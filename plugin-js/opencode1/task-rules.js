/**
 * Rules by which OpenCode's `task` doesn't list our agents: they go before what the user says of these agents, and after what
 * the user says of all.
 * @param {Record<string, string> | undefined} hidden by pattern
 * @param {string | Record<string, string> | undefined} users
 */
export function withHidden(hidden, users) {
  if (!hidden) return undefined;
  const rules = Object.entries(typeof users === "string" ? { "*": users } : (users ?? {}));
  const isOurs = (/** @type {string} */ pattern) =>
    Object.keys(hidden).some((ours) => pattern.startsWith(ours.slice(0, -1)));
  const general = rules.filter(([pattern]) => !isOurs(pattern));
  const special = rules.filter(([pattern]) => isOurs(pattern));
  return { task: { ...Object.fromEntries(general), ...hidden, ...Object.fromEntries(special) } };
}
