/**
 * `/design-lab-review --human NAME [run]`: a form by which a person reviews the designs. No model is called.
 */
import path from "node:path";
import { reopen } from "./reopen.js";
import { configured } from "./runs.js";

/**
 * Writes the form, and says where it lies. What is there already stays as it is: it may have been filled in.
 * @param {import("./carry.js").Request} request
 * @param {import("../types.js").FormRequest} asked
 * @returns {Promise<string>}
 */
export async function form(request, { human, run }) {
  const { core } = request;
  const { output, written: place } = await configured(request);
  const { carried, decided } = await reopen(core, output, "form", run, (handle) => core.form(handle, human));
  const { store, handle } = carried;
  const { reviewer, event, files } = decided;
  try {
    // The way from labels to designs is on disk before anybody reads a label.
    if (event) {
      const line = core.seal(handle, { at: Date.now(), ...event });
      await store.append(line);
      core.apply(handle, line);
    }
    const written = [];
    for (const [file, text] of files) if (await store.create(file, text)) written.push(file);
    const name = path.basename(store.directory);
    return core.formText(reviewer, `${place.replace(/\/+$/, "")}/${name}`, written);
  } finally {
    core.closeRun(handle);
    await store.close();
  }
}
