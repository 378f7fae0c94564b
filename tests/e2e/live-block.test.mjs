// What a user of the TUI sees: the block in the chat that shows the run, redrawn in place, and becomes its result.

import assert from "node:assert/strict";
import { test } from "node:test";
import { PROVIDERS, SCENARIO } from "../provider/demo-scenario.mjs";
import { withOpencode } from "./harness.mjs";
import { tuiMissing } from "./tui.mjs";

test("the block shows each model's state while the run goes on, and the ranking at its end", {
  skip: tuiMissing,
}, async () => {
  const [design_models, review_models] = Object.entries(PROVIDERS).map(([provider, names]) =>
    names.map((name) => `${provider}/${name}`),
  );
  const setup = { scenario: SCENARIO, providers: PROVIDERS, designLab: { design_models, review_models } };
  await withOpencode(setup, async ({ provider, tui }) => {
    provider.hold("cedar");
    const terminal = await tui({ columns: 110, rows: 45 });
    await terminal.waitFor(/Ask anything|host/);
    await terminal.type("/design-lab A rate limiter for our API");
    await terminal.waitFor(/rate limiter/);
    await terminal.press("Enter");
    await terminal.waitFor(/designing, 2 of 3 done/);
    const during = await terminal.screen();
    assert.match(during, /✓ birch +done/);
    assert.match(during, /● cedar +writing/);
    assert.match(during, /· quartz +waiting/);
    provider.release("cedar");
    await terminal.waitFor(/Design Lab · ranked/);
    await terminal.waitFor(/results\/results\.md/);
    const after = await terminal.screen();
    assert.match(after, /1 +birch +\d/);
    assert.doesNotMatch(after, /2\/3 designing/, "redrawn in place, not added to");
  });
});
