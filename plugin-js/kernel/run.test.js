// The one rule of runs; every failure ends them in order.

import assert from "node:assert/strict";
import { readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { after, test } from "node:test";
import { LONGEST_TIMER_MS } from "./clock.js";
import { RunShell } from "./run.js";
import { core, opening, plainHost, staged, until } from "./test/host.js";

/** @type {string[]} */
const directories = [];
after(() => Promise.all(directories.map((directory) => rm(directory, { recursive: true }))));

/**
 * A run on the real core and a real disk.
 * @param {ReturnType<typeof plainHost>} told
 * @param {object} [own] other parts
 */
async function shellOf({ host }, own = {}) {
  const { output, store, handle } = await staged();
  directories.push(output);
  const run = new RunShell({ core, handle, host, store, onChange: () => {}, ...own });
  return { run, store, handle, output };
}

/** A host whose calls never end. @param {object} [own] */
function silent(own = {}) {
  return plainHost({ ask: () => new Promise(() => {}), ...own });
}

test("each event is sealed, is on disk, and only then applied", async () => {
  /** @type {string[]} */
  const steps = [];
  const { output, store, handle } = await staged();
  directories.push(output);
  const journal = () => readFileSync(path.join(store.directory, "journal.jsonl"), "utf8");
  /** @type {any} */
  const watched = Object.create(core, {
    seal: {
      value: (/** @type {number} */ run, /** @type {any} */ event) => {
        steps.push(`seal ${event.event}`);
        return core.seal(run, event);
      },
    },
    apply: {
      value: (/** @type {number} */ run, /** @type {string} */ line) => {
        assert.ok(journal().endsWith(line), "it is the journal's last line by then");
        steps.push(`apply ${JSON.parse(line).event}`);
        return core.apply(run, line);
      },
    },
  });
  const { host, asked } = plainHost();
  const run = new RunShell({ core: watched, handle, host, store, onChange: () => {} });
  run.feed(opening());
  const ending = await run.ended;
  assert.deepEqual([ending.done, ending.problem], [true, undefined]);
  assert.equal(asked.length, 1 + 2 + 2 * 2, "a name, two designs, two reviews of two calls each");
  for (let index = 0; index < steps.length; index += 2) {
    assert.equal(steps[index]?.replace("seal", "apply"), steps[index + 1], "nothing comes in between");
  }
  assert.equal(steps.at(-1), "apply closed");
  assert.equal(core.replayRun(journal()).whole, Buffer.byteLength(journal()));
  await store.close();
  assert.ok((await readdir(path.join(store.directory, "results"))).includes("ranking.json"));
});

test("what an answer cites is looked up before the answer is journaled, and stands in its event", async () => {
  const looked_up = [{ path: "a.js", found: "nothing", lines: null }];
  /** @type {string[]} */
  const jobs = [];
  const workflow = {
    lookUp: async (/** @type {string} */ job) => {
      jobs.push(job);
      return looked_up;
    },
  };
  const { host, asked } = plainHost();
  const { run, store } = await shellOf(/** @type {any} */ ({ host, asked }), { workflow });
  run.feed(opening());
  assert.equal((await run.ended).done, true);
  const text = readFileSync(path.join(store.directory, "journal.jsonl"), "utf8");
  const answers = text.split("\n").filter((line) => line.includes('"event":"answered"'));
  assert.deepEqual([jobs.length, answers.length], [asked.length, asked.length]);
  for (const answer of answers) assert.deepEqual(JSON.parse(answer).reply.looked_up, looked_up);
  await store.close();
});

test("a journal that somebody else changes is written again as it was, and that is told and on record", async () => {
  const { output, store, handle } = await staged();
  directories.push(output);
  const journal = () => path.join(store.directory, "journal.jsonl");
  const told = plainHost();
  const { ask } = told.host;
  told.host.ask = async (...asked) => {
    // As a worker with a shell could.
    if (told.asked.length === 2) writeFileSync(journal(), "{}\n");
    return ask(...asked);
  };
  const run = new RunShell({ core, handle, host: told.host, store, onChange: () => {} });
  run.feed(opening());
  assert.equal((await run.ended).done, true);
  const text = readFileSync(journal(), "utf8");
  assert.equal(core.replayRun(text).whole, Buffer.byteLength(text));
  assert.equal(text.split('"event":"journal_restored"').length, 2, "once");
  assert.match(told.notices.join("\n"), /changed journal\.jsonl/);
  await store.close();
});

test("a journal that can't be written to ends the run at once, and that is told once", async () => {
  const told = silent({ abort: async () => void aborted.push(1) });
  /** @type {number[]} */
  const aborted = [];
  let asking = false;
  told.host.ask = () => {
    asking = true;
    // Finishes when it is aborted.
    return new Promise((resolve) => {
      const look = () =>
        aborted.length > 0
          ? resolve({ failure: /** @type {any} */ ({ name: "MessageAbortedError" }) })
          : setImmediate(look);
      look();
    });
  };
  const { run, store } = await shellOf(told);
  run.feed(opening());
  await until(() => asking);
  const journal = path.join(store.directory, "journal.jsonl");
  const written = await readFile(journal, "utf8");
  await rm(journal);
  await mkdir(journal);
  run.feed({ event: "woken" });
  run.feed({ event: "woken" });
  const ending = await run.ended;
  assert.equal(ending.problem?.code, "disk.failed");
  assert.deepEqual([ending.done, ending.resumable, ending.brief], [false, true, ""]);
  assert.equal(aborted.length, 1, "what is in flight is aborted, once");
  assert.ok(written.endsWith("\n"));
  assert.equal(await run.cancel("too late"), ending, "nothing more happens to it");
  await store.close();
});

test("a fault in what shows the run ends it in good order, and leaves no rejection behind", async () => {
  let shows = 0;
  const onChange = () => {
    shows += 1;
    if (shows === 2) throw new Error("no screen");
  };
  const told = plainHost();
  const { run, store } = await shellOf(told, { onChange });
  run.feed(opening());
  const { problem } = await run.ended;
  assert.equal(problem?.message, "Design Lab failed: no screen.");
  assert.equal(shows, 2);
  await store.close();
});

const FAULTS = /** @type {const} */ ({
  "opening a session": {
    openSession: () => {
      throw new Error("a fault");
    },
  },
  "a session that isn't opened": { openSession: () => Promise.reject(new Error("a fault")) },
  "asking a model": {
    ask: () => {
      throw new Error("a fault");
    },
  },
  "a call that isn't answered": { ask: () => Promise.reject(new Error("a fault")) },
});

for (const [name, own] of Object.entries(FAULTS)) {
  test(`a fault of the host's ends the run, and is told: ${name}`, async () => {
    const { run, store } = await shellOf(plainHost(/** @type {any} */ (own)));
    run.feed(opening());
    const { problem, resumable } = await run.ended;
    assert.deepEqual([problem?.message, resumable], ["Design Lab failed: a fault.", true]);
    await store.close();
  });
}

test("calls that are aborted have five seconds to let go, even where they can't be aborted", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let aborts = 0;
  const told = silent({
    abort: () => {
      aborts += 1;
      throw new Error("no server");
    },
  });
  let asking = 0;
  told.host.ask = () => {
    asking += 1;
    return new Promise(() => {});
  };
  const { run, store } = await shellOf(told);
  run.feed(opening());
  await until(() => asking > 0);
  await rm(path.join(store.directory, "journal.jsonl"));
  await mkdir(path.join(store.directory, "journal.jsonl"));
  let ended = false;
  run.ended.then(() => {
    ended = true;
  });
  run.feed({ event: "woken" });
  await until(() => aborts > 0);
  t.mock.timers.tick(4_999);
  await new Promise(setImmediate);
  assert.equal(ended, false);
  t.mock.timers.tick(1);
  assert.equal((await run.ended).problem?.code, "disk.failed");
  await store.close();
});

