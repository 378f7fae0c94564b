/**
 * `report.html` with its pictures and videos. The core chooses them and renders the page; they are read here, because the core reads no
 * files.
 */
import { createHash } from "node:crypto";
import path from "node:path";
import { Folder, StoreError } from "../kernel/door.js";

/** @typedef {import("../core/validation.js").ValidationCore} Core */

/** The page's path, relative to the run's directory. */
export const PAGE = "report.html";

/**
 * @param {Core} core
 * @param {number} run a run with a report
 * @param {Pick<Folder, "write" | "read" | "status" | "path">} folder of the run
 */
export async function writePage(core, run, folder) {
  await folder.write(PAGE, await pageOf(core, run, folder));
}

/**
 * The page with the pictures that are still as they were recorded.
 * @param {Core} core
 * @param {number} run a run with a report
 * @param {Pick<Folder, "read" | "status" | "path">} folder of the run
 */
export async function pageOf(core, run, folder) {
  const pictures = [];
  for (const [earlier, file] of core.pictures(run)) {
    const of = earlier === null ? folder : new Folder(path.dirname(folder.path), earlier);
    const picture = await read(of, file);
    if (picture) pictures.push(picture);
  }
  return core.page(run, pictures);
}

/**
 * A picture or a video; undefined if it has changed since it was recorded, or can't be read. The page says so.
 * @param {Pick<Folder, "read" | "status">} folder of the run that recorded it
 * @param {import("../core/types.js").ValidationEvidenceFile} recorded
 * @returns {Promise<import("../core/types.js").ValidationPicture | undefined>}
 */
async function read(folder, { path: file, bytes }) {
  try {
    if ((await folder.status(file))?.size !== bytes) return undefined;
    const data = await folder.read(file);
    const sha256 = createHash("sha256").update(data).digest("hex");
    return { path: file, sha256, data: data.toString("base64") };
  } catch (error) {
    if (error instanceof StoreError) return undefined;
    throw error;
  }
}
