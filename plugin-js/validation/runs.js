/**
 * The paths of the runs, `.design-lab/validation/<run>/`, and of the settings.
 */
import path from "node:path";
import { Folder, StoreError } from "../kernel/door.js";
import { readPlainIfThere } from "../kernel/plain-file.js";

const LAB = ".design-lab";
const RUNS = "validation";
const SETTINGS = ".opencode/validation.jsonc";

/** OpenCode's undo and its searches skip files that Git ignores (out-of-git.js). */
const IGNORED =
  "# Written by Validation: OpenCode's undo doesn't touch ignored files. To commit a run: git add -f\n*\n";

/** Searches find what each run's own `.ignore` allows, in a repository or not. */
const SEARCHED = "# Written by Validation: searches find only the report of a run.\n*\n!/*/\n";

/** The directory of everything that this package writes by default. @param {string} project absolute */
export function labDirectory(project) {
  return path.join(project, LAB);
}

/** The directory of all runs. @param {string} project absolute */
export function runsDirectory(project) {
  return path.join(labDirectory(project), RUNS);
}

/**
 * Creates what a first run needs. Git ignores it, and OpenCode's undo doesn't touch it.
 * @param {string} project absolute
 */
export async function prepare(project) {
  await new Folder(project).makeFolder(LAB);
  await new Folder(project, LAB).makeFolder(RUNS);
  const runs = new Folder(runsDirectory(project));
  await runs.create(".gitignore", IGNORED);
  await runs.create(".ignore", SEARCHED);
}

/**
 * The settings in `.opencode/validation.jsonc`, with the prices of models. Throws a `DesignLabError` if either is broken, or if the
 * file is missing and needed.
 * @param {Pick<import("./request.js").Request, "core" | "project">} request
 * @param {import("../core/types.js").ValidationScope} scope
 * @param {import("../core/types.js").Source[]} configuration Design Lab's; empty if the prices of models don't matter
 */
export function settingsOf({ core, project }, scope, configuration) {
  return core.settings(scope, sourceOf(project), configuration);
}

/**
 * The settings as they are on disk; null if there are none.
 * @param {string} project absolute
 * @returns {import("../core/types.js").Source | null}
 */
export function sourceOf(project) {
  try {
    const text = readPlainIfThere(path.join(project, SETTINGS));
    return text === undefined ? null : { origin: "project", file: SETTINGS, text };
  } catch (error) {
    throw new StoreError(SETTINGS, error, "read");
  }
}
