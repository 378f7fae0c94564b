// Resuming, stopping and inspecting runs, in the real OpenCode.

import assert from "node:assert/strict";
import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { test } from "node:test";
import { long } from "../long.mjs";
import * as lab from "../provider/lab.mjs";
import * as script from "../provider/script.mjs";
import { artefacts, events, today, until } from "./artefacts.mjs";
import { chat } from "./flow.mjs";
import { withOpencode } from "./harness.mjs";

const TASK = "Design a rate limiter for a public HTTP API";
const NAME = `${today()}-rate-limiter`;
const RUN = `.design-lab/${NAME}`;
const MODELS = ["quill-4", "brisk-10", "judge-1", "jury-2"];
const CONFIG = {
  design_models: ["lab/quill-4", "lab/brisk-10"],
  review_models: ["lab/judge-1", "lab/jury-2"],
};

function scenario() {
  const options = { usage: { input: 100, output: 50 } };
  const models = MODELS.map((name) => [
    name,
    lab.model({ topic: "Rate limiter", design: { title: `The plan of ${name.length}` }, options }),
  ]);
  return { models: { host: script.reply("The verdict is in."), ...Object.fromEntries(models) } };
}

const SETUP = () => ({ scenario: scenario(), designLab: CONFIG, shuffled: true });

/** Counts the requests to models other than the user's own. @param {import("../provider/server.mjs").Provider} provider */
const paid = (provider) => provider.requests.filter(({ model }) => model !== "host").length;

test("an answer that reached OpenCode and not the journal is found, a damaged file is repaired", async () => {
  await withOpencode(SETUP(), async (opencode) => {
    const { command, provider, project } = opencode;
    assert.equal((await command("design-lab", TASK)).code, 0);
    const expected = await artefacts(project, RUN);
    const asked = paid(provider);
    const journal = project.path(`${RUN}/journal.jsonl`);
    const lines = (await readFile(journal, "utf8")).split("\n");
    const last = lines.findLastIndex((line) => line.includes('"event":"answered"'));
    const answered = lines[last];
    assert.ok(answered, "an answer is in the journal");
    // The state after a crash: the last answer is half written.
    await writeFile(journal, [...lines.slice(0, last), answered.slice(0, -40)].join("\n"));
    await writeFile(project.path(`${RUN}/designs/quill-4.json`), "{");
    const ended = await command("design-lab-resume");
    assert.equal(ended.code, 0, ended.stdout + ended.stderr);
    assert.match(ended.stderr, /Continuing with 2 of 2 designs/);
    assert.equal(paid(provider), asked, "nothing was asked");
    assert.deepEqual(await artefacts(project, RUN), expected);

    const { ask, stop } = await chat(opencode);
    assert.match(await ask("design-lab-resume", "rate-limiter"), /run\.finished/);
    assert.match(await ask("design-lab-resume"), /run\.none/);
    await stop();
  });
});

test("an answer that was whole when the process was killed is found, though OpenCode hadn't put it away", {
  skip: long(
    "A second moment of a kill. `control.test.mjs` still kills a run, and `plugin-js/opencode1/host.test.js` finds such answers.",
  ),
}, async () => {
  // One call after another: naming comes first.
  const setup = { ...SETUP(), designLab: { ...CONFIG, concurrency: 1 }, snapshots: true };
  await withOpencode(setup, async ({ serve, command, provider, project }) => {
    const { client, stop } = await serve();
    const id = (await client.session.create({ body: {} })).data?.id ?? "";
    const { stream } = await client.event.subscribe();
    const running = client.session
      .command({
        path: { id },
        body: { command: "design-lab", arguments: TASK },
      })
      .catch(() => {});
    // The answer has ended; OpenCode takes a snapshot of the project before it marks the message completed.
    for await (const event of stream) {
      const { info } = /** @type {any} */ (event.type === "message.updated" ? event.properties : {});
      if (info?.role === "assistant" && info.finish === "stop" && !info.time.completed) break;
    }
    await stop();
    await running;
    assert.equal(paid(provider), 1, "it was the first answer");
    const ended = await command("design-lab-resume");
    assert.equal(ended.code, 0, ended.stdout + ended.stderr);
    assert.equal(paid(provider), 7, "the name, two designs, two turns of two reviewers, each once");
    assert.ok(await project.exists(`${RUN}/results/ranking.json`));
  });
});

