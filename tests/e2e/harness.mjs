// Runs the real OpenCode in a scratch project, with scripted models and the packed plugin installed as a user
// installs it: named in opencode.json, from an npm registry. Nothing leaves loopback, and nothing is left behind.
//
//   await withOpencode({ scenario: { models: { alpha: reply("…") } } }, async ({ command, provider, project }) => {
//     const { code, stdout } = await command("design-lab", "a rate limiter");
//   });

import { execFile, spawn } from "node:child_process";
import { accessSync, constants, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import {
  chmod,
  chown,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  stat,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createOpencodeClient } from "@opencode-ai/sdk";
import { rgPath } from "@vscode/ripgrep";
import { isRoot, NOBODY } from "../as-nobody.mjs";
import { reply } from "../provider/script.mjs";
import { startProvider } from "../provider/server.mjs";
import { atExit, killAllWith, killQuietly } from "./leftovers.mjs";
import { pack, packBuilt, startRegistry, unpack } from "./registry.mjs";
import { startTui } from "./tui.mjs";

/** @typedef {import("../provider/server.mjs").Scenario} Scenario */

const execute = promisify(execFile);
const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
export const OPENCODE = join(root, "node_modules/.bin/opencode");

/** OpenCode's grep and glob need `rg`; npm's is used on a machine without it. */
export const PATH = [process.env.PATH, dirname(rgPath)].join(delimiter);

/** A plugin that makes the modules of later plugins list directories in another order. */
const SHUFFLE = fileURLToPath(new URL("fixtures/shuffle.js", import.meta.url));

/** The model that plays the user's own: the chat's model, and OpenCode's for titles. */
export const HOST = "lab/host";

/** The usual capabilities and cost of a scripted model (dollars per million tokens). */
const MODEL = {
  temperature: true,
  tool_call: true,
  cost: { input: 3, output: 15 },
  limit: { context: 200_000, output: 16_000 },
};

/**
 * @typedef {object} Setup
 * @property {Scenario} [scenario] the scripts of the models; all of them are configured under the provider `lab`
 * @property {Record<string, string[]>} [providers] further providers, each with the names of its models
 * @property {string[]} [away] the providers, `lab` among them, that OpenCode considers remote: their requests reach the scripted
 *   provider as a proxy
 * @property {Record<string, object>} [models] by model, the differences from the usual capabilities and cost
 * @property {string} [program] the program that loads the plugin; by default OpenCode
 * @property {string} [package] the directory of the plugin's package; by default the build's output
 * @property {string} [apiKey] the key of all providers
 * @property {boolean} [fetches] whether OpenCode has to fetch the plugin; by default it is already fetched, unless there are other
 *   plugins: those would be loaded during the fetch, and so first
 * @property {boolean} [snapshots] whether OpenCode takes its snapshots of the project at each step, as it does for users; off by
 *   default, because they take a fifth of a run's time here, and test nothing of ours
 * @property {object} [options] the plugin's options in opencode.json
 * @property {object} [config] further keys of opencode.json
 * @property {object | string} [designLab] `.opencode/design-lab.json`
 * @property {Record<string, string>} [files] further files of the project, by path
 * @property {Record<string, string>} [env] further environment
 * @property {boolean} [shuffled] whether Design Lab lists directories in another order than the file system's
 * @property {boolean} [asNobody] whether OpenCode runs as a user to whom permissions apply, if these tests run as root
 * @property {string} [directory] an empty or absent directory to work in, which is kept; by default a temporary one
 */

/** @typedef {{ code: number | null, signal: string | null, stdout: string, stderr: string, ms: number }} Ended */

/**
 * @typedef {object} Running
 * @property {number} pid
 * @property {Promise<Ended>} ended
 * @property {(signal?: NodeJS.Signals) => void} kill kills the process and all that it started
 * @property {() => string} output the output so far, both streams
 */

/** @typedef {{ timeoutMs?: number, env?: Record<string, string>, show?: boolean }} StartOptions `show`: on our own terminal, too */

/** @typedef {Awaited<ReturnType<typeof open>>} Lab */

/**
 * Sets everything up, runs the body, and tears everything down, whatever happened.
 * @template T
 * @param {Setup} setup
 * @param {(lab: Lab) => Promise<T>} body
 * @returns {Promise<T>}
 */
export async function withOpencode(setup, body) {
  /** @type {(() => Promise<unknown>)[]} */
  const cleanups = [];
  try {
    return await body(await open(setup, (cleanup) => cleanups.unshift(cleanup)));
  } finally {
    // Latest first; a failing one doesn't prevent the others.
    await cleanups.reduce((before, cleanup) => before.finally(cleanup), Promise.resolve());
  }
}

/** @param {Setup} setup @param {(cleanup: () => Promise<unknown>) => void} onClose */
async function open(setup, onClose) {
  requireExecutables();
  const scenario = { models: { host: reply("Noted."), ...setup.scenario?.models } };
  const packed = await (setup.package ? pack(setup.package) : packBuilt(join(root, "pkg")));

  const base = setup.directory
    ? resolve(setup.directory)
    : await realpath(await mkdtemp(join(tmpdir(), "design-lab-e2e-")));
  const home = join(base, "home");
  const tearDown = () => {
    killAllWith(`OPENCODE_TEST_HOME=${home}`);
    if (!setup.directory) rmSync(base, { recursive: true, force: true });
  };
  const callOff = atExit(tearDown);
  onClose(async () => {
    callOff();
    tearDown();
  });
  const provider = await startProvider(scenario);
  onClose(() => provider.close());
  const registry = await startRegistry([packed]);
  onClose(() => registry.close());

  const project = new Project(join(base, "project"));
  await project.write(
    "opencode.json",
    json(opencodeConfig(setup, scenario, provider.baseURL, packed.manifest.name)),
  );
  if (setup.designLab) await project.write(".opencode/design-lab.json", json(setup.designLab));
  for (const [path, text] of Object.entries({ ...SOURCES, ...setup.files })) await project.write(path, text);
  const shuffleLog = join(base, "shuffled.txt");
  const env = {
    ...environment(home),
    ...(setup.shuffled && { SHUFFLE_LOG: shuffleLog }),
    ...(setup.away && { HTTP_PROXY: new URL(provider.baseURL).origin }),
    ...setup.env,
  };
  for (const directory of [home, env.TMPDIR]) await mkdir(directory, { recursive: true });
  await writeFile(join(home, ".npmrc"), `registry=${registry.url}/\n`);
  await writeFile(env.OPENCODE_MODELS_PATH, "{}");
  await commit(project.directory, env);
  const { fetches = setup.shuffled || Object.hasOwn(setup.config ?? {}, "plugin") } = setup;
  if (!fetches) await havePlugin(join(env.XDG_CACHE_HOME, "opencode/packages"), packed);
  await haveDependencies(join(env.XDG_CONFIG_HOME, "opencode"));
  if (await project.exists(".opencode")) await haveDependencies(project.path(".opencode"));
  const program = { file: setup.program ?? OPENCODE, user: setup.asNobody && isRoot ? NOBODY : undefined };
  if (program.user !== undefined) {
    // Other users may not have access to the directory from which these tests run.
    program.file = join(base, "opencode");
    await copyFile(OPENCODE, program.file);
    await chmod(program.file, 0o755);
    await giveAway(base, program.user);
  }

  /** @type {Set<Running>} */
  const running = new Set();
  onClose(async () => {
    for (const process of running) process.kill("SIGKILL");
    await Promise.all([...running].map((process) => process.ended));
  });

  /** Starts `opencode` with these arguments. @param {string[]} args @param {StartOptions} [options] */
  const start = (args, options = {}) => {
    dropLocksOfTheDead(join(env.XDG_STATE_HOME, "opencode/locks"));
    const process = spawnOpencode(program, args, project.directory, {
      ...options,
      env: { ...env, ...options.env },
    });
    running.add(process);
    process.ended.then(() => running.delete(process));
    return process;
  };

  return {
    provider,
    registry,
    project,
    home,
    start,
    /** The directories in which OpenCode finds programs. */
    path: env.PATH,

    /** Runs `opencode` and waits until it ends. @param {string[]} args @param {StartOptions} [options] */
    run: (args, options) => start(args, options).ended,

    /**
     * Runs a slash command as `opencode run --command` does it.
     * @param {string} name
     * @param {string} [args]
     * @param {StartOptions} [options]
     */
    command: (name, args, options) => start(commandLine(name, args), options).ended,

    /** The same without waiting. @param {string} name @param {string} [args] @param {StartOptions} [options] */
    startCommand: (name, args, options) => start(commandLine(name, args), options),

    /** Starts `opencode serve` and returns its SDK client. @param {StartOptions} [options] */
    async serve(options) {
      const server = start(["serve", "--port", "0"], { timeoutMs: 10 * 60_000, ...options });
      const url = await listening(server);
      const client = createOpencodeClient({ baseUrl: url, directory: project.directory });
      const stop = async () => {
        // OpenCode 1.18 survives SIGTERM once a session has been prompted, even without our plugin.
        server.kill("SIGKILL");
        await server.ended;
      };
      return { url, client, stop, pid: server.pid, output: server.output };
    },

    /** Starts the TUI in a terminal of the given size. @param {{ columns?: number, rows?: number, args?: string[] }} [options] */
    async tui({ args = [], ...size } = {}) {
      const terminal = await startTui([program.file, ...args], { cwd: project.directory, env, ...size });
      onClose(() => terminal.stop());
      return terminal;
    },

    /** The directories that Design Lab has listed in another order so far. */
    async shuffledDirectories() {
      return new Set((await readFile(shuffleLog, "utf8").catch(() => "")).split("\n"));
    },

    /** OpenCode's own log. */
    async log() {
      const directory = join(env.XDG_DATA_HOME, "opencode/log");
      const files = await readdir(directory).catch(() => []);
      const texts = await Promise.all(files.sort().map((file) => readFile(join(directory, file), "utf8")));
      return texts.join("");
    },
  };
}

/**
 * Puts the plugin where OpenCode does after fetching it, because fetching takes OpenCode a second.
 * @param {string} directory @param {import("./registry.mjs").Packed} packed
 */
async function havePlugin(directory, packed) {
  const { name, version } = packed.manifest;
  const at = join(directory, `${name}@latest`);
  await unpack(packed, join(at, "node_modules", name));
  await writeFile(join(at, "package.json"), json({ dependencies: { [name]: version } }));
}

/**
 * Prepares a configuration directory as OpenCode does at its first start, when it installs its own plugin API there. Here it
 * can't, and would retry at each start; if killed meanwhile, it leaves a lock for which the next start waits a minute.
 * @param {string} directory
 */
async function haveDependencies(directory) {
  const { devDependencies } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const name = "@opencode-ai/plugin";
  const dependencies = { [name]: devDependencies[name] };
  await mkdir(join(directory, "node_modules"), { recursive: true });
  await writeFile(join(directory, "package.json"), json({ dependencies }));
  const lock = { lockfileVersion: 3, packages: { "": { dependencies } } };
  await writeFile(join(directory, "package-lock.json"), json(lock));
}

/**
 * Removes the locks of killed OpenCodes: the next one would wait for up to a minute until they expire.
 * @param {string} directory
 */
function dropLocksOfTheDead(directory) {
  for (const lock of existsSync(directory) ? readdirSync(directory) : []) {
    try {
      process.kill(JSON.parse(readFileSync(join(directory, lock, "meta.json"), "utf8")).pid, 0);
    } catch (error) {
      const isDead = /** @type {NodeJS.ErrnoException} */ (error).code === "ESRCH";
      if (isDead) rmSync(join(directory, lock), { recursive: true, force: true });
    }
  }
}

/** The user's project, on disk. */
export class Project {
  /** @param {string} directory */
  constructor(directory) {
    this.directory = directory;
  }

  /** @param {string} path */
  path(path) {
    return join(this.directory, path);
  }

  /** @param {string} path */
  read(path) {
    return readFile(this.path(path), "utf8");
  }

  /** @param {string} path @returns {Promise<any>} */
  async json(path) {
    return JSON.parse(await this.read(path));
  }

  /** @param {string} path @param {string} text */
  async write(path, text) {
    const file = this.path(path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }

  /** @param {string} path */
  exists(path) {
    return stat(this.path(path)).then(
      () => true,
      () => false,
    );
  }

  /** Returns every file under a directory, relative to it, sorted. @param {string} path @returns {Promise<string[]>} */
  async files(path) {
    const entries = await readdir(this.path(path), { recursive: true, withFileTypes: true });
    const base = this.path(path);
    return entries
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(base.length + 1))
      .sort();
  }
}

/** @param {string} name @param {string} [args] */
const commandLine = (name, args) => ["run", "--command", name, ...(args === undefined ? [] : ["--", args])];

/** @param {Setup} setup @param {Scenario} scenario @param {string} baseURL @param {string} name */
function opencodeConfig(setup, scenario, baseURL, name) {
  const placed = new Set(Object.values(setup.providers ?? {}).flat());
  const lab = Object.keys(scenario.models).filter((model) => !placed.has(model));
  const providers = Object.entries({ lab, ...setup.providers }).map(([id, models]) => [
    id,
    {
      npm: "@ai-sdk/openai-compatible",
      name: id,
      options: {
        baseURL: setup.away?.includes(id) ? `http://${id}.example/v1` : baseURL,
        apiKey: setup.apiKey ?? "scripted",
      },
      models: Object.fromEntries(
        models.map((model) => [model, { ...MODEL, name: model, ...setup.models?.[model] }]),
      ),
    },
  ]);
  return {
    $schema: "https://opencode.ai/config.json",
    plugin: [...(setup.shuffled ? [SHUFFLE] : []), setup.options ? [name, setup.options] : name],
    model: HOST,
    small_model: HOST,
    snapshot: setup.snapshots ?? false,
    provider: Object.fromEntries(providers),
    ...setup.config,
  };
}

/** Returns the options that the step of these tests sets for the engine on which OpenCode runs. */
const ofItsEngine = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith("BUN_JSC_")));

