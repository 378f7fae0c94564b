/**
 * OpenCode 2.x has a different plugin interface and doesn't check `engines`: so it loads this package, which can't work there.
 * It logs the error that a plugin throws, and lists the plugin as failed.
 */

const SENTENCE =
  "opencode-design-lab works with OpenCode 1.x (1.18.29 or later), not with OpenCode 2.x. " +
  "Remove it from `plugins` here, and use Design Lab in OpenCode 1.x.";

/** @param {any} [context] */
export function setup(context) {
  // If the plugin is a local file, OpenCode 1.18 calls this, too, with a context without sessions.
  if (context?.session) throw new Error(SENTENCE);
}
