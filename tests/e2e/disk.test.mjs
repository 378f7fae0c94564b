// Disks that are full, read-only or missing, and directories of every kind, in the real OpenCode.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmod, chown, mkdir, rename, rm, symlink } from "node:fs/promises";
import { test } from "node:test";
import { isRoot, NOBODY } from "../as-nobody.mjs";
import { long } from "../long.mjs";
import * as lab from "../provider/lab.mjs";
import * as script from "../provider/script.mjs";
import { events, today, until } from "./artefacts.mjs";
import { APPROVED, approve, chat, DONE, setup as flow, source, TEST } from "./flow.mjs";
import { flat, withOpencode } from "./harness.mjs";

const TASK = "Design a rate limiter for a public HTTP API";
const NAME = `${today()}-rate-limiter`;
const CONFIG = {
  design_models: ["lab/quill-4", "lab/brisk-10"],
  review_models: ["lab/judge-1", "lab/jury-2"],
};
const MODELS = ["quill-4", "brisk-10", "judge-1", "jury-2"];

/** @param {object} [designLab] */
function setup(designLab = {}) {
  const models = MODELS.map((name) => [
    name,
    lab.model({ topic: "Rate limiter", design: { title: `The plan of ${name.length}` } }),
  ]);
  return {
    scenario: { models: { host: script.reply("The verdict is in."), ...Object.fromEntries(models) } },
    designLab: { ...CONFIG, ...designLab },
  };
}

const mayMount = process.platform === "linux" && process.getuid?.() === 0;

test("a full disk stops the run with the file's name; with space again it continues", {
  skip: !mayMount,
}, async () => {
  await withOpencode(setup(), async ({ startCommand, command, provider, project }) => {
    const output = project.path(".design-lab");
    await mkdir(output);
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", output], { stdio: "pipe" });
    } catch {
      return; // a container that may not mount
    }
    try {
      provider.hold("brisk-10");
      const running = startCommand("design-lab", TASK);
      await provider.waitFor(1, { model: "brisk-10" });
      await provider.waitFor(2, { model: "quill-4", ended: true });
      const design = `.design-lab/${NAME}/designs/quill-4`;
      await until(async () => (await project.exists(`${design}.md`)) && project.exists(`${design}.json`));
      fill(`${output}/ballast`);
      provider.release("brisk-10");
      const ended = await running.ended;
      assert.match(ended.stdout, /disk\.failed/);
      assert.match(ended.stdout, /the\s+disk\s+is\s+full\s+\(ENOSPC\)/);
      assert.match(ended.stdout, /\.design-lab/);
      await rm(`${output}/ballast`);
      const resumed = await command("design-lab-resume");
      assert.equal(resumed.code, 0, resumed.stdout + resumed.stderr);
      assert.ok(await project.exists(`.design-lab/${NAME}/results/ranking.json`));
      assert.equal(provider.requestsOf("quill-4").length, 2, "topic and design, once each");
      assert.equal(provider.requestsOf("brisk-10").length, 1, "its answer was found in OpenCode");
      const journal = await events(project, `.design-lab/${NAME}`);
      assert.deepEqual(
        journal.map((event) => event.n),
        journal.map((_, index) => index + 1),
        "no line is missing or torn",
      );
    } finally {
      execFileSync("umount", ["-l", output]);
    }
  });
});

test("a full disk stops a session with its own way on, by which it is completed", {
  skip: !mayMount || long("A second full disk. `disk.test.mjs` still fills one under a run."),
}, async () => {
  const write = (/** @type {string} */ filePath, /** @type {string} */ content) =>
    script.callTool("write", { filePath, content });
  const worker = [write("src/sum.js", source("+")), write("test/sum.test.js", TEST), DONE];
  await withOpencode(flow({ worker, reviewer: [APPROVED] }), async (opencode) => {
    const { project, provider } = opencode;
    const talk = await chat(opencode);
    const kept = project.path(".flow");
    await mkdir(kept);
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", kept], { stdio: "pipe" });
    } catch {
      return; // a container that may not mount
    }
    try {
      await approve(talk);
      provider.hold("reviewer");
      const running = talk.type("flow-run");
      await provider.waitFor(1, { model: "reviewer" });
      fill(`${kept}/ballast`);
      provider.release("reviewer");
      const stopped = flat(await running);
      assert.match(stopped, /the disk is full \(ENOSPC\).* Free some space, then type \/flow-resume\./);
      await rm(`${kept}/ballast`);
      const resumed = flat(await talk.type("flow-resume"));
      assert.match(resumed, /Flow · completed/, resumed);
      await talk.stop();
    } finally {
      execFileSync("umount", ["-l", kept]);
    }
  });
});

test("a read-only file system is told before anything is paid for", { skip: !mayMount }, async () => {
  await withOpencode(setup(), async ({ command, provider, project }) => {
    const output = project.path(".design-lab");
    await mkdir(output);
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "ro", "tmpfs", output], { stdio: "pipe" });
    } catch {
      return;
    }
    try {
      const ended = await command("design-lab", TASK);
      assert.match(ended.stdout, /disk\.failed/);
      assert.match(ended.stdout, /read-only\s+\(EROFS\)/);
      assert.equal(provider.requests.length, 0);
    } finally {
      execFileSync("umount", ["-l", output]);
    }
  });
});

