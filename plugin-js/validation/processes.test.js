// Servers, as real processes: what is reported about servers that aren't ready, what is ended, and what is left alone.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { isGuard } from "../kernel/group.js";
import { commandOf, living, marked } from "../kernel/proc.js";
import { Store } from "../kernel/store.js";
import { tell } from "./facts.js";
import { isTaken } from "./ports.js";
import { leftIn, markOf } from "./processes.js";
import { entryOf, ownershipOf, print } from "./registry.js";
import { each, GOOD, later, leftover, NEVER_MS, PORT, project, run, server, until } from "./test/run.js";

/**
 * @typedef {import("./registry.js").Entry} Entry
 * @typedef {import("../kernel/door.js").Folder} Folder
 */

const onLinux = { skip: process.platform !== "linux" };

const VERIFIED = ["start of the system", "start time", "user", "group", "command", "directory", "mark"];

/** @type {[string, import("./ready.js").Ready & {port: boolean}][]} */
const WAYS = [
  ["its port", { port: true, url: null, status: null, log: null }],
  ["an answer", { port: false, url: "/start", status: null, log: null }],
  ["an answer with a status", { port: false, url: "/", status: 200, log: null }],
  ["an answer at an address", { port: false, url: `http://localhost:${PORT}/x`, status: 200, log: null }],
  ["a line of its log", { port: false, url: null, status: null, log: "listening" }],
];
for (const [way, ready] of WAYS) {
  test(`a server that shows by ${way} that it is ready is ours, and is ended`, onLinux, async () => {
    const { start, stop, processes, read, store } = await run();
    const { event, servers } = await start(server({ ready: /** @type {any} */ (ready) }));
    const [{ ready_after_ms, ...web }] = servers;
    assert.equal(event, "servers_started");
    assert.ok(ready_after_ms >= 0);
    assert.deepEqual(web, {
      name: "web",
      url: `http://127.0.0.1:${web.port}`,
      port: web.port,
      pid: web.pid,
      listener: "group",
    });
    const [entry] = JSON.parse(read("processes.json")).processes;
    assert.deepEqual([entry.pid, entry.pgid, entry.port], [web.pid, web.pid, web.port]);
    assert.deepEqual(entry.cmd, [process.execPath, "-e", GOOD], "and not the shell that it was started by");
    assert.equal(entry.ownership_hash, ownershipOf(store.folder, entry));
    const ended = await stop();
    const checked = ["handle", ...VERIFIED];
    assert.deepEqual(ended.processes, [
      { name: "web", pid: web.pid, end: "terminated", why: "", look: "", checked },
    ]);
    assert.deepEqual([processes(), await isTaken(web.port)], [[], false]);
    assert.deepEqual((await stop()).processes, [], "each end is told once");
  });
}

test("nothing is left that a guard begins while it is ended", onLinux, async () => {
  // It is recognised as a guard by its command, and starts one program after another.
  const busy = `process.on("SIGTERM", () => {}); const { spawn } = require("node:child_process");
    let left = 1000;
    (function next() { if (left--) spawn("/bin/sleep", ["600"], { stdio: "ignore" }).on("spawn", next); })();`;
  const program = `const { spawn } = require("node:child_process");
    require("node:http").createServer((request, response) => request.on("data", (script) => {
      spawn(process.execPath, ["--eval=" + ${JSON.stringify(busy)}, String(script)], { stdio: "ignore" })
        .on("spawn", () => response.end());
    }).on("end", () => {})).listen(Number(process.env.PORT));`;
  const { start, stop, processes } = await run();
  const { servers } = await start(server({}, program));
  const guard = processes().find(isGuard) ?? 0;
  await fetch(servers[0].url, { method: "POST", body: commandOf(guard)[2] });
  await until(() => processes().length > 8);
  await stop();
  assert.deepEqual(processes(), []);
});

