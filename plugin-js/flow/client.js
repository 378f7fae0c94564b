/**
 * Runs a program of the user's for a pull request, such as `gh`, and keeps the end of its output. The program's arguments pass
 * through no shell. It gets the user's environment without the keys of OpenCode's providers, so it uses its own login.
 */
import { randomUUID } from "node:crypto";
import { realpathSync } from "node:fs";
import path from "node:path";
import { runCommand } from "../kernel/command.js";
import { forPrograms } from "../kernel/environment.js";
import { find } from "../kernel/group.js";
import { endOf } from "../kernel/observe.js";
import { isBelow } from "../kernel/real-path.js";

/** How much of the end of the output is kept, in bytes. */
const KEPT = 64 << 10;

/** Nobody could answer a question of a client. */
const NO_QUESTIONS = {
  GH_PROMPT_DISABLED: "1",
  GH_NO_UPDATE_NOTIFIER: "1",
  GIT_TERMINAL_PROMPT: "0",
  NO_COLOR: "1",
  NO_PROMPT: "1",
};

/**
 * @param {string[]} argv
 * @param {{cwd: string, timeout_ms: number, keys: import("../kernel/environment.js").Keys, signal?: AbortSignal}} how
 * @returns {Promise<{end: import("../core/types.js").CommandEnd, printed: string}>}
 */
export async function runClient(argv, { cwd, timeout_ms, keys, signal }) {
  let printed = Buffer.alloc(0);
  const log = {
    /** @param {string | Uint8Array} chunk */
    async appendFile(chunk) {
      printed = Buffer.concat([printed, Buffer.from(chunk)]).subarray(-KEPT);
    },
  };
  const env = { ...forPrograms(process.env, keys), ...NO_QUESTIONS };
  const mark = `OPENCODE_FLOW_CLIENT=${randomUUID()}`;
  const seen = await runCommand({ argv, cwd, env, mark, timeout_ms }, log, signal);
  return { end: endOf(seen), printed: printed.toString("utf8") };
}

/**
 * Finds a program on `PATH`. One in the project may be a model's work, so it doesn't count.
 * @param {string} name
 * @param {string} project absolute: the topmost directory of the project
 * @param {string} [directories] as `PATH` has them
 * @returns {string | undefined} its absolute path
 */
export function programOnPath(name, project, directories = process.env.PATH ?? "") {
  const top = realpathSync(project);
  const file = process.platform === "win32" ? `${name}.exe` : name;
  const outside = directories.split(path.delimiter).filter((directory) => isOutside(top, directory));
  const found = outside.flatMap((directory) => find(file, directory) ?? []);
  return found.find((place) => isOutside(top, place));
}

/**
 * Whether a place exists and isn't in the project, wherever links lead.
 * @param {string} top absolute, with links resolved
 * @param {string} place
 */
function isOutside(top, place) {
  if (!path.isAbsolute(place)) return false;
  try {
    return !isBelow(realpathSync(place), top);
  } catch {
    return false;
  }
}
