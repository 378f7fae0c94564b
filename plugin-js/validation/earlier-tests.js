/**
 * The tests of an earlier run, to be repeated or kept as the project's own.
 */
import { Folder, StoreError } from "../kernel/door.js";
import { look, survey } from "../kernel/runs.js";
import { runsDirectory } from "./runs.js";

/**
 * Rejects with a `DesignLabError` when there is no such run, or it has no tests.
 * @param {import("../core/validation.js").ValidationCore} core
 * @param {string} project absolute
 * @param {string} named the run, as the user names it; empty for the latest that has tests
 * @returns {Promise<import("../core/types.js").ValidationRepeat>}
 */
export async function earlierTests(core, project, named) {
  const runs = runsDirectory(project);
  const name = core.toRepeat(named, await survey(core, runs));
  return look(core, runs, name, (run) => core.repeat(run));
}

/**
 * Writes tests into a directory of the project. If any of the files already exists, nothing is written at all.
 * @param {import("../core/validation.js").ValidationCore} core
 * @param {string} project absolute
 * @param {import("../core/types.js").ValidationRepeat} repeat
 * @param {string} directory as the user names it
 * @returns {Promise<string>} the message for the user
 */
export async function keep(core, project, repeat, directory) {
  const root = new Folder(project);
  const { files } = core.kept(repeat, directory, []);
  const taken = [];
  for (const [file] of files) if (await root.status(file)) taken.push(file);
  const { wording } = core.kept(repeat, directory, taken);
  for (const [file, text] of files) {
    if (!(await root.create(file, text)))
      throw new StoreError(file, Object.assign(new Error("taken"), { code: "EEXIST" }));
  }
  return wording;
}
