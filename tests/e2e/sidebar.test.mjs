// The TUI plugin's panel beside the chat during a run, installed as a user installs it.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { long } from "../long.mjs";
import { pkg } from "../package/package.mjs";
import { PROVIDERS, SCENARIO } from "../provider/demo-scenario.mjs";
import { callTool, reply } from "../provider/script.mjs";
import { until } from "./artefacts.mjs";
import { APPROVED, DONE, GOAL, PLAN, setup, source, TEST } from "./flow.mjs";
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

/** Types `/design-lab` in a TUI with this width. @param {Lab} lab @param {number} columns */
async function started({ tui }, columns) {
  const terminal = await tui({ columns, rows: 100 });
  await terminal.command("design-lab", "A rate limiter for our API");
  return terminal;
}

/** Presses a key after OpenCode's leader key. @param {Terminal} terminal @param {string} key */
async function leader(terminal, key) {
  await terminal.press("C-x");
  await terminal.press(key);
}

/** Returns the text beside the chat: the right 42 columns. @param {string} screen @param {number} columns */
const beside = (screen, columns) =>
  screen
    .split("\n")
    .map((line) => [...line].slice(columns - 42).join(""))
    .join("\n");

test("the panel appears with a run, moves, shows how the designs stand, and goes with it", {
  skip:
    tuiMissing ||
    long(
      "Its texts are those of `tests/design_lab/panel.rs`. `sidebar.test.mjs` still opens it in a terminal.",
    ),
}, async () => {
  // Installed with OpenCode's own command: no setting names the plugin before.
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
    /** @param {RegExp[]} shown @param {{ columns?: number, without?: RegExp[] }} [options] */
    const panel = (shown, { columns = 200, ...options } = {}) =>
      terminal.waitFor(shown, { ...options, part: (screen) => beside(screen, columns) });

    const during = await panel(
      [
        /2\/3 designing +2 of 3 done/,
        /✓ birch +\d+:\d\d +[\d.]+k \$0\.\d{2,4}/,
        /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] cedar +\d+:\d\d +no tokens yet/,
        /· quartz +waiting/,
        /Left in this phase/,
        /ctrl\+x k stops the run/,
      ],
      { without: [/Leaderboard/] },
    );
    const [spinner] = /. cedar +\d+:\d\d/.exec(during)?.[0] ?? assert.fail(during);
    await panel([/cedar/], { without: [new RegExp(`${spinner} cedar`)] });

    provider.release("cedar");
    await panel([
      /Leaderboard +provisional/,
      /3\/3 reviewing +1 of 2 done/,
      /1 birch +\d\.\d\d +1 review/,
      /✓ quartz/,
    ]);

    // Without a sidebar there is one line beside the prompt; when it is back, the panel.
    const line = /Design Lab 3\/3 reviewing · 1 of 2 done/;
    await terminal.resize(100, 100);
    await terminal.waitFor(line, { without: [/Leaderboard/] });
    await terminal.resize(160, 100);
    await panel([/1 birch +\d\.\d\d +1 review/], { columns: 160 });
    await terminal.waitFor(/Leaderboard/, { without: [line] });

    provider.release("slate");
    await terminal.waitFor(/Design Lab · ranked/);
    // Nothing remains, and the key does nothing: text typed after it arrives in the prompt.
    await panel([], { columns: 160, without: [/Leaderboard|Left in this phase|stops the run/] });
    await leader(terminal, "k");
    await terminal.type("typed after it");
    await terminal.waitFor(/typed after it/, { without: [/Stop the Design Lab run/] });
  });
});

test("the key stops the run only once it is confirmed, also where there is no sidebar", {
  skip: tuiMissing,
}, async () => {
  // As in the README: from the file that `npm pack` creates. OpenCode stores such a package under a path with a colon.
  await withOpencode({ ...SETUP, config: { plugin: [] } }, async (lab) => {
    const { provider, project, home, run } = lab;
    const { manifest, tarball } = await pack(pkg);
    const file = join(home, `${manifest.name}-${manifest.version}.tgz`);
    await writeFile(file, tarball);
    const installed = await run(["plugin", `${PACKAGE}@file:${file}`]);
    assert.equal(installed.code, 0, installed.stdout + installed.stderr);
    provider.hold("cedar");
    const terminal = await started(lab, 120);
    const line = /Design Lab 2\/3 designing · 2 of 3 done/;
    const panel = /2\/3 designing +2 of 3 done/;
    const question = /Stop the Design Lab run\?/;
    await terminal.waitFor(line, { without: [panel] });
    // The user can open the sidebar, which has the whole panel.
    await leader(terminal, "b");
    await terminal.waitFor(panel, { without: [line] });
    await leader(terminal, "b");
    await terminal.waitFor(line, { without: [panel] });

    await leader(terminal, "k");
    await terminal.waitFor(question);
    await terminal.press("Enter");
    await terminal.waitFor(line, { without: [question] });
    assert.equal(provider.requestsOf("cedar")[0]?.outcome, null, "a stray key and Enter cost nothing");

    await leader(terminal, "k");
    await terminal.waitFor(question);
    await terminal.press("Down");
    await terminal.press("Enter");
    await terminal.waitFor(/Design Lab · stopped by you/, { without: [line, question] });
    await terminal.waitFor(/\/design-lab-resume \d{4}-/);
    assert.equal(provider.requestsOf("cedar")[0]?.outcome, "disconnected");
    await until(async () => !(await project.exists(".design-lab/.ignore")));
  });
});

test("a command of Flow has its panel while it is at work, and the key stops it", {
  skip:
    tuiMissing ||
    long(
      "Its texts are those of `src/flow/tests/panel.rs`. `sidebar.test.mjs` still opens it in a terminal.",
    ),
}, async () => {
  const scene = setup({
    planner: [reply(PLAN)],
    worker: [
      callTool("write", { filePath: "src/sum.js", content: source("+") }),
      callTool("write", { filePath: "test/sum.test.js", content: TEST }),
      DONE,
    ],
    reviewer: [APPROVED],
  });
  await withOpencode(
    { ...scene, config: { ...scene.config, plugin: [] } },
    async ({ tui, provider, run }) => {
      const installed = await run(["plugin", PACKAGE]);
      assert.equal(installed.code, 0, installed.stdout + installed.stderr);
      provider.hold("planner");
      provider.hold("reviewer");
      const terminal = await tui({ columns: 200, rows: 45 });
      /** @param {RegExp[]} shown @param {RegExp[]} [without] */
      const panel = (shown, without = []) =>
        terminal.waitFor(shown, { without, part: (screen) => beside(screen, 200) });

      await terminal.command("flow-auto", GOAL);
      await panel(
        [/Flow +\d+ s/, /planning/, /lab\/planner +no tokens yet, \d+ s/, /ctrl\+x k stops the run/],
        [/Features/],
      );
      provider.release("planner");
      await panel([
        /building sum +0 of 1 done/,
        /lab\/reviewer +no tokens yet, \d+ s/,
        /Features +state +cost/,
        /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] sum +reviewing/,
      ]);
      await leader(terminal, "k");
      await terminal.waitFor(/Stop the Flow run\?/);
      await terminal.press("Down");
      await terminal.press("Enter");
      await terminal.waitFor(/\/flow-resume/, { without: [/Stop the Flow run\?/] });
      await panel([], [/building sum|stops the run/]);
    },
  );
});
