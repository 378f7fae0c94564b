// Models that are slow, and models that fall silent, in the real OpenCode: a deadline applies to what arrives.

import assert from "node:assert/strict";
import { test } from "node:test";
import { long } from "../long.mjs";
import * as lab from "../provider/lab.mjs";
import * as script from "../provider/script.mjs";
import { events, today } from "./artefacts.mjs";
import { withOpencode } from "./harness.mjs";

const TASK = "Design a rate limiter for a public HTTP API";
const RUN = `.design-lab/${today()}-rate-limiter`;
const IDLE_MS = 2_000;

/** Shortens OpenCode's own time-outs for a provider. @param {import("./harness.mjs").Project} project */
async function hasten(project) {
  const config = await project.json("opencode.json");
  Object.assign(config.provider.hasty.options, { headerTimeout: 1_000, chunkTimeout: 1_000 });
  await project.write("opencode.json", JSON.stringify(config));
}

test("a call goes on while its model writes, and ends once nothing has come for so long, without another try", {
  skip: long("Decided in `plugin-js/hosts/incoming.test.js` and `src/opencode/failures.rs`."),
}, async () => {
  const slow = { chunk: 100, chunkDelayMs: 250 };
  const text = JSON.stringify(lab.design({ title: "The plan of quill" }));
  assert.ok(
    (text.length / slow.chunk - 1) * slow.chunkDelayMs > IDLE_MS,
    "it takes longer than a silence may",
  );
  const models = {
    host: script.reply("The verdict is in."),
    "quill-4": lab.byPhase({ design: script.reply(text, slow) }),
    "brisk-10": lab.model({ topic: "Rate limiter", design: { title: "The plan of brisk" } }),
    hanging: script.hang({ afterHeaders: true }),
    stalled: script.reply(text, { chunk: 600, chunkDelayMs: 3_600_000 }),
    unanswered: script.hang(),
    "broken-off": script.reply(text, { chunk: 600, chunkDelayMs: 3_600_000 }),
    "judge-1": lab.model({}),
  };
  const providers = { hasty: ["unanswered", "broken-off"] };
  const silent = ["lab/hanging", "lab/stalled", "hasty/unanswered", "hasty/broken-off"];
  const designLab = {
    design_models: ["lab/quill-4", "lab/brisk-10", ...silent],
    review_models: ["lab/judge-1"],
    topic_generator_model: "lab/brisk-10",
    timeouts: { idle_ms: IDLE_MS },
    budget: { max_cost_usd: 50 },
    concurrency: 8,
  };
  await withOpencode(
    { scenario: { models }, providers, designLab },
    async ({ command, provider, project }) => {
      await hasten(project);
      const ended = await command("design-lab", TASK);
      assert.equal(ended.code, 0, ended.stdout + ended.stderr);
      assert.equal((await project.json(`${RUN}/designs/quill-4.json`)).title, "The plan of quill");
      const failed = (await events(project, RUN)).filter(({ event }) => event === "call_failed");
      const shown = failed.map(({ job, failure }) => `${job} ${failure.name}`).sort();
      assert.deepEqual(shown, [
        "design:broken-off HostTimeout",
        "design:hanging Silent",
        "design:stalled Silent",
        "design:unanswered HostTimeout",
      ]);
      for (const name of ["hanging", "stalled", "unanswered", "broken-off"]) {
        assert.deepEqual(
          provider.requestsOf(name).map(({ outcome }) => outcome),
          ["disconnected"],
          `${name}: it was stopped, and not asked again`,
        );
      }
      assert.match(
        await project.read(`${RUN}/results/results.md`),
        /nothing arrived for 2 s; raise timeouts\.idle_ms/,
      );
    },
  );
});
