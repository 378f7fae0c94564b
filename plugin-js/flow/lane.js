/**
 * A session's lane: a repository of its own outside the project, in which its workers work (src/flow/lane.rs). It starts with the
 * project's files as they are and shares git's objects with the project, so that making it copies only the files.
 *
 * What git ignores isn't in a tree: dependencies are linked, and what OpenCode loads from the project is copied, because a session
 * in the lane loads it from there.
 */
import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, realpathSync } from "node:fs";
import { appendFile, cp, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import path from "node:path";
import { git } from "../kernel/git.js";
import { loadedFromProject } from "../kernel/host-files.js";
import { CopyError } from "../kernel/manifest.js";
import { isBelow, locate } from "../kernel/real-path.js";
import { stateDirectory } from "../kernel/state-directory.js";
import { linkable, linkTo } from "./links.js";

const NODE_MODULES = "node_modules";
/** The first version that merges trees without a working directory. */
const MERGES_TREES = "2.38";

/** What follows a lane's name while it is made. */
const MAKING = ".making-";

/**
 * The root of a session's lane, whether it exists or not. It depends on the project's place: a journal can't choose it.
 * @param {string} project absolute
 * @param {string} session its name
 * @returns {string} absolute
 */
export function laneOf(project, session) {
  const real = realpathSync(project);
  const mark = createHash("sha256").update(real).digest("hex").slice(0, 12);
  return path.join(stateDirectory(), "lanes", `${path.basename(real)}-${mark}`, session, "lane");
}

/**
 * Makes a lane from the project's files as they are. Rejects with a `CopyError`, a `GitError` or the system's error on failure: then
 * nothing is left of it.
 * @param {object} wanted
 * @param {string} wanted.root absolute: a lane that is there is moved aside, because somebody may have worked in it
 * @param {string} wanted.project absolute
 * @param {import("../kernel/tree.js").Trees} wanted.trees of the project
 * @param {string[]} wanted.link ignored paths to link, by name or path
 * @param {string | undefined} [wanted.from] the tree from which it is made instead
 * @returns {Promise<{tree: string, directory: string, files: number, bytes: number, linked: string[], copied: string[]}>} `directory`:
 *   the project's directory in the lane, absolute; the lists are relative to the root and sorted
 */
export async function makeLane({ root, project, trees, link, from }) {
  const { id, kind } = await trees.take();
  const tree = from ?? id;
  if (kind !== "git") throw new CopyError("the project is not in a git repository");
  await refuseOldGit(project);
  const top = await trees.top();
  if (isBelow(locate(root).real, top))
    throw new CopyError(
      `the lane would be inside the project, in ${root}; set XDG_STATE_HOME to a directory outside ${top}`,
    );
  const [parent, name] = [path.dirname(root), path.basename(root)];
  await mkdir(parent, { recursive: true, mode: 0o700 });
  for (const left of readdirSync(parent).filter((entry) => entry.startsWith(`${name}${MAKING}`)))
    await removeLane(path.join(parent, left));
  const making = await mkdtemp(`${root}${MAKING}`);
  try {
    const { inside, ...made } = await fill(making, { project, trees, tree, link });
    await moveAside(root);
    await rename(making, root);
    return { tree, directory: path.join(root, inside), ...made };
  } catch (error) {
    await removeLane(making);
    throw error;
  }
}

/**
 * Rejects with a `CopyError` if git is too old to merge trees.
 * @param {string} directory absolute
 */
async function refuseOldGit(directory) {
  const found = (await git(directory, ["version"])).toString("utf8").trim();
  const version = /\d+\.\d+/.exec(found)?.[0] ?? "0.0";
  const isOlder = version.localeCompare(MERGES_TREES, "en", { numeric: true }) < 0;
  if (isOlder) throw new CopyError(`lanes need git ${MERGES_TREES} or later, and this is ${found}`);
}

/** Removes a lane in which nobody has worked. Links in it are removed, not followed. @param {string} root absolute */
export async function removeLane(root) {
  await rm(root, { recursive: true, force: true, maxRetries: 3 });
}

/** Keeps a lane that exists under another name. @param {string} root absolute */
async function moveAside(root) {
  if (!existsSync(root)) return;
  let number = 1;
  while (existsSync(`${root}.${number}`)) number++;
  await rename(root, `${root}.${number}`);
}

/**
 * @param {string} root absolute: empty
 * @param {{project: string, trees: import("../kernel/tree.js").Trees, tree: string, link: string[]}} wanted
 */
async function fill(root, { project, trees, tree, link }) {
  const source = await trees.lay(tree, root, () => []);
  await trees.plant(tree, root);
  const ignored = await source.ignored();
  const copied = await copySettings(root, source.top, project, ignored);
  const linked = linkable(ignored, link).filter((name) => !existsSync(path.join(root, name)));
  for (const name of linked) await linkBelow(root, name, source.top);
  await exclude(root, [...copied, ...linked]);
  const sizes = source.files.map((file) => lstatSync(path.join(root, file.path)).size);
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return { inside: source.inside, files: source.files.length, bytes, linked, copied };
}

/**
 * The places in a lane that its workers may not change: our own directories, git's own, and what OpenCode loads from there.
 * @param {object} lane
 * @param {string} lane.root absolute
 * @param {string} lane.directory absolute: the project's directory in the lane
 * @param {string[]} lane.leftOut absolute: our own directories in the lane
 * @returns {string[]} absolute, whether they exist or not
 */
export function keptIn({ root, directory, leftOut }) {
  return [...leftOut, path.join(root, ".git"), ...loadedFromProject(directory, root)];
}

/**
 * Copies what OpenCode loads from the project and git ignores.
 * @param {string} root absolute: of the lane
 * @param {string} top absolute: of the project's tree
 * @param {string} project absolute
 * @param {string[]} ignored relative to the top, directories as a whole
 * @returns {Promise<string[]>} what was copied, relative to the root, sorted
 */
async function copySettings(root, top, project, ignored) {
  const loaded = loadedFromProject(realpathSync(project), realpathSync(top));
  const places = loaded.map((place) => path.relative(realpathSync(top), place));
  const copied = ignored.filter((file) => places.some((place) => isBelow(file, place))).sort();
  for (const file of copied) {
    if (path.basename(file) === NODE_MODULES) await linkBelow(root, file, top);
    else await copy(path.join(top, file), path.join(root, file));
  }
  return copied;
}

/**
 * Links what the project has at a path, wherever in the lane that is.
 * @param {string} root absolute: of the lane
 * @param {string} name relative to it
 * @param {string} top absolute: of the project's tree
 */
async function linkBelow(root, name, top) {
  const link = path.join(root, name);
  await mkdir(path.dirname(link), { recursive: true });
  await linkTo(path.join(top, name), link);
}

/**
 * Copies a file or a directory; packages in a directory are linked.
 * @param {string} from absolute
 * @param {string} to absolute
 */
async function copy(from, to) {
  const packages = path.join(from, NODE_MODULES);
  await mkdir(path.dirname(to), { recursive: true });
  await cp(from, to, { recursive: true, verbatimSymlinks: true, filter: (file) => file !== packages });
  if (existsSync(packages)) await linkTo(packages, path.join(to, NODE_MODULES));
}

/**
 * Keeps files out of the lane's trees, like the user's own rules: a rule for a directory doesn't match a link to one.
 * @param {string} root absolute
 * @param {string[]} files relative to the root
 */
async function exclude(root, files) {
  const info = path.join(root, ".git", "info");
  await mkdir(info, { recursive: true });
  const literal = (/** @type {string} */ file) =>
    `/${file.replaceAll("\\", "/").replace(/[\\*?[\] ]/g, "\\$&")}`;
  await appendFile(path.join(info, "exclude"), files.map((file) => `${literal(file)}\n`).join(""));
}