test("a timer is never longer than timers can be, nor shorter than nothing", async (t) => {
  const waits = t.mock.method(globalThis, "setTimeout", () => /** @type {any} */ (0));
  const now = () => 1_000;
  const at = [0, 999, 1_000, 1_250, 1_000 + 2 ** 31, 2 ** 50];
  // A core that answers each event with the next of these commands.
  const list = at.map((at) => [{ command: "wake_at", at }]);
  const scripted = { seal: () => "line\n", apply: () => list.shift() ?? [] };
  const { run, store } = await shellOf(plainHost(), { core: scripted, now });
  for (const _ of at) await run.feed({ event: "woken" });
  assert.deepEqual(
    waits.mock.calls.map((call) => call.arguments[1]),
    [0, 0, 0, 250, LONGEST_TIMER_MS, LONGEST_TIMER_MS],
  );
  await store.close();
});

test("an effect finds what was written before it", async () => {
  const { output, store } = await staged();
  directories.push(output);
  /** @type {Record<string, any[]>} */
  const follow = {
    opened: [{ command: "write", path: "a/b.txt", text: "x".repeat(1 << 22) }, { command: "look" }],
    looked: [{ command: "finish", done: true, resumable: true, brief: "" }],
  };
  /** @type {any} */
  const machine = {
    seal: (/** @type {number} */ _run, /** @type {any} */ event) => `${JSON.stringify(event)}\n`,
    apply: (/** @type {number} */ _run, /** @type {string} */ line) => follow[JSON.parse(line).event] ?? [],
  };
  let found = 0;
  const workflow = {
    perform: async () => {
      found = (await readFile(path.join(store.directory, "a/b.txt"))).length;
      return { event: "looked" };
    },
  };
  const { host } = plainHost();
  const run = new RunShell({ core: machine, handle: 0, host, store, workflow, onChange: () => {} });
  run.feed(/** @type {any} */ ({ event: "opened" }));
  assert.equal((await run.ended).problem, undefined);
  assert.equal(found, 1 << 22);
  await store.close();
});

