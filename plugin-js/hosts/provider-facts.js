/** What a provider's settings contain. */

/** Returns the host name or address in a URL; empty if it has none. @param {unknown} url */
export function hostNameOf(url) {
  return typeof url === "string" && URL.canParse(url) ? new URL(url).hostname : "";
}

/**
 * Returns every string in a value, by its path.
 * @param {string} name
 * @param {unknown} value
 * @returns {[string, string][]}
 */
export function settingsIn(name, value) {
  if (typeof value === "string") return [[name, value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => settingsIn(`${name}.${key}`, item));
}
