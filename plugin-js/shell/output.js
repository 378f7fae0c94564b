/**
 * The output directory: as configured, and what is seen of it on disk. Whether it will do is for the core to say.
 */
import os from "node:os";
import path from "node:path";
import { locate } from "./real-path.js";

/**
 * Where runs are kept. Throws a `DesignLabError` where the configuration is broken or no run may be kept there.
 * @param {import("../core.js").Core} core
 * @param {string} project absolute
 * @param {{sources: import("../types.js").Source[], files: import("../types.js").ReferencedFile[]}} setup
 * @param {import("../types.js").AvailableModels} available
 * @returns {{written: string, output: string}} as written, and absolute
 */
export function outputDirectory(core, project, setup, available) {
  const written = core.outputDirectory(setup, available);
  const output = path.resolve(project, written);
  core.checkOutput(setup.sources, placeOf(project, output));
  return { written, output };
}

/**
 * @param {string} project absolute
 * @param {string} directory absolute
 * @returns {import("../types.js").OutputPlace}
 */
export function placeOf(project, directory) {
  const home = os.homedir();
  const config = process.env.XDG_CONFIG_HOME ?? path.join(home, ".config");
  return {
    directory,
    real: locate(directory).real,
    project,
    project_real: locate(project).real,
    home,
    host: [path.join(config, "opencode"), ...hostDirectories()],
  };
}

/** OpenCode's own directories, which hold every session's messages and cut-off tool results. */
export function hostDirectories() {
  const home = os.homedir();
  const data = process.env.XDG_DATA_HOME ?? path.join(home, ".local", "share");
  const state = process.env.XDG_STATE_HOME ?? path.join(home, ".local", "state");
  return [path.join(data, "opencode"), path.join(state, "opencode")];
}
