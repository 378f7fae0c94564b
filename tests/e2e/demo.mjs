// `cargo xtask demo [TASK]`: a whole run in the real OpenCode, with scripted models.
// The project stays in target/demo/, so that its files can be opened.

import { rm } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { PROVIDERS, SCENARIO, TASK } from "../provider/demo-scenario.mjs";
import { withOpencode } from "./harness.mjs";

const directory = resolve("target/demo");
const OUTPUT = ".design-lab";
const task = process.argv[2] ?? TASK;
const say = (/** @type {string} */ text = "") => process.stdout.write(`${text}\n`);

const models = Object.entries(PROVIDERS).map(([provider, names]) =>
  names.map((name) => `${provider}/${name}`),
);
const designLab = { design_models: models[0], review_models: models[1] };

await rm(directory, { recursive: true, force: true });
const code = await withOpencode(
  { directory, scenario: SCENARIO, providers: PROVIDERS, designLab },
  async ({ startCommand, log, provider, project }) => {
    say(
      "The models below are scripted: their designs, reviews and scores were written by hand, and no model is",
    );
    say("called. OpenCode, the plugin, the prompts, the statistics and the reports are real.");
    say();
    say(`$ opencode run --command design-lab "${task}"`);
    say();
    const running = startCommand("design-lab", task, { timeoutMs: 5 * 60_000, show: true });
    const ended = await running.ended;
    say();
    if (ended.code !== 0) {
      say(`opencode ended with code ${ended.code}; its log says:`);
      for (const line of (await log()).split("\n").filter((line) => /level=(ERROR|WARN)/.test(line)))
        say(line);
      return 1;
    }
    const answered = provider.requests.filter((request) => request.outcome === "completed").length;
    say(
      `${provider.requests.length} requests reached the scripted provider, ${answered} were answered in full.`,
    );
    for (const { model, user } of provider.unscripted)
      say(`not in the script: ${model} was asked: ${user.slice(0, 200)}`);
    if (!(await project.exists(OUTPUT))) {
      say(`${OUTPUT} was not written`);
      return 1;
    }
    say(`Files in ${relative(".", project.path(OUTPUT))}:`);
    const files = await project.files(OUTPUT);
    for (const file of files) say(`  ${file}`);
    const report = files.find((file) => file.endsWith("results/report.html"));
    if (report) say(`\nThe report: ${join(relative(".", project.path(OUTPUT)), report)}`);
    return report && provider.unscripted.length === 0 ? 0 : 1;
  },
);
process.exitCode = code;
