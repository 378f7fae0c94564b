/**
 * The host's own modules: there is one terminal and one set of signals, so a separate copy in this package would draw nothing.
 *
 * OpenCode replaces these imports when it loads a file, but not if the path of that file contains a
 * colon, as it does for a package that was installed from a tarball or from git (`…@file:/…`, `…@https://…`): there they
 * are imported under the name with which OpenCode itself replaces them.
 */

/**
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} usual
 * @returns {Promise<T>}
 */
async function ofTheHost(name, usual) {
  return usual().catch(() => import(`opentui:runtime-module:${encodeURIComponent(name)}`));
}

export const { createSignal, onCleanup } = await ofTheHost("solid-js", () => import("solid-js"));
export const { createElement, insert, spread } = await ofTheHost(
  "@opentui/solid",
  () => import("@opentui/solid"),
);
