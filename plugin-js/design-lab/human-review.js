/**
 * `/design-lab-review --human NAME [run]`: writes a form for a person who reviews the designs. Calls no model.
 */
import path from "node:path";
import { record } from "../kernel/journal.js";
import { runsDirectory } from "./configuration.js";
import { reopen } from "./reopen.js";

/**
 * Writes the form, and returns a text that names its path. Existing files stay unchanged, because they may already be filled in.
 * @param {import("./request.js").Request} request
 * @param {import("../core/types.js").HumanReviewRequest} asked
 * @returns {Promise<string>}
 */
export async function humanReview(request, { human, run }) {
  const { core } = request;
  const { output, written: place } = await runsDirectory(request);
  const { open, decided } = await reopen(core, output, "form", run, (handle) => core.form(handle, human));
  const { store, handle } = open;
  const { reviewer, event, files } = decided;
  try {
    // The mapping from labels to designs is on disk before anyone reads a label.
    if (event) await record({ core, handle, store }, Date.now(), event);
    const written = [];
    for (const [file, text] of files) if (await store.create(file, text)) written.push(file);
    const name = path.basename(store.directory);
    return core.formText(reviewer, `${place.replace(/\/+$/, "")}/${name}`, written);
  } finally {
    core.closeRun(handle);
    await store.close();
  }
}
