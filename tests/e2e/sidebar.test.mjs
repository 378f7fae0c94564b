// What the TUI plugin shows beside the chat while a run is on, installed as a user installs it.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { pkg } from "../package/package.mjs";
import { PROVIDERS, SCENARIO } from "../provider/demo-scenario.mjs";
import { until } from "./artefacts.mjs";
import { withOpencode } from "./harness.mjs";
import { pack } from "./registry.mjs";
import { tuiMissing } from "./tui.mjs";

const [design_models, review_models] = Object.entries(PROVIDERS).map(([provider, names]) =>
  names.map((name) => `${provider}/${name}`),
);
const SETUP = { scenario: SCENARIO, providers: PROVIDERS, designLab: { design_models, review_models } };
const PACKAGE = "opencode-design-lab";

/** @typedef {Parameters<Parameters<typeof withOpencode>[1]>[0]} Lab */
/** @typedef {Awaited<ReturnType<Lab["tui"]>>} Terminal */

/** Types `/design-lab` in a TUI of this width. @param {Lab} lab @param {number} columns */
async function started({ tui }, columns) {
  const terminal = await tui({ columns, rows: 45 });
  await terminal.waitFor(/Ask anything|host/);
  await terminal.type("/design-lab A rate limiter for our API");
  await terminal.waitFor(/rate limiter/);
  await terminal.press("Enter");
  return terminal;
}

/** A key that follows OpenCode's leader. @param {Terminal} terminal @param {string} key */
async function leader(terminal, key) {
  await terminal.press("C-x");
  await terminal.press(key);
}

/** What stands beside the chat: the right 42 columns. @param {string} screen @param {number} columns */
const beside = (screen, columns) =>
  screen
    .split("\n")
    .map((line) => [...line].slice(columns - 42).join(""))
    .join("\n");

test("the panel appears with a run, moves, shows how the designs stand, and goes with it", {
  skip: tuiMissing,
}, async () => {
  // Installed by OpenCode's own command: nothing names the plugin before.
  await withOpencode({ ...SETUP, config: { plugin: [] } }, async (lab) => {
    const { provider, project, run } = lab;
    const installed = await run(["plugin", PACKAGE]);
    assert.equal(installed.code, 0, installed.stdout + installed.stderr);
    for (const file of ["opencode.json", "tui.json"]) {
      assert.deepEqual((await project.json(`.opencode/${file}`)).plugin, [PACKAGE]);
    }
    provider.hold("cedar");
    provider.hold("slate");
    const terminal = await started(lab, 200);
    const panel = (/** @type {RegExp} */ shown, columns = 200) =>
      terminal.waitFor((screen) => shown.test(beside(screen, columns)));

    const during = beside(await panel(/2\/3 designing +2 of 3 done/), 200);
    assert.match(during, /✓ birch +\d+s +[\d.]+k \$0\.\d{4}/);
    assert.match(during, /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] cedar +\d+s +writing/);
    assert.match(during, /· quartz +waiting/);
    assert.match(during, /Left in this phase/);
    assert.match(during, /ctrl\+x k stops the run/);
    assert.doesNotMatch(during, /Leaderboard/);
    const spinner = /(.) cedar +\d+s/.exec(during)?.[1] ?? "";
    await terminal.waitFor((screen) => !beside(screen, 200).includes(`${spinner} cedar`));

    provider.release("cedar");
    const forming = beside(await panel(/Leaderboard +provisional/), 200);
    assert.match(forming, /3\/3 reviewing +1 of 2 done/);
    assert.match(forming, /1 birch +\d\.\d\d +1 review/);
    assert.match(forming, /✓ quartz/);

    // Without a sidebar one line stands beside the prompt; with it again, the panel.
    await terminal.resize(100, 45);
    const narrow = await terminal.waitFor(/Design Lab 3\/3 reviewing · 1 of 2 done/);
    assert.doesNotMatch(narrow, /Leaderboard/);
    await terminal.resize(160, 45);
    const wide = await panel(/1 birch +\d\.\d\d +1 review/, 160);
    assert.doesNotMatch(wide, /Design Lab 3\/3 reviewing · /);

    provider.release("slate");
    const after = await terminal.waitFor(/Design Lab · ranked/);
    assert.doesNotMatch(
      beside(after, 160),
      /Leaderboard|Left in this phase|stops the run/,
      "nothing is left",
    );
    await leader(terminal, "k");
    assert.doesNotMatch(await terminal.waitFor(/Design Lab · ranked/), /Stop the Design Lab run/);
  });
});

test("the key stops the run only once it is confirmed, also where there is no sidebar", {
  skip: tuiMissing,
}, async () => {
  // As the README says: from the file that `npm pack` leaves. OpenCode keeps such a package under a path with a colon.
  await withOpencode({ ...SETUP, config: { plugin: [] } }, async (lab) => {
    const { provider, project, home, run } = lab;
    const { manifest, tarball } = await pack(pkg);
    const file = join(home, `${manifest.name}-${manifest.version}.tgz`);
    await writeFile(file, tarball);
    const installed = await run(["plugin", `${PACKAGE}@file:${file}`]);
    assert.equal(installed.code, 0, installed.stdout + installed.stderr);
    provider.hold("cedar");
    const terminal = await started(lab, 120);
    await terminal.waitFor(/Design Lab 2\/3 designing · 2 of 3 done/);
    // The sidebar as the user may open it: it has the whole panel.
    await leader(terminal, "b");
    await terminal.waitFor((screen) => /2\/3 designing +2 of 3 done/.test(beside(screen, 120)));
    await leader(terminal, "b");
    await terminal.waitFor(/Design Lab 2\/3 designing · 2 of 3 done/);

    await leader(terminal, "k");
    await terminal.waitFor(/Stop the Design Lab run\?/);
    await terminal.press("Enter");
    await terminal.waitFor((screen) => !screen.includes("Stop the Design Lab run?"));
    assert.equal(provider.requestsOf("cedar")[0]?.outcome, null, "a stray key and Enter cost nothing");

    await leader(terminal, "k");
    await terminal.waitFor(/Stop the Design Lab run\?/);
    await terminal.press("Down");
    await terminal.press("Enter");
    const stopped = await terminal.waitFor(/Design Lab · stopped by you/);
    assert.doesNotMatch(stopped, /Design Lab 2\/3/);
    await terminal.waitFor(/\/design-lab-resume \d{4}-/);
    assert.equal(provider.requestsOf("cedar")[0]?.outcome, "disconnected");
    await until(async () => !(await project.exists(".design-lab/.ignore")));
  });
});
