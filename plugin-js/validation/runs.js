/**
 * Where runs are kept, `.design-lab/validation/<run>/`, and where the settings are.
 */
import path from "node:path";
import { Folder, StoreError } from "../kernel/door.js";
import { readPlainIfThere } from "../kernel/plain-file.js";

const LAB = ".design-lab";
const RUNS = "validation";
const SETTINGS = ".opencode/validation.jsonc";

/** OpenCode's undo and its searches leave alone what git ignores (out-of-git.js). */
const IGNORED =
  "# Written by Validation: OpenCode's undo doesn't touch ignored files. To commit a run: git add -f\n*\n";

/** Searches find what each run's own `.ignore` lets them, in a repository or not. */
const SEARCHED = "# Written by Validation: searches find only the report of a run.\n*\n!/*/\n";

/** The directory of all that this package makes by default. @param {string} project absolute */
export function labDirectory(project) {
  return path.join(project, LAB);
}

/** The directory of all runs. @param {string} project absolute */
export function runsDirectory(project) {
  return path.join(labDirectory(project), RUNS);
}

/**
 * Makes what a first run needs. Nothing of it is git's, nor OpenCode's to undo.
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
 * What `.opencode/validation.jsonc` says, and what models cost. Throws a `DesignLabError` where either is broken, or the file isn't
 * there and is needed.
 * @param {Pick<import("./request.js").Request, "core" | "project">} request
 * @param {import("../core/types.js").ValidationScope} scope
 * @param {import("../core/types.js").Source[]} configuration Design Lab's; none if it doesn't matter what models cost
 */
export function settingsOf({ core, project }, scope, configuration) {
  return core.settings(scope, sourceOf(project), configuration);
}

/**
 * The settings as they lie there; null if there are none.
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
