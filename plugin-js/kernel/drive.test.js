// A run leaves nothing behind in its process, however it ends, and showing it can't end it.

import assert from "node:assert/strict";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { drive } from "./drive.js";
import { ownerOf } from "./lock.js";
import { core, opening, plainHost, staged, until } from "./test/host.js";

/** @type {string[]} */
const directories = [];
after(() => Promise.all(directories.map((directory) => rm(directory, { recursive: true }))));

const SIGNALS = ["SIGHUP", "SIGINT", "SIGTERM"];
const listening = () => SIGNALS.map((signal) => process.listenerCount(signal));
const PLACE = { session: "ses_0", message: "msg_0", part: "prt_0" };

/**
 * Drives a run, and checks that nothing of it is left.
 * @param {ReturnType<typeof plainHost>} told
 * @param {object} [own]
 * @param {object} [own.parts] of its surroundings
 * @param {() => Promise<() => Promise<void>>} [own.enter]
 * @param {(open: Awaited<ReturnType<typeof staged>>) => Promise<void>} [own.before]
 */
async function driven({ host }, { parts = {}, enter = async () => async () => {}, before } = {}) {
  const open = await staged();
  directories.push(open.output);
  await before?.(open);
  const usual = listening();
  const running = new Set();
  let inMemory = false;
  const surroundings = { core, host, project: "/p", running, ...parts };
  const workflow = {
    enter,
    conclude: (/** @type {any} */ ending) => {
      inMemory = core.summary(open.handle) !== null;
      return { ...ending, further: null };
    },
  };
  try {
    const ending = await drive(surroundings, open, [opening()], workflow);
    assert.ok(inMemory, "the ending's report can be read from the run");
    const directory = open.store.directory;
    return { ending, directory, files: await readdir(directory) };
  } finally {
    assert.deepEqual([running.size, listening()], [0, usual]);
    assert.throws(() => core.summary(open.handle), { code: "internal.lost-run" });
    assert.deepEqual(await ownerOf(open.store.folder), { kind: "nobody" });
  }
}

test("a run is driven to its end: it is listed meanwhile, and its live message is left without a panel", async () => {
  /** @type {string[]} */
  const order = [];
  const running = new Set();
  const told = plainHost({ place: PLACE });
  const { ask } = told.host;
  told.host.ask = async (question, onStep) => {
    order.push(`running ${running.size}`);
    return ask(question, onStep);
  };
  const enter = async () => {
    order.push("enter");
    return async () => void order.push("leave");
  };
  const { ending, directory, files } = await driven(told, { parts: { running }, enter });
  assert.equal(ending.done, true);
  assert.match(ending.account ?? "", /./);
  assert.deepEqual(
    [order[0], order.at(-1), new Set(order.slice(1, -1))],
    ["enter", "leave", new Set(["running 1"])],
  );
  assert.equal(told.shown.at(-1)?.panel, null);
  const text = told.shown.at(-1)?.text ?? "";
  assert.match(text, /^Design Lab · /);
  const address = text.split("\n").at(-1) ?? "";
  assert.match(address, /^file:\/\/\/\S+r%C3%BCn%20%23\S+$/, "terminals make a link of it");
  assert.equal(fileURLToPath(address), path.join(directory, "results", "report.html"));
  assert.doesNotMatch(ending.account ?? "", /file:/);
  assert.ok(
    files.includes("results") && !files.includes("block.json"),
    "the note on the live message is gone",
  );
});

test("where what a run needs can't be had, it doesn't begin and leaves nothing", async () => {
  const enter = () => Promise.reject(new Error("no room"));
  const told = plainHost();
  await assert.rejects(driven(told, { enter }), /no room/);
  assert.deepEqual(told.asked, []);
  assert.deepEqual(await readdir(directories.at(-1) ?? ""), []);
});

test("a run that can't be shown goes on to its end, and that is told once", async () => {
  /** @type {[string, object][]} */
  const faults = [
    ["in the core", { core: Object.create(core, { panel: { value: fail }, liveMessage: { value: fail } }) }],
    ["in the host", {}],
    ["in the host and where that is told", {}],
  ];
  for (const [name, parts] of faults) {
    const told = plainHost();
    if (name !== "in the core") told.host.report = () => Promise.reject(new Error("a fault"));
    if (name.endsWith("told")) told.host.notify = (_, message) => void (message.includes("shown") && fail());
    const { ending } = await driven(told, { parts });
    assert.deepEqual([ending.done, ending.problem], [true, undefined], name);
    const warnings = told.notices.filter((message) => message.includes("can't be shown"));
    const once = ["The run continues, but can't be shown: a fault"];
    // The last drawing is that of the end.
    assert.deepEqual([...new Set(warnings)], name.endsWith("told") ? [] : once, name);
    assert.ok(warnings.length <= 2, name);
  }

  /** @returns {never} */
  function fail() {
    throw new Error("a fault");
  }
});

test("a note on an earlier live message that makes no sense is no reason not to go on", async () => {
  const before = async (/** @type {Awaited<ReturnType<typeof staged>>} */ { store }) =>
    writeFile(path.join(store.directory, "block.json"), "{");
  const { ending } = await driven(plainHost(), { before });
  assert.equal(ending.done, true);
});

/** A host whose models answer only when they are aborted. */
function waiting() {
  const told = plainHost();
  /** @type {(() => void)[]} */
  const release = [];
  told.host.ask = (question) => {
    told.asked.push(question);
    return new Promise((resolve) => {
      const failure = /** @type {any} */ ({
        name: "MessageAbortedError",
        message: "aborted",
        status: null,
        retryable: null,
        retry_after_ms: null,
        host_retries: 0,
        cost: 0,
        tokens: { input: 0, output: 0, reasoning: 0, cache_read: 0, cache_write: 0 },
        cut_off: 0,
      });
      release.push(() => resolve({ failure }));
    });
  };
  told.host.abort = async (session) => {
    told.aborted.push(session);
    for (const one of release) one();
  };
  return told;
}

/** How a run ended, according to its journal. @param {string} directory */
async function reason(directory) {
  const journal = await readFile(path.join(directory, "journal.jsonl"), "utf8");
  const events = journal
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  return events.find((event) => event.event === "cancelled")?.reason;
}

test("the user's stop of the turn stops the run, in good order", async () => {
  const told = waiting();
  const controller = new AbortController();
  const done = driven(told, { parts: { signal: controller.signal } });
  await until(() => told.asked.length > 0);
  controller.abort();
  const { ending, directory } = await done;
  assert.deepEqual([ending.done, ending.problem, told.aborted], [false, undefined, ["ses_1"]]);
  assert.equal(await reason(directory), "you stopped the turn");
});

test("another process's request is seen at the next tick; one from before the run is not for it", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const told = waiting();
  /** @type {Awaited<ReturnType<typeof staged>>["store"] | undefined} */
  let store;
  const before = async (/** @type {Awaited<ReturnType<typeof staged>>} */ open) => {
    store = open.store;
    await store.folder.mark("cancel.request");
  };
  const done = driven(told, { before });
  await until(() => told.asked.length > 0);
  t.mock.timers.tick(2_000);
  await until(() => told.shown.length > 1);
  assert.deepEqual(told.aborted, [], "it continues");
  await store?.folder.mark("cancel.request");
  t.mock.timers.tick(2_000);
  const { ending, directory } = await done;
  assert.equal(ending.done, false);
  assert.equal(await reason(directory), "you cancelled it in another process");
});