/** A run that shows all its models an image from its directory. @param {ReturnType<typeof plainHost>} told */
async function withImage(told) {
  const bytes = Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01", "latin1");
  const file = core.image(bytes)?.file;
  assert.ok(file);
  const own = await shellOf(told);
  const began = opening();
  const models = ["acme/one", "acme/two"].map((model_id) => ({
    model_id,
    input_cost: 0,
    output_cost: 0,
    images: true,
  }));
  await own.store.write(file.path, bytes);
  return { ...own, file, bytes, event: { ...began, models, images: [{ name: "x.png", file }] } };
}

test("an image is sent with the first prompt of a session, by the bytes that the run keeps", async () => {
  const told = plainHost();
  /** @type {[string, unknown][]} */
  const sent = [];
  const { ask } = told.host;
  told.host.ask = (asked, onStep, files) => {
    sent.push([asked.job, files]);
    return ask(asked, onStep);
  };
  const { run, store, event, bytes } = await withImage(told);
  run.feed(event);
  assert.equal((await run.ended).problem, undefined);
  await store.close();
  const files = [{ mime: "image/png", bytes }];
  assert.deepEqual(
    sent.map(([job, files]) => [job.split(":")[0], files]).filter(([job]) => job !== "topic"),
    [
      ["design", files],
      ["design", files],
      ["review", files],
      ["review", undefined],
      ["review", files],
      ["review", undefined],
    ],
  );
});

test("an image that is no longer what the run began with is sent to nobody, and that is told", async () => {
  /** @type {Record<string, [string, (file: string, bytes: Buffer) => void]>} */
  const spoilt = {
    "other bytes": [
      "disk.changed",
      (file, bytes) =>
        writeFileSync(
          file,
          bytes.map((byte) => byte ^ 1),
        ),
    ],
    "a larger file": ["disk.changed", (file, bytes) => writeFileSync(file, Buffer.concat([bytes, bytes]))],
    nothing: ["disk.failed", (file) => rmSync(file)],
    "a link": [
      "disk.link",
      (file) => {
        rmSync(file);
        symlinkSync("/etc/hostname", file);
      },
    ],
  };
  for (const [how, [code, spoil]] of Object.entries(spoilt)) {
    const told = plainHost();
    const { run, store, file, bytes, event } = await withImage(told);
    spoil(path.join(store.directory, file.path), bytes);
    run.feed(event);
    const { done, resumable, problem } = await run.ended;
    await store.close();
    assert.deepEqual([done, resumable, problem?.code], [false, true, code], how);
    assert.match(problem?.file ?? "", /attachments\/[0-9a-f]{64}\.png$/, how);
    assert.deepEqual(
      told.asked.filter(({ job }) => job !== "topic"),
      [],
      how,
    );
  }
});

test("what is stopped while its image is read is not sent any more", async () => {
  const told = plainHost();
  const { run, store, event } = await withImage(told);
  const kept = store.kept.bind(store);
  store.kept = async (file) => {
    const bytes = await kept(file);
    run.cancel("stopped");
    await until(() => told.aborted.length > 0);
    return bytes;
  };
  run.feed(event);
  assert.equal((await run.ended).resumable, true);
  await store.close();
  assert.deepEqual(
    told.asked.filter(({ job }) => job !== "topic"),
    [],
  );
});
