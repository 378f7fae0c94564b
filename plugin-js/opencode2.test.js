// OpenCode 2.x gets an error message, and 1.x doesn't.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setup } from "./opencode2.js";

test("OpenCode 2.x hears that the package isn't for it", () => {
  assert.throws(
    () => setup({ session: {}, command: {} }),
    /works with OpenCode 1\.x .* not with OpenCode 2\.x/,
  );
});

test("OpenCode 1.x, which may call it beside `server`, hears nothing", () => {
  for (const context of [undefined, {}, { options: {}, agent: {}, command: {} }]) {
    assert.equal(setup(context), undefined);
  }
});