test("what is to be started is written down before", onLinux, async () => {
  const { start, path, read } = await run();
  const program = `
    const { processes } = JSON.parse(require("node:fs").readFileSync(${JSON.stringify(path("processes.json"))}));
    const mine = processes.filter(({ mark }) => mark === "DESIGN_LAB_VALIDATION=" + process.env.DESIGN_LAB_VALIDATION);
    console.log("written down: " + mine.length);
    process.exit(1);`;
  const { fault, tail } = await start(server({}, program));
  assert.deepEqual([fault, tail], [{ fault: "died", code: 1, signal: null }, "written down: 1\n"]);
  assert.equal(read("servers/web.log"), tail);
});

test(
  "a server is told its port, its variables and its directory, and the second waits for the first",
  onLinux,
  async () => {
    const { start, read, directory } = await run();
    const say = `console.log(JSON.stringify([process.argv[1], process.env.GIVEN, process.cwd()]));`;
    const command = [process.execPath, "-e", GOOD + say, "--", `--port=${PORT}`];
    const slow = `setTimeout(() => {${GOOD}}, 300)`;
    const { servers } = await start(
      server({ name: "api" }, slow),
      server({ command, env: { GIVEN: `at ${PORT}` } }),
    );
    const [api, web] = servers;
    assert.notEqual(api.port, web.port);
    assert.match(read("servers/web.log"), new RegExp(`"--port=${web.port}","at ${web.port}","${directory}"`));
    const [first, second] = JSON.parse(read("processes.json")).processes;
    assert.ok(first.started_at < second.intended_at);
  },
);

test(
  "a server that never listens is told when its time is up, and is ended by the teardown",
  onLinux,
  async () => {
    const { start, tearDown, processes } = await run();
    const { event, fault, tail } = await start(
      server({ ready_ms: 300 }, 'console.log("thinking"); setInterval(() => {}, 1000)'),
    );
    assert.equal(event, "server_failed");
    assert.deepEqual(fault, { fault: "not_ready", after_ms: 300, listens_on: [] });
    assert.ok(["thinking\n", ""].includes(tail));
    const { processes: ends } = await tearDown();
    assert.deepEqual(each(ends, "end"), ["terminated"]);
    assert.deepEqual(processes(), []);
  },
);

test("a server that listens on another port is reported by that", onLinux, async () => {
  const { start, read } = await run();
  const program = `
    const server = require("node:net").createServer().listen(0, "127.0.0.1", () => console.log(server.address().port));`;
  let seen = { fault: "", after_ms: 0, listens_on: /** @type {number[]} */ ([]) };
  // With increasing time limits, until it has started to listen.
  for (let ready_ms = 250; seen.listens_on.length === 0; ready_ms *= 2)
    seen = (await start(server({ ready_ms }, program))).fault;
  const port = Number(read("servers/web.log").trim().split("\n").at(-1));
  assert.deepEqual([seen.fault, seen.listens_on], ["not_ready", [port]]);
});

test("a server that answers otherwise than it should isn't ready", onLinux, async () => {
  const { start } = await run();
  const ready = { url: "/", status: 404, port: false, log: null };
  const { fault } = await start(server({ ready, ready_ms: 1_000 }));
  assert.equal(fault.fault, "not_ready");
});

for (const [name, program, fault] of /** @type {[string, string, object][]} */ ([
  ["with a code", 'console.log("no database"); process.exit(3)', { code: 3, signal: null }],
  [
    "by a signal",
    'console.log("no database"); process.kill(process.pid, "SIGSEGV")',
    { code: null, signal: "SIGSEGV" },
  ],
  ["content", 'console.log("no database")', { code: 0, signal: null }],
])) {
  test(`a server that ends ${name} is reported with its last lines`, onLinux, async () => {
    const { start, tearDown, processes } = await run();
    const seen = await start(server({}, program));
    assert.deepEqual([seen.fault, seen.tail], [{ fault: "died", ...fault }, "no database\n"]);
    const { processes: ends } = await tearDown();
    assert.deepEqual(each(ends, "end"), ["ended_by_itself"]);
    assert.deepEqual(processes(), []);
  });
}

