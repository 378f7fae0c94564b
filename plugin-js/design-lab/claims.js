/**
 * Looks up in the project what an answer names. The core decides what is looked up, and what follows from it (src/design_lab/claims/).
 */
import { Folder } from "../kernel/door.js";
import { lookUp } from "../kernel/look-up.js";

/**
 * @typedef {import("../core/types.js").LookedUp} LookedUp
 */

/** The most files and folders of a project that are listed. */
export const MOST_LISTED = 20_000;

/** How long the files are searched, in ms. */
const PATIENCE_MS = 5_000;

/**
 * @param {object} where
 * @param {import("../core/design-lab.js").Core} where.core
 * @param {string} where.project absolute
 * @param {() => Promise<import("../core/types.js").Attached>} where.list the project as an attached folder
 * @param {number} run
 * @param {string} job
 * @param {import("../core/types.js").Reply} reply
 * @returns {Promise<LookedUp[]>}
 */
export async function lookUpNames({ core, project, list }, run, job, reply) {
  const names = core.cited(run, job, reply);
  if (names.length === 0) return [];
  try {
    // Only a name that isn't a path needs the list of files.
    if (!names.some((name) => name.startsWith("$"))) return await lookUp(project, names);
    const wanted = core.lookups(run, names, await list());
    const folder = new Folder(project);
    const manifests = await read(folder, wanted.manifests);
    const partial = wanted.partly_declared || manifests.length < wanted.manifests.length;
    return [
      ...wanted.known,
      ...(await lookUp(project, wanted.paths)),
      ...(await search(folder, wanted)),
      ...core.declared(wanted.declared, manifests, partial),
    ];
  } catch {
    // The answer is paid for: what can't be looked up counts as not checked.
    return [];
  }
}

/**
 * Searches files for names, until all are found or the time is over. A name that isn't found counts as missing only if every file was
 * searched.
 * @param {Folder} folder
 * @param {Pick<import("../core/types.js").Lookups, "searches" | "sources" | "partial">} wanted
 * @returns {Promise<LookedUp[]>}
 */
export async function search(folder, { searches, sources, partial }) {
  const until = performance.now() + PATIENCE_MS;
  /** @type {Map<string, string>} */
  const places = new Map();
  let left = searches.map(({ name, words }) => ({ name, patterns: words.map(wholeWord) }));
  let isComplete = !partial;
  for (const file of sources) {
    if (left.length === 0) break;
    if (performance.now() > until) {
      isComplete = false;
      break;
    }
    const text = await textOf(folder, file);
    if (text === undefined) {
      isComplete = false;
      continue;
    }
    left = left.filter(({ name, patterns }) => {
      const found = patterns.map(({ word, whole }) => (text.includes(word) ? text.search(whole) : -1));
      const last = found.at(-1);
      if (last === undefined || found.includes(-1)) return true;
      places.set(name, `${file}:${text.slice(0, last).split("\n").length}`);
      return false;
    });
  }
  return searches.map(({ name }) => {
    const place = places.get(name);
    if (place !== undefined) return { path: name, found: "file", lines: null, place };
    return { path: name, found: isComplete ? "nothing" : "other", lines: null };
  });
}

/** @param {string} word */
function wholeWord(word) {
  const literal = word.replaceAll("$", "\\$");
  return { word, whole: new RegExp(`(?<![\\p{L}\\p{N}_$])${literal}(?![\\p{L}\\p{N}_$])`, "u") };
}

/**
 * Returns those files that can be read.
 * @param {Folder} folder
 * @param {string[]} files
 * @returns {Promise<import("../core/types.js").Manifest[]>}
 */
async function read(folder, files) {
  const texts = await Promise.all(files.map((file) => textOf(folder, file)));
  return files.flatMap((file, index) => {
    const text = texts[index];
    return text === undefined ? [] : [{ path: file, text }];
  });
}

/**
 * Returns the text of a file; undefined if it can't be read.
 * @param {Folder} folder
 * @param {string} file
 */
async function textOf(folder, file) {
  try {
    return (await folder.read(file)).toString();
  } catch {
    return undefined;
  }
}
