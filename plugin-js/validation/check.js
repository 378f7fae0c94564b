/**
 * Finds out what the doctor and `validation check` judge: the settings, and what this machine lacks.
 */
import { DesignLabError } from "../core/load.js";
import { sourceOf } from "./runs.js";
import { findTools } from "./tools.js";

/** @typedef {import("../core/types.js").ValidationSettings["playwright"]} PlaywrightSettings */

/**
 * @param {Pick<import("./request.js").Request, "core" | "project">} request
 * @returns {import("../core/types.js").ValidationSetup | null} null where the project has no settings
 */
export function setupOf({ core, project }) {
  const source = sourceOf(project);
  return source && { source, obstacle: obstacleOf(project, playwrightOf(core, source)) };
}

/**
 * What settings say of Playwright; nothing where they are broken.
 * @param {import("../core/validation.js").ValidationCore} core
 * @param {import("../core/types.js").Source} source
 * @returns {PlaywrightSettings}
 */
function playwrightOf(core, source) {
  try {
    return core.settings("full", source).playwright;
  } catch (error) {
    if (error instanceof DesignLabError) return { browser: null, directory: null };
    throw error;
  }
}

/**
 * What is missing here for tests to run.
 * @param {string} project absolute
 * @param {PlaywrightSettings} settings
 */
export function obstacleOf(project, settings) {
  const environment = /** @type {Record<string, string>} */ (process.env);
  const tools = findTools({ project, settings, environment });
  return "obstacle" in tools ? tools : null;
}
