// The terminal of the real OpenCode 2: commands, the panel beside the chat while a run is running, and its result.

import assert from "node:assert/strict";
import { test } from "node:test";
import { tuiMissing } from "../e2e/tui.mjs";
import { missing, withOpencode2 } from "./harness.mjs";
import { CONFIG, scenario, TASK } from "./lab.mjs";

test("the panel appears with a run, shows how the designs stand, and goes with it", {
  skip: missing || tuiMissing,
}, async () => {
  const designLab = { ...CONFIG, topic_generator_model: "lab/brisk-10" };
  await withOpencode2({ scenario: scenario(), designLab }, async ({ tui, provider }) => {
    const terminal = await tui({ columns: 170, rows: 60 });
    await terminal.waitFor(/Ask anything/);
    provider.hold("zeph-3");
    await terminal.type("/design-lab");
    await terminal.waitFor([/\/design-lab +Several models design/, /\/design-lab-cancel/]);
    await terminal.type(" ");
    await terminal.type(TASK);
    await terminal.waitFor(new RegExp(TASK));
    await terminal.press("Enter");
    const during = await terminal.waitFor([
      /2\/3 designing +2 of 3 done/,
      /✓ quill-4 +\d+:\d\d/,
      /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] zeph-3 +\d+:\d\d/,
      /· judge-1 +waiting/,
      /2 of 3 done .* \/design-lab-cancel stops it/,
      // The session has the task's name, for which no model was asked.
      /Design Lab: Design a rate lim/,
    ]);
    assert.doesNotMatch(during, /Plugin failed|plugins failed/);
    provider.release("zeph-3");
    await terminal.waitFor([/◈ Design Lab · ranked/, /First +brisk-10/, /The verdict is in\./], {
      without: [/2 of 3 done/, /judge-1 +\d/, /stops it/],
    });
    assert.deepEqual(provider.unscripted, []);
    assert.equal(provider.requestsOf("host").length, 1);
  });
});
