// A run continues when it can't be shown.

import assert from "node:assert/strict";
import { test } from "node:test";
import { drawing } from "./drawing.js";

test("a run that can't be shown goes on, and that is told once until it can be shown again", async () => {
  /** @type {string[]} */
  const heard = [];
  let broken = false;
  const host = /** @type {any} */ ({
    report: async (/** @type {string} */ text) => void heard.push(text),
    notify: (/** @type {string} */ tone, /** @type {string} */ message) => heard.push(`${tone}: ${message}`),
  });
  let drawn = 0;
  const look = () => {
    if (broken) throw new Error("The core failed");
    return { text: "message", panel: null };
  };
  const draw = drawing(host, look, () => {
    drawn += 1;
  });
  for (const state of [false, true, true, false, true]) {
    broken = state;
    await draw();
  }
  const warning = "warning: The run continues, but can't be shown: The core failed";
  assert.deepEqual(heard, ["message", warning, "message", warning]);
  assert.equal(drawn, 2, "whoever waits for it hears of each");
});
