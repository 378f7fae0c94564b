/** Asks npm whether there is a newer version of the package. Only the doctor does. */
import { execFile } from "node:child_process";
import { homedir } from "node:os";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** How long npm may take to answer. */
const NPM_MS = 5_000;

/**
 * Returns the newest version that npm knows. npm isn't asked if `DO_NOT_TRACK` is set, because its registry would learn that the
 * package is used here. It runs in the user's home directory: a project's `.npmrc` must not choose who is asked.
 * @param {NodeJS.ProcessEnv} environment
 * @returns {Promise<import("../core/types.js").Newest>}
 */
export async function newestVersion(environment = process.env) {
  const { DO_NOT_TRACK = "" } = environment;
  if (!["", "0", "false"].includes(DO_NOT_TRACK)) return { kind: "not_asked" };
  const how = { cwd: environment.HOME || homedir(), env: environment, timeout: NPM_MS };
  const args = ["view", "opencode-design-lab", "version", "--no-update-notifier"];
  const ended = await execute("npm", args, how).catch(() => undefined);
  const version = ended?.stdout.trim();
  return version ? { kind: "known", version } : { kind: "unknown" };
}