test("a run directory that is taken away under a run stops it, and put back it continues", {
  skip: long(
    "`plugin-js/kernel/store.test.js` deletes the directory of a run. `disk.test.mjs` still stops a run at a fault of the disk.",
  ),
}, async () => {
  await withOpencode(setup(), async ({ startCommand, command, provider, project }) => {
    provider.hold("brisk-10");
    const running = startCommand("design-lab", TASK);
    await provider.waitFor(1, { model: "brisk-10" });
    await until(() => project.exists(`.design-lab/${NAME}/designs/quill-4.md`));
    await rename(project.path(".design-lab"), project.path("elsewhere"));
    provider.release("brisk-10");
    const ended = await running.ended;
    assert.match(ended.stdout, /disk\.failed/);
    assert.match(ended.stdout, /no\s+longer\s+exists\s+\(ENOENT\)/);
    assert.equal(await project.exists(`.design-lab/${NAME}`), false, "nothing grows in its place");
    await rm(project.path(".design-lab"), { recursive: true, force: true });
    await rename(project.path("elsewhere"), project.path(".design-lab"));
    const resumed = await command("design-lab-resume");
    assert.equal(resumed.code, 0, resumed.stdout + resumed.stderr);
    assert.equal(provider.requestsOf("quill-4").length, 2);
  });
});

test("output directories of every kind carry a whole run", {
  skip: long(
    "One run for each kind of directory; the kinds are decided in `src/design_lab/config/output.rs` and `plugin-js/design-lab/outputs.test.js`.",
  ),
}, async () => {
  const long = `${"l".repeat(90)}/${"o".repeat(90)}/${"ng".repeat(10)}`;
  const kinds = [
    ["with spaces and Unicode", "mes études/設計 ラボ 🧪"],
    ["longer than 200 characters", long],
  ];
  for (const [kind, output_directory] of kinds) {
    await withOpencode(setup({ output_directory }), async (opencode) => {
      const { ask, stop } = await chat(opencode);
      assert.match(await ask("design-lab", TASK), /Design Lab · ranked/, kind);
      assert.ok(await opencode.project.exists(`${output_directory}/${NAME}/results/ranking.json`), kind);
      assert.match(await ask("design-lab-status", NAME), /Design Lab · ranked/, kind);
      await stop();
    });
  }
});

test("an output directory that is a link is refused before anything is paid for", async () => {
  await withOpencode(setup({ output_directory: "link" }), async ({ command, project, provider }) => {
    await mkdir(project.path("real"));
    await symlink("real", project.path("link"));
    const ended = await command("design-lab", TASK);
    assert.match(ended.stdout, /config\.output-directory/);
    assert.match(ended.stdout, /\.opencode\/design-lab\.json:\d+:\d+/);
    assert.equal(provider.requests.length, 0);
    assert.equal(await project.exists("real/.ignore"), false);
  });
});

test("a file in the place of the output directory is told before anything is paid for", {
  skip: long("`plugin-js/kernel/door.test.js` puts a file there. `disk.test.mjs` still puts a link there."),
}, async () => {
  await withOpencode(setup(), async ({ command, provider, project }) => {
    await project.write(".design-lab", "a file");
    const ended = await command("design-lab", TASK);
    assert.match(ended.stdout, /disk\.failed/);
    assert.equal(provider.requests.length, 0);
    assert.equal(await project.read(".design-lab"), "a file");
  });
});

test("a directory without permission is told before anything is paid for", {
  skip: long(
    "`plugin-js/kernel/disk.test.js` takes each permission away. `disk.test.mjs` still mounts a read-only file system.",
  ),
}, async () => {
  // Permissions don't apply to root.
  await withOpencode({ ...setup(), asNobody: true }, async ({ command, provider, project }) => {
    await project.write("closed/README.md", "");
    await chmod(project.path("closed"), 0o555);
    await project.write(
      ".opencode/design-lab.json",
      JSON.stringify({ ...CONFIG, output_directory: "closed" }),
    );
    const ended = await command("design-lab", TASK);
    assert.match(ended.stdout, /permission\s+denied\s+\(EACCES\)/, ended.stdout + ended.stderr);
    assert.equal(provider.requests.length, 0);
    assert.deepEqual(await project.files("closed"), ["README.md"]);
    // Otherwise only root could delete the project.
    await chmod(project.path("closed"), 0o755);
  });
});

test("a directory that can't be read among the runs is a line of the list, and stops no command", {
  skip: long("`plugin-js/kernel/store.test.js` lists a run that can't be read."),
}, async () => {
  await withOpencode({ ...setup(), asNobody: true }, async (opencode) => {
    const { project, provider } = opencode;
    const closed = project.path(".design-lab/lost+found");
    await mkdir(closed, { recursive: true });
    if (isRoot) await chown(project.path(".design-lab"), NOBODY, NOBODY);
    await chmod(closed, 0o000);
    try {
      const { ask, stop } = await chat(opencode);
      assert.match(await ask("design-lab", TASK), /Design Lab · ranked/);
      assert.match(await ask("design-lab-rank", "rate-limiter"), /Design Lab · ranked/);
      assert.match(await ask("design-lab-status"), /lost\+found +can't be read \(disk\.failed\)/);
      assert.match(await ask("design-lab-status", "lost+found"), /permission\s+denied\s+\(EACCES\)/);
      assert.match(await ask("design-lab-status", "--history"), /Design Lab · history/);
      assert.match(await ask("design-lab-resume"), /run\.none/);
      assert.match(await ask("design-lab-cancel"), /run\.none-running/);
      assert.match(await ask("design-lab-doctor"), /permission\s+denied\s+\(EACCES\)/);
      assert.equal(provider.requestsOf("quill-4").length, 2, "topic and design, once each");
      await stop();
    } finally {
      await chmod(closed, 0o755);
    }
  });
});

/** @param {string} file the file that grows until the disk is full */
function fill(file) {
  try {
    execFileSync("dd", ["if=/dev/zero", `of=${file}`, "bs=512"], { stdio: "pipe" });
  } catch {
    // No space left, as intended.
  }
}
