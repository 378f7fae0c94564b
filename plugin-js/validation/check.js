/**
 * Gathers the facts for the doctor and `validation check`: the settings, and what this machine lacks.
 */
import { DesignLabError } from "../core/load.js";
import { survey } from "../kernel/runs.js";
import { leftOf } from "./left.js";
import { runsDirectory, sourceOf } from "./runs.js";
import { findAxe, findTools, isInstalled } from "./tools.js";

/** @typedef {Pick<import("../core/types.js").ValidationSettings, "playwright" | "a11y">} Wanted */

/** The default. @type {Wanted} */
const USUAL = { playwright: { browser: null, directory: null }, a11y: false };

/**
 * @param {Pick<import("./request.js").Request, "core" | "project">} request
 * @returns {Promise<import("../core/types.js").ValidationSetup | null>} null if the project has no settings
 */
export async function setupOf({ core, project }) {
  const source = sourceOf(project);
  const wanted = wantedOf({ core, project });
  const installed = isInstalled({ project, settings: wanted.playwright });
  if (!source) return null;
  const left = await leftOf(project, await survey(core, runsDirectory(project)));
  return { source, obstacle: obstacleOf(project, wanted), installed, left };
}

/**
 * What the settings require of this machine; the default if there are none, or they are broken.
 * @param {Pick<import("./request.js").Request, "core" | "project">} request
 * @returns {Wanted}
 */
export function wantedOf({ core, project }) {
  const source = sourceOf(project);
  try {
    return source ? core.settings("full", source, []) : USUAL;
  } catch (error) {
    if (error instanceof DesignLabError) return USUAL;
    throw error;
  }
}

/**
 * What is missing here to run tests.
 * @param {string} project absolute
 * @param {Wanted} wanted
 * @returns {import("../core/types.js").ValidationObstacle | null}
 */
export function obstacleOf(project, { playwright: settings, a11y }) {
  const environment = /** @type {Record<string, string>} */ (process.env);
  const tools = findTools({ project, settings, environment });
  if ("obstacle" in tools) return tools;
  return a11y && !findAxe({ project, settings }) ? { obstacle: "no_axe" } : null;
}
