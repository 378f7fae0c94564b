/**
 * `/design-lab-init [models]`: writes a first configuration file.
 */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { StoreError } from "../kernel/door.js";
import { createFile } from "../kernel/whole-file.js";
import { configured } from "./configuration.js";

/**
 * @param {import("./request.js").Request} request
 * @returns {Promise<string>} the text for the user
 */
export async function init(request) {
  const { core, project, text } = request;
  const { setup, available } = await configured(request);
  return writeStarter(core, project, setup, available, text);
}

/**
 * Writes the file; an existing file stays unchanged.
 * @param {import("../core/design-lab.js").Core} core
 * @param {string} project absolute
 * @param {import("./configuration.js").Setup} setup
 * @param {import("../core/types.js").AvailableModels | null} available null if there is no host to ask
 * @param {string} wanted the models that the user named
 * @returns {Promise<string>} the text for the user
 */
export async function writeStarter(core, project, setup, available, wanted) {
  const { sources, files } = setup;
  const { file, text, wording } = core.starter({ sources, files, available, wanted, package: core.version });
  const target = path.join(project, file);
  try {
    await mkdir(path.dirname(target), { recursive: true });
    if (!(await createFile(target, text))) throw Object.assign(new Error("taken"), { code: "EEXIST" });
  } catch (error) {
    throw new StoreError(file, error);
  }
  return wording;
}
