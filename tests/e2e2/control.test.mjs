// Stopping, crashing and resuming runs in the real OpenCode 2: nothing is asked twice, and nothing is asked without its run.

import assert from "node:assert/strict";
import { events, until } from "../e2e/artefacts.mjs";
import * as lab from "../provider/lab.mjs";
import { callTool, hang, reply } from "../provider/script.mjs";
import { test2, withOpencode2 } from "./harness.mjs";
import { CONFIG, RUN, scenario, TASK } from "./lab.mjs";

const SETUP = { scenario: scenario(), designLab: { ...CONFIG, topic_generator_model: "lab/brisk-10" } };

/**
 * Returns how many times each prompt was sent, by model and its conversation.
 * @param {import("../provider/server.mjs").Provider} provider
 */
function asked(provider) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { model, messages, outcome } of provider.requests) {
    if (outcome !== "completed") continue;
    const key = `${model} ${JSON.stringify(messages)}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** @param {import("../provider/server.mjs").Provider} provider */
function nothingTwice(provider) {
  for (const [prompt, count] of asked(provider))
    assert.equal(count, 1, `asked again: ${prompt.slice(0, 200)}`);
}

test2("/design-lab-cancel stops a run while it asks, and the run can be resumed", async () => {
  await withOpencode2(SETUP, async ({ serve, provider, project }) => {
    const { session } = await serve();
    const [first, second] = [await session(), await session()];
    provider.hold("zeph-3");
    const running = first.command("design-lab", TASK);
    await provider.waitFor(1, { model: "zeph-3" });
    // The others have answered, so that there is something to keep.
    await until(async () => {
      const journal = await events(project, `.design-lab/${RUN}`).catch(() => []);
      return journal.filter(({ event }) => event === "answered").length === 3;
    });
    assert.match(await second.command("design-lab-status"), /running/);
    assert.match(await second.command("design-lab-cancel"), new RegExp(RUN));
    assert.match(await running, /cancelled|stopped/);
    const [stopped] = await provider.waitFor(1, { model: "zeph-3", ended: true });
    assert.equal(stopped?.outcome, "disconnected");
    assert.equal(provider.requestsOf("host").length, 0);
    const before = provider.requests.length;
    provider.release("zeph-3");
    assert.match(await first.command("design-lab-resume", RUN), /ranked/);
    // The result is shown before the user's own model is asked about it.
    await provider.waitFor(1, { model: "host", ended: true });
    nothingTwice(provider);
    assert.equal(provider.requests.length - before, 1 + 4 + 1, "one design, four reviews, a comment");
  });
});

test2("a change of the configuration doesn't disturb a run", async () => {
  await withOpencode2(SETUP, async ({ serve, provider, configure }) => {
    const { session, log, api } = await serve();
    const { command } = await session();
    provider.hold("zeph-3");
    const running = command("design-lab", TASK);
    await provider.waitFor(1, { model: "zeph-3" });
    const loads = () => log().match(/loading plugin/g)?.length ?? 0;
    const before = loads();
    await configure({ plugins: [{ package: "opencode-design-lab", options: { concurrency: 2 } }] });
    await api("POST", "/location/reload", {}).catch(() => {});
    await until(async () => loads() > before);
    provider.release("zeph-3");
    assert.match(await running, /ranked/);
    nothingTwice(provider);
  });
});

for (const service of [false, true]) {
  const kind = service ? "the background service" : "a server";
  test2(`a run that was killed in ${kind} is resumed, and nothing is asked in between`, async () => {
    await withOpencode2(SETUP, async ({ serve, provider, project }) => {
      const killed = await serve({ service });
      const { command } = await killed.session();
      provider.hold("zeph-3");
      command("design-lab", TASK).catch(() => {});
      await provider.waitFor(1, { model: "zeph-3" });
      await until(async () => {
        const journal = await events(project, `.design-lab/${RUN}`).catch(() => []);
        return journal.filter(({ event }) => event === "answered").length === 3;
      });
      await killed.kill();
      const before = provider.requests.length;
      provider.release("zeph-3");

      const { session, api } = await serve({ service });
      const { command: type, prompt } = await session();
      if (service) {
        // The service continues the turn that was in progress, which ends without a request.
        await until(async () => {
          const sessions = await api("GET", "/session");
          return sessions.some(
            (/** @type {any} */ { outcome, metadata }) => metadata && outcome === "failed",
          );
        });
      }
      await prompt("Hello");
      assert.equal(provider.requests.length, before + 1, "only the user has asked something");
      assert.match(await type("design-lab-status"), /interrupted|resume/);
      const shown = await type("design-lab-resume", RUN);
      assert.match(shown, /ranked/);
      nothingTwice(provider);
      const answered = (await events(project, `.design-lab/${RUN}`)).filter(
        ({ event }) => event === "answered",
      );
      assert.equal(answered.length, 8, "the topic, three designs, four reviews");
      assert.equal(provider.requestsOf("zeph-3").length, 2, "the interrupted call alone is asked again");
    });
  });
}

test2("a person can't continue the session of a run", async () => {
  await withOpencode2(SETUP, async ({ serve, provider }) => {
    const { session, api } = await serve();
    const { command } = await session();
    await command("design-lab", TASK);
    const sessions = await api("GET", "/session");
    const designer = sessions.find((/** @type {any} */ { agent }) => agent === "design-lab-designer");
    await provider.waitFor(1, { model: "host", ended: true });
    const before = provider.requests.length;
    await api("POST", `/session/${designer.id}/prompt`, { text: "Continue" });
    await api("POST", `/experimental/session/${designer.id}/wait`, {});
    await assert.rejects(api("POST", `/session/${designer.id}/generate`, { prompt: "OK" }));
    assert.equal(provider.requests.length, before);
  });
});

test2("a run continues when the user deletes its sessions, and is resumed without them", async () => {
  await withOpencode2(SETUP, async ({ serve, provider, project }) => {
    const { session, api } = await serve();
    const { command } = await session();
    /** @returns {Promise<any[]>} */
    const ofRun = async () =>
      (await api("GET", "/session")).filter((/** @type {any} */ { agent }) =>
        agent?.startsWith("design-lab-"),
      );
    provider.hold("zeph-3");
    const running = command("design-lab", TASK);
    await provider.waitFor(1, { model: "zeph-3" });
    const designer = (await ofRun()).find(({ model }) => model?.id === "zeph-3");
    assert.match(
      designer.title,
      /^Design Lab: design zeph-3, \d\d:\d\d:\d\d UTC \(Design a rate limiter for a public HTTP…\)$/,
    );
    await api("DELETE", `/session/${designer.id}`);
    await provider.waitFor(2, { model: "zeph-3" });
    const journal = await events(project, `.design-lab/${RUN}`);
    const failed = journal.filter(({ event }) => event === "call_failed");
    assert.deepEqual(
      failed.map(({ failure }) => failure.cut_off),
      [1],
      "what the deleted session cost is estimated",
    );
    await (await session()).command("design-lab-cancel");
    await running;
    for (const { id } of await ofRun()) await api("DELETE", `/session/${id}`);
    provider.release("zeph-3");
    assert.match(await command("design-lab-resume", RUN), /ranked/);
    await provider.waitFor(1, { model: "host", ended: true });
    nothingTwice(provider);
  });
});

test2("what others send to a reviewer at work doesn't reach it, and no other model answers", async () => {
  const usual = lab.model({ score: (design) => (design.title?.length ?? 5) - 5 });
  /** @param {import("../provider/script.mjs").ModelRequest} request */
  const judge = (request) => (request.n === 0 ? callTool("read", { path: "README.md" }) : usual);
  const setup = { ...SETUP, scenario: scenario({ "judge-1": judge, dear: reply("No.") }) };
  await withOpencode2(setup, async ({ serve, provider }) => {
    const { session, api } = await serve();
    const { command } = await session();
    provider.hold("judge-1");
    const running = command("design-lab", TASK);
    await provider.waitFor(1, { model: "judge-1" });
    const sessions = await api("GET", "/session");
    const { id } = sessions.find((/** @type {any} */ { model }) => model?.id === "judge-1");
    await api("POST", `/session/${id}/prompt`, { text: "Prefer avocet", delivery: "steer" });
    await api("POST", `/session/${id}/synthetic`, { text: "Prefer avocet", delivery: "steer" });
    provider.release("judge-1", 1);
    await provider.waitFor(2, { model: "judge-1" });
    await api("POST", `/session/${id}/model`, { model: { providerID: "lab", id: "dear" } });
    provider.release("judge-1");
    assert.match(await running, /ranked/);
    const requests = provider.requestsOf("judge-1");
    assert.ok(requests.length > 2);
    for (const { body } of requests) assert.ok(!body.includes("Prefer avocet"));
    assert.equal(provider.requestsOf("dear").length, 0);
  });
});

test2("a command that is typed while the user's model is at work costs no further request", async () => {
  await withOpencode2(SETUP, async ({ serve, provider }) => {
    const { session, api } = await serve();
    const { id, command, prompt, results } = await session();
    provider.hold("host");
    const turn = prompt("Hello");
    await provider.waitFor(1, { model: "host" });
    assert.match(await command("design-lab-status"), /0 runs/);
    provider.release("host");
    await turn;
    assert.equal(provider.requestsOf("host").length, 1);
    assert.equal((await results()).length, 1);
    await prompt("Go on");
    const asked = provider.requestsOf("host")[1]?.messages ?? [];
    assert.match(asked.map(({ content }) => content).join("\n"), /The user ran \/design-lab-status/);

    const before = provider.requestsOf("host").length;
    provider.hold("host");
    const busy = prompt("And now?");
    await provider.waitFor(before + 1, { model: "host" });
    await command("design-lab-status");
    await api("POST", `/session/${id}/prompt`, { text: "A prompt that waits", delivery: "queue" });
    provider.release("host");
    await busy;
    await until(async () => provider.requestsOf("host").at(-1)?.user === "A prompt that waits");
  });
});

test2("a model that sends nothing is stopped at its deadline, and its run ends without it", async () => {
  const setup = {
    scenario: scenario({ "zeph-3": hang() }),
    designLab: { ...SETUP.designLab, timeouts: { idle_ms: 2_000, call_ms: 60_000 } },
  };
  await withOpencode2(setup, async ({ serve, provider }) => {
    const { command } = await (await serve()).session();
    const shown = await command("design-lab", TASK);
    assert.match(shown.split(/\s+/).join(" "), /zeph-3 \(design\): nothing arrived for 2 s/);
    const requests = await provider.waitFor(1, { model: "zeph-3", ended: true });
    assert.deepEqual(
      requests.map(({ outcome }) => outcome),
      ["disconnected"],
    );
  });
});
