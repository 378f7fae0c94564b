/**
 * `/validate-init`: writes a first `.opencode/validation.jsonc` from what the project holds. Nothing is run, and no model is asked.
 */
import { Folder, StoreError } from "../kernel/door.js";
import { obstacleOf, USUAL } from "./check.js";
import { lookAt } from "./project.js";
import { sourceOf } from "./runs.js";

/**
 * @param {Pick<import("./request.js").Request, "core" | "project">} request
 * @returns {Promise<string>} what the user is told
 */
export async function init({ core, project }) {
  const { file, text, told } = core.starter({
    is_there: sourceOf(project) !== null,
    project: await lookAt({ core, project }),
    obstacle: obstacleOf(project, USUAL),
  });
  if (await new Folder(project).create(file, text)) return told;
  throw new StoreError(file, Object.assign(new Error("taken"), { code: "EEXIST" }));
}
