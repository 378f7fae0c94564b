/**
 * `/design-lab-init [models]`: writes a first configuration file.
 */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { StoreError } from "./door.js";
import { readSources } from "./sources.js";
import { createFile } from "./whole-file.js";

/**
 * @param {import("./carry.js").Request} request
 * @returns {Promise<string>} what the user is told
 */
export async function init(request) {
  const { core, host, project, text, currentModel } = request;
  const { sources, files, unreadable } = readSources(core, request);
  if (unreadable[0]) throw unreadable[0];
  const available = { models: await host.models(), current: currentModel };
  return writeStarter(core, project, { sources, files, available, wanted: text, package: core.version });
}

/**
 * Writes the file; whatever is there by then stays.
 * @param {import("../core.js").Core} core
 * @param {string} project absolute
 * @param {import("../types.js").Groundwork} groundwork
 * @returns {Promise<string>} what the user is told
 */
export async function writeStarter(core, project, groundwork) {
  const { file, text, told } = core.starter(groundwork);
  const target = path.join(project, file);
  try {
    await mkdir(path.dirname(target), { recursive: true });
    if (!(await createFile(target, text))) throw Object.assign(new Error("taken"), { code: "EEXIST" });
  } catch (error) {
    throw new StoreError(file, error);
  }
  return told;
}
