/**
 * The directory for data that belongs to the user of this machine and to no project.
 */
import os from "node:os";
import path from "node:path";

/** Absolute. Read at each call: the environment is the user's. */
export function stateDirectory() {
  const state = process.env.XDG_STATE_HOME ?? path.join(os.homedir(), ".local", "state");
  return path.join(state, "opencode-design-lab");
}
