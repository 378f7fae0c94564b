/**
 * Reads the configuration files and the prompt files they refer to. The core interprets them.
 */
import { existsSync, realpathSync, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { StoreError } from "../kernel/door.js";
import { HOST_DIRECTORIES, HOST_NAMES, shown, upwards } from "../kernel/host-files.js";
import { readPlain, readPlainIfThere } from "../kernel/plain-file.js";

/**
 * @typedef {import("../core/types.js").Source} Source
 * @typedef {import("../core/types.js").ReferencedFile} ReferencedFile
 */

const NAMES = ["design-lab.json", "design-lab.jsonc"];

/**
 * @param {import("../core/design-lab.js").Core} core
 * @param {{project: string, worktree: string, options?: unknown}} where
 * @returns {{sources: Source[], files: ReferencedFile[], unreadable: StoreError[]}} `unreadable`: configuration files
 *   that exist but can't be read
 */
export function readSources(core, { project, worktree, options }) {
  /** The directory from which each source's references are resolved. @type {Map<string, string>} */
  const bases = new Map();
  /** @type {Source[]} */
  const sources = [];
  /** @type {StoreError[]} */
  const unreadable = [];
  const read = (/** @type {string} */ file, /** @type {string} */ shown) => {
    try {
      return readPlainIfThere(file);
    } catch (error) {
      unreadable.push(new StoreError(shown, error, "read"));
      return undefined;
    }
  };
  const global = path.join(process.env.XDG_CONFIG_HOME ?? path.join(os.homedir(), ".config"), "opencode");
  for (const name of NAMES) {
    const file = `~/.config/opencode/${name}`;
    const text = read(path.join(global, name), file);
    if (text === undefined) continue;
    sources.push({ origin: "global", file, text });
    bases.set(file, global);
  }
  const home = nearest(project, worktree);
  for (const name of NAMES) {
    const file = path.posix.join(path.relative(project, home).replaceAll("\\", "/"), ".opencode", name);
    const text = read(path.join(home, ".opencode", name), file);
    if (text === undefined) continue;
    sources.push({ origin: "project", file, text });
    bases.set(file, path.join(home, ".opencode"));
  }
  if (options && Object.keys(options).length > 0) {
    const file = "opencode.json (plugin options)";
    sources.push({ origin: "options", file, text: JSON.stringify(options) });
    bases.set(file, project);
  }
  const references = sources.length > 0 ? core.references(sources) : [];
  const files = references.map((reference) => {
    return { ...reference, ...readPrompt(bases.get(reference.source) ?? project, reference.path) };
  });
  return { sources, files, unreadable };
}

/**
 * Returns the configuration files of a project, Design Lab's and the host's: they name every designer and the criteria by which
 * designs are scored, and may contain the keys of providers.
 * @param {{project: string, worktree: string}} where
 */
export function configurationFiles({ project, worktree }) {
  const files = upwards(project, worktree).flatMap((directory) => [
    ...HOST_NAMES.map((name) => path.join(directory, name)),
    ...HOST_DIRECTORIES.flatMap((one) =>
      [...NAMES, ...HOST_NAMES].map((name) => path.join(directory, one, name)),
    ),
  ]);
  return files.filter((file) => existsSync(file));
}

const TUI_NAMES = ["tui.json", "tui.jsonc"];

/**
 * Returns the files in which the host's terminal finds its plugins, in the order in which OpenCode 1.18.33 reads them. Like OpenCode,
 * skips those that can't be read.
 * @param {{project: string, worktree: string}} where
 * @param {import("../core/types.js").HostProgram} [program]
 * @returns {import("../core/types.js").TuiFile[]}
 */
export function tuiFiles({ project, worktree }, program = "opencode") {
  const home = os.homedir();
  const { XDG_CONFIG_HOME } = process.env;
  const config = process.env[`${program.toUpperCase()}_TUI_CONFIG`];
  const directory = process.env[`${program.toUpperCase()}_CONFIG_DIR`];
  const up = upwards(project, worktree);
  const inside = (/** @type {string} */ directory) => TUI_NAMES.map((name) => path.join(directory, name));
  const files = [
    ...inside(path.join(XDG_CONFIG_HOME ?? path.join(home, ".config"), program)),
    ...(config ? [config] : []),
    ...[...up].reverse().flatMap(inside),
    ...[...up, home].flatMap((directory) => inside(path.join(directory, `.${program}`))),
    ...(directory ? inside(directory) : []),
  ];
  return [...new Set(files)].flatMap((file) => {
    try {
      return [{ file: shown(file, project), directory: path.dirname(file), text: readPlain(file) }];
    } catch {
      return [];
    }
  });
}

/**
 * Returns the nearest directory, from the project up to the worktree, that contains a configuration.
 * @param {string} project
 * @param {string} worktree
 */
function nearest(project, worktree) {
  const configured = (/** @type {string} */ directory) =>
    NAMES.some((name) => existsSync(path.join(directory, ".opencode", name)));
  return upwards(project, worktree).find(configured) ?? project;
}

/** The size limit of a prompt, in bytes. */
const LONGEST = 1 << 20;

/**
 * Returns a prompt file's text and its real path, so that the core notices links. Reads plain files only.
 * @param {string} base absolute: the directory from which the path is resolved
 * @param {string} name
 */
function readPrompt(base, name) {
  try {
    const real = realpathSync.native(path.resolve(base, name));
    const leads = path.relative(realpathSync.native(base), real).replaceAll("\\", "/");
    const status = statSync(real);
    if (!status.isFile()) return { leads, error: "it is not a regular file" };
    if (status.size > LONGEST) return { leads, error: "it is larger than 1 MB" };
    return { leads, text: readPlain(real, LONGEST) };
  } catch (error) {
    return { error: /** @type {NodeJS.ErrnoException} */ (error).code ?? "it could not be read" };
  }
}
