/**
 * Gathers what is configured in one place: the texts of the configuration, the available models, and where runs are
 * stored. The core interprets them.
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
 * Returns the readable texts of the configuration, for commands that only read it or must continue regardless.
 * @param {Place} place
 * @returns {Setup}
 */
export function readableSetup({ core, ...where }) {
  return readSources(core, where);
}

/**
 * Returns all texts of the configuration, for a command that acts on it. Throws a `StoreError` if one of its files can't be read,
 * because such a file must not look like a missing one.
 * @param {Place} place
 * @returns {Setup}
 */
export function wholeSetup(place) {
  const setup = readableSetup(place);
  if (setup.unreadable[0]) throw setup.unreadable[0];
  return setup;
}

/**
 * Returns the whole setup and the available models, for a command that acts on the configuration.
 * @param {Request} request
 * @returns {Promise<{setup: Setup, available: AvailableModels}>}
 */
export async function configured(request) {
  return { setup: wholeSetup(request), available: await availableModels(request) };
}

/**
 * Returns where runs are stored, for a command that only looks for a run.
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
 * Returns where runs are stored. Throws a `DesignLabError` if the configuration is broken or runs are not allowed there.
 * @param {Core} core
 * @param {string} project absolute
 * @param {Pick<Setup, "sources" | "files">} setup
 * @param {AvailableModels} available
 * @returns {{written: string, output: string}} as configured, and absolute
 */
export function outputDirectory(core, project, setup, available) {
  const written = core.outputDirectory(setup, available);
  const output = path.resolve(project, written);
  core.checkOutput(setup.sources, placeOf(project, output));
  return { written, output };
}

/**
 * Returns the same as configured and unchecked; the default if the configuration is broken, or names no models and there is no
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