test("a run is stopped from another session, shows how far it is, and goes on", {
  skip: long(
    "Decided in `src/design_lab/workflow/durability_tests.rs`, and `plugin-js/kernel/stop.test.js` asks for the stop. `sidebar.test.mjs` stops a run in OpenCode.",
  ),
}, async () => {
  await withOpencode(SETUP(), async ({ serve, provider, project, shuffledDirectories }) => {
    const { client, stop } = await serve();
    const session = async () => (await client.session.create({ body: {} })).data?.id ?? "";
    /** @param {string} id @param {string} command @param {string} [args] */
    const run = (id, command, args = "") =>
      client.session.command({ path: { id }, body: { command, arguments: args } });
    /** @param {string} id */
    const shown = async (id) => {
      const { data } = await client.session.messages({ path: { id } });
      return (data ?? []).flatMap(({ parts }) =>
        parts.map((part) => (part.type === "text" ? part.text : "")),
      );
    };
    provider.hold("brisk-10");
    const [mine, other] = [await session(), await session()];
    const running = run(mine, "design-lab", TASK);
    await provider.waitFor(1, { model: "brisk-10" });
    await until(() => project.exists(`${RUN}/designs/quill-4.md`));

    await run(other, "design-lab-status");
    const listed = (await shown(other)).join("\n");
    assert.match(listed, new RegExp(`1 run in \\.design-lab[\\s\\S]*${NAME} +running here`));
    await run(other, "design-lab-status", "rate");
    const status = (await shown(other)).at(-1) ?? "";
    assert.match(status, /2\/3 designing, \d of 2 done/);
    assert.match(status, /brisk-10 +writing/);
    assert.match(status, /Running +In this process/);
    await run(other, "design-lab-resume", "rate");
    assert.match((await shown(other)).at(-1) ?? "", /run\.locked/);

    await run(other, "design-lab-cancel");
    assert.match((await shown(other)).at(-1) ?? "", new RegExp(`stopped[\\s\\S]*/design-lab-resume ${NAME}`));
    await running;
    assert.match((await shown(mine)).join("\n"), /stopped by you/);
    assert.deepEqual(await lastEvents(project), ["cancelled", "closed"]);
    assert.deepEqual((await client.session.status()).data, {}, "no session is busy");
    assert.equal(provider.requestsOf("brisk-10")[0]?.outcome, "disconnected");
    assert.equal(await project.exists(".design-lab/.ignore"), false);

    provider.release("brisk-10");
    const asked = provider.requestsOf("quill-4").length;
    await run(other, "design-lab-resume");
    assert.equal(provider.requestsOf("quill-4").length, asked, "what was there was not asked again");
    assert.equal((await project.json(`${RUN}/results/ranking.json`)).metadata.failed.length, 0);
    const host = provider.requestsOf("host").length;
    await run(other, "design-lab-status", NAME);
    assert.match((await shown(other)).at(-1) ?? "", /Design Lab · ranked/);
    assert.equal(provider.requestsOf("host").length, host, "looking costs nothing");
    await run(other, "design-lab-cancel");
    assert.match((await shown(other)).at(-1) ?? "", /run\.none-running/);

    await cp(project.path(RUN), project.path(`${RUN}-copy`), { recursive: true });
    await run(other, "design-lab-status", "rate");
    assert.match(
      (await shown(other)).at(-1) ?? "",
      new RegExp(`run\\.ambiguous[\\s\\S]*${NAME}, ${NAME}-copy`),
    );
    await run(other, "design-lab-status", "copy");
    assert.match((await shown(other)).at(-1) ?? "", /Design Lab · ranked/);
    await run(other, "design-lab-status");
    assert.match((await shown(other)).at(-1) ?? "", /2 runs in \.design-lab/);
    const shuffled = await shuffledDirectories();
    assert.ok(
      shuffled.has(project.path(".design-lab")),
      "the runs came in another order than that of their names",
    );
    await stop();
  });
});

