/**
 * OpenCode 2.x has another interface for plugins, and checks no `engines`: so it loads this package, which can't work there.
 * It writes what a plugin throws into its log, and lists the plugin as failed.
 */

const SENTENCE =
  "opencode-design-lab works with OpenCode 1.x (1.18.29 or later), not with OpenCode 2.x. " +
  "Remove it from `plugins` here, and use Design Lab in OpenCode 1.x.";

/** @param {any} [context] */
export function setup(context) {
  // OpenCode 1.18 calls this, too, where the plugin is a local file, with a context that knows no sessions.
  if (context?.session) throw new Error(SENTENCE);
}
