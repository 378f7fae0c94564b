// `cargo xtask demo [TASK]`: the whole story in the real OpenCode, with scripted models.
// The project stays in target/demo/, so that its files can be opened.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { withOpencode } from "./harness.mjs";
import { commands, setup } from "./story.mjs";

const directory = resolve("target/demo");
const task = process.argv[2];
const say = (/** @type {string} */ text = "") => process.stdout.write(`${text}\n`);

/** The pages to look at, each with the command that creates it. */
const PAGES = /** @type {const} */ ([
  ["The ranking", ".design-lab", "results/report.html"],
  ["The build", ".flow/sessions", "report.html"],
  ["The tests in a browser", ".design-lab/validation", "report.html"],
]);

await rm(directory, { recursive: true, force: true });
// Outside this repository, whose settings of tools would be found from there.
const TMPDIR = await mkdtemp(join(tmpdir(), "design-lab-demo-"));
process.exitCode = await withOpencode(
  { ...setup(), directory, package: process.env.PACKAGE, env: { TMPDIR } },
  async (lab) => {
    say(
      "No model is called: the answers below were written by hand. OpenCode, the plugin, the prompts, the statistics,",
    );
    say("the checks, the browser and the reports are real.");
    for (const { name, text, what } of commands(task)) {
      say(`\n${what}`);
      say(`\n$ opencode run --command ${name}${text === "" ? "" : ` "${text}"`}\n`);
      const ended = await lab.startCommand(name, text, { timeoutMs: 5 * 60_000, show: true }).ended;
      if (ended.code !== 0) {
        say(`\nopencode ended with code ${ended.code}; its log says:`);
        const log = (await lab.log()).split("\n");
        for (const line of log.filter((line) => /level=(ERROR|WARN)/.test(line))) say(line);
        return 1;
      }
    }
    const { provider, project } = lab;
    const answered = provider.requests.filter((request) => request.outcome === "completed").length;
    const refused = provider.requests.length - answered;
    say(
      `\nThe scripted provider got ${provider.requests.length} requests, and refused ${refused} on purpose to show a retry.`,
    );
    for (const { model, user } of provider.unscripted)
      say(`not in the script: ${model} was asked: ${user.slice(0, 200)}`);
    let missing = provider.unscripted.length;
    say("Open these pages:");
    for (const [what, place, name] of PAGES) {
      const pages = (await project.exists(place)) ? await project.files(place) : [];
      const page = pages.find(
        (file) => file === name || (file.endsWith(`/${name}`) && !file.startsWith("validation/")),
      );
      if (page === undefined) missing += 1;
      say(
        `${what}: ${page === undefined ? "no page was written" : join(relative(".", project.path(place)), page)}`,
      );
    }
    return missing === 0 ? 0 : 1;
  },
).finally(() => rm(TMPDIR, { recursive: true, force: true }));
