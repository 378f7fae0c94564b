/**
 * `/design-lab <task>`: a whole run, from what the user typed to the ranking. Knows no host but through its port.
 */
import { mkdir, realpath } from "node:fs/promises";
import path from "node:path";
import { holdIgnoreFile, releaseIgnoreFile } from "./ignore-file.js";
import { RunShell } from "./run.js";
import { readSources } from "./sources.js";
import { Store } from "./store.js";

/** How often the live block shows the time that passes. */
const REDRAW_MS = 2_000;

/**
 * @typedef {object} Request
 * @property {import("../core.js").Core} core
 * @property {import("../host.js").Host} host
 * @property {string} project absolute: where relative paths of the configuration start
 * @property {string} worktree absolute: how far up a project's configuration is looked for
 * @property {unknown} options the plugin's options in opencode.json
 * @property {string} text what stands behind the command
 * @property {{name: string, text: string}[]} attachments files that came with it
 * @property {string | null} currentModel the session's model: `provider/model`
 * @property {(isolation: import("../types.js").Isolation, outputs: string[]) => () => void} isolate
 *   puts the isolation in force; what it returns lifts it again
 *
 * @typedef {import("./run.js").Ending} Ending
 */

/**
 * Runs it. Rejects with a `DesignLabError` or a `StoreError` where it can't begin.
 * @param {Request} request
 * @returns {Promise<Ending>}
 */
export async function design(request) {
  const { core, host, project } = request;
  const { sources, files, unreadable } = readSources(core, request);
  if (unreadable[0]) throw unreadable[0];
  const opening = core.begin({
    package: core.version,
    date: localDate(new Date()),
    text: request.text,
    attachments: request.attachments,
    sources,
    files,
    available: { models: await host.models(), current: request.currentModel },
  });
  const output = path.resolve(project, opening.config.output_directory);
  const store = await Store.stage(output);
  let lift = () => {};
  try {
    await holdIgnoreFile(output);
    lift = request.isolate(opening.config.isolation, await spellings(output));
    return await carry(core, host, store, opening);
  } finally {
    await store.close();
    lift();
    await releaseIgnoreFile(output);
  }
}

/**
 * The run itself, once its isolation is in force.
 * @param {import("../core.js").Core} core
 * @param {import("../host.js").Host} host
 * @param {Store} store
 * @param {import("../types.js").Opening} opening
 * @returns {Promise<Ending>}
 */
async function carry(core, host, store, opening) {
  const handle = core.openRun();
  const draw = () => host.report(core.block(handle, Date.now()));
  const run = new RunShell({ core, handle, host, store, onChange: draw });
  const clock = setInterval(draw, REDRAW_MS);
  try {
    run.feed({ event: "opened", ...opening });
    const ending = await run.ended;
    clearInterval(clock);
    await draw();
    return ending;
  } finally {
    clearInterval(clock);
    core.closeRun(handle);
  }
}

/**
 * A directory as configured and as it really is, where links make these differ.
 * @param {string} directory
 */
async function spellings(directory) {
  await mkdir(directory, { recursive: true });
  return [...new Set([directory, await realpath(directory)])];
}

/** @param {Date} now */
function localDate(now) {
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
