/**
 * What is configured, gathered in one place: the texts of the configuration, the models there are, and where runs are
 * kept. What it means is for the core to say.
 */
import path from "node:path";
import { DesignLabError } from "../core/load.js";
import { placeOf } from "./output.js";
import { readSources } from "./sources.js";

/**
 * @typedef {import("../core/design-lab.js").Core} Core
 * @typedef {import("../core/types.js").AvailableModels} AvailableModels
 * @typedef {ReturnType<typeof readSources>} Setup
 * @typedef {Pick<import("./request.js").Request, "core" | "host" | "project" | "worktree" | "options" | "currentModel" | "agreed">} Request
 * @typedef {{core: Core, project: string, worktree: string, options?: unknown}} Place
 */

/**
 * The texts of the configuration, as far as they can be read: for what only looks, or has to go on.
 * @param {Place} place
 * @returns {Setup}
 */
export function readableSetup({ core, ...where }) {
  return readSources(core, where);
}

/**
 * All texts of the configuration, for a command that acts on it: throws a `StoreError` where a file of it can't be read.
 * Such a file must not look like one that isn't there.
 * @param {Place} place
 * @returns {Setup}
 */
export function wholeSetup(place) {
  const setup = readableSetup(place);
  if (setup.unreadable[0]) throw setup.unreadable[0];
  return setup;
}

/**
 * For a command that acts on the configuration: the whole setup, and the models there are.
 * @param {Request} request
 * @returns {Promise<{setup: Setup, available: AvailableModels}>}
 */
export async function configured(request) {
  return { setup: wholeSetup(request), available: await availableModels(request) };
}

/**
 * Where runs are kept, for a command that only looks for a run.
 * @param {Request} request
 */
export async function runsDirectory(request) {
  const setup = readableSetup(request);
  return outputDirectory(request.core, request.project, setup, await availableModels(request));
}

/** @param {Request} request */
async function availableModels({ host, currentModel, agreed }) {
  return { models: await host.models(), current: currentModel, agreed: agreed() };
}

/**
 * Where runs are kept. Throws a `DesignLabError` where the configuration is broken or no run may be kept there.
 * @param {Core} core
 * @param {string} project absolute
 * @param {Pick<Setup, "sources" | "files">} setup
 * @param {AvailableModels} available
 * @returns {{written: string, output: string}} as written, and absolute
 */
export function outputDirectory(core, project, setup, available) {
  const written = core.outputDirectory(setup, available);
  const output = path.resolve(project, written);
  core.checkOutput(setup.sources, placeOf(project, output));
  return { written, output };
}

/**
 * The same as written and unchecked; the usual one where the configuration is broken, or names no models and there is no
 * host to ask for them.
 * @param {Core} core
 * @param {Pick<Setup, "sources" | "files">} setup
 * @param {AvailableModels | null} available
 */
export function outputDirectoryOrUsual(core, setup, available) {
  try {
    return core.outputDirectory(setup, available ?? { models: [], current: null, agreed: null });
  } catch (error) {
    if (error instanceof DesignLabError) return ".design-lab";
    throw error;
  }
}
