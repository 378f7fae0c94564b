/**
 * `/design-lab <task>`: a whole run, from what the user typed to the ranking. Knows no host but through its port.
 */
import path from "node:path";
import { carry } from "./carry.js";
import { readSources } from "./sources.js";
import { Store } from "./store.js";

/**
 * Runs it. Rejects with a `DesignLabError` or a `StoreError` where it can't begin.
 * @param {import("./carry.js").Request & {attachments: {name: string, text: string}[]}} request
 * @returns {Promise<import("./run.js").Ending>}
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
  const { isolation } = opening.config;
  return carry(
    request,
    { output, store, handle: core.openRun(), isolation },
    { event: "opened", ...opening },
  );
}

/** @param {Date} now */
function localDate(now) {
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
