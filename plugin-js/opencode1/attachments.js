/**
 * Texts that the user attached to a command: they are part of the task. OpenCode hands them over as file parts.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { StoreError } from "../shell/door.js";

/**
 * @param {any[]} parts
 * @returns {Promise<{name: string, text: string}[]>}
 */
export async function readAttachments(parts) {
  const attachments = [];
  for (const part of parts) {
    if (part.type !== "file") continue;
    const name = part.filename ?? path.basename(part.url);
    attachments.push({ name, text: await readAttachment(part) });
  }
  return attachments;
}

/** @param {{url: string, mime: string, filename?: string}} part */
async function readAttachment({ url, mime }) {
  if (url.startsWith("file:")) {
    const file = fileURLToPath(url.split("?")[0] ?? url);
    return readFile(file, "utf8").catch((error) => {
      throw new StoreError(file, error);
    });
  }
  const data = /^data:[^,]*?(;base64)?,(.*)$/s.exec(url);
  if (data && mime.startsWith("text/")) {
    return data[1]
      ? Buffer.from(data[2] ?? "", "base64").toString("utf8")
      : decodeURIComponent(data[2] ?? "");
  }
  return "";
}
