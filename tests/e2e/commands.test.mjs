// Every slash command, typed once in the real OpenCode: each is registered, reaches its part of the core, and answers in the chat.
// The work that commands do is tested elsewhere.

import assert from "node:assert/strict";
import { test } from "node:test";
import { DESIGN_LAB, FLOW, VALIDATION } from "../../plugin-js/hosts/commands.js";
import { chat, DONE, GOAL, setup } from "./flow.mjs";
import { flat, withOpencode } from "./harness.mjs";

/** What is typed, in this order, and what the answer says. @type {[command: string, args: string, answer: RegExp][]} */
const TYPED = [
  ["design-lab-init", "", /\[init\.exists\]/],
  ["design-lab-doctor", "", /Design Lab · doctor: .*Valid: \.opencode\/design-lab\.json/],
  ["design-lab-vendors", "", /Only your session's vendor .* get this project's files/],
  ["design-lab", "--dry-run a rate limiter", /expected cost .*a rate limiter.*No model was called/],
  ["design-lab-status", "", /0 runs in \.design-lab/],
  ["design-lab-cancel", "", /\[run\.none-running\]/],
  ["design-lab-resume", "", /No run is waiting to be resumed/],
  ["design-lab-rank", "", /No run has a ranking yet/],
  ["design-lab-review", "", /There is no ranked run here yet/],
  ["design-lab-refine", "", /There is no ranked run here yet/],
  ["design-lab-merge", "", /There is no ranked run here yet/],
  ["validate", "it adds", /\[validation\.no-settings\]/],
  ["validate-flows", "", /There is no session of Flow to validate/],
  ["validate-decide", "test", /There is no validation yet/],
  ["validate-resume", "", /There is no validation yet/],
  ["validate-cancel", "", /There is no validation yet/],
  ["validate-status", "", /There is no validation yet/],
  ["validate-init", "", /wrote \.opencode\/validation\.jsonc/],
  ["validate-work", "it adds", /`servers` has too few entries/],
  ["flow-plan", GOAL, /sum: A sum .*\/flow-plan approve [0-9a-f]+/],
  ["flow-status", "", /Flow · draft · Add a function .* sum A sum pending .* not approved yet/],
  [
    "flow-history",
    "",
    /The session started\. .*The planner drafted the plan [0-9a-f]+\. Journal head [0-9a-f]{64}/,
  ],
  ["flow-feedback", "", /Feedback · 0 rules/],
  ["flow-pr", "", /\[pr\.not-completed\]/],
  ["flow-race", "take a", /\[race\.none\]/],
  ["flow-take", "", /\[take\.no-lane\]/],
  ["flow-session", "", /Flow · 1 session .*draft, active 0 of 1 feature/],
  ["flow-run", "", /\[approval\.missing\].*\/flow-plan approve [0-9a-f]+/],
  ["flow-cancel", "", /Nothing is running, so nothing was stopped/],
  ["flow-resume", "", /\[session\.nothing-to-resume\]/],
  ["flow-reset", "session", /Flow · archived · Add a function/],
  ["flow-auto", "", /\[session\.none\]/],
];

test("every command is typed once, and only the one that plans asks a model", async () => {
  const all = Object.keys({ ...DESIGN_LAB, ...FLOW, ...VALIDATION });
  assert.deepEqual(TYPED.map(([command]) => command).sort(), all.sort());
  const designLab = { design_models: ["lab/planner", "lab/worker"], review_models: ["lab/reviewer"] };
  await withOpencode({ ...setup({ worker: [DONE] }), designLab }, async (lab) => {
    const talk = await chat(lab);
    for (const [command, args, answer] of TYPED) {
      assert.match(flat(await talk.type(command, args)), answer, `/${command} ${args}`);
    }
    assert.deepEqual(
      lab.provider.requests.map(({ model }) => model),
      ["planner"],
    );
    await talk.stop();
  });
});
