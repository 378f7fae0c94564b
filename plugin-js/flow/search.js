/**
 * Searches the files of a project: those that git tracks or doesn't ignore. The core decides what counts as an occurrence. No link is
 * followed, and the search ends after a few seconds.
 */
import { readdir } from "node:fs/promises";
import path from "node:path";
import { Folder } from "../kernel/door.js";
import { GitError, git, repository } from "../kernel/git.js";
import { NEVER } from "../kernel/manifest.js";
import { isBelow } from "../kernel/real-path.js";

/**
 * @typedef {import("../core/types.js").FlowWanted} Wanted
 * @typedef {import("../core/types.js").FlowSearchedPlace} SearchedPlace
 */

/** The largest file that is searched, in bytes. */
const LARGEST = 4 << 20;
/** How long a search may take, in ms. */
const LONGEST_MS = 5_000;
/** For how many files the lines of occurrences are kept; the rest is only counted. */
const MOST_SHOWN = 50;

/**
 * @param {object} where
 * @param {Pick<import("../core/flow.js").FlowCore, "feedbackSearched">} where.core
 * @param {string} where.project absolute
 * @param {string[]} where.leftOut absolute: files and directories that aren't the project's
 * @param {Wanted[]} wanted
 * @param {() => number} [now] in ms
 * @returns {Promise<Record<string, SearchedPlace>>} what was found, by the ids of what was wanted
 */
export async function searchProject({ core, project, leftOut }, wanted, now = Date.now) {
  /** @type {Record<string, SearchedPlace>} */
  const places = Object.fromEntries(
    wanted.map(({ id }) => [id, { place: "project", found: [], unsearched: 0 }]),
  );
  if (wanted.length === 0) return places;
  const top = repository(project);
  const folder = new Folder(top);
  const until = now() + LONGEST_MS;
  const all = Object.values(places);
  const isOurs = (/** @type {string} */ file) =>
    leftOut.some((place) => isBelow(path.join(top, file), place));
  for (const file of (await filesBelow(top)).filter((name) => !isOurs(name))) {
    const text = now() < until ? await textOf(folder, file) : undefined;
    if (text === null) continue;
    if (text === undefined) {
      for (const place of all) place.unsearched++;
      continue;
    }
    for (const seen of core.feedbackSearched(wanted, file, text)) {
      const found = places[seen.id]?.found ?? [];
      found.push([file, found.length < MOST_SHOWN ? seen : { ...seen, exact: [], similar: [] }]);
    }
  }
  return places;
}

/**
 * The text of a file.
 * @param {Folder} folder
 * @param {string} file
 * @returns {Promise<string | null | undefined>} null if it is gone or isn't a plain file; undefined if it can't be searched
 */
async function textOf(folder, file) {
  try {
    const status = await folder.status(file);
    if (!status?.isFile()) return null;
    return status.size > LARGEST ? undefined : (await folder.read(file)).toString("utf8");
  } catch {
    return undefined;
  }
}

/**
 * @param {string} top absolute: the root of a repository, or a directory outside of one
 * @returns {Promise<string[]>} relative to it, sorted
 */
async function filesBelow(top) {
  try {
    const listed = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"];
    const names = (await git(top, listed)).toString("utf8").split("\0");
    return names.filter((name) => name !== "").sort();
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    /** @type {string[]} */
    const found = [];
    await walk(top, "", found);
    return found.sort();
  }
}

/**
 * @param {string} directory absolute
 * @param {string} prefix of the paths in it
 * @param {string[]} found receives the files
 */
async function walk(directory, prefix, found) {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    if (entry.isFile()) found.push(`${prefix}${entry.name}`);
    else if (entry.isDirectory() && !NEVER.has(entry.name))
      await walk(path.join(directory, entry.name), `${prefix}${entry.name}/`, found);
  }
}
