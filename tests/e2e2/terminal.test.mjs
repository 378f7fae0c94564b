// The terminal of the real OpenCode 2: commands, the panel beside the chat while a run is running, and its result.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { events, until } from "../e2e/artefacts.mjs";
import { killQuietly, startedWith } from "../e2e/leftovers.mjs";
import { tuiMissing } from "../e2e/tui.mjs";
import { long } from "../long.mjs";
import { missing, withOpencode2 } from "./harness.mjs";
import { CONFIG, RUN, scenario, TASK } from "./lab.mjs";

/** The prompt shows the configured model. Until OpenCode has read the configuration, it shows one of its own, and would ask that one. */
const READY = /Build · host/;

const designLab = { ...CONFIG, topic_generator_model: "lab/brisk-10" };

test("the panel appears with a run, shows how the designs stand, and goes with it", {
  skip: missing || tuiMissing,
}, async () => {
  await withOpencode2({ scenario: scenario(), designLab }, async ({ tui, provider }) => {
    const terminal = await tui({ columns: 170, rows: 60 });
    await terminal.waitFor(READY);
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

test("if the terminal's service is killed, its run is resumed in the terminal, and nothing is asked in between", {
  skip:
    missing ||
    tuiMissing ||
    long("The terminal restarts its service. `control.test.mjs` kills such a service without a terminal."),
}, async () => {
  await withOpencode2({ scenario: scenario(), designLab }, async ({ tui, provider, project, home }) => {
    const terminal = await tui({ columns: 150, rows: 50 });
    provider.hold("zeph-3");
    await terminal.command("design-lab", TASK, READY);
    await provider.waitFor(1, { model: "zeph-3" });
    await until(async () => {
      const journal = await events(project, `.design-lab/${RUN}`).catch(() => []);
      return journal.filter(({ event }) => event === "answered").length === 3;
    });
    const isService = (/** @type {number} */ pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("\0--service\0");
      } catch {
        return false;
      }
    };
    const service = startedWith({ home }, "OPENCODE_TEST_HOME").find(isService) ?? assert.fail();
    const before = provider.requests.length;
    killQuietly(service);
    await terminal.waitFor(/Restarting service/);
    // The command is in the prompt again.
    await terminal.waitFor(new RegExp(`/design-lab ${TASK}`), { without: [/Restarting service/] });
    await terminal.press("C-u");
    provider.release("zeph-3");
    await terminal.command("design-lab-resume", RUN, /Ask anything/);
    await terminal.waitFor(/The verdict is in\./);
    assert.deepEqual(
      provider.requests
        .slice(before)
        .map(({ model }) => model)
        .toSorted(),
      ["host", "judge-1", "judge-1", "jury-2", "jury-2", "zeph-3"],
    );
  });
});
