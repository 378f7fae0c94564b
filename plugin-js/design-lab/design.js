/**
 * `/design-lab <task>`: a whole run, from the user's text to the ranking. Uses the host only through its port.
 */
import { localDate } from "../kernel/clock.js";
import { survey } from "../kernel/runs.js";
import { Store } from "../kernel/store.js";
import { ownDesigns, places, readAttachments, readBrief } from "./attachments.js";
import { configured, outputDirectory } from "./configuration.js";
import { driveIsolated } from "./isolated.js";
import { notedOutputs } from "./outputs.js";

/** @typedef {import("./request.js").Request} Request */

/**
 * Runs the task, or returns what it would cost. Rejects with a `DesignLabError` or a `StoreError` if it can't start.
 * @param {Request & {attached: import("./attachments.js").Named[]}} request
 * @returns {Promise<import("../kernel/run.js").Ending | string>}
 */
export async function design(request) {
  const { core } = request;
  const { opening, output, images } = await opened(request);
  if (core.asksForForecast(request.text)) return core.forecast(opening, await survey(core, output));
  return begin(request, opening, output, images);
}

/**
 * Returns how the run would start, and its output directory.
 * @param {Parameters<typeof design>[0]} request
 */
export async function opened(request) {
  const { core } = request;
  const named = [...ownDesigns(core, request.text, request), ...request.attached];
  const { attachments, images } = await readAttachments(core, named, request);
  const beginning = { ...(await gather(request, attachments)), ...(await places(request)) };
  if (core.wantsBrief(beginning)) beginning.brief = await readBrief(core, beginning, request);
  return { opening: core.begin(beginning), output: outputOf(request, beginning), images };
}

/**
 * Gathers the input that every new run needs.
 * @param {Request} request
 * @param {import("../core/types.js").Attachment[]} attachments
 * @returns {Promise<import("../core/types.js").OpeningInput>}
 */
export async function gather(request, attachments) {
  const { setup, available } = await configured(request);
  return {
    package: request.core.version,
    date: localDate(new Date()),
    text: request.text,
    attachments,
    sources: setup.sources,
    files: setup.files,
    available,
    permitted: request.byModel ?? false,
    outputs: notedOutputs(request),
    project: [],
    worktree: [],
  };
}

/**
 * Returns the output directory of a run that starts with this input.
 * @param {Request} request
 * @param {import("../core/types.js").OpeningInput} beginning
 * @returns {string} absolute
 */
export function outputOf({ core, project }, beginning) {
  return outputDirectory(core, project, beginning, beginning.available).output;
}

/**
 * Drives a new run.
 * @param {Request} request
 * @param {import("../core/types.js").Opening} opening
 * @param {string} output absolute: the output directory
 * @param {import("./attachments.js").Images} images the bytes of the opening's images
 * @returns {Promise<import("../kernel/run.js").Ending>}
 */
export async function begin(request, opening, output, images) {
  const admitted = request.core.admit(opening, await survey(request.core, output));
  const store = await Store.stage(output);
  try {
    // Images are saved before the journal names them, and so before any call.
    for (const { file } of opening.images ?? []) await store.write(file.path, images.get(file.sha256) ?? "");
  } catch (error) {
    await store.close(false).catch(() => {});
    throw error;
  }
  const { isolation } = opening.config;
  return driveIsolated(request, { output, store, handle: request.core.openRun(), isolation }, [
    { event: "opened", ...admitted },
  ]);
}
