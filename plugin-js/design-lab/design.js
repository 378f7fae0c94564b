/**
 * `/design-lab <task>`: a whole run, from what the user typed to the ranking. Knows no host but through its port.
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
 * Runs it, or tells what it would cost. Rejects with a `DesignLabError` or a `StoreError` where it can't begin.
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
 * How it would begin, and where it would go.
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
 * What any run begins with.
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
 * Where a run goes that begins with this.
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
 * @param {import("./attachments.js").Images} images the bytes of those of the opening
 * @returns {Promise<import("../kernel/run.js").Ending>}
 */
export async function begin(request, opening, output, images) {
  const admitted = request.core.admit(opening, await survey(request.core, output));
  const store = await Store.stage(output);
  try {
    // Before the journal names them, and so before any call.
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
