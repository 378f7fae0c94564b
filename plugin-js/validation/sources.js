/**
 * The version of the project's files that is validated: the id of a Git tree with the files as they are on disk, made without
 * touching the user's index, and the checked-out commit. Without Git, the answer says so.
 */

import path from "node:path";
import { GitError, git } from "../kernel/git.js";
import { labDirectory } from "./runs.js";

/** The maximum number of uncommitted files that are named. */
const NAMED = 20;

/**
 * @param {string} project absolute
 * @param {import("../kernel/tree.js").Trees} trees of the run
 * @returns {Promise<import("../core/types.js").ValidationSources>}
 */
export async function sourcesOf(project, trees) {
  try {
    const { id: tree, kind } = await trees.take();
    if (kind !== "git") return { sources: "no_git" };
    const [commit, uncommitted] = await Promise.all([checkedOut(project), uncommittedIn(project)]);
    return { sources: "git", commit, tree, uncommitted };
  } catch (error) {
    return { sources: "untold", message: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * @param {string} project
 * @returns {Promise<string | null>} null before the first commit
 */
async function checkedOut(project) {
  try {
    return (await git(project, ["rev-parse", "--verify", "--quiet", "HEAD"])).toString("utf8").trim();
  } catch (error) {
    if (error instanceof GitError && error.code === 1) return null;
    throw error;
  }
}

/**
 * The files of the project that a commit would include, by their paths from the root of the repository.
 * @param {string} project
 */
async function uncommittedIn(project) {
  const output = await git(project, [
    "status",
    "--porcelain",
    "-z",
    "--no-renames",
    "--untracked-files=all",
    "--ignore-submodules=all",
    "--",
    ":/",
    `:(exclude)${path.relative(project, labDirectory(project))}`,
  ]);
  const files = output.toString("utf8").split("\0").filter(Boolean);
  // Each line starts with two letters and a space that describe the difference.
  return { files: files.slice(0, NAMED).map((line) => line.slice(3)), count: files.length };
}
