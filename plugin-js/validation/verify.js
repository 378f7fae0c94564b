/**
 * What can be done with a run without OpenCode: its report is made again from its journal, and it is told whether what lies there
 * is what the run recorded. No model is asked, and nothing is started.
 */
import { DesignLabError } from "../core/load.js";
import { Folder } from "../kernel/door.js";
import { ownerOf } from "../kernel/lock.js";
import { Store } from "../kernel/store.js";
import { digests } from "./evidence.js";
import { PAGE, writePage } from "./page.js";

/** @typedef {import("../core/validation.js").ValidationCore} Core */

/** What people and programs read of a run that has ended. */
const REPORTS = ["FINAL-VALIDATION.md", "FINAL-VALIDATION.json"];

/**
 * Makes the reports again.
 * @param {Core} core
 * @param {string} runs absolute: the directory of the run's directory
 * @param {string} name of the run
 * @returns {Promise<string[]>} what was written, below the run's directory
 */
export function report(core, runs, name) {
  return replayed(core, runs, name, async (run, folder) => {
    // A run without a report says so before anything is written.
    core.pictures(run);
    for (const [file, text] of core.files(run)) if (REPORTS.includes(file)) await folder.write(file, text);
    await writePage(core, run, folder);
    return [...REPORTS, PAGE];
  });
}

/**
 * Rejects with a `DesignLabError` that has all that differs.
 * @param {Core} core
 * @param {string} runs absolute
 * @param {string} name
 * @param {string | undefined} head that somebody has noted
 * @returns {Promise<string>} the account where nothing differs
 */
export function verify(core, runs, name, head) {
  return replayed(core, runs, name, async (run, folder, journal) =>
    core.verify(run, { journal, head: head ?? null, evidence: await digests(folder) }),
  );
}

/**
 * @template T
 * @param {Core} core
 * @param {string} runs
 * @param {string} name
 * @param {(run: number, folder: Folder, journal: string) => Promise<T>} use what to do with the run while it is in memory
 * @returns {Promise<T>}
 */
async function replayed(core, runs, name, use) {
  const folder = new Folder(runs, name);
  const owner = await ownerOf(folder);
  if (owner.kind === "process") throw new DesignLabError([core.locked(name, owner.name)]);
  const journal = (await Store.journal(folder)).toString("utf8");
  const { handle } = core.replayRun(journal);
  try {
    return await use(handle, folder, journal);
  } finally {
    core.closeRun(handle);
  }
}
