/**
 * `/validate-init --install`: has npm put Playwright Test into a directory of ours. It is made beside its place and put there once it
 * is whole: what npm leaves otherwise is taken away again.
 */
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { runCommand } from "../kernel/command.js";
import { Folder } from "../kernel/door.js";
import { withoutKeys } from "../kernel/environment.js";
import { endOf } from "../kernel/observe.js";
import { readPlainIfThere } from "../kernel/plain-file.js";
import { markOf } from "./processes.js";
import { versionIn } from "./tools.js";

/** @typedef {Pick<import("./request.js").Request, "core" | "project" | "keys">} Request */

/** What the project has set for npm. */
const NPM_SETTINGS = ".npmrc";

/** How much of what npm says is looked at, in characters from its end. */
const SAID = 8_000;

/** What an installation has left that is older was broken off. */
const ABANDONED_MS = 3_600_000;

/**
 * Installs what the core wants installed. Rejects with a `DesignLabError` or a `StoreError` where it can't be.
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
    const ran = await npm(made, wanted, withoutKeys(process.env, keys));
    core.installed({ ...ran, version: versionIn(made.path) ?? null });
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
 * The project's own settings of npm hold here, too, and only for as long as npm runs: they may have a key.
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
 * Takes away what an installation has left whose process was killed.
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