test("a server that dies in the middle is reported as one that ended by itself", onLinux, async () => {
  const { start, stop, processes } = await run();
  const { servers } = await start(server({}, `${GOOD} process.on("SIGUSR2", () => process.exit(7));`));
  const [{ pid }] = servers;
  process.kill(pid, "SIGUSR2");
  await until(() => !living(pid));
  const { processes: ends } = await stop();
  assert.deepEqual(each(ends, "end"), ["ended_by_itself"]);
  assert.deepEqual(processes(), [], "its guard has gone, too");
});

test("a server that doesn't want to end is ended by force, with its children", onLinux, async () => {
  const { start, stop, processes } = await run();
  const stubborn = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000);';
  const child = `require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(stubborn)}])`;
  const { servers } = await start(server({ grace_ms: 100 }, `${stubborn} ${child}; ${GOOD}`));
  await until(() => processes().length === 3);
  const { processes: ends } = await stop();
  assert.deepEqual(each(ends, "end", "pid"), [["killed", servers[0].pid]]);
  assert.deepEqual(processes(), []);
});

test("a server that leaves itself to run in the background is ours by its mark", onLinux, async () => {
  const { start, stop, processes } = await run();
  const daemon = `
    require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(GOOD)}], { detached: true, stdio: "ignore" }).unref();`;
  const { servers } = await start(server({}, daemon));
  assert.equal(servers[0].listener, "nonce");
  const { processes: ends } = await stop();
  assert.deepEqual(each(ends, "end"), ["terminated"]);
  assert.deepEqual([processes(), await isTaken(servers[0].port)], [[], false]);
});

for (const [where, leaves] of /** @type {const} */ ([
  ["in its group", false],
  ["in the background", true],
]))
  test(`a large server ${where} has freed its port once its end is reported`, onLinux, async () => {
    const { start, stop } = await run();
    // An exiting process releases its memory first, and keeps its sockets until then.
    const large = `const much = Buffer.alloc(2 ** 29, 1); process.title = String(much.length); ${GOOD}`;
    const background = `
      require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(large)}], { detached: true, stdio: "ignore" }).unref();`;
    const { servers } = await start(server({}, leaves ? background : large));
    await stop();
    assert.equal(await isTaken(servers[0].port), false);
  });

test("a server that shakes off its mark and its group isn't taken for ours, nor ended", onLinux, async () => {
  const { start, tearDown } = await run();
  const escaping = `
    const { spawn } = require("node:child_process");
    const env = { PORT: process.env.PORT };
    console.log(spawn(process.execPath, ["-e", ${JSON.stringify(GOOD)}], { detached: true, stdio: "ignore", env }).pid);
    setInterval(() => {}, 1000);`;
  const { fault } = await start(server({}, escaping));
  later(async () => process.kill(fault.pid, "SIGKILL"));
  assert.equal(fault.fault, "foreign_listener");
  assert.equal(fault.command, `${process.execPath} -e ${GOOD}`);
  await tearDown();
  assert.ok(living(fault.pid));
});

test("a port that somebody has is neither used nor freed", onLinux, async () => {
  const { start, tearDown, processes } = await run();
  for (const host of ["127.0.0.1", "::1"]) {
    const theirs = createServer().listen(0, host);
    await once(theirs, "listening");
    later(async () => theirs.close());
    const { port } = /** @type {import("node:net").AddressInfo} */ (theirs.address());
    const { fault, tail } = await start(server({ port }));
    const command = readFileSync("/proc/self/cmdline", "utf8").replace(/\0$/, "").replaceAll("\0", " ");
    assert.deepEqual(fault, { fault: "port_taken", port, pid: process.pid, command });
    assert.equal(tail, "");
    assert.deepEqual((await tearDown()).processes, [], "nothing was started");
    assert.ok(theirs.listening);
  }
  assert.deepEqual(processes(), []);
});

