/**
 * `/design-lab <task>`: a whole run, from what the user typed to the ranking. Knows no host but through its port.
 */
import { readAttachments } from "./attachments.js";
import { carry } from "./carry.js";
import { outputDirectory } from "./output.js";
import { notedOutputs } from "./outputs.js";
import { survey } from "./runs.js";
import { readSources } from "./sources.js";
import { Store } from "./store.js";

/**
 * Runs it. Rejects with a `DesignLabError` or a `StoreError` where it can't begin.
 * @param {import("./carry.js").Request & {attached: import("./attachments.js").Named[]}} request
 * @returns {Promise<import("./run.js").Ending>}
 */
export async function design(request) {
  const { core } = request;
  const attachments = await readAttachments(core, request.attached, request);
  const beginning = await gather(request, attachments);
  const opening = core.begin(beginning);
  const { output } = outputDirectory(core, request.project, beginning, beginning.available);
  return begin(request, opening, output);
}

/**
 * What any run begins with.
 * @param {import("./carry.js").Request} request
 * @param {import("../types.js").Attachment[]} attachments
 * @returns {Promise<import("../types.js").Beginning>}
 */
export async function gather(request, attachments) {
  const { core, host, text, currentModel } = request;
  const { sources, files, unreadable } = readSources(core, request);
  if (unreadable[0]) throw unreadable[0];
  return {
    package: core.version,
    date: localDate(new Date()),
    text,
    attachments,
    sources,
    files,
    available: { models: await host.models(), current: currentModel },
    outputs: notedOutputs(request),
  };
}

/**
 * Carries a new run.
 * @param {import("./carry.js").Request} request
 * @param {import("../types.js").Opening} opening
 * @param {string} output absolute: the output directory
 * @returns {Promise<import("./run.js").Ending>}
 */
export async function begin(request, opening, output) {
  request.core.refuseTwin(opening, await survey(request.core, output));
  const store = await Store.stage(output);
  const { isolation } = opening.config;
  return carry(request, { output, store, handle: request.core.openRun(), isolation }, [
    { event: "opened", ...opening },
  ]);
}

/** @param {Date} now */
function localDate(now) {
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
