/**
 * The arguments of a command: `opencode run` puts quotes round a word with spaces in it, and one such word is the
 * whole task.
 * @param {string} text
 */
export function unquoted(text) {
  const inner = /^"((?:[^"\\]|\\.)*)"$/s.exec(text.trim())?.[1];
  return inner === undefined ? text : inner.replaceAll('\\"', '"');
}