/** Returns an environment that contains nothing of the user's except PATH. @param {string} home */
function environment(home) {
  return {
    PATH,
    LANG: "C.UTF-8",
    ...(process.env.TZ && { TZ: process.env.TZ }),
    ...ofItsEngine(),
    SHUFFLE: process.env.SHUFFLE ?? "1",
    TERM: "xterm-256color",
    HOME: home,
    OPENCODE_TEST_HOME: home,
    TMPDIR: join(home, "tmp"),
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_DATA_HOME: join(home, ".local/share"),
    XDG_STATE_HOME: join(home, ".local/state"),
    XDG_CACHE_HOME: join(home, ".cache"),
    OPENCODE_MODELS_PATH: join(home, "models.json"),
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
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

const SOURCES = {
  "README.md": "# Shop\n\nA small shop with a public HTTP API.\n",
  "src/server.js": "export function handle(request) {\n  return { status: 200, path: request.path };\n}\n",
  "src/store.js": "export const orders = new Map();\n",
};

/** @param {string} directory @param {Record<string, string>} env */
async function commit(directory, env) {
  for (const args of [
    ["init", "-q"],
    ["add", "-A"],
    ["commit", "-qm", "A small shop"],
  ]) {
    // Git's background maintenance may still be running when the project is removed.
    await execute("git", ["-c", "maintenance.auto=false", ...args], { cwd: directory, env });
  }
}

/** Makes another user the owner of a directory and everything in it. @param {string} directory @param {number} user */
async function giveAway(directory, user) {
  await chown(directory, user, user);
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const at = join(directory, entry.name);
    if (entry.isDirectory()) await giveAway(at, user);
    else if (entry.isFile()) await chown(at, user, user);
  }
}

/**
 * @param {{file: string, user: number | undefined}} program
 * @param {string[]} args
 * @param {string} cwd
 * @param {StartOptions} options
 * @returns {Running}
 */
function spawnOpencode({ file, user }, args, cwd, { env, timeoutMs = 120_000, show = false }) {
  const startedAt = Date.now();
  // A separate process group, so that everything it started can be killed with it.
  const child = spawn(file, args, {
    cwd,
    env,
    uid: user,
    gid: user,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const text = { stdout: "", stderr: "", both: "" };
  for (const stream of /** @type {const} */ (["stdout", "stderr"])) {
    child[stream].setEncoding("utf8").on("data", (chunk) => {
      text[stream] += chunk;
      text.both += chunk;
      if (show) process[stream].write(chunk);
    });
  }
  const kill = (/** @type {NodeJS.Signals} */ signal = "SIGTERM") => {
    if (child.pid) killQuietly(-child.pid, signal);
  };
  /** @type {Promise<Ended>} */
  const ended = new Promise((resolve, reject) => {
    const deadline = setTimeout(() => kill("SIGKILL"), timeoutMs);
    child.on("error", reject);
    child.on("close", (code, signal) => {
      clearTimeout(deadline);
      resolve({ code, signal, stdout: text.stdout, stderr: text.stderr, ms: Date.now() - startedAt });
    });
  });
  return { pid: child.pid ?? 0, ended, kill, output: () => text.both };
}

/** Returns the address on which a server reports to listen. @param {Running} server @returns {Promise<string>} */
async function listening(server) {
  let over = false;
  server.ended.then(() => {
    over = true;
  });
  for (;;) {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(server.output())?.[0];
    if (url) return url;
    if (over) throw new Error(`opencode serve ended before it listened:\n${server.output()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function requireExecutables() {
  const directories = PATH.split(delimiter);
  for (const name of ["git", "rg"]) {
    const found = directories.some((directory) => executable(join(directory, name)));
    if (!found) throw new Error(`${name} is not on PATH: run these tests with \`cargo xtask test e2e\``);
  }
  if (!executable(OPENCODE)) throw new Error("OpenCode is not installed: run `npm ci`");
}

/** @param {string} file */
function executable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** @param {object | string} value */
const json = (value) => (typeof value === "string" ? value : `${JSON.stringify(value, null, 2)}\n`);

/** Returns a text in one line. @param {string} text */
export function flat(text) {
  return text.split(/\s+/).join(" ");
}
