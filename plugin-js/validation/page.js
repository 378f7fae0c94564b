/**
 * `report.html` with its pictures. The core chooses them and renders the page; they are read here, because the core reads no files.
 */
import { createHash } from "node:crypto";

/**
 * @typedef {import("../kernel/door.js").Folder} Folder
 * @typedef {import("../core/validation.js").ValidationCore} Core
 */

/** The page's path, relative to the run's directory. */
export const PAGE = "report.html";

/**
 * @param {Core} core
 * @param {number} run a run with a report
 * @param {Pick<Folder, "write" | "read" | "status">} folder of the run
 */
export async function writePage(core, run, folder) {
  await folder.write(PAGE, await pageOf(core, run, folder));
}

/**
 * The page with the pictures that are still as they were recorded.
 * @param {Core} core
 * @param {number} run a run with a report
 * @param {Pick<Folder, "read" | "status">} folder of the run
 */
export async function pageOf(core, run, folder) {
  const pictures = [];
  for (const { path, bytes } of core.pictures(run)) {
    // A picture that has changed since it was recorded is left out; the page says so.
    if ((await folder.status(path))?.size !== bytes) continue;
    const picture = await folder.read(path);
    const sha256 = createHash("sha256").update(picture).digest("hex");
    pictures.push({ path, sha256, data: picture.toString("base64") });
  }
  return core.page(run, pictures);
}
