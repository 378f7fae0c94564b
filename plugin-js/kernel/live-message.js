/**
 * Live messages that outlive their process. While a run is running, a small file in its directory records where its live
 * message is shown. If the process dies, the file remains, and so does a message that shows the run as running: the next
 * process corrects it.
 */
import { Folder } from "./door.js";
import { look } from "./runs.js";

const FILE = "block.json";

/**
 * @typedef {import("../host.js").Place} Place
 * @typedef {import("./store.js").Store} Store
 * @typedef {Pick<import("./drive.js").Surroundings, "core" | "host" | "project">} Request
 */

/**
 * Records where the live message of a run is shown. If that fails, the worst outcome is a message that stays outdated.
 * @param {Store} store
 * @param {string} project absolute: live messages in the sessions of another project are left alone
 * @param {Place} place
 */
export async function noteLiveMessage(store, project, place) {
  await store.write(FILE, JSON.stringify({ project, place })).catch(() => {});
}

/** Removes the record: the live message shows how the run ended, so nothing needs to be corrected. @param {Store} store */
export async function forgetLiveMessage(store) {
  await store.discard(FILE).catch(() => {});
}

/**
 * Corrects a live message that an earlier process left, now that this process continues its run.
 * @param {Request} request
 * @param {Store} store
 * @param {number} handle the run in the core, as it was left
 */
export async function continueLiveMessage({ core, host, project }, store, handle) {
  try {
    const place = await noted(store.folder, project);
    if (place) await host.amend(place, core.continued(handle, store.folder.name));
  } catch {
    // A record that can't be read, or a session that can't be reached, is no reason to stop.
  }
}

/**
 * Corrects the live messages of all runs in an output directory that no process is running.
 * @param {Request} request
 * @param {string} output absolute
 */
export async function settleLiveMessages({ core, host, project }, output) {
  const entries = await new Folder(output).entries();
  for (const { name } of entries.filter((entry) => entry.isDirectory())) {
    const run = new Folder(output, name);
    // A run that can't be read, or a session that can't be reached, must not prevent the others.
    await settle(run).catch(() => {});
  }

  /** @param {Folder} run */
  async function settle(run) {
    const place = await noted(run, project);
    if (!place) return;
    const { text, over } = await look(core, output, run.name, (handle, found) => ({
      text: found.owner.kind === "nobody" ? core.status(handle, found, Date.now(), false) : undefined,
      over: (found.summary?.outcome ?? null) !== null,
    }));
    if (text === undefined) return;
    await host.amend(place, text);
    // A process that continues an interrupted run must find its live message.
    if (!over) return;
    // Unless another process has continued the run meanwhile and shows it elsewhere.
    const still = await noted(run, project);
    if (still?.part === place.part) await run.remove(FILE);
  }
}

/**
 * @param {Folder} run
 * @param {string} project
 * @returns {Promise<Place | undefined>}
 */
async function noted(run, project) {
  if (!(await run.status(FILE))) return undefined;
  const note = JSON.parse((await run.read(FILE)).toString("utf8"));
  const { session, message, part } = note?.place ?? {};
  const whole = [session, message, part].every((id) => typeof id === "string" && /^[\w-]+$/.test(id));
  return note?.project === project && whole ? { session, message, part } : undefined;
}