test("a program that can't be started is reported in the system's words", onLinux, async () => {
  const { start, read } = await run();
  const { fault } = await start(server({ command: ["there-is-no-such-program"] }));
  assert.deepEqual(fault, { fault: "not_started", message: "ENOENT" });
  const nowhere = await start(server({ cwd: "nowhere" }));
  assert.deepEqual(nowhere.fault, { fault: "not_started", message: "ENOENT" });
  assert.deepEqual(JSON.parse(read("processes.json")).processes, []);
});

test("a long log is neither read whole nor kept whole", onLinux, async () => {
  const { start, tearDown, read } = await run();
  const program = `
    const line = "x".repeat(1023) + "\\n";
    for (let n = 0; n < 40; n += 1) require("node:fs").writeSync(1, line.repeat(1024));
    ${GOOD}
    console.log("ready at last");`;
  const ready = { url: null, status: null, port: false, log: "ready at last" };
  await start(server({ ready }, program));
  const { evidence } = await tearDown();
  const [log] = evidence;
  assert.equal(log.path, "servers/web.log");
  const text = read(log.path);
  assert.ok(text.length < 17 << 20 && text.length === log.bytes);
  assert.match(text, /\n\[\d+ bytes left out\]\n/);
  assert.ok(text.endsWith("ready at last\n"));
});

test("what is under way is called off by the teardown", onLinux, async () => {
  const { start, tearDown, processes } = await run();
  const starting = start(server({}, "setInterval(() => {}, 1000)"));
  await until(() => processes().length > 0);
  const { processes: ends } = await tearDown();
  assert.deepEqual(each(ends, "end"), ["terminated"]);
  assert.equal((await starting).event, "effect_failed");
  assert.deepEqual(processes(), []);
});

/**
 * An entry of a run for a process that carries its mark.
 * @param {import("../kernel/door.js").Folder} run
 * @param {string} mark
 * @param {number} pid
 */
function entryFor(run, mark, pid) {
  const intent = {
    n: 1,
    name: "web",
    mark,
    owner_run_id: "run",
    wanted: ["node"],
    directory: "/",
    port: 1,
    grace_ms: 50,
    intended_at: "2026-11-22T00:00:00.000Z",
  };
  const entry = { ...entryOf(intent), ...tell(pid, mark)?.facts };
  return { ...entry, ownership_hash: ownershipOf(run, entry) };
}

test(
  "what an earlier process has left is ended where all of it is as it was written down",
  onLinux,
  async () => {
    const left = await run();
    const mark = `${markOf(left.store.folder)}~0`;
    const pid = await leftover(mark);
    left.write("processes.json", print([entryFor(left.store.folder, mark, pid)]));
    const { processes: ends } = await left.tearDown();
    assert.deepEqual(ends, [{ name: "web", pid, end: "terminated", why: "", look: "", checked: VERIFIED }]);
    assert.equal(living(pid), undefined);
  },
);

