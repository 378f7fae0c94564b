// What a user of the TUI sees: the live message in the chat, redrawn in place, and becomes its result.

import { test } from "node:test";
import { PROVIDERS, SCENARIO } from "../provider/demo-scenario.mjs";
import { withOpencode } from "./harness.mjs";
import { tuiMissing } from "./tui.mjs";

test("the live message shows each model's state while the run goes on, and the ranking at its end", {
  skip: tuiMissing,
}, async () => {
  const [design_models, review_models] = Object.entries(PROVIDERS).map(([provider, names]) =>
    names.map((name) => `${provider}/${name}`),
  );
  const setup = { scenario: SCENARIO, providers: PROVIDERS, designLab: { design_models, review_models } };
  await withOpencode(setup, async ({ provider, tui }) => {
    provider.hold("cedar");
    const terminal = await tui({ columns: 110, rows: 100 });
    await terminal.command("design-lab", "A rate limiter for our API");
    await terminal.waitFor([
      /designing, 2 of 3 done/,
      /✓ birch +done/,
      /● cedar +writing/,
      /· quartz +waiting/,
    ]);
    provider.release("cedar");
    // Redrawn in place, not added to.
    await terminal.waitFor([/Design Lab · ranked/, /results\/results\.md/, /1 +birch +\d/], {
      without: [/2\/3 designing/],
    });
  });
});
