/**
 * What this process knows of runs, for all instances of the plugin. OpenCode calls `setup` for each project, and again whenever its
 * configuration changes: a run that is running must not lose its rules then.
 */
import { LabSessions } from "../hosts/lab-sessions.js";
import { isOfModelsShell } from "../hosts/models-shell.js";
import { Workflows } from "../hosts/workflows.js";
import { Shells } from "./shells.js";

/** Another version of the package doesn't share this state. It refuses the sessions of this one's runs. */
const KEY = Symbol.for(`opencode-design-lab ${import.meta.url.replace(/\?.*$/, "")}`);

/**
 * `others` are the sessions that belong to no run, and `queued` the sessions of prompts that wait for the end of a turn.
 * @returns {{
 *   sessions: LabSessions,
 *   projects: Map<string, Workflows>,
 *   others: Set<string>,
 *   queued: Map<string, string>,
 *   shells: Shells,
 * }}
 */
export function shared() {
  const all = /** @type {Record<symbol, any>} */ (globalThis);
  all[KEY] ??= {
    sessions: new LabSessions(),
    projects: new Map(),
    others: new Set(),
    queued: new Map(),
    shells: new Shells(),
  };
  return all[KEY];
}

/**
 * Returns the workflows of a project.
 * @param {{directory: string, worktree: string, options: Record<string, unknown> | undefined}} place
 */
export function workflowsOf({ directory, worktree, options }) {
  const { projects, sessions, shells } = shared();
  const known = projects.get(directory);
  if (known) {
    known.options = options;
    return known;
  }
  const workflows = new Workflows({
    directory,
    worktree,
    options,
    sessions,
    // The background service may be a child of the OpenCode that first needed it.
    isOfModelsShell: () => isOfModelsShell(process.env, false) || (shells.haveCalled && "sent"),
  });
  projects.set(directory, workflows);
  return workflows;
}
