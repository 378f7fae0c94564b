/**
 * `/validate-init --install`: has npm install Playwright Test and fast-check in a separate directory. It is built next to its final
 * place and moved there once it is complete: anything else that npm leaves is removed.
 */
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { runCommand } from "../kernel/command.js";
import { Folder } from "../kernel/door.js";
import { forPrograms } from "../kernel/environment.js";
import { endOf } from "../kernel/observe.js";
import { readPlainIfThere } from "../kernel/plain-file.js";
import { markOf } from "./processes.js";
import { fastCheckIn, versionIn } from "./tools.js";

/** @typedef {Pick<import("./request.js").Request, "core" | "project" | "keys">} Request */

/** The project's own npm settings. */
const NPM_SETTINGS = ".npmrc";

/** How much of npm's output is read, in characters from its end. */
const SAID = 8_000;

/** Remains of an installation that are older than this were abandoned. */
const ABANDONED_MS = 3_600_000;

/**
 * Installs what the core requests. Rejects with a `DesignLabError` or a `StoreError` if it can't.
 * @param {Request} request
 * @param {import("../core/types.js").ValidationInstall} wanted
 */
export async function install({ core, project, keys }, wanted) {
  const { dir, base } = path.posix.parse(wanted.directory);
  await new Folder(project).makeFolder(dir);
  const above = new Folder(project, dir);
  await sweep(above, `${base}-`);
  const made = await above.makeUnique(`${base}-`);
  try {
    for (const [name, text] of wanted.files) await made.create(name, text);
    const lent = await lend(project, made);
    const ran = await npm(made, wanted, forPrograms(process.env, keys));
    const [version, fast_check] = [versionIn(made.path) ?? null, fastCheckIn(made.path) ?? null];
    core.installed({ ...ran, version, fast_check });
    if (lent) await made.remove(NPM_SETTINGS);
    const place = new Folder(project, wanted.directory);
    await place.removeAll();
    await made.moveTo(place);
    await above.sync();
  } finally {
    await made.removeAll().catch(() => {});
  }
}

/**
 * Applies the project's own npm settings here too, but only while npm runs, because they may contain a key.
 * @param {string} project absolute
 * @param {Folder} made
 */
async function lend(project, made) {
  const text = readPlainIfThere(path.join(project, NPM_SETTINGS));
  return text !== undefined && made.create(NPM_SETTINGS, text);
}

/**
 * @param {Folder} made
 * @param {import("../core/types.js").ValidationInstall} wanted
 * @param {Record<string, string>} env
 */
async function npm(made, { command: argv, timeout_ms }, env) {
  /** @type {string[]} */
  const said = [];
  const log = { appendFile: async (/** @type {string | Uint8Array} */ text) => void said.push(`${text}`) };
  const seen = await runCommand({ argv, cwd: made.path, env, mark: markOf(made), timeout_ms }, log);
  return { end: endOf(seen), said: stripVTControlCharacters(said.join("")).slice(-SAID) };
}

/**
 * Removes the remains of an installation whose process was killed.
 * @param {Folder} above
 * @param {string} prefix
 */
async function sweep(above, prefix) {
  for (const entry of await above.entries()) {
    if (!entry.isDirectory() || !entry.name.startsWith(prefix)) continue;
    const changed = await above.folder(entry.name).changed();
    if (changed === undefined || Date.now() - changed < ABANDONED_MS) continue;
    await above
      .folder(entry.name)
      .removeAll()
      .catch(() => {});
  }
}
