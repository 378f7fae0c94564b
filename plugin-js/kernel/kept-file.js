/**
 * Files that a run keeps and models are sent. Whatever a run directory holds by now, no other bytes are sent than those that the run
 * began with: the journal has their digest.
 */
import { createHash } from "node:crypto";
import { StoreError } from "./door.js";

/** Our own code; the core has a sentence for it (src/shared/disk.rs). */
const CHANGED = "CHANGED";

/**
 * @param {import("./door.js").Folder} run
 * @param {import("../core/types.js").KeptFile} file
 * @returns {Promise<Buffer>} rejects with a `StoreError` where it is gone or isn't the same
 */
export async function readKept(run, { path, bytes, sha256 }) {
  // Before it is read: a file that has been put there may be of any size.
  const status = await run.status(path);
  if (status?.isFile() && status.size !== bytes) throw changed(run, path);
  const read = await run.read(path);
  if (createHash("sha256").update(read).digest("hex") !== sha256) throw changed(run, path);
  return read;
}

/**
 * @param {import("./door.js").Folder} run
 * @param {string} path
 */
function changed(run, path) {
  return new StoreError(run.file(path), Object.assign(new Error(CHANGED), { code: CHANGED }), "read");
}
