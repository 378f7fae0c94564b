// The files that a run leaves on disk, in a form in which two runs can be compared.

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

/**
 * Returns a time zone in which it is about noon: runs are named after the day, and it must not change during a test.
 * `Etc/GMT-5` is five hours ahead of Greenwich.
 */
function atNoon() {
  const ahead = 12 - new Date().getUTCHours();
  return ahead < 0 ? `Etc/GMT+${-ahead}` : `Etc/GMT-${ahead}`;
}
process.env.TZ = atNoon();

/** Returns the user's local date, with which a run directory's name begins. */
export function today() {
  const now = new Date();
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

/** Returns the path of the page whose address comes last in a run's output. @param {string} shown */
export function pageIn(shown) {
  const [address] = [...shown.matchAll(/^file:\/\/\/\S+$/gm)].at(-1) ?? assert.fail(shown);
  return fileURLToPath(address);
}

/** @param {string} text without moments and durations */
export function timeless(text) {
  return text
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, "<moment>")
    .replace(/("duration_ms": )\d+/g, "$1<ms>")
    .replace(/\b(\d+ h )?(\d+ min )?\d+ (s|min|h)\b/g, "<span>");
}

/**
 * Returns every file of a run except its journal and the lock that a killed process may leave, without times.
 * @param {import("./harness.mjs").Project} project
 * @param {string} directory
 * @returns {Promise<Record<string, string>>}
 */
export async function artefacts(project, directory) {
  /** @type {Record<string, string>} */
  const texts = {};
  for (const file of await project.files(directory)) {
    if (file !== "journal.jsonl" && !file.startsWith("run.lock/"))
      texts[file] = timeless(await project.read(`${directory}/${file}`));
  }
  return texts;
}

/**
 * Returns the events of a run's journal, without a torn last line.
 * @param {import("./harness.mjs").Project} project
 * @param {string} directory
 * @returns {Promise<any[]>}
 */
export async function events(project, directory) {
  const text = await project.read(`${directory}/journal.jsonl`);
  return text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** Waits until the condition is true, for at most a minute. @param {() => Promise<boolean>} holds */
export async function until(holds) {
  const deadline = Date.now() + 60_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`waited a minute for ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A refusal of a command that any program may have sent: one has just closed its connection, and some model's shell is running. */
const MAYBE_SENT = /a\s+model's\s+program\s+may\s+have\s+sent/;

/**
 * Types a command, and types it again while it is refused only for that reason, as the refusal advises: the shells of tests that run at
 * the same time are models' shells, too. Returns what is shown.
 * @param {() => Promise<string>} type
 */
export async function typed(type) {
  let shown = "";
  await until(async () => {
    shown = await type();
    return !MAYBE_SENT.test(shown);
  });
  return shown;
}