test("a command in a session that is in a turn does its work, ends well, and has no model asked", {
  skip: long(
    "A message becomes an answer in `plugin-js/opencode1/answered.test.js`. `tools.test.mjs` runs a command within a turn.",
  ),
}, async () => {
  await withOpencode(SETUP(), async ({ serve, provider, log }) => {
    const { client, stop } = await serve();
    const id = (await client.session.create({ body: { title: "Mine" } })).data?.id ?? "";
    const messages = async () => (await client.session.messages({ path: { id } })).data ?? [];
    const texts = async () =>
      (await messages()).map(({ parts }) =>
        parts.map((part) => (part.type === "text" ? part.text : "")).join(""),
      );
    provider.hold("host");
    const turn = client.session.prompt({ path: { id }, body: { parts: [{ type: "text", text: "hello" }] } });
    await provider.waitFor(1, { model: "host" });
    const command = client.session.command({
      path: { id },
      body: { command: "design-lab-status", arguments: "" },
    });
    await until(async () => (await texts()).some((text) => text.startsWith("Design Lab · 0 runs")));
    provider.release("host");
    assert.equal((await turn).data?.info.finish, "stop");
    assert.equal((await command).error, undefined);
    assert.equal(provider.requestsOf("host").length, 1, "for the turn, and for nothing else");
    assert.deepEqual(
      (await texts()).filter((text) => text !== "").map((text) => text.split(" · ")[0]),
      ["Design Lab", "hello", "The verdict is in."],
    );
    assert.doesNotMatch(await log(), /DesignLabHandled/);

    await client.session.prompt({ path: { id }, body: { parts: [{ type: "text", text: "and now?" }] } });
    assert.equal((await texts()).at(-1), "The verdict is in.");
    assert.equal(provider.requestsOf("host").length, 2);
    await stop();
  });
});

test("a run whose budget was too small goes on under a larger one, and only what differs is asked", {
  skip: long(
    "Decided in `src/design_lab/workflow/tests/reconfigured.rs`. `control.test.mjs` still resumes a run.",
  ),
}, async () => {
  const models = scenario().models;
  // Its design leaves too little budget for another like it.
  models["quill-4"] = lab.byPhase({
    topic: script.reply("Rate limiter", { usage: { input: 100, output: 50 } }),
    design: script.reply(lab.design(), { usage: { input: 1_000, output: 6_000 } }),
  });
  const setup = { ...SETUP(), scenario: { models } };
  const designLab = { ...CONFIG, budget: { max_cost_usd: 0.1 } };
  await withOpencode({ ...setup, designLab }, async (opencode) => {
    const { command, provider, project } = opencode;
    const { ask, stop } = await chat(opencode);
    assert.match(await ask("design-lab", TASK), /exceed the budget of\s+\$0\.10[\s\S]*run\.too-few-designs/);
    assert.equal(await project.exists(`${RUN}/designs/quill-4.md`), true);
    const asked = paid(provider);
    assert.equal(asked, 2, "a topic and one design");

    await project.write(".opencode/design-lab.json", '{ "budget": ');
    assert.match(await ask("design-lab-resume"), /config\./, "what is broken is said");
    assert.equal(paid(provider), asked, "and nothing asked");

    await stop();
    const review_models = ["lab/judge-1", { model_id: "lab/jury-2", temperature: 0.5 }];
    await project.write(".opencode/design-lab.json", JSON.stringify({ ...CONFIG, review_models }));
    const resumed = await command("design-lab-resume");
    assert.equal(resumed.code, 0, resumed.stdout + resumed.stderr);
    assert.match(resumed.stderr, /configuration has changed\. Kept: the design by quill-4\./);
    assert.match(resumed.stderr, /To ask: the design by brisk-10, the review by judge-1/);
    assert.equal(paid(provider), 2 + 1 + 4, "one design, two reviews of two turns");
    assert.ok(provider.requestsOf("jury-2").every(({ temperature }) => temperature === 0.5));
    assert.equal((await project.json(`${RUN}/config.json`)).budget.max_cost_usd, null);
    assert.equal((await project.json(`${RUN}/former/1/config.json`)).budget.max_cost_usd, 0.1);
    assert.equal((await project.json(`${RUN}/results/ranking.json`)).metadata.partial, false);
  });
});

