/**
 * Returns the arguments of a command without quotes: `opencode run` quotes a word that contains spaces, and such a word is the
 * whole task.
 * @param {string} text
 */
export function unquoted(text) {
  const inner = /^"((?:[^"\\]|\\.)*)"$/s.exec(text.trim())?.[1];
  return inner === undefined ? text : inner.replaceAll('\\"', '"');
}
