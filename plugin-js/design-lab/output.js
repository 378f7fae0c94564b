/**
 * Reads the facts about the output directory from disk. The core decides whether it can be used.
 */
import os from "node:os";
import path from "node:path";
import { HOSTS } from "../kernel/host-files.js";
import { locate } from "../kernel/real-path.js";

/**
 * @param {string} project absolute
 * @param {string} directory absolute
 * @returns {import("../core/types.js").OutputPlace}
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
    host: [...HOSTS.map((name) => path.join(config, name)), ...hostDirectories()],
  };
}

/** The host's own directories, which hold every session's messages and cut-off tool results. */
export function hostDirectories() {
  const home = os.homedir();
  const data = process.env.XDG_DATA_HOME ?? path.join(home, ".local", "share");
  const state = process.env.XDG_STATE_HOME ?? path.join(home, ".local", "state");
  return [data, state].flatMap((directory) => HOSTS.map((name) => path.join(directory, name)));
}
