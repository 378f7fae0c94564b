/**
 * Checks whether the files here match a session's journal: the journal's chain, the files, the outputs of checks, and on demand
 * the results when the checks are run again. The core judges the results. No model is called, and no host is needed.
 */
import { createHash } from "node:crypto";
import { DesignLabError } from "../core/load.js";
import { prefixOf, reported } from "../kernel/ci-files.js";
import { Folder } from "../kernel/door.js";
import { recogniseRuns } from "../kernel/key.js";
import { ownerOf } from "../kernel/lock.js";
import { Store } from "../kernel/store.js";
import { runAgain } from "./again.js";
import { pathsThatDiffer } from "./effects.js";
import { leftOutOf, sessionsDirectory } from "./sessions.js";
import { Workplace } from "./workplace.js";

/**
 * @typedef {object} How
 * @property {string | undefined} head that the user noted earlier
 * @property {boolean} run whether the checks are run again if nothing else differs
 * @property {(texts: import("../core/types.js").CiTexts) => Promise<void>} report gets the texts for build servers, however it ends
 */

/**
 * Rejects with a `DesignLabError` that lists every difference; if checks were run, its `out` has their results.
 * @param {{core: import("../core/flow.js").FlowCore, project: string, outputs: string[]}} place
 * @param {string} name of the session
 * @param {How} how
 * @returns {Promise<string>} the account if nothing differs
 */
export async function verify({ core, project, outputs }, name, { head, run, report }) {
  const folder = new Folder(sessionsDirectory(project), name);
  const owner = await ownerOf(folder);
  if (owner.kind === "process") throw new DesignLabError([core.locked(name, owner.name)]);
  const journal = (await Store.journal(folder)).toString("utf8");
  recogniseRuns();
  const { handle } = core.replayRun(journal);
  const leftOut = leftOutOf(project, outputs);
  /** @type {string[]} */
  let changed = [];
  /** @type {import("../core/flow.js").FlowEventKind | null} */
  let ran = null;
  const compare = async () => {
    const command = run ? core.toRunAgain(handle) : undefined;
    const wanted = core.toVerify(handle);
    const workplace = new Workplace({ core, handle, project, store: { folder }, leftOut });
    const seen = { journal, head: head ?? null, outputs: await digests(folder, wanted.outputs) };
    const place = await workplace.here().catch((error) => {
      // Without its lane, a session's files can't be compared, but the rest can.
      const problems = problemsOf(() => core.verify(handle, { ...seen, tree: null, changed: [] }));
      throw error instanceof DesignLabError ? new DesignLabError([...error.problems, ...problems]) : error;
    });
    const { directory, trees } = place;
    const tree = wanted.tree === null ? null : (await trees.take()).id;
    changed = tree === null || wanted.tree === null ? [] : await pathsThatDiffer(trees, wanted.tree, tree);
    const verified = core.verify(handle, { ...seen, tree, changed });
    if (!command) return verified;
    ran = await runAgain({ core, project: directory, kept: project, leftOut }, command);
    const { account, problems } = core.ranAgain(handle, ran);
    if (problems.length > 0)
      throw Object.assign(new DesignLabError(problems), { out: `${verified}${account}` });
    return `${verified}${account}`;
  };
  try {
    return await reported(compare, (problems) => {
      const given = { problems, changed, prefix: prefixOf(project), package: core.version };
      return report(core.ci(handle, given, ran));
    });
  } finally {
    core.closeRun(handle);
  }
}

/**
 * The problems that an action of the core finds.
 * @param {() => unknown} action
 */
function problemsOf(action) {
  try {
    action();
    return [];
  } catch (error) {
    if (error instanceof DesignLabError) return error.problems;
    throw error;
  }
}

/**
 * @param {Folder} folder
 * @param {string[]} names
 * @returns {Promise<Record<string, string | null>>} null if there is no such file
 */
async function digests(folder, names) {
  /** @type {Record<string, string | null>} */
  const found = {};
  for (const name of names) {
    found[name] = (await folder.status(name))
      ? createHash("sha256")
          .update(await folder.read(name))
          .digest("hex")
      : null;
  }
  return found;
}
