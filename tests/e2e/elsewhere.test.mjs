// A run from elsewhere (a clone, an archive, a colleague), with links that lead to the user's own files.

import assert from "node:assert/strict";
import { cp, mkdir, readFile, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { test } from "node:test";
import { long } from "../long.mjs";
import * as lab from "../provider/lab.mjs";
import * as script from "../provider/script.mjs";
import { events, today } from "./artefacts.mjs";
import { chat } from "./flow.mjs";
import { withOpencode } from "./harness.mjs";

const TASK = "Design a rate limiter for a public HTTP API";
const NAME = `${today()}-rate-limiter`;
const MODELS = ["quill-4", "brisk-10", "judge-1", "jury-2"];

test("no link in a run is followed, whatever the command, and each is reported by name", {
  skip: long(
    "A link in every place. `plugin-js/kernel/door.test.js` refuses them all, and `disk.test.mjs` shows one refusal in OpenCode.",
  ),
}, async () => {
  const models = MODELS.map((name) => [name, lab.model({ topic: "Rate limiter", design: { title: name } })]);
  const setup = {
    shuffled: true,
    scenario: { models: { host: script.reply("The verdict is in."), ...Object.fromEntries(models) } },
    designLab: {
      design_models: ["lab/quill-4", "lab/brisk-10"],
      review_models: ["lab/judge-1", "lab/jury-2"],
    },
    // The user's own files, with the same names as a run's.
    files: Object.fromEntries(
      ["AGENTS.md", "quill-4.json", "quill-4.md", "brisk-10.json", "ranking.json"].map((name) => [
        `mine/${name}`,
        `my own ${name}\n`,
      ]),
    ),
  };
  await withOpencode(setup, async ({ command, project }) => {
    const mine = async () => {
      const files = await project.files("mine");
      return Promise.all(files.map(async (file) => [file, await project.read(`mine/${file}`)]));
    };
    const before = await mine();
    assert.equal(before.length, 5);

    // The leftovers of a run that never started, more than an hour old.
    const staging = project.path(".design-lab/.starting-abcdef");
    await mkdir(staging, { recursive: true });
    await symlink(project.path("mine"), `${staging}/run.lock`);
    await utimes(staging, 1, 1);
    const ended = await command("design-lab", TASK);
    assert.equal(ended.code, 0, ended.stdout + ended.stderr);
    assert.deepEqual(await mine(), before, "a leftover is swept without following its links");

    /** A copy of the run, tampered with. @param {string} name @param {(at: string) => Promise<unknown>} tamper */
    const tampered = async (name, tamper) => {
      const at = project.path(`.design-lab/${name}`);
      await cp(project.path(`.design-lab/${NAME}`), at, { recursive: true });
      await tamper(at);
    };
    const linked = (/** @type {string} */ at, target = "mine") => symlink(project.path(target), at);

    await tampered("lock", async (at) => {
      const journal = await readFile(`${at}/journal.jsonl`, "utf8");
      await writeFile(`${at}/journal.jsonl`, journal.split("\n").slice(0, -2).join("\n"));
      await linked(`${at}/run.lock`);
    });
    await tampered("folder", async (at) => {
      await rm(`${at}/designs`, { recursive: true });
      await linked(`${at}/designs`);
    });
    await tampered("request", async (at) => {
      await mkdir(`${at}/run.lock`);
      await writeFile(`${at}/run.lock/elsewhere~1~1~0`, "");
      await linked(`${at}/cancel.request`, "mine/AGENTS.md");
    });
    await tampered("mark", async (at) => {
      await mkdir(`${at}/run.lock`);
      await writeFile(`${at}/run.lock/%E0%A4%A~1~1~0`, "");
    });
    for (const [name, run, file] of /** @type {const} */ ([
      ["design-lab-resume", "lock", "lock/run.lock"],
      ["design-lab-rank", "folder", "folder/designs"],
      ["design-lab-cancel", "request", "request/cancel.request"],
    ])) {
      const { stdout } = await command(name, run);
      assert.match(stdout, /disk\.link/, `${name}: ${stdout}`);
      // A path that is longer than a line continues in the next one.
      assert.ok(stdout.replace(/\s+/g, "").includes(`.design-lab/${file}next`), stdout);
      assert.deepEqual(await mine(), before, name);
    }
    const listed = await command("design-lab-status");
    assert.match(listed.stdout, /5 runs in \.design-lab/, "one that can't be read hides none of the others");
    assert.deepEqual(await mine(), before);
  });
});

test("a run from another machine is continued only by its name, after a question, and isolated", async () => {
  const models = MODELS.map((name) => [name, lab.model({ topic: "Rate limiter", design: { title: name } })]);
  const setup = {
    scenario: { models: { host: script.reply("The verdict is in."), ...Object.fromEntries(models) } },
    designLab: {
      design_models: ["lab/quill-4", "lab/brisk-10"],
      review_models: ["lab/judge-1", "lab/jury-2"],
      isolation: { enforce_design_isolation: false },
    },
  };
  await withOpencode(setup, async (opencode) => {
    const { project, provider, home } = opencode;
    const { ask, stop } = await chat(opencode);
    assert.match(await ask("design-lab", `--review-later ${TASK}`), /Design Lab · designs written/);
    const key = `${home}/.local/state/opencode-design-lab/key`;
    assert.equal((await readFile(key)).length, 32);
    // Another machine has a different key.
    await rm(key);
    const asked = provider.requests.length;
    assert.match(await ask("design-lab-resume"), new RegExp(`run\\.none[^]*${NAME}`));
    const question = (await ask("design-lab-resume", "limiter")).replace(/\s+/g, " ");
    assert.match(question, /limiter was not started on this machine\. No model has been called yet\./);
    assert.match(question, /4 calls: 4 for reviews\..* Models: .*lab\/judge-1, lab\/jury-2/);
    assert.match(await ask("design-lab-status"), /not all written on this machine;\s+\/design-lab-resume/);
    assert.equal(provider.requests.length, asked, "nothing was asked");
    assert.match(await ask("design-lab-resume", "limiter --trust"), /Design Lab · ranked/);
    const journal = await events(project, `.design-lab/${NAME}`);
    const adopted = journal.findIndex(({ event }) => event === "adopted");
    assert.equal(journal[adopted + 1].event, "reconfigured");
    assert.equal(journal[adopted + 1].config.isolation.enforce_design_isolation, true);
    assert.match(await ask("design-lab-resume", "limiter"), /run\.finished/, "it is this machine's now");
    await stop();
  });
});
