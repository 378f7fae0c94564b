/**
 * Where OpenCode, and Kilo, which is made from it, find what they load when they start: settings, agents, commands and plugins.
 */
import { homedir } from "node:os";
import path from "node:path";

/** The names of the programs, which their own directories have, too. */
export const HOSTS = ["opencode", "kilo"];

/** Their settings in a project. */
export const HOST_NAMES = ["opencode.json", "opencode.jsonc", "kilo.json", "kilo.jsonc"];

/** Their directories in a project. */
export const HOST_DIRECTORIES = [".opencode", ".kilo", ".kilocode"];

/** What the programs write into these directories themselves: the packages that plugins need, plans, and OpenCode itself. */
export const INSTALLED = [
  "bin",
  "plans",
  "node_modules",
  "package.json",
  "package-lock.json",
  "bun.lock",
  "bun.lockb",
  ".gitignore",
];

/**
 * The files and directories that the programs load when they start, whether they exist or not.
 * @param {string} project absolute
 * @param {string} top absolute: the root of the project's repository, or the project
 * @returns {string[]} absolute
 */
export function loadedAtStart(project, top) {
  const { env } = process;
  const config = env.XDG_CONFIG_HOME ?? path.join(homedir(), ".config");
  const own = HOSTS.flatMap((host) => {
    const prefix = host.toUpperCase();
    const named = [env[`${prefix}_CONFIG_DIR`], env[`${prefix}_CONFIG`]].flatMap((place) => place || []);
    return [path.join(config, host), ...named];
  });
  return [...new Set([...loadedFromProject(project, top), ...inside(homedir(), HOST_DIRECTORIES), ...own])];
}

/**
 * Those of them that are in the project.
 * @param {string} project absolute
 * @param {string} top absolute: the root of the project's repository, or the project
 * @returns {string[]} absolute
 */
export function loadedFromProject(project, top) {
  const directories = upwards(project, top);
  return [HOST_NAMES, HOST_DIRECTORIES].flatMap((names) =>
    directories.flatMap((directory) => inside(directory, names)),
  );
}

/** @param {string} directory @param {string[]} names */
const inside = (directory, names) => names.map((name) => path.join(directory, name));

/**
 * Returns a file's path as the user would recognise it.
 * @param {string} file absolute
 * @param {string} project
 */
export function shown(file, project) {
  const home = homedir();
  if (file.startsWith(`${project}${path.sep}`)) return path.relative(project, file);
  return file.startsWith(`${home}${path.sep}`) ? path.join("~", path.relative(home, file)) : file;
}

/**
 * Returns the directories from the project up to the worktree.
 * @param {string} project
 * @param {string} worktree
 */
export function upwards(project, worktree) {
  const directories = [project];
  for (let directory = project; directory !== worktree && directory.startsWith(worktree); ) {
    const parent = path.dirname(directory);
    if (parent === directory) break;
    directories.push(parent);
    directory = parent;
  }
  return directories;
}
