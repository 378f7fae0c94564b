// The whole story in the real OpenCode: a design is chosen and built, and the result is proved. The demo shows it, and a test checks
// that it is true.

import { fileURLToPath } from "node:url";
import { PROVIDERS, SCENARIO, TASK } from "../provider/demo-scenario.mjs";
import * as story from "../provider/story-scenario.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const [designers, reviewers] = Object.entries(PROVIDERS).map(([provider, names]) =>
  names.map((name) => `${provider}/${name}`),
);

/** @param {object} [further] settings of Validation @returns {import("./harness.mjs").Setup} */
export const setup = (further = {}) => ({
  scenario: { models: { ...SCENARIO.models, ...story.MODELS } },
  providers: PROVIDERS,
  designLab: { design_models: designers, review_models: reviewers },
  config: story.config,
  files: story.files(root, further),
});

/** Returns the user's commands, in order, and what each one does. @param {string} [task] */
export const commands = (task = TASK) => [
  {
    name: "design-lab",
    text: task,
    what: "1 of 3. Choose: three models each write a design, and two review them.",
  },
  { name: "flow-auto", text: "from", what: "2 of 3. Build the design that came first in the latest run." },
  { name: "validate", text: "", what: "3 of 3. Prove in a browser that it works." },
];
