// What bounds the calls of a run in the real OpenCode 2: its budget, its models' contexts, the user's own rules, other projects.

import assert from "node:assert/strict";
import { events } from "../e2e/artefacts.mjs";
import { flat } from "../e2e/harness.mjs";
import * as lab from "../provider/lab.mjs";
import { callTool, contextOverflow, cutOff, reply } from "../provider/script.mjs";
import { test2, withOpencode2 } from "./harness.mjs";
import { CONFIG, RUN, scenario, TASK } from "./lab.mjs";

const designLab = { ...CONFIG, topic_generator_model: "lab/brisk-10" };
const design = (/** @type {import("../provider/script.mjs").Script} */ script) =>
  lab.byPhase({ design: script });

test2("each step of a call is charged, and the budget ends an endless call", async () => {
  const endless = scenario({ "zeph-3": design(() => callTool("read", { path: "README.md" })) });
  const budget = { max_requests: 12 };
  await withOpencode2({ scenario: endless, designLab: { ...designLab, budget } }, async (lab) => {
    const { command } = await (await lab.serve()).session();
    const shown = flat(await command("design-lab", TASK));
    assert.match(shown, /requests/);
    assert.ok(lab.provider.requests.length <= 13, `${lab.provider.requests.length} requests`);
    assert.ok(lab.provider.requestsOf("zeph-3").length > 3, "it was asked again while the budget allowed it");
    const journal = await events(lab.project, `.design-lab/${RUN}`);
    const failed = journal.find(({ event, job }) => event === "call_failed" && job.includes("zeph"));
    const asked = lab.provider.requestsOf("zeph-3").length;
    assert.equal(failed.failure.requests, asked);
    const charged = failed.failure.tokens.input + failed.failure.tokens.output;
    const read = lab.provider
      .requestsOf("zeph-3")
      .reduce(
        (sum, request) => sum + Math.ceil(request.messages.map(({ content }) => content).join("").length / 4),
        0,
      );
    assert.equal(charged, read, "all steps count");
  });
});

test2(
  "a prompt that doesn't fit is no reason for a summary, and an answer that broke off is asked again",
  async () => {
    const whole = reply(lab.design({ title: "Leaky pail" }));
    const models = scenario({
      "quill-4": contextOverflow(),
      "zeph-3": design([cutOff(lab.design({ title: "Leaky pail" }), 200), whole]),
    });
    await withOpencode2({ scenario: models, designLab }, async ({ serve, provider, project }) => {
      const { command } = await (await serve()).session();
      const shown = flat(await command("design-lab", TASK));
      assert.match(shown, /ranked/);
      assert.match(shown, /quill-4 \(design\):/);
      assert.equal(provider.requestsOf("quill-4").length, 1, "nothing was summarised");
      assert.equal(provider.requestsOf("zeph-3").length, 2);
      const design = await project.json(`.design-lab/${RUN}/designs/zeph-3.json`);
      assert.match(JSON.stringify(design), /Leaky pail/);
      const journal = await events(project, `.design-lab/${RUN}`);
      const cut = journal.find(({ event, job }) => event === "call_failed" && job.includes("zeph"));
      assert.equal(cut.failure.cut_off, 1);
    });
  },
);

test2("no rule of the user gives a run's session another tool", async () => {
  const everything = [
    { action: "*", resource: "*", effect: "allow" },
    { action: "shell", resource: "*", effect: "allow" },
  ];
  const agents = {
    title: { model: "lab/host" },
    "design-lab-designer": { permissions: everything },
    "design-lab-reviewer": { permissions: everything },
  };
  const config = { permissions: everything, agents };
  await withOpencode2({ scenario: scenario(), designLab, config }, async ({ serve, provider }) => {
    const { command } = await (await serve()).session();
    assert.match(await command("design-lab", TASK), /ranked/);
    for (const model of ["zeph-3", "judge-1"])
      assert.deepEqual(provider.requestsOf(model)[0]?.tools, ["glob", "grep", "read"], model);
  });
});

test2("runs of two projects in one service don't disturb each other", async () => {
  await withOpencode2({ scenario: scenario(), designLab }, async ({ serve, provider, project, copy }) => {
    const other = await copy("other");
    const { session } = await serve({ service: true });
    const here = await session();
    const there = await session({ location: { directory: other.directory } });
    assert.match(await there.command("design-lab-status"), /0 runs/);
    const shown = await Promise.all([here.command("design-lab", TASK), there.command("design-lab", TASK)]);
    for (const one of shown) assert.match(one, /ranked/);
    for (const one of [project, other])
      assert.ok(await one.exists(`.design-lab/${RUN}/results/ranking.json`));
    assert.equal(
      provider.requests.filter(({ outcome }) => outcome === "completed").length,
      2 * (1 + 3 + 4 + 1),
    );
  });
});
