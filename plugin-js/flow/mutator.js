/**
 * The user's mutation testing tool: it runs in a copy of a feature's files, and the core reads the report that it wrote there
 * (src/flow/mutator_report.rs).
 */
import { existsSync, lstatSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { isBelow, locate } from "../kernel/real-path.js";

/**
 * @typedef {import("../core/types.js").FlowMutatorLeft} MutatorLeft
 * @typedef {import("../core/types.js").FlowMutatorRun} MutatorRun
 * @typedef {import("../core/types.js").FlowChangedFile} ChangedFile
 * @typedef {import("./copies.js").Copy} Copy
 */

/** A larger report isn't read, in bytes. */
const LARGEST = 32 << 20;

/**
 * Runs the tool.
 * @param {Copy} copy just frozen
 * @param {MutatorRun} mutator
 * @param {ChangedFile[]} changed
 * @param {() => Promise<import("../core/types.js").CommandRan>} run
 * @returns {Promise<MutatorLeft>}
 */
export async function runMutator(copy, { argv, report, output }, changed, run) {
  const place = path.join(copy.directory, report);
  const common = {
    ...{ argv, output, report, changed },
    directory: slashed(path.relative(copy.root, copy.directory)),
    roots: [...new Set([copy.root, realpathSync(copy.root)])],
    touched: /** @type {string[]} */ ([]),
    files: null,
    refused: null,
  };
  /** @type {MutatorLeft["end"]} */
  const notRun = { how: "exited", code: 0 };
  if (leadsOut(copy, place)) return { ...common, end: notRun, refused: "outside" };
  // Whatever is already there isn't a report of this run, whoever put it into the tree.
  rmSync(place, { recursive: true, force: true });
  const { end } = await run();
  const touched = copy.touched();
  if (leadsOut(copy, place)) return { ...common, end, touched, refused: "outside" };
  const files = existsSync(place) ? reportFiles(copy, place, changed) : null;
  if (files === "too_large") return { ...common, end, touched, refused: files };
  return { ...common, end, touched, files };
}

/**
 * The files of a report.
 * @param {Copy} copy
 * @param {string} place absolute: the report
 * @param {ChangedFile[]} changed
 * @returns {{path: string, text: string}[] | "too_large"}
 */
function reportFiles(copy, place, changed) {
  const files = [];
  let bytes = 0;
  for (const file of namesOfReport(copy, place, changed)) {
    if (!lstatSync(file, { throwIfNoEntry: false })?.isFile() || leadsOut(copy, file)) continue;
    bytes += statSync(file).size;
    if (bytes > LARGEST) return "too_large";
    files.push({ path: slashed(path.relative(copy.root, file)), text: readFileSync(file, "utf8") });
  }
  return files;
}

/**
 * The possible files of a report: it is one file, or a directory in which cargo-mutants writes one file, and mutmut two for
 * each source.
 * @param {Copy} copy
 * @param {string} place absolute
 * @param {ChangedFile[]} changed
 */
function namesOfReport(copy, place, changed) {
  if (!statSync(place).isDirectory()) return [place];
  const sources = changed
    .map((file) => path.relative(path.dirname(place), path.join(copy.root, file.path)))
    .filter((file) => !file.startsWith("..") && !path.isAbsolute(file))
    .map((file) => path.join(place, file));
  return [path.join(place, "outcomes.json"), ...sources.flatMap((file) => [`${file}.meta`, file])];
}

/**
 * Whether a path in a copy really leads elsewhere, because a part of it is a link.
 * @param {Copy} copy
 * @param {string} place absolute
 */
function leadsOut(copy, place) {
  return !isBelow(locate(place).real, locate(copy.root).real);
}

/** @param {string} file */
function slashed(file) {
  return file.replaceAll("\\", "/");
}
