/**
 * `/design-lab-review --human NAME [run]`: a form by which a person reviews the designs. No model is called.
 */
import path from "node:path";
import { letGo, reopen } from "./reopen.js";
import { outputDirectory } from "./runs.js";

/**
 * Writes the form, and says where it lies. What is there already stays as it is: it may have been filled in.
 * @param {import("./carry.js").Request} request
 * @returns {Promise<string>}
 */
export async function form(request) {
  const { core } = request;
  const { human, run } = core.formRequest(request.text);
  const { output, configured } = await outputDirectory(request);
  const carried = await reopen(core, output, "rank", run);
  const { store, handle } = carried;
  try {
    const { reviewer, event, files } = core.form(handle, human);
    // The way from labels to designs is on disk before anybody reads a label.
    if (event) {
      const line = core.seal(handle, { at: Date.now(), ...event });
      await store.append(line);
      core.apply(handle, line);
    }
    const written = [];
    for (const [file, text] of files) if (await store.create(file, text)) written.push(file);
    const name = path.basename(store.directory);
    return core.formText(reviewer, `${configured.replace(/\/+$/, "")}/${name}`, written);
  } finally {
    await letGo(core, carried);
  }
}
