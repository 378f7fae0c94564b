/**
 * The two files of feedback: the log `.flow/feedback-log.json`, and the project's rules. One command at a time changes them, in this
 * process or another. Each is written whole or not at all, the rules first: the core completes a log that a crash left behind.
 */
import { setTimeout as wait } from "node:timers/promises";
import { Folder } from "../kernel/door.js";
import { LockedError, lock } from "../kernel/lock.js";
import { readRules, writeRules } from "../kernel/project-rules.js";
import { flowDirectory, prepare } from "./sessions.js";

const LOG = "feedback-log.json";
/** The folder with the lock. */
const LOCKED = "feedback";
/** How often a locked file is tried again, and how long each wait is, in ms. */
const TRIES = 200;
const PAUSE_MS = 25;

/** @param {string} project absolute @returns {Promise<string | null>} null if there is no log */
export async function readLog(project) {
  const flow = new Folder(flowDirectory(project));
  return (await flow.status(LOG)) ? (await flow.read(LOG)).toString("utf8") : null;
}

/**
 * Changes the files.
 * @template {{log?: string | null, rules?: string | null}} Changed
 * @param {string} project absolute
 * @param {(log: string | null, rules: string | null) => Changed} change returns the texts to write; null keeps a file
 * @returns {Promise<Changed>} once both files are on disk
 */
export async function changeFeedback(project, change) {
  await prepare(project);
  const flow = new Folder(flowDirectory(project));
  await flow.makeFolder(LOCKED);
  const folder = flow.folder(LOCKED);
  const held = await locked(folder);
  try {
    const changed = change(await readLog(project), readRules(project));
    if (typeof changed.rules === "string") await writeRules(project, changed.rules);
    if (typeof changed.log === "string") await flow.write(LOG, changed.log);
    return changed;
  } finally {
    await held.release(folder);
  }
}

/** @param {Folder} folder */
async function locked(folder) {
  for (let left = TRIES; ; left--) {
    try {
      return await lock(folder);
    } catch (error) {
      if (!(error instanceof LockedError) || left === 0) throw error;
    }
    // Two that start at the same time both withdraw, so they must not come back at the same time.
    await wait(PAUSE_MS * (1 + Math.random()));
  }
}
