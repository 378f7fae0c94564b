// Runs the real OpenCode 2 in a scratch project, with scripted models and the packed plugin installed as a user installs it: named in
// opencode.json, from an npm registry. Nothing leaves loopback, and nothing is left behind.
//
//   await withOpencode2({ scenario: { models: { alpha: reply("…") } } }, async ({ serve, provider, project }) => {
//     const { session } = await serve();
//     const { command } = await session();
//     const shown = await command("design-lab", "a rate limiter");
//   });

import { execFile, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { rgPath } from "@vscode/ripgrep";
import { typed } from "../e2e/artefacts.mjs";
import { Project } from "../e2e/harness.mjs";
import { atExit, killAllWith, killQuietly } from "../e2e/leftovers.mjs";
import { packBuilt, startRegistry } from "../e2e/registry.mjs";
import { startTui } from "../e2e/tui.mjs";
import { reply } from "../provider/script.mjs";
import { startProvider } from "../provider/server.mjs";
import { isInstalled, OPENCODE2 } from "./install.mjs";

/** @typedef {import("../provider/server.mjs").Scenario} Scenario */
/** @typedef {Awaited<ReturnType<typeof open>>} Lab */

const execute = promisify(execFile);
const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const PASSWORD = "scripted";

/** The usual capabilities and cost of a scripted model (dollars per million tokens). */
const MODEL = {
  capabilities: { tools: true, input: ["text", "image"], output: ["text"] },
  cost: { input: 3, output: 15 },
  limit: { context: 200_000, output: 16_000 },
};

const SOURCES = {
  "README.md": "# Shop\n\nA small shop with a public HTTP API.\n",
  "src/server.js": "export function handle(request) {\n  return { status: 200, path: request.path };\n}\n",
  "src/store.js": "export const orders = new Map();\n",
};

/**
 * @typedef {object} Setup
 * @property {Scenario} [scenario] the scripts of the models; all of them are configured under the provider `lab`
 * @property {object} [designLab] `.opencode/design-lab.json`
 * @property {object} [options] the plugin's options in opencode.json
 * @property {object} [config] further keys of opencode.json
 * @property {Record<string, object>} [models] by model, the differences from the usual capabilities and cost
 * @property {Record<string, string>} [files] further files of the project, by path
 * @property {Record<string, string>} [env] further environment
 * @property {import("../e2e/registry.mjs").Packed} [packed] the package to install in place of the built one
 */

/** Why these tests can't run here, for node:test's `skip`; false if they can. */
export const missing = !isInstalled && "OpenCode 2 isn't installed: run `cargo xtask test e2e2`";

/**
 * A test that needs the real OpenCode 2: skipped if it isn't installed.
 * @param {string} name
 * @param {() => Promise<void>} body
 */
export function test2(name, body) {
  test(name, { skip: missing, timeout: 10 * 60_000 }, body);
}

/**
 * Sets everything up, runs the body, and tears everything down, whatever happened.
 * @template T
 * @param {Setup} setup
 * @param {(lab: Lab) => Promise<T>} body
 * @returns {Promise<T>}
 */
export async function withOpencode2(setup, body) {
  /** @type {(() => unknown)[]} */
  const cleanups = [];
  try {
    return await body(await open(setup, (cleanup) => cleanups.unshift(cleanup)));
  } finally {
    // Latest first; a failing one doesn't prevent the others.
    await cleanups.reduce(
      (before, cleanup) => before.finally(async () => void (await cleanup())),
      Promise.resolve(),
    );
  }
}

/** @param {Setup} setup @param {(cleanup: () => unknown) => void} onClose */
async function open(setup, onClose) {
  const scenario = { models: { host: reply("Noted."), ...setup.scenario?.models } };
  const base = await realpath(await mkdtemp(join(tmpdir(), "design-lab-e2e2-")));
  const home = join(base, "home");
  const tearDown = () => {
    killAllWith(`OPENCODE_TEST_HOME=${home}`);
    rmSync(base, { recursive: true, force: true });
  };
  const callOff = atExit(tearDown);
  onClose(() => {
    callOff();
    tearDown();
  });
  const packed = setup.packed ?? (await packBuilt(join(root, "pkg")));
  const provider = await startProvider(scenario);
  onClose(() => provider.close());
  const registry = await startRegistry([packed]);
  onClose(() => registry.close());

  const project = new Project(join(base, "project"));
  const { name } = packed.manifest;
  const configuration = (further = {}) => ({
    update: "disable",
    snapshots: false,
    plugins: [setup.options ? { package: name, options: setup.options } : name],
    model: "lab/host",
    agents: { title: { model: "lab/host" } },
    providers: {
      lab: {
        package: "@opencode/ai/providers/openai-compatible",
        settings: { baseURL: provider.baseURL, apiKey: "scripted" },
        models: Object.fromEntries(
          Object.keys(scenario.models).map((model) => [
            model,
            { name: model, ...MODEL, ...setup.models?.[model] },
          ]),
        ),
      },
    },
    ...setup.config,
    ...further,
  });
  /** Writes the project's configuration, which a running OpenCode reads again. @param {object} [further] */
  const configure = (further) =>
    project.write("opencode.json", `${JSON.stringify(configuration(further), null, 2)}\n`);
  await configure();
  if (setup.designLab) await project.write(".opencode/design-lab.json", JSON.stringify(setup.designLab));
  for (const [path, text] of Object.entries({ ...SOURCES, ...setup.files })) await project.write(path, text);
  const env = { ...environment(home), ...setup.env };
  for (const directory of [env.TMPDIR, join(env.XDG_CONFIG_HOME, "opencode")])
    await mkdir(directory, { recursive: true });
  await writeFile(join(home, ".npmrc"), `registry=${registry.url}/\n`);
  for (const args of [
    ["init", "-q"],
    ["add", "-A"],
    ["commit", "-qm", "A small shop"],
  ])
    await execute("git", args, { cwd: project.directory, env });

  /**
   * Starts `opencode serve`.
   * @param {{service?: boolean}} [options] `service`: as the terminal starts it in the background
   */
  async function serve({ service = false } = {}) {
    const how = service ? ["--service"] : [];
    const args = ["serve", "--hostname", "127.0.0.1", "--port", "0", "--print-logs", ...how];
    // A process group of its own, so that everything it started can be killed with it.
    const child = spawn(OPENCODE2, args, {
      cwd: project.directory,
      env,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let log = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (chunk) => {
        log += chunk;
      });
    const ended = new Promise((resolve) => child.on("close", resolve));
    const kill = async () => {
      if (child.pid) killQuietly(-child.pid, "SIGKILL");
      await ended;
    };
    onClose(kill);
    const url = await new Promise((resolve, reject) => {
      const look = () => {
        const found = /listening on (http:\/\/\S+)/.exec(log)?.[1];
        if (found) resolve(found);
      };
      child.stdout.on("data", look);
      child.stderr.on("data", look);
      ended.then(() => reject(new Error(`opencode serve ended before it listened:\n${log}`)));
    });
    // The background service belongs to no project.
    const location = { directory: project.directory };
    const stored =
      service && JSON.parse(await readFile(join(env.XDG_CONFIG_HOME, "opencode/service.json"), "utf8"));
    const api = caller(url, stored ? stored.password : PASSWORD);
    return {
      api,
      kill,
      url,
      log: () => log,
      session: (given = {}) => newSession(api, { location, ...given }),
    };
  }

  /** Starts the terminal of OpenCode 2, which starts the background service. @param {{columns?: number, rows?: number}} [size] */
  async function tui(size) {
    const terminal = await startTui([OPENCODE2], { cwd: project.directory, env, ...size });
    onClose(() => terminal.stop());
    return terminal;
  }

  /** Copies the project as it is. @param {string} name */
  async function copy(name) {
    const other = new Project(join(base, name));
    await cp(project.directory, other.directory, { recursive: true });
    return other;
  }

  return { provider, registry, project, home, configure, copy, serve, tui };
}

/**
 * Returns a function that calls a route of the server, and returns the data of its answer.
 * @param {string} url
 * @param {string} password
 */
function caller(url, password) {
  const authorization = `Basic ${Buffer.from(`opencode:${password}`).toString("base64")}`;
  /** @param {string} method @param {string} route @param {object} [body] @returns {Promise<any>} */
  return async (method, route, body) => {
    const response = await fetch(`${url}/api${route}`, {
      method,
      headers: { authorization, "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${route}: ${response.status} ${text}`);
    const answer = text === "" ? {} : JSON.parse(text);
    return answer.data ?? answer;
  };
}

/**
 * Creates a session of the user.
 * @param {ReturnType<typeof caller>} api
 * @param {object} given
 */
async function newSession(api, given) {
  const { id } = await api("POST", "/session", { title: "A chat", ...given });

  /** Returns the texts that were shown as results, oldest first. @returns {Promise<string[]>} */
  async function results() {
    const [delivered, waiting] = await Promise.all([
      api("GET", `/session/${id}/message`),
      api("GET", `/session/${id}/inbox`),
    ]);
    const items = [
      ...delivered.toReversed(),
      ...waiting.map((/** @type {any} */ item) => ({ ...item.payload, type: item.type })),
    ];
    return items
      .filter((/** @type {any} */ item) => item.type === "synthetic" && item.description)
      .map((/** @type {any} */ item) => item.description);
  }

  /**
   * Runs a slash command, and returns what it shows at its end.
   * @param {string} name
   * @param {string} [text]
   * @param {{uri: string, name?: string}[]} [files]
   */
  const command = (name, text = "", files) => typed(() => once(name, text, files));

  /** @param {string} name @param {string} text @param {{uri: string, name?: string}[]} [files] */
  async function once(name, text, files) {
    const before = (await results()).length;
    await api("POST", `/session/${id}/command`, { name, text, ...(files && { files }) });
    return (await results()).slice(before).at(-1) ?? "";
  }

  /** Prompts the session's model, and waits until it has answered. @param {string} text */
  async function prompt(text) {
    await api("POST", `/session/${id}/prompt`, { text });
    await api("POST", `/experimental/session/${id}/wait`, {});
  }

  return { id, command, prompt, results };
}

/** Returns an environment that contains nothing of the user's except PATH. @param {string} home */
function environment(home) {
  return {
    PATH: [process.env.PATH, dirname(rgPath)].join(delimiter),
    LANG: "C.UTF-8",
    ...(process.env.TZ && { TZ: process.env.TZ }),
    TERM: "xterm-256color",
    HOME: home,
    OPENCODE_TEST_HOME: home,
    OPENCODE_PASSWORD: PASSWORD,
    TMPDIR: join(home, "tmp"),
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_DATA_HOME: join(home, ".local/share"),
    XDG_STATE_HOME: join(home, ".local/state"),
    XDG_CACHE_HOME: join(home, ".cache"),
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    // All other outgoing connections reach a closed port at once.
    HTTP_PROXY: "http://127.0.0.1:9",
    HTTPS_PROXY: "http://127.0.0.1:9",
    NO_PROXY: "127.0.0.1,localhost",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "user",
    GIT_AUTHOR_EMAIL: "user@example.org",
    GIT_COMMITTER_NAME: "user",
    GIT_COMMITTER_EMAIL: "user@example.org",
  };
}