/** @type {[string, string, (entry: import("./registry.js").Entry) => Partial<import("./registry.js").Entry>][]} */
const ALTERED = [
  [
    "start time",
    "the number is another's now",
    ({ start_ticks }) => ({ start_ticks: `${Number(start_ticks) - 1}` }),
  ],
  ["start of the system", "the system was restarted", () => ({ boot_id: "another" })],
  ["command", "it is another program", () => ({ cmd: ["node", "other.js"] })],
  ["directory", "it is elsewhere", () => ({ cwd: "/elsewhere" })],
  ["group", "it is in another group", ({ pgid }) => ({ pgid: Number(pgid) + 1 })],
  ["user", "it is another's", ({ user }) => ({ user: Number(user) + 1 })],
  ["mark", "it carries another mark", ({ mark }) => ({ mark: `${mark}1` })],
];
for (const [fact, why, alter] of ALTERED) {
  test(`a process of which the ${fact} differs is left alone: ${why}`, onLinux, async () => {
    const left = await run();
    const mark = `${markOf(left.store.folder)}~0`;
    const pid = await leftover(mark);
    const entry = entryFor(left.store.folder, mark, pid);
    const altered = { ...entry, ...alter(entry) };
    altered.ownership_hash = ownershipOf(left.store.folder, altered);
    left.write("processes.json", print([altered]));
    const { processes: ends } = await left.tearDown();
    assert.deepEqual(ends, [
      {
        name: "web",
        pid,
        end: "left_alone",
        why: `it may be another program now, because its ${fact} differs from the recorded one`,
        look: `ps -ww -o pid,pgid,lstart,args -p ${pid}`,
        checked: VERIFIED.filter((name) => name !== fact),
      },
    ]);
    assert.ok(living(pid));
  });
}

/** @type {[string, (entry: Entry, run: Folder) => Partial<Entry>][]} */
const FORGED = [
  ["that somebody has changed", () => ({ wanted: ["node", "server.js"] })],
  ["without a number, and with a mark alone", () => ({ pid: null, pgid: null, start_ticks: null })],
  ["with a hash that anybody can make", (entry) => ({ ownership_hash: hashOf(entry) })],
  ["without a hash", () => ({ ownership_hash: null })],
  [
    "of another run",
    (entry, run) => {
      const owner_run_id = "another";
      return { owner_run_id, ownership_hash: ownershipOf(run, { ...entry, owner_run_id }) };
    },
  ],
  [
    "that came with a copy of its directory",
    (entry, run) => ({
      ownership_hash: ownershipOf(/** @type {Folder} */ ({ path: `${run.path}-before` }), entry),
    }),
  ],
  [
    "whose mark isn't of this directory",
    (entry, run) => {
      const mark = "AUDITMARK=clone";
      return { mark, ownership_hash: ownershipOf(run, { ...entry, mark }) };
    },
  ],
];
for (const [what, forge] of FORGED) {
  test(`by an entry ${what} nothing is looked for or ended`, onLinux, async () => {
    const left = await run();
    const { folder } = left.store;
    const mark = `${markOf(folder)}~0`;
    const pid = await leftover(mark);
    const entry = entryFor(folder, mark, pid);
    const forged = { ...entry, ...forge(entry, folder) };
    left.write("processes.json", print([forged]));
    assert.deepEqual(await leftIn(folder, false), []);
    const { processes: ends } = await left.tearDown();
    assert.deepEqual(each(ends, "end", "why"), [
      ["left_alone", "this machine didn't write its entry in processes.json"],
    ]);
    assert.ok(living(pid));
    assert.deepEqual((await left.tearDown()).processes, [], "each end is told once");
  });
}

/** The hash of an entry made without a key. @param {Entry} entry */
function hashOf({ mark, owner_run_id, pid, pgid, boot_id, start_ticks, user, cwd, cmd }) {
  const facts = [mark, owner_run_id, pid, pgid, boot_id, start_ticks, user, cwd, cmd];
  return createHash("sha256").update(JSON.stringify(facts)).digest("hex");
}

for (const [name, text] of /** @type {[string, string][]} */ ([
  ["is no JSON", "{"],
  ["is empty", ""],
  ["has no list", '{"version": 1}'],
  ["is of another version", '{"version": 2, "processes": []}'],
  ["has an entry without a mark", '{"version": 1, "processes": [{"n": 1, "name": "web"}]}'],
  ["has what is no entry", '{"version": 1, "processes": [null]}'],
])) {
  test(
    `a list of processes that ${name} is an error, and nothing is started, ended or written`,
    onLinux,
    async () => {
      const left = await run();
      const mark = `${markOf(left.store.folder)}~0`;
      const pid = await leftover(mark);
      left.write("processes.json", text);
      for (const reported of [await left.tearDown(), await left.start(server())]) {
        assert.equal(reported.event, "effect_failed");
        assert.match(
          reported.message,
          /processes\.json can't be read.*grep -l DESIGN_LAB_VALIDATION=\w{32} /s,
        );
      }
      assert.ok(living(pid));
      assert.equal(left.read("processes.json"), text);
      assert.deepEqual(left.processes(), [pid]);
    },
  );
}

