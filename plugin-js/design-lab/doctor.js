/**
 * `/design-lab-doctor [--call]`: collects the facts about the setup; the core diagnoses them. Leaves nothing behind except the
 * sessions of trial calls that failed, if the user requested any.
 */
import { execFile } from "node:child_process";
import { access, constants, mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Folder, StoreError } from "../kernel/door.js";
import { isStale } from "../kernel/lock.js";
import { survey } from "../kernel/runs.js";
import { outputDirectoryOrUsual, readableSetup } from "./configuration.js";
import { leftBehind } from "./ignore-file.js";
import { newestVersion } from "./newest.js";
import { placeOf } from "./output.js";
import { tuiFiles } from "./sources.js";

/**
 * @typedef {import("./request.js").Request} Request
 * @typedef {import("../core/types.js").DiskFailure} DiskFailure
 */

const execute = promisify(execFile);

/** The directory of this package. */
const PACKAGE = path.resolve(fileURLToPath(import.meta.url), "../../..");

/** How often the chat shows the progress of the models. */
const TICK_MS = 2_000;

/** How long a program may take to print its version, or to search two files. */
const QUICK_MS = 15_000;

/**
 * @param {Request} request
 * @returns {Promise<string>} the diagnosis
 */
export async function doctor(request) {
  const { core, host, project, currentModel, agreed } = request;
  const calls = core.asksForCalls(request.text);
  const { sources, files, unreadable } = readableSetup(request);
  const [models, agents, server, { program, version }, newest, node, search] = await Promise.all([
    host.models().catch(() => null),
    host.agents(),
    host.plugins(),
    host.program(),
    newestVersion(),
    nodeVersion(),
    searching(),
  ]);
  const available = models && { models, current: currentModel, agreed: agreed() };
  const setup = { sources, files };
  const validation = await validationOf(request, unreadable);
  const name = outputDirectoryOrUsual(core, setup, available);
  const output = path.resolve(project, name);
  const runs = await survey(core, output).catch(unlessDisk);
  const locked = await Promise.all(
    runs.map((run) => isStale(new Folder(output, run.name)).catch(() => false)),
  );
  return core.examine({
    versions: { package: core.version, newest, host: program, opencode: version, node },
    sources,
    files,
    unreadable: unreadable.map(({ file, code }) => ({ file, code })),
    available,
    agents,
    sidebar: { files: tuiFiles(request, program), server, package: PACKAGE },
    search,
    output: {
      name,
      failure: await writing(output, name),
      place: placeOf(project, output),
      ignore_files_left: await leftBehind(output),
      stale_locks: runs.filter((_, index) => locked[index]).map((run) => run.name),
    },
    runs,
    flow: request.configured,
    validation,
    trials: calls && available ? await tryOut(request, core.trialCalls(setup, available)) : null,
    by_model: request.byModel ?? false,
  });
}

/**
 * The settings of Validation, if the project has any.
 * @param {Request} request
 * @param {StoreError[]} unreadable receives the error if they can't be read
 */
async function validationOf({ validation }, unreadable) {
  try {
    return await validation();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    unreadable.push(error);
    return null;
  }
}

/**
 * Returns no runs for a directory that can't be read; another part of the diagnosis reports that it can't.
 * @param {unknown} error
 * @returns {import("../core/types.js").Found<import("../core/types.js").RunFacts>[]}
 */
function unlessDisk(error) {
  if (error instanceof StoreError) return [];
  throw error;
}

/** Returns the version of Node that `npx` would run on. */
async function nodeVersion() {
  const ended = await execute("node", ["--version"], { timeout: QUICK_MS }).catch(() => undefined);
  return ended?.stdout.trim() ?? null;
}

/**
 * Looks for OpenCode's ripgrep where OpenCode does, and tries it on a directory that it should skip.
 * @returns {Promise<import("../core/types.js").Search>}
 */
