/**
 * Where sessions are kept: `.flow/sessions/<id>/`, with the id of the active session in `.flow/active`.
 */
import { createHash } from "node:crypto";
import path from "node:path";
import { DesignLabError } from "../core/load.js";
import { Folder } from "../kernel/door.js";
import { rulesFile } from "../kernel/project-rules.js";

const FLOW = ".flow";
const SESSIONS = "sessions";
const ACTIVE = "active";

/** OpenCode's undo and its searches skip what git ignores (out-of-git.js). */
const IGNORED =
  "# Written by Flow: OpenCode's undo doesn't touch ignored files. To commit a session: git add -f\n*\n";

/** Searches find what each session's own `.ignore` allows, in a repository or not. */
const SEARCHED =
  "# Written by Flow: searches find only the page of a session.\n*\n!/sessions/\n!/sessions/*/\n";

/** @param {string} project absolute */
export function flowDirectory(project) {
  return path.join(project, FLOW);
}

/**
 * Absolute: the files and directories that aren't part of what is built.
 * @param {string} project absolute
 * @param {string[]} outputs absolute: other directories of this package
 */
export function leftOutOf(project, outputs) {
  return [flowDirectory(project), rulesFile(project), ...outputs];
}

/** The directory of all sessions. @param {string} project absolute */
export function sessionsDirectory(project) {
  return path.join(project, FLOW, SESSIONS);
}

/**
 * Creates what a first session needs. All of it is hidden from git and from OpenCode's undo.
 * @param {string} project absolute
 */
export async function prepare(project) {
  await new Folder(project).makeFolder(FLOW);
  const flow = new Folder(project, FLOW);
  await flow.create(".gitignore", IGNORED);
  await flow.create(".ignore", SEARCHED);
  await flow.makeFolder(SESSIONS);
}

/**
 * Makes a session the active one.
 * @param {string} project absolute
 * @param {string} name
 */
export async function activate(project, name) {
  await new Folder(project, FLOW).write(ACTIVE, `${name}\n`);
}

/**
 * Leaves the project without an active session.
 * @param {string} project absolute
 */
export async function deactivate(project) {
  await new Folder(project, FLOW).remove(ACTIVE);
}

/**
 * The active session. Rejects with a `DesignLabError` if there is none.
 * @param {import("../core/flow.js").FlowCore} core
 * @param {string} project absolute
 * @returns {Promise<string>} its name
 */
export async function activeSession(core, project) {
  const flow = new Folder(project, FLOW);
  if (!(await flow.status(ACTIVE))) throw new DesignLabError([core.noSession()]);
  const name = (await flow.read(ACTIVE)).toString("utf8").trim();
  // The door refuses a name that leads elsewhere.
  if (!(await flow.folder(SESSIONS).status(name))) throw new DesignLabError([core.noSession()]);
  return name;
}

/**
 * The mark of a session's processes: a variable of their environment. A copy of the session has a different mark.
 * @param {Folder} session
 */
export function markOf(session) {
  return `OPENCODE_FLOW=${createHash("sha256").update(session.path).digest("hex").slice(0, 32)}`;
}

/** The mark of the processes that a worker's shells start. @param {Folder} session */
export function workMarkOf(session) {
  return `${markOf(session)}~work`;
}
