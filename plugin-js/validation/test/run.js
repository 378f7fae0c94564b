/**
 * The parts that the tests of this folder share: a run on disk and a decoy, which is a process with the same command, directory and
 * environment as a server of the run, except for the mark. It must still be alive at the end.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, afterEach, beforeEach } from "node:test";
import { fileURLToPath } from "node:url";
import { living, marked } from "../../kernel/proc.js";
import { Store } from "../../kernel/store.js";
import { Effects } from "../effects.js";
import { markOf } from "../processes.js";

/** Long enough that a test that waits for it has failed. */
export const NEVER_MS = 600_000;

/** The placeholder for the port in settings. */
export const PORT = "$".concat("{port}");

/** A server that works correctly. */
export const GOOD = `
  require("node:http").createServer((request, response) => response.end(request.url)).listen(Number(process.env.PORT));
  console.log("listening");
`;

/** Where Playwright is installed; and the browser, if none should be searched for. */
export const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const browser = process.env.CHROMIUM ?? null;

const scratch = realpathSync(mkdtempSync(path.join(tmpdir(), "validation-")));
after(() => rmSync(scratch, { recursive: true, force: true }));
// The key of this machine is the user's own: each test file has a separate one.
process.env.XDG_STATE_HOME = path.join(scratch, "state");

/** @type {import("node:child_process").ChildProcess} */
let decoy;
/** @type {(() => Promise<unknown>)[]} */
const closing = [];

const IDLE = "setInterval(() => {}, 1000)";

beforeEach(async () => {
  decoy = spawn(process.execPath, ["-e", `console.log("up"); ${IDLE}`], {
    cwd: scratch,
    stdio: ["ignore", "pipe", "ignore"],
    detached: true,
  });
  await once(/** @type {any} */ (decoy.stdout), "data");
});

afterEach(async () => {
  const stillThere = living(decoy.pid ?? 0);
  decoy.kill("SIGKILL");
  for (const close of closing.splice(0)) await close();
  assert.ok(stillThere, "somebody else's process was ended");
});

/** A project with a run in it. */
export async function project() {
  const directory = mkdtempSync(path.join(scratch, "project-"));
  const output = path.join(directory, "out");
  const store = await Store.stage(output);
  await store.claim("run");
  closing.push(() => store.close());
  return { directory, output, store };
}

/** @param {Partial<import("../../core/types.js").ServerSettings>} wanted @param {string} [program] */
export const server = (wanted = {}, program = GOOD) => ({
  name: "web",
  command: [process.execPath, "-e", program],
  cwd: ".",
  port: /** @type {const} */ ("auto"),
  env: {},
  ready: { url: null, status: null, port: true, log: null },
  ready_ms: NEVER_MS,
  grace_ms: 60_000,
  allow: true,
  ...wanted,
});

/** @typedef {Awaited<ReturnType<typeof run>>} Run */

/**
 * @param {object} [given]
 * @param {Awaited<ReturnType<typeof project>>} [given.at]
 * @param {string[]} [given.secrets] names of variables
 * @param {ReturnType<typeof server>[]} [given.servers] of the settings
 * @param {Record<string, string>} [given.variables] additional ones
 */
export async function run({ at, secrets = [], servers = [], variables = {} } = {}) {
  const { directory, store } = at ?? (await project());
  const environment = /** @type {Record<string, string>} */ ({
    PATH: process.env.PATH ?? "",
    HOME: process.env.HOME ?? "",
    ...variables,
  });
  const settings = { servers, secrets, playwright: { browser, directory: ROOT } };
  const effects = new Effects({ project: directory, store, settings, environment });
  closing.push(() => effects.end().catch(() => {}));
  const never = new AbortController().signal;
  /** @param {any} command @returns {Promise<any>} */
  const perform = (command) => effects.perform({ effect: 1, ...command }, never);
  return {
    directory,
    store,
    effects,
    perform,
    start: (/** @type {ReturnType<typeof server>[]} */ ...servers) =>
      perform({ command: "start_servers", servers }),
    stop: () => perform({ command: "stop_servers" }),
    /** Runs tests against an address; by default those of `tests/app.spec.ts` against the application. */
    test: (/** @type {string} */ base_url, /** @type {object} */ wanted = {}) =>
      perform({
        command: "run_tests",
        effect: 2,
        against: "application",
        pass: 1,
        files: ["tests/app.spec.ts"],
        base_url,
        others: [],
        test_ms: 60_000,
        timeout_ms: 300_000,
        ...wanted,
      }),
    tearDown: () => perform({ command: "tear_down" }),
    path: (/** @type {string} */ name) => path.join(store.directory, name),
    read: (/** @type {string} */ name) => readFileSync(path.join(store.directory, name), "utf8"),
    write(/** @type {string} */ name, /** @type {string} */ text) {
      const file = path.join(store.directory, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
    },
    /** The processes of the run. */
    processes: () => marked(markOf(store.folder)),
  };
}

/**
 * A process that the run doesn't know but that carries one of its marks.
 * @param {string} mark
 */
export async function leftover(mark) {
  const at = mark.indexOf("=");
  const child = spawn(process.execPath, ["-e", `console.log("up"); ${IDLE}`], {
    cwd: scratch,
    env: { PATH: process.env.PATH, [mark.slice(0, at)]: mark.slice(at + 1) },
    stdio: ["ignore", "pipe", "ignore"],
    detached: true,
  });
  await once(/** @type {any} */ (child.stdout), "data");
  closing.push(async () => child.kill("SIGKILL"));
  return child.pid ?? 0;
}

/** Runs this when the test is over, whatever its result. @param {() => Promise<unknown>} close */
export const later = (close) => closing.push(close);

/** Waits for something that happens soon, without a clock. @param {() => unknown} condition */
export async function until(condition) {
  while (!(await condition())) await new Promise(setImmediate);
}

/**
 * The values of things under some keys: one value of each, or a list of values if there are several keys.
 * @param {any[]} things
 * @param {string[]} keys
 */
export const each = (things, ...keys) =>
  things.map((thing) => (keys.length === 1 ? thing[keys[0] ?? ""] : keys.map((key) => thing[key])));
