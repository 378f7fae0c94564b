// What an abandoned run has left running: it is reported, and nothing is done to it.

import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { living } from "../kernel/proc.js";
import { Store } from "../kernel/store.js";
import { leftOf } from "./left.js";
import { Processes } from "./processes.js";
import { runsDirectory } from "./runs.js";
import { later, project, run, server } from "./test/run.js";

const onLinux = { skip: process.platform !== "linux" };

test("a server that outlived its run is told, and left alone", onLinux, async () => {
  const { directory } = await project();
  const output = runsDirectory(directory);
  mkdirSync(output, { recursive: true });
  const store = await Store.stage(output);
  later(() => store.close());
  await store.claim("validate-1");
  const used = await run({ at: { directory, output, store } });
  used.write("journal.jsonl", "");
  const { servers } = await used.start(server());
  const pid = servers[0].pid;
  const found = /** @type {any} */ ([{ name: "validate-1", summary: { may_have_left: true } }]);
  assert.deepEqual(await leftOf(directory, found), [], "somebody works on it");

  rmSync(path.join(store.directory, "run.lock"), { recursive: true });
  const process = { name: "web", pid, command: server().command };
  assert.deepEqual(await leftOf(directory, found), [
    { run: "validate-1", processes: [process], problem: null },
  ]);
  assert.ok(living(pid));

  // A command that only the file names doesn't prove what is running.
  const written = used.read("processes.json");
  used.write("processes.json", written.replace(/(?<="mark": ")[^"]*/, "MARK=another"));
  assert.deepEqual(await leftOf(directory, found), [], "what can't be shown to be ours is no matter of ours");
  used.write("processes.json", "[");
  const [unreadable] = await leftOf(directory, found);
  assert.deepEqual([unreadable?.run, unreadable?.processes], ["validate-1", []]);
  assert.match(unreadable?.problem ?? "", /can't be read/);

  rmSync(used.path("processes.json"));
  const [lost] = await leftOf(directory, found);
  assert.match(lost?.problem ?? "", /^The list of the processes that this run started is missing: .*grep -l/);
  const resumed = new Processes(store, true);
  await assert.rejects(
    resumed.stopAll(),
    /The list of the processes that this run started is missing/,
    "nobody reads it as an empty list",
  );
  assert.deepEqual(await leftOf(directory, []), [], "a run that started nothing has lost nothing");

  writeFileSync(used.path("processes.json"), written);
  await used.stop();
  assert.deepEqual(await leftOf(directory, found), []);
});
