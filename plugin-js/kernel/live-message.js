/**
 * Live messages that outlive their process. While a run is running, a small file in its directory says where its live message is
 * shown. A process that dies leaves the file behind, and a message that shows the run at work for ever: the next process corrects
 * it.
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
 * Says where the live message of a run is shown. Should that fail, the worst is one that stays as it is.
 * @param {Store} store
 * @param {string} project absolute: live messages in another project's sessions are left to that
 * @param {Place} place
 */
export async function noteLiveMessage(store, project, place) {
  await store.write(FILE, JSON.stringify({ project, place })).catch(() => {});
}

/** The live message shows how the run ended: there is nothing to put right. @param {Store} store */
export async function forgetLiveMessage(store) {
  await store.discard(FILE).catch(() => {});
}

/**
 * Puts a live message right that an earlier process left, now that this one continues its run.
 * @param {Request} request
 * @param {Store} store
 * @param {number} handle the run in the core, as it was left
 */
export async function continueLiveMessage({ core, host, project }, store, handle) {
  try {
    const place = await noted(store.folder, project);
    if (place) await host.amend(place, core.continued(handle, store.folder.name));
  } catch {
    // A note that can't be read, or a session that can't be reached, is no reason not to go on.
  }
}

/**
 * Puts right the live messages of all runs in an output directory that no process is driving.
 * @param {Request} request
 * @param {string} output absolute
 */
export async function settleLiveMessages({ core, host, project }, output) {
  const entries = await new Folder(output).entries();
  for (const { name } of entries.filter((entry) => entry.isDirectory())) {
    const run = new Folder(output, name);
    // A run that can't be read, or a session that can't be reached, is no reason to leave the others.
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
    // Whoever continues an interrupted run has to find its live message.
    if (!over) return;
    // Unless another process has continued the run meanwhile, and shows it elsewhere.
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