test("a signal stops a run in good order, and the process with it", {
  skip: long(
    "`plugin-js/kernel/stop.test.js` sends a real signal, and `isolation-other-runs.test.mjs` sends one to OpenCode.",
  ),
}, async () => {
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) {
    await withOpencode(SETUP(), async (opencode) => {
      const { startCommand, provider, project } = opencode;
      provider.hold("brisk-10");
      const running = startCommand("design-lab", TASK);
      await provider.waitFor(1, { model: "brisk-10" });
      await until(() => project.exists(`${RUN}/designs/quill-4.md`));
      running.kill(signal);
      const ended = await running.ended;
      assert.ok(ended.signal === signal || ended.code !== 0, `${signal}: ${ended.code} ${ended.signal}`);
      assert.ok(ended.ms < 60_000);
      const { ask, stop } = await chat(opencode);
      assert.match(await ask("design-lab-status", "rate"), /stopped by you|Its process ended/);
      provider.release("brisk-10");
      assert.match(await ask("design-lab-resume"), /Design Lab · ranked/);
      assert.equal(provider.requestsOf("quill-4").length, 2, "its topic and its design, once each");
      await stop();
      assert.ok(await project.exists(`${RUN}/results/ranking.json`));
    });
  }
});

test("a run of another process is left alone; a dead one's lock is no obstacle", {
  skip: long(
    "`plugin-js/kernel/lock.test.js` uses real processes. `isolation-other-runs.test.mjs` runs two OpenCodes at once.",
  ),
}, async () => {
  await withOpencode(SETUP(), async (opencode) => {
    const { startCommand, command, provider, project } = opencode;
    provider.hold("brisk-10");
    const running = startCommand("design-lab", TASK);
    await provider.waitFor(1, { model: "brisk-10" });
    await until(() => project.exists(`${RUN}/designs/quill-4.md`));
    const { ask, stop } = await chat(opencode);
    assert.match(
      await ask("design-lab-resume", NAME),
      /run\.locked[\s\S]*is running in|is running in[\s\S]*run\.locked/,
    );
    assert.match(await ask("design-lab-resume"), /run\.none/);
    assert.match(await ask("design-lab-status", NAME), /Running +In process \d+/);
    running.kill("SIGKILL");
    await running.ended;
    assert.match(await ask("design-lab-status", NAME), /Its process ended/);
    // A process of another machine can't be checked: it counts as alive.
    const foreign = `${RUN}/run.lock/elsewhere~1~1~0`;
    await project.write(foreign, "");
    assert.match(await ask("design-lab-resume", NAME), /process 1 on elsewhere/);
    await stop();
    await rm(project.path(foreign));
    // A process with the same number but a different start time is not the owner.
    await project.write(`${RUN}/run.lock/${encodeURIComponent(hostname())}~${process.pid}~1~0`, "");
    provider.release("brisk-10");
    const resumed = await command("design-lab-resume");
    assert.equal(resumed.code, 0, resumed.stdout + resumed.stderr);
    assert.equal(await project.exists(`${RUN}/run.lock`), false);
  });
});

test("a run of another process is stopped from here, once that process looks", {
  skip: long("`plugin-js/kernel/stop.test.js` and `plugin-js/kernel/drive.test.js` stop a run by a request."),
}, async () => {
  await withOpencode(SETUP(), async (opencode) => {
    const { startCommand, provider, project } = opencode;
    provider.hold("brisk-10");
    const running = startCommand("design-lab", TASK);
    await provider.waitFor(1, { model: "brisk-10" });
    await until(() => project.exists(`${RUN}/designs/quill-4.md`));
    running.kill("SIGSTOP");
    const { ask, stop } = await chat(opencode);
    const unheard = await ask("design-lab-cancel");
    assert.match(unheard, /process\s+\d+\s+was\s+asked\s+to\s+stop[\s\S]*run\.not-stopped/);
    running.kill("SIGCONT");
    await running.ended;
    assert.deepEqual(await lastEvents(project), ["cancelled", "closed"]);

    const resumed = startCommand("design-lab-resume");
    await provider.waitFor(2, { model: "brisk-10" });
    const cancelled = await ask("design-lab-cancel", "rate");
    assert.match(cancelled, new RegExp(`stopped[\\s\\S]*/design-lab-resume ${NAME}`));
    await resumed.ended;
    assert.deepEqual(await lastEvents(project), ["cancelled", "closed"]);
    assert.equal(provider.requestsOf("brisk-10")[1]?.outcome, "disconnected");
    assert.equal(await project.exists(`${RUN}/cancel.request`), false);
    assert.match(await ask("design-lab-cancel"), /run\.none-running/);
    await stop();
  });
});

/**
 * Returns the last events of a run, without those that stopped calls and the directory that was just claimed may still add.
 * @param {import("./harness.mjs").Project} project
 */
async function lastEvents(project) {
  const all = (await events(project, RUN)).map(({ event }) => event);
  return all.filter((event) => !["call_failed", "directory_claimed"].includes(event)).slice(-2);
}

