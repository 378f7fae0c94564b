// Workers in a lane, in the real OpenCode: they work outside the project under the same rules, and the user takes the result.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { callTool } from "../provider/script.mjs";
import { events } from "./artefacts.mjs";
import { APPROVED, approve, chat, DONE, setup, source, TEST } from "./flow.mjs";
import { flat, withOpencode } from "./harness.mjs";
import { startedWith } from "./leftovers.mjs";

/** @typedef {import("../provider/script.mjs").ModelRequest} ModelRequest */

const IN_LANE = { flow: { place: "lane" } };
/** What OpenCode needs isn't in git. */
const IGNORED = { ".gitignore": "opencode.json\n.opencode/\nnode_modules\n" };

/** The results of a request's tool calls. @param {ModelRequest} request */
const results = ({ messages }) =>
  messages.filter(({ role }) => role === "tool").map(({ content }) => String(content));

test("a worker builds in a lane, the project stays as it is, and the user takes the result by its hash", async () => {
  let project = "";
  /** @type {string[]} */
  let seen = [];
  const worker = (/** @type {ModelRequest} */ request) => {
    const steps = [
      callTool("bash", {
        command: "pwd && git log --format=%s && env | grep -c OPENCODE_FLOW",
        description: "x",
      }),
      callTool("write", { filePath: "src/sum.js", content: source("+") }),
      callTool("write", { filePath: "test/sum.test.js", content: TEST }),
      callTool("write", { filePath: path.join(project, "src/out.js"), content: "out" }),
      callTool("write", { filePath: "reach.sh", content: `echo reached > '${project}/reached.txt'\n` }),
      callTool("bash", { command: "sh reach.sh && rm reach.sh", description: "x" }),
      DONE,
    ];
    seen = results(request);
    return steps[seen.length] ?? DONE;
  };
  const scene = setup({ worker, reviewer: [APPROVED] });
  const files = { ...scene.files, ...IGNORED };
  await withOpencode({ ...scene, files, designLab: IN_LANE }, async (lab) => {
    project = lab.project.directory;
    const talk = await chat(lab);
    await approve(talk);
    const built = await talk.type("flow-run");
    assert.match(built, /completed/, built);
    const [lane = "", subject, marks] = seen[0]?.trim().split("\n") ?? [];
    assert.ok(lane.startsWith(path.join(lab.home, ".local/state/opencode-design-lab/lanes/")), lane);
    assert.deepEqual([subject, marks], ["The project's files when the lane was made", "1"]);
    assert.match(seen[3] ?? "", /outside this working copy/);
    assert.equal(await lab.project.exists("src/sum.js"), false, "the project is as it was");
    assert.equal(readFileSync(path.join(lane, "src/sum.js"), "utf8"), source("+"));
    assert.ok(
      flat(built).includes("Files of your project changed while the worker worked in its lane: reached.txt"),
    );
    assert.match(built, /\n {2}src\/sum\.js\n/);
    assert.ok(built.includes(lane.replace(lab.home, "~")), built);

    // The reviewer read the files of the lane, by their paths in the project.
    const directory = await talk.directory();
    const journal = await events(lab.project, directory);
    assert.equal(journal.filter(({ event }) => event === "lane_made").length, 1);
    const reviewer = lab.provider.requestsOf("reviewer").at(-1);
    assert.deepEqual(reviewer?.tools, ["glob", "grep", "read"]);

    const shown = await talk.type("flow-take");
    assert.match(flat(shown), /This would change in your project: src\/sum\.js test\/sum\.test\.js/);
    assert.match(flat(shown), /Your project has changed since the lane was made: reached\.txt/);
    const hash = /\/flow-take ([0-9a-f]{8})/.exec(shown)?.[1] ?? assert.fail(shown);
    const wrong = await talk.type("flow-take", "00000000");
    assert.match(wrong, /isn't the hash/);
    assert.equal(await lab.project.exists("src/sum.js"), false);

    const again = await talk.type("flow-take");
    assert.ok(again.includes(hash), "nothing has changed since");
    const taken = await talk.type("flow-take", hash);
    assert.match(
      flat(taken),
      /Changed in your project \(Flow commits nothing\): src\/sum\.js test\/sum\.test\.js/,
    );
    assert.equal(await lab.project.read("src/sum.js"), source("+"));
    assert.equal((await lab.project.json(`${directory}/session.json`)).next_command, "/validate");
    assert.deepEqual(lab.provider.unscripted, []);
    assert.deepEqual(startedWith(lab, "OPENCODE_FLOW"), []);
    await talk.stop();
  });
});

test("a lane in which OpenCode wouldn't load the plugin is refused before anything is paid", async () => {
  const scene = setup({ worker: [DONE] });
  // The plugin is named by a path that leads nowhere from the lane.
  const files = { ...scene.files, ...IGNORED };
  await withOpencode({ ...scene, files, designLab: IN_LANE }, async (lab) => {
    const talk = await chat(lab);
    await approve(talk);
    // What the lane gets is what the project has when the feature starts.
    await lab.project.write("opencode.json", JSON.stringify({ ...scene.config, plugin: [] }));
    const refused = await talk.type("flow-run");
    assert.match(
      flat(refused),
      /The lane could not be made: OpenCode doesn't (find the model|load this plugin)/,
    );
    assert.deepEqual(lab.provider.requestsOf("worker"), []);
    await talk.stop();
  });
});
