// Designs that are read and changed before they are reviewed, and reviewers who join after the ranking, in the real OpenCode.

import assert from "node:assert/strict";
import { test } from "node:test";
import { long } from "../long.mjs";
import * as lab from "../provider/lab.mjs";
import * as script from "../provider/script.mjs";
import { today } from "./artefacts.mjs";
import { withOpencode } from "./harness.mjs";

const TASK = "Design a rate limiter for a public HTTP API";
const NAME = `${today()}-rate-limiter`;
const WISH = "Have one more model review it.";
const DESIGNERS = ["quill-4", "brisk-10", "zeph-3"];

/** @param {string} name @returns {script.Script} */
const designer = (name) =>
  lab.byPhase({
    topic: script.reply("Rate limiter"),
    design: (request) => {
      const isSecond = request.user.includes("Say who pages whom.");
      return script.reply(lab.design({ title: `${isSecond ? "Second" : "First"} of ${name.length}` }));
    },
  });

const models = {
  host: (/** @type {script.ModelRequest} */ request) =>
    request.tools.length > 0 &&
    request.user.includes(WISH) &&
    !request.messages.some(({ role }) => role === "tool")
      ? script.callTool("design_lab", { action: "review", text: "--add lab/umpire-3" })
      : script.reply("The verdict is in."),
  ...Object.fromEntries(DESIGNERS.map((name) => [name, designer(name)])),
  "judge-1": lab.model({}),
  "jury-2": lab.model({}),
  // Joins later.
  "umpire-3": lab.model({}),
};
const designLab = {
  design_models: DESIGNERS.map((name) => `lab/${name}`),
  review_models: ["lab/judge-1", "lab/jury-2"],
};

test("designs are read first, one is rewritten, one leaves, they are reviewed, and a reviewer joins", {
  skip: long(
    "Decided in `src/design_lab/workflow/tests/amend.rs` and `src/design_lab/workflow/tests/added.rs`. `run.test.mjs` takes the path through OpenCode.",
  ),
}, async () => {
  await withOpencode({ scenario: { models }, designLab }, async (opencode) => {
    const { command, startCommand, provider, project, run: opencodeRun } = opencode;
    /** @param {string} name @param {string} text */
    const run = async (name, text) => {
      const { code, stdout, stderr } = await command(name, text);
      assert.equal(code, 0, stdout + stderr);
      return stdout.replace(/\s+/g, " ");
    };
    const reviews = () => provider.requestsOf("judge-1").length + provider.requestsOf("jury-2").length;
    const file = (/** @type {string} */ path) => project.read(`.design-lab/${NAME}/${path}`);

    const paused = await run("design-lab", `--review-later ${TASK}`);
    assert.match(paused, /designs written, not reviewed/);
    assert.match(paused, /quill-4 by lab\/quill-4\s+First of 7/);
    assert.match(paused, new RegExp(`/design-lab-review ${NAME} reviews the designs`));
    assert.deepEqual([reviews(), provider.requestsOf("host").length], [0, 0], "no turn is paid either");
    assert.match(await run("design-lab-status", ""), /designs to review/);
    const first = await file("designs/quill-4.json");

    const again = await run("design-lab-resume", "rate --again quill-4 Say who pages whom.");
    assert.match(again, /quill-4 by lab\/quill-4\s+Second of 7/);
    assert.equal(await file("former/1/designs/quill-4.json"), first);
    const asked = DESIGNERS.map((name) => provider.requestsOf(name).length);
    assert.deepEqual(asked, [3, 1, 1], "one name, and its author alone again");
    const prompt = provider.requestsOf("quill-4").at(-1)?.user ?? "";
    assert.match(prompt, /# What the user says[\s\S]*Say who pages whom\./);
    assert.match(prompt, /First of 7/, "it reads its own design again");

    assert.match(await run("design-lab-resume", "--drop zeph-3"), /you dropped zeph-3/);
    assert.ok(await project.exists(`.design-lab/${NAME}/former/2/designs/zeph-3.json`));
    const refused = await command("design-lab-resume", "--drop quill-4");
    assert.equal(refused.code, 1);
    assert.match(refused.stdout, /run\.too-few-designs/);
    assert.equal(reviews(), 0);

    assert.match(await run("design-lab-review", ""), /Design Lab · ranked/);
    assert.equal(reviews(), 4);
    assert.deepEqual(
      DESIGNERS.map((name) => provider.requestsOf(name).length),
      asked,
      "no design was asked for",
    );
    assert.deepEqual(
      [...new Set((await project.files(".design-lab")).map((path) => path.split("/")[0]))],
      [NAME],
      "there is no copy",
    );
    const ranking = JSON.parse(await file("results/ranking.json"));
    assert.deepEqual(ranking.rankings.map((/** @type {any} */ row) => row.design_id).sort(), [
      "brisk-10",
      "quill-4",
    ]);
    assert.match(await file("results/results.md"), /Before any review, you had quill-4 rewrite its design/);
    const late = await command("design-lab-resume", "rate --again quill-4");
    assert.equal(late.code, 1);
    assert.match(late.stdout, /run\.set-stands[\s\S]*design-lab-refine/);

    const umpire = () => provider.requestsOf("umpire-3").length;
    const price = await run("design-lab-review", "--add lab/umpire-3 --dry-run rate");
    assert.match(
      price,
      /Expected 2 calls: 2 for reviews\. Estimated from the length of the prompts: about \$/,
    );
    // There is no user to confirm.
    const wished = await opencodeRun(["run", WISH]);
    assert.match(
      wished.stdout + wished.stderr,
      /design_lab \(review --add lab\/umpire-3 · 2 calls: 2 for reviews\./,
    );
    assert.deepEqual([reviews(), umpire()], [4, 0], "nothing was asked");

    provider.hold("umpire-3");
    const joining = startCommand("design-lab-review", "--add lab/umpire-3");
    await provider.waitFor(1, { model: "umpire-3" });
    provider.release("umpire-3", 1);
    await provider.waitFor(2, { model: "umpire-3" });
    joining.kill("SIGKILL");
    await joining.ended;
    provider.release("umpire-3");
    const added = await run("design-lab-resume", "");
    assert.match(added, /Design Lab · ranked/);
    assert.match(added, /Added Without umpire-3: .* until you like the answer, you will get that answer/);
    assert.deepEqual([reviews(), umpire()], [4, 3], "only what was not answered is asked again");
    assert.deepEqual(
      DESIGNERS.map((name) => provider.requestsOf(name).length),
      asked,
    );
    const { additions } = JSON.parse(await file("results/ranking.json"));
    assert.deepEqual(additions[0].reviewers, ["umpire-3"]);
    assert.equal(additions[0].verdict[0], ranking.verdict.kind);
    assert.deepEqual(JSON.parse(await file("former/3/results/ranking.json")), ranking);
    assert.match(await file("results/results.md"), /Without umpire-3: /);
    assert.deepEqual(provider.unscripted, []);
  });
});
