/**
 * `/validate-init [--install]`: writes a first `.opencode/validation.jsonc` that fits the project. Nothing of the project is executed,
 * and no model is asked.
 */
import { Folder, StoreError } from "../kernel/door.js";
import { obstacleOf, wantedOf } from "./check.js";
import { install } from "./install.js";
import { lookAt } from "./project.js";
import { sourceOf } from "./runs.js";
import { findInstall } from "./tools.js";

/**
 * @param {Pick<import("./request.js").Request, "core" | "project" | "text" | "keys">} request
 * @returns {Promise<string>} the message for the user
 */
export async function init(request) {
  const { core, project } = request;
  const { installs } = core.initCommand(request.text);
  const wanted = wantedOf({ core, project });
  const found = installs ? findInstall({ project, settings: wanted.playwright }) : null;
  const missing = found && core.install(found);
  if (missing) await install(request, missing);
  const { file, text, wording } = core.starter({
    is_there: sourceOf(project) !== null,
    project: await lookAt({ core, project }),
    obstacle: obstacleOf(project, wanted),
    install: found,
  });
  if (text === null || (await new Folder(project).create(file, text))) return wording;
  throw new StoreError(file, Object.assign(new Error("taken"), { code: "EEXIST" }));
}