test("a design that failed is asked for again, and then every reviewer reads it beside the others", {
  skip: long(
    "Decided in `src/design_lab/workflow/tests/retried.rs`. `run.test.mjs` has a designer fail in OpenCode.",
  ),
}, async () => {
  const { scenario, designLab } = SETUP();
  let repaired = false;
  const well = lab.model({ topic: "Rate limiter", design: { title: "The late plan" } });
  const models = { ...scenario.models, "late-5": () => (repaired ? well : script.unauthorized()) };
  const design_models = [...designLab.design_models, "lab/late-5"];
  const setup = { scenario: { models }, designLab: { ...designLab, design_models } };
  await withOpencode(setup, async (opencode) => {
    const { provider, project } = opencode;
    const { ask, stop } = await chat(opencode);
    assert.match(await ask("design-lab", TASK), /Design Lab · ranked/);
    const status = await ask("design-lab-status", NAME);
    assert.match(
      status.replace(/\s+/g, " "),
      new RegExp(`/design-lab-resume ${NAME} --retry-failed retries`),
    );
    assert.match(await ask("design-lab-resume", NAME), /run\.finished[\s\S]*--retry-failed/);

    repaired = true;
    const before = ["quill-4", "late-5", "judge-1"].map((name) => provider.requestsOf(name).length);
    assert.match(await ask("design-lab-resume", "--retry-failed"), /Design Lab · ranked ·/);
    const after = ["quill-4", "late-5", "judge-1"].map((name) => provider.requestsOf(name).length);
    assert.deepEqual(
      after.map((count, index) => count - (before[index] ?? 0)),
      [0, 1, 2],
      "the design, and two turns of each reviewer",
    );
    const ranked = async (/** @type {string} */ file) => {
      const { rankings } = await project.json(`${RUN}/${file}`);
      return rankings.filter((/** @type {any} */ row) => row.rank !== null).length;
    };
    assert.equal(await ranked("results/ranking.json"), 3);
    assert.equal(await ranked("former/1/results/ranking.json"), 2);
    assert.equal(await project.exists(`${RUN}/block.json`), false);
    await stop();
  });
});

test("a live message of a process that was killed is put right by the next start, and by going on", {
  skip: long(
    "`plugin-js/kernel/live-message.test.js` leaves such messages behind. `control.test.mjs` still continues a killed run.",
  ),
}, async () => {
  await withOpencode(SETUP(), async ({ serve, provider, project }) => {
    /** @param {import("@opencode-ai/sdk").OpencodeClient} client @param {string} id */
    const shown = async (client, id) => {
      const { data } = await client.session.messages({ path: { id } });
      return (data ?? []).flatMap(({ parts }) => parts).find((part) => part.type === "text");
    };
    provider.hold("brisk-10");
    const first = await serve();
    const id = (await first.client.session.create({ body: {} })).data?.id ?? "";
    const running = first.client.session
      .command({ path: { id }, body: { command: "design-lab", arguments: TASK } })
      .catch(() => {});
    await until(() => project.exists(`${RUN}/designs/quill-4.md`));
    await until(() => project.exists(`${RUN}/block.json`));
    await first.stop();
    await running;

    const second = await serve();
    const other = (await second.client.session.create({ body: {} })).data?.id ?? "";
    await until(async () =>
      /interrupted at 2\/3 designing/.test((await shown(second.client, id))?.text ?? ""),
    );
    const block = await shown(second.client, id);
    assert.match(
      block?.text ?? "",
      new RegExp(`○ brisk-10 +not finished[\\s\\S]*/design-lab-resume\\s+${NAME}`),
    );
    assert.equal(block?.metadata, undefined, "no panel beside the chat");

    const resumed = second.client.session
      .command({ path: { id: other }, body: { command: "design-lab-resume", arguments: "" } })
      .catch(() => {});
    await until(async () =>
      /This run was continued later/.test((await shown(second.client, id))?.text ?? ""),
    );
    await second.client.session.command({
      path: { id },
      body: { command: "design-lab-cancel", arguments: "" },
    });
    await resumed;
    const stopped = (await shown(second.client, other))?.text ?? "";
    assert.match(stopped, /stopped by you[\s\S]*○ brisk-10 +not finished/);
    assert.equal(await project.exists(`${RUN}/block.json`), false);
    await second.stop();
  });
});