async function searching() {
  const cache = process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), ".cache");
  const scratch = await mkdtemp(path.join(os.tmpdir(), "design-lab-doctor-"));
  try {
    await mkdir(path.join(scratch, "hidden"));
    await writeFile(path.join(scratch, "shown"), "");
    await writeFile(path.join(scratch, "hidden", ".ignore"), "*\n");
    await writeFile(path.join(scratch, "hidden", "withheld"), "");
    for (const program of ["rg", path.join(cache, "opencode", "bin", "rg")]) {
      const args = ["--no-config", "--files", "--hidden", "."];
      const ended = await execute(program, args, { cwd: scratch, timeout: QUICK_MS }).catch(() => undefined);
      if (!ended) continue;
      return {
        kind: "found",
        honours_ignore: ended.stdout.includes("shown") && !ended.stdout.includes("withheld"),
      };
    }
    return { kind: "missing" };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/**
 * Returns why a directory, which may not exist yet, can't be written to; `null` if it can.
 * @param {string} directory absolute
 * @param {string} name as configured
 * @returns {Promise<DiskFailure | null>}
 */
async function writing(directory, name) {
  let place = directory;
  while (!(await there(place)) && place !== path.dirname(place)) place = path.dirname(place);
  try {
    await access(place, constants.W_OK);
    await rm(await mkdtemp(path.join(place, ".design-lab-doctor-")), { recursive: true });
    return null;
  } catch (error) {
    return { file: name, code: /** @type {NodeJS.ErrnoException} */ (error).code ?? "UNKNOWN" };
  }
}

/** @param {string} file */
function there(file) {
  return stat(file).then(
    () => true,
    (error) => error.code !== "ENOENT" && error.code !== "ENOTDIR",
  );
}

/**
 * Asks each model for an answer, concurrently, and shows the progress. Offers the tools that a run would send, but allows none
 * of them.
 * @param {Request} request
 * @param {import("../core/types.js").TrialCall[]} calls
 * @returns {Promise<import("../core/types.js").Trial[]>}
 */
async function tryOut({ core, host, isolate }, calls) {
  const closed = { enforce_design_isolation: true, blocked_patterns: [], allowed_tools: [] };
  const lift = await isolate(closed, []);
  const began = Date.now();
  /** @type {{model: string, session?: string, answered: boolean | null, ended?: number}[]} */
  const standing = calls.map(({ model }) => ({ model, answered: null }));
  const incoming = (/** @type {string | undefined} */ session) =>
    host.activity?.calls.find((call) => call.session === session) ?? null;
  const show = () => {
    const shown = standing.map(({ model, session, answered, ended = Date.now() }) => {
      return { model, answered, duration_ms: ended - began, incoming: incoming(session) };
    });
    return host.report(core.trialsUnderWay(shown));
  };
  const ticking = setInterval(show, TICK_MS);
  show();
  try {
    return await Promise.all(
      calls.map(async (call, index) => {
        const mine = /** @type {(typeof standing)[number]} */ (standing[index]);
        const trial = await tryOne(host, call, index, (session) => {
          mine.session = session;
        });
        Object.assign(mine, { answered: trial.failure === null, ended: Date.now() });
        show();
        const writing_ms = incoming(mine.session)?.writing_ms ?? 0;
        return { ...trial, writing_ms, duration_ms: Date.now() - began };
      }),
    );
  } finally {
    clearInterval(ticking);
    lift();
  }
}

/**
 * Makes one call, once, without retries: a failure is exactly what the trial looks for.
 * @param {Request["host"]} host
 * @param {import("../core/types.js").TrialCall} call
 * @param {number} index
 * @param {(session: string) => void} begun
 */
async function tryOne(host, { steps, ...call }, index, begun) {
  const { role, model, variant, no_tools } = call;
  const about = { model, variant, no_tools };
  const opened = await host.openSession({ role, title: `Design Lab: does ${model} answer?` });
  if ("failure" in opened) return { ...about, text: null, failure: opened.failure, cost: 0, written: 0 };
  begun(opened.session);
  let isEndless = false;
  const mayGoOn = (/** @type {import("../host.js").Stepped} */ { requests }) => {
    isEndless = requests >= steps;
    return !isEndless;
  };
  const ask = { ...call, ...opened, job: `trial:${index}`, host_retries: 0 };
  const answer = await host.ask(ask, mayGoOn);
  if ("reply" in answer) {
    await host.discard(opened.session);
    const { text, cost, tokens } = answer.reply;
    return { ...about, text, failure: null, cost, written: tokens.output + tokens.reasoning };
  }
  const failure = isEndless ? { ...answer.failure, name: "Endless" } : answer.failure;
  return { ...about, text: null, failure, cost: failure.cost, written: 0 };
}
