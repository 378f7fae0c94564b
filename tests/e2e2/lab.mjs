// The common parts of the tests of Design Lab on OpenCode 2: three designers, two reviewers, and what they answer.

import { today } from "../e2e/artefacts.mjs";
import * as lab from "../provider/lab.mjs";
import { reply } from "../provider/script.mjs";

export const TASK = "Design a rate limiter for a public HTTP API";
export const DESIGNERS = { "quill-4": "Token bucket", "brisk-10": "Sliding window", "zeph-3": "Leaky pail" };
export const REVIEWERS = ["judge-1", "jury-2"];
export const RUN = `${today()}-rate-limiter`;

/** @param {Record<string, any>} [own] scripts that differ from the usual */
export function scenario(own = {}) {
  const designers = Object.entries(DESIGNERS).map(([name, title]) => [
    name,
    lab.model({
      topic: "Rate limiter",
      design: { title, summary: `${title}, as ${name} of lab would build it.` },
    }),
  ]);
  const reviewers = REVIEWERS.map((name) => [
    name,
    lab.model({ score: (design) => (design.title?.length ?? 5) - 5 }),
  ]);
  const models = { host: reply("The verdict is in."), ...Object.fromEntries([...designers, ...reviewers]) };
  return { models: { ...models, ...own } };
}

export const CONFIG = {
  design_models: [
    { model_id: "lab/quill-4", temperature: 0.4 },
    { model_id: "lab/brisk-10", temperature: 0.9 },
    "lab/zeph-3",
  ],
  review_models: ["lab/judge-1", { model_id: "lab/jury-2", temperature: 0.2 }],
};
