/**
 * Files that a run keeps and sends to models. Whatever a run directory contains later, only the bytes that the run began with
 * are sent: the journal has their digest.
 */
import { createHash } from "node:crypto";
import { StoreError } from "./door.js";

/** Our own code; the core has a sentence for it (src/shared/disk.rs). */
const CHANGED = "CHANGED";

/**
 * @param {import("./door.js").Folder} run
 * @param {import("../core/types.js").KeptFile} file
 * @returns {Promise<Buffer>} rejects with a `StoreError` if it is gone or has changed
 */
export async function readKept(run, { path, bytes, sha256 }) {
  // Checked before reading: a file put there since may have any size.
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