test(
  "nothing is left when the host is killed but what left the group, and that is found afterwards",
  onLinux,
  async () => {
    const at = await project();
    const program = `
    const { spawn } = require("node:child_process");
    process.on("SIGTERM", () => {});
    const idle = "setInterval(() => {}, 1000)";
    spawn(process.execPath, ["-e", idle], { stdio: "ignore" });
    spawn(process.execPath, ["-e", idle], { detached: true, stdio: "ignore" });
    ${GOOD}`;
    await at.store.close();
    const here = (/** @type {string} */ file) =>
      JSON.stringify(fileURLToPath(new URL(file, import.meta.url)));
    const host = spawn(process.execPath, [
      "--input-type=module",
      "-e",
      `
    import { Effects } from ${here("./effects.js")};
    import { Store } from ${here("../kernel/store.js")};
    const { store } = await Store.reopen(${JSON.stringify(at.output)}, "run");
    const settings = { servers: [], secrets: [], playwright: { browser: null, directory: null } };
    const environment = { PATH: process.env.PATH };
    const effects = new Effects({ project: ${JSON.stringify(at.directory)}, store, settings, environment });
    const said = await effects.perform({
      command: "start_servers", effect: 1, servers: [${JSON.stringify(server({}, program))}],
    }, new AbortController().signal);
    console.log(JSON.stringify(said));
    setInterval(() => {}, 1000);`,
    ]);
    later(async () => host.kill("SIGKILL"));
    const [said] = await once(host.stdout, "data");
    const [{ pid }] = JSON.parse(`${said}`).servers;
    const reopened = async () => ({ ...at, store: (await Store.reopen(at.output, "run")).store });
    const mark = markOf(at.store.folder);
    await until(() => marked(mark).length === 4);
    const killed = performance.now();
    host.kill("SIGKILL");
    await until(() => marked(mark).length === 1);
    const after = performance.now() - killed;
    assert.ok(after < 5_000, `it took ${after} ms: a second is given to end in order`);
    await until(() => !living(pid));

    const next = await run({ at: await reopened() });
    const { processes: ends } = await next.tearDown();
    assert.deepEqual(each(ends, "name", "end"), [["web", "terminated"]]);
    assert.deepEqual(marked(mark), []);
    await next.store.close();
  },
);

test("what runs is ended with the run, whatever stopped that", onLinux, async () => {
  const { start, effects, processes } = await run();
  await start(server({ ready_ms: NEVER_MS }));
  await effects.end();
  assert.deepEqual(processes(), []);
});

test("secrets that the settings name are neither told nor kept", onLinux, async () => {
  const servers = [server({ env: { KEY: "pass word+1" } })];
  const { start, tearDown, read } = await run({ secrets: ["KEY", "UNSET"], servers });
  const program = "console.log(process.env.KEY, encodeURIComponent(process.env.KEY)); process.exit(1)";
  const { tail } = await start(server({ env: { KEY: "pass word+1" } }, program));
  assert.equal(tail, "[redacted] [redacted]\n");
  const { evidence } = await tearDown();
  const log = "[redacted] [redacted]\n";
  assert.equal(read("servers/web.log"), log);
  const sha256 = createHash("sha256").update(log).digest("hex");
  assert.deepEqual(evidence, [{ path: "servers/web.log", bytes: log.length, sha256 }]);
});
