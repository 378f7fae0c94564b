/**
 * What can be done with a run without OpenCode: render its report again from its journal, and check whether the files on disk match
 * what the run recorded. No model is asked, and nothing is started.
 */
import { createHash } from "node:crypto";
import { DesignLabError } from "../core/load.js";
import { prefixOf, reported } from "../kernel/ci-files.js";
import { Folder } from "../kernel/door.js";
import { ownerOf } from "../kernel/lock.js";
import { Store } from "../kernel/store.js";
import { digests } from "./evidence.js";
import { PAGE, pageOf, writePage } from "./page.js";

/** @typedef {import("../core/validation.js").ValidationCore} Core */

/** The reports of a run that has ended, for people and for programs. */
const REPORTS = ["FINAL-VALIDATION.md", "FINAL-VALIDATION.json"];
/** What a run may have, beside its report, only if the user decided something or something has to be fixed. */
const OF_DECISIONS = ["fix-plan.md", "gate-decision.json"];

/**
 * Renders the reports again.
 * @param {Core} core
 * @param {string} runs absolute: the parent of the run's directory
 * @param {string} name of the run
 * @returns {Promise<string[]>} the files written, relative to the run's directory
 */
export function report(core, runs, name) {
  return replayed(core, runs, name, async (run, folder) => {
    // A run without a report is refused before anything is written.
    core.pictures(run);
    for (const [file, text] of core.files(run)) if (REPORTS.includes(file)) await folder.write(file, text);
    await writePage(core, run, folder);
    return [...REPORTS, PAGE];
  });
}

/**
 * Compares a run's files with its journal. Rejects with a `DesignLabError` that lists all differences.
 * @param {Core} core
 * @param {string} runs absolute
 * @param {string} name
 * @param {string | undefined} head a head that someone wrote down
 * @param {(texts: import("../core/types.js").CiTexts) => Promise<void>} report gets the texts for build servers, however it ends
 * @returns {Promise<string>} the account if nothing differs
 */
export function verify(core, runs, name, head, report) {
  return replayed(core, runs, name, async (run, folder, journal) => {
    const evidence = await digests(folder);
    const rendered = await renderedIn(core, run, folder);
    const seen = { journal, head: head ?? null, evidence, rendered, package: core.version };
    return reported(
      async () => core.verify(run, seen),
      (problems) => {
        const given = { problems, changed: [], prefix: prefixOf(process.cwd()), package: core.version };
        return report(core.ci(run, given));
      },
    );
  });
}

/**
 * The files that the run renders from its journal, as they are on disk and as they would be rendered now.
 * @param {Core} core
 * @param {number} run
 * @param {Folder} folder
 * @returns {Promise<import("../core/types.js").ValidationRenderedFile[]>}
 */
async function renderedIn(core, run, folder) {
  const files = new Map(core.files(run));
  if (files.has(PAGE)) files.set(PAGE, await pageOf(core, run, folder));
  // A file of these that the journal has nothing for was planted, or the journal lacks its end.
  const paths = new Set([...files.keys(), ...REPORTS, ...OF_DECISIONS, PAGE]);
  const digest = (/** @type {string | Buffer} */ data) => createHash("sha256").update(data).digest("hex");
  const all = [...paths].filter((file) => !file.startsWith("tests/")).sort();
  return Promise.all(
    all.map(async (file) => {
      const meant = files.get(file);
      const isThere = await folder.status(file);
      return {
        path: file,
        found: isThere ? digest(await folder.read(file)) : null,
        meant: meant === undefined ? null : digest(meant),
      };
    }),
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
