/**
 * What a run does besides asking models: it lists and runs tests, starts and ends servers, and gathers evidence.
 */
import path from "node:path";
import { fileURLToPath } from "node:url";
import { DesignLabError } from "../core/load.js";
import { endMarked } from "../kernel/group.js";
import { observe } from "../kernel/observe.js";
import { rulesFile } from "../kernel/project-rules.js";
import { Trees } from "../kernel/tree.js";
import { gather } from "./evidence.js";
import { portOf } from "./http.js";
import { holders, portsOf, whoIs } from "./listener.js";
import { tail } from "./logs.js";
import { BLANK, startPage } from "./pages.js";
import { FOLDER, Playwright } from "./playwright.js";
import { freePort, isTaken } from "./ports.js";
import { markOf, Processes } from "./processes.js";
import { untilReady } from "./ready.js";
import { redacted, redactor } from "./redact.js";
import { labDirectory } from "./runs.js";
import { sourcesOf } from "./sources.js";
import { Versions } from "./versions.js";
import { deadOf, watchServers } from "./watch.js";

/**
 * @typedef {import("../core/types.js").ValidationDecision} Decision
 * @typedef {import("../core/types.js").ValidationEffect} Effect
 * @typedef {import("../core/types.js").ServerSettings} ServerSettings
 * @typedef {import("../core/types.js").ValidationSettings} Settings
 * @typedef {Extract<Effect, {command: "run_check"}>} RunCheck
 * @typedef {Extract<Effect, {command: "start_servers"}>} StartServers
 * @typedef {Extract<Effect, {command: "run_tests"}>} RunTests
 * @typedef {Extract<Effect, {command: "stop_servers" | "tear_down"}>} Ending
 * @typedef {{port: number, live: import("../core/types.js").ValidationLive}} Door of the live counterfeit (live.js)
 */

/** How much of the end of a log is journaled, in characters (src/validation/protocol.rs). */
const TAIL = 4_000;

/** The placeholder for a server's port in its settings. */
const PORT = /\$\{port\}/g;

/** The time limits of a counterfeit for getting ready and for ending, in ms. */
const COUNTERFEIT = { ready_ms: 15_000, grace_ms: 5_000 };

/** The program that replaces the application. */
const PROGRAM = fileURLToPath(new URL("./counterfeit.js", import.meta.url));

/** The program in front of the application. */
const LIVE = fileURLToPath(new URL("./live.js", import.meta.url));

/** The methods of the requests that it handed on. */
const METHODS = `${FOLDER}/live-methods.json`;

/** The start page of the first server, as recorded while the tests ran. */
const START_PAGE = `${FOLDER}/start-page.json`;

/** The same of another server. @param {number} port */
const startPageOf = (port) => `${FOLDER}/start-page-${port}.json`;

/** The effects that this process carries out for one run. */
export class Effects {
  #project;
  #store;
  #environment;
  #processes;
  #playwright;
  #redact;
  #trees;
  #versions;
  /** The actions under way, so that they can be aborted. @type {Map<Promise<unknown>, AbortController>} */
  #underWay = new Map();
  /** The logs of the servers that this process has started, by name. @type {Map<string, string>} */
  #logs = new Map();
  /** The servers that this process has started. @type {import("./watch.js").Server[]} */
  #servers = [];
  /** The ports of these servers. @type {Set<number>} */
  #ports = new Set();

  /**
   * @param {object} run
   * @param {string} run.project absolute
   * @param {import("../kernel/store.js").Store} run.store
   * @param {Pick<Settings, "servers" | "secrets" | "playwright">} run.settings
   * @param {Record<string, string>} run.environment for the processes that are started
   * @param {boolean} [run.mayHaveLeft] whether an earlier process may have started some
   */
  constructor({ project, store, settings, environment, mayHaveLeft }) {
    this.#project = project;
    this.#store = store;
    this.#environment = environment;
    this.#processes = new Processes(store, mayHaveLeft);
    // Nothing can be removed from a trace, which contains every request.
    const traces = settings.secrets.length === 0;
    this.#playwright = new Playwright({ store, project, settings: settings.playwright, environment, traces });
    this.#trees = new Trees({ project, store, leftOut: [labDirectory(project), rulesFile(project)] });
    this.#versions = new Versions(this.#trees);
    const surroundings = [process.env, environment, ...settings.servers.map(({ env }) => env)];
    this.#redact = redactor(
      settings.secrets.flatMap((name) => surroundings.map((variables) => variables[name])),
    );
  }

  /** Ends what an earlier process may have left of Playwright and of checks. Servers are handled when servers are to start. */
  async begin() {
    await endMarked(this.#markOfChecks());
    await this.#playwright.sweep();
  }

  /** Ends everything that is left, even if the run couldn't request it. */
  async end() {
    await this.#callOff();
    await this.#processes.stopAll();
  }

  /** @type {import("../kernel/run.js").Perform} */
  perform = async (/** @type {Effect} */ command, signal, tell = () => {}) => {
    const { effect } = command;
    try {
      if (command.command === "stop_servers" || command.command === "tear_down")
        return await this.#stop(command);
      const meanwhile = (/** @type {Decision} */ decision) => tell(redacted(decision, this.#redact));
      const said = await this.#calledOff(signal, (stopping) => this.#do(command, stopping, meanwhile));
      return redacted(said, this.#redact);
    } catch (error) {
      // A failure is reported as such; a bug in this package stops the run.
      if (error instanceof TypeError || error instanceof DesignLabError) throw error;
      const message = this.#redact(error instanceof Error ? error.message : String(error));
      return { event: "effect_failed", effect, message };
    }
  };

  /**
   * @param {Exclude<Effect, Ending>} command
   * @param {AbortSignal} signal
   * @param {(decision: Decision) => void} tell called for intermediate events
   * @returns {Promise<Decision>}
   */
  async #do(command, signal, tell) {
    const { effect } = command;
    switch (command.command) {
      case "list_tests":
        return { event: "tests_listed", effect, listed: await this.#playwright.list(command, signal) };
      case "list_own_tests":
        return { event: "tests_listed", effect, listed: await this.#playwright.listOwn(command, signal) };
      case "run_check":
        return { event: "check_ran", effect, ran: await this.#runCheck(command, signal) };
      case "start_servers":
        return this.#startServers(command, signal);
      case "run_tests": {
        tell({ event: "files_seen", effect, files: await this.#versions.begin(command.since) });
        const began = performance.now();
        const before = command.against === "application" ? await this.#lengths() : new Map();
        const onBegan = (/** @type {import("./progress.js").Far} */ far) =>
          tell({ event: "test_began", effect, ...far });
        const { ran, ...versions } = await this.#watched(command, signal, (watching) =>
          this.#runTests(command, watching, onBegan),
        );
        const duration_ms = Math.round(performance.now() - began);
        const written = await this.#versions.end();
        const ports = this.#further();
        const methods = command.live && (await this.#methods());
        const noted = {
          ...versions,
          logs: await this.#since(before),
          ...(written && { written }),
          ...(ports.length > 0 && { ports }),
          ...(methods && { methods }),
        };
        return { event: "tests_ran", effect, ran, duration_ms, noted };
      }
      case "look_at_pages":
        return { event: "pages_seen", effect, seen: await this.#playwright.look(command, signal) };
      default:
        throw new TypeError(`nobody performs ${JSON.stringify(command)}`);
    }
  }

  /**
   * @param {RunCheck} command
   * @param {AbortSignal} signal
   */
  async #runCheck({ effect, check, output }, signal) {
    const { command: argv, timeout_ms } = check;
    const cwd = path.resolve(this.#project, check.cwd);
    const mark = `${this.#markOfChecks()}~${effect}`;
    const command = { argv, cwd, env: this.#environment, mark, timeout_ms };
    const ran = await observe(command, { store: this.#store, output }, signal);
    signal.throwIfAborted();
    return ran;
  }

  /** The mark of the checks, which differs from that of the servers: the checks aren't ended with them. */
  #markOfChecks() {
    return `${markOf(this.#store.folder)}-checks`;
  }

  /**
   * @param {StartServers} command
   * @param {AbortSignal} signal
   * @returns {Promise<Decision>}
   */
  async #startServers({ effect, servers }, signal) {
    // Files that servers write as they end and as they start count as the application's.
    await this.#versions.look();
    await this.#processes.stopAll();
    this.#logs.clear();
    this.#servers = [];
    this.#ports.clear();
    const sources = sourcesOf(this.#project, this.#trees);
    const ready = [];
    for (const settings of servers) {
      const { name } = settings;
      const began = performance.now();
      const port = settings.port === "auto" ? await freePort() : settings.port;
      const log = `servers/${name}.log`;
      const filled = (/** @type {string} */ text) => text.replace(PORT, `${port}`);
      const started = await this.#launch(
        {
          name,
          argv: settings.command.map(filled),
          cwd: path.resolve(this.#project, settings.cwd),
          env: {
            ...this.#environment,
            PORT: `${port}`,
            ...Object.fromEntries(Object.entries(settings.env).map(([key, value]) => [key, filled(value)])),
          },
          port,
          grace_ms: settings.grace_ms,
          log,
        },
        {
          url: settings.ready.url && filled(settings.ready.url),
          status: settings.ready.status,
          log: settings.ready.log && filled(settings.ready.log),
        },
        settings.ready_ms,
        signal,
      );
      if ("fault" in started) {
        const said = await tail(this.#store.folder, log, TAIL, started.from);
        await sources;
        return { event: "server_failed", effect, server: name, fault: started.fault, tail: said };
      }
      const { pid, url, listener } = started;
      this.#logs.set(name, log);
      this.#servers.push({ name, started: started.process });
      this.#ports.add(port);
      ready.push({ name, url, port, pid, listener, ready_after_ms: Math.round(performance.now() - began) });
    }
    return { event: "servers_started", effect, servers: ready, sources: await sources };
  }

  /** The ports on which the servers listen besides those that the settings name. */
  #further() {
    const all = portsOf(this.#servers.flatMap(({ started }) => this.#processes.running(started)));
    return all.filter((port) => !this.#ports.has(port));
  }

  /** The lengths of the servers' logs, in bytes by name. */
  async #lengths() {
    const lengths = new Map();
    for (const [name, log] of this.#logs)
      lengths.set(name, (await this.#store.folder.status(log))?.size ?? 0);
    return lengths;
  }

  /**
   * The ends of what the servers have written to their logs since these lengths.
   * @param {Map<string, number>} lengths
   */
  async #since(lengths) {
    const logs = [];
    for (const [server, from] of lengths) {
      const log = this.#logs.get(server) ?? "";
      logs.push({ server, tail: await tail(this.#store.folder, log, TAIL, from) });
    }
    return logs;
  }

  /**
   * Starts a process and waits until it is ready.
   * @param {import("./processes.js").Wanted} wanted
   * @param {import("./ready.js").Ready} ready
   * @param {number} ready_ms
   * @param {AbortSignal} signal
   * @returns {Promise<{pid: number, process: import("./processes.js").Started} & import("./ready.js").Place
   *   | {fault: import("./ready.js").Fault, from: number}>}
   */
  async #launch(wanted, ready, ready_ms, signal) {
    const { port } = wanted;
    if (await isTaken(port)) {
      const by = whoIs(holders(port)?.flat()[0]);
      return { fault: { fault: "port_taken", port, ...by }, from: Number.MAX_SAFE_INTEGER };
    }
    signal.throwIfAborted();
    const process = await this.#processes.start(wanted);
    if ("not_started" in process)
      return {
        fault: { fault: "not_started", message: process.not_started },
        from: Number.MAX_SAFE_INTEGER,
      };
    const { folder } = this.#store;
    const place = await untilReady({
      processes: this.#processes,
      started: process,
      folder,
      ready,
      port,
      ready_ms,
      signal,
    });
    if ("fault" in place) return { fault: place, from: process.log.from };
    await this.#processes.note(process);
    return { ...place, pid: process.entry.pid ?? 0, process };
  }

  /**
   * Runs tests while the servers that they need are running.
   * @param {RunTests} command
   * @param {AbortSignal} signal
   * @param {(watching: AbortSignal) => Promise<import("./playwright.js").Ran>} run
   * @returns {Promise<import("./playwright.js").Ran>}
   */
  async #watched({ against }, signal, run) {
    if (against !== "application" && against !== "live") return run(signal);
    const ended = deadOf(this.#processes, this.#servers);
    if (ended) return this.#endedIn(ended, null);
    const controller = new AbortController();
    const abort = () => controller.abort();
    signal.addEventListener("abort", abort);
    if (signal.aborted) abort();
    /** @type {Promise<import("./playwright.js").Ran> | undefined} */
    let stopped;
    const unwatch = watchServers(this.#processes, this.#servers, (death) => {
      // Stopping the run ends its servers, too.
      if (!signal.aborted) stopped = this.#endedIn(death, this.#playwright.testUnderWay());
      abort();
    });
    try {
      const ran = await run(controller.signal);
      return (await stopped) ?? ran;
    } catch (error) {
      const ran = await stopped;
      if (!ran || signal.aborted) throw error;
      return ran;
    } finally {
      unwatch();
      signal.removeEventListener("abort", abort);
    }
  }

  /**
   * @param {import("./watch.js").Death} death
   * @param {import("../core/types.js").ValidationTestUnderWay | null} test
   * @returns {Promise<import("./playwright.js").Ran>}
   */
  async #endedIn({ server: { name, started }, code, signal }, test) {
    const { file, from } = started.log;
    const said = await tail(this.#store.folder, file, TAIL, from);
    return {
      ran: { ran: "server_ended", server: name, code, signal, tail: said, test },
      playwright: null,
      browser: null,
      directory: null,
    };
  }

  /**
   * @param {RunTests} command
   * @param {AbortSignal} signal
   * @param {(far: import("./progress.js").Far) => void} began called for each test that starts
   * @returns {Promise<import("./playwright.js").Ran>}
   */
  async #runTests(command, signal, began) {
    const tools = this.#playwright.tools();
    if ("obstacle" in tools)
      return {
        ran: { ran: "impossible", obstacle: tools },
        playwright: null,
        browser: null,
        directory: null,
      };
    const { against, base_url, others, live, lies = [] } = command;
    const places = [base_url, ...others].map((address, index) => {
      const url = new URL(address);
      const port = portOf(url);
      const name = index === 0 ? against : `${against}-${port}`;
      return {
        address,
        protocol: url.protocol,
        port,
        name,
        start: index === 0 ? START_PAGE : startPageOf(port),
      };
    });
    const run = () => this.#playwright.run(command, tools, signal, began);
    if (against === "application") {
      for (const place of places) await this.#recordStartPage(place);
      return run();
    }
    if (against === "nothing") {
      for (const { port } of places)
        if (await isTaken(port))
          throw new Error(`Another process is using port ${port}, which must be free here: ${toldOf(port)}`);
      return run();
    }
    if (live) {
      const doors = await doorsOf([live.lie, ...lies.map(({ lie }) => lie)], live);
      const plan = await this.#plan(
        doors,
        places.map(({ port }) => port),
      );
      const at = (/** @type {string} */ lie) => doors.find(({ live }) => live.lie === lie)?.port ?? 0;
      const proxy = (/** @type {string} */ lie) => `http://127.0.0.1:${at(lie)}`;
      const proxies = lies.map(({ lie, ...test }) => ({ ...test, proxy: proxy(lie) }));
      const wanted = { ...command, proxy: proxy(live.lie), proxies };
      const behind = () => this.#playwright.run(wanted, tools, signal, began);
      const argv = [tools.node, LIVE, plan];
      return this.#behind({ name: against, argv, port: at(live.lie) }, behind, signal);
    }
    let action = run;
    for (const { protocol, port, name, start } of places) {
      const page = this.#store.folder.file(
        await this.#page(/** @type {"blank" | "frozen"} */ (against), start),
      );
      const argv = [tools.node, PROGRAM, `${port}`, page, protocol];
      const inner = action;
      action = () => this.#behind({ name, argv, port }, inner, signal);
    }
    return action();
  }

  /**
   * Runs an action while a counterfeit listens on a port.
   * @template T
   * @param {{name: string, argv: string[], port: number}} counterfeit
   * @param {() => Promise<T>} action
   * @param {AbortSignal} signal
   * @returns {Promise<T>}
   */
  async #behind({ name, argv, port }, action, signal) {
    const counterfeit = await this.#launch(
      {
        name: `counterfeit: ${name}`,
        argv,
        cwd: this.#project,
        env: this.#environment,
        port,
        grace_ms: COUNTERFEIT.grace_ms,
        log: `${FOLDER}/${name}.log`,
      },
      {},
      COUNTERFEIT.ready_ms,
      signal,
    );
    if ("fault" in counterfeit)
      throw new Error(
        `No counterfeit could be started on port ${port}: ${JSON.stringify(counterfeit.fault)}`,
      );
    try {
      return await action();
    } finally {
      await this.#processes.stop(counterfeit.process);
    }
  }

  /**
   * Writes the plan of the live counterfeit's changes and returns the file's path.
   * @param {Door[]} doors
   * @param {number[]} served the ports of the application
   */
  async #plan(doors, served) {
    const ports = [...new Set([...served, ...this.#ports, ...this.#further()])];
    const addresses = ports.flatMap((one) =>
      ["127.0.0.1", "localhost", "[::1]"].map((host) => `${host}:${one}`),
    );
    // In an address, the usual port of its protocol is left out.
    const spelled = (/** @type {string} */ one) => [
      one,
      new URL(`http://${one}`).host,
      new URL(`https://${one}`).host,
    ];
    const hosts = [...new Set(addresses.flatMap(spelled))];
    const file = `${FOLDER}/live-plan.json`;
    await this.#store.write(METHODS, "[]");
    const plan = { doors, hosts, methods: this.#store.folder.file(METHODS) };
    await this.#store.write(file, `${JSON.stringify(plan, null, 2)}\n`);
    return this.#store.folder.file(file);
  }

  /**
   * The methods of the requests that the live counterfeit handed on to the application; undefined if they can't be read.
   * @returns {Promise<string[] | undefined>}
   */
  async #methods() {
    try {
      return JSON.parse(`${await this.#store.folder.read(METHODS)}`);
    } catch {
      return undefined;
    }
  }

  /**
   * The file with the page that a counterfeit serves. A server beside the first needs no start page: without one, its counterfeit is
   * blank.
   * @param {"blank" | "frozen"} against
   * @param {string} start the file with the server's start page
   */
  async #page(against, start) {
    if (against === "frozen") {
      if (await this.#store.folder.status(start)) return start;
      if (start === START_PAGE)
        throw new Error("The application's start page could not be recorded, so there is no copy to test");
    }
    const file = `${FOLDER}/blank-page.json`;
    await this.#store.write(file, `${JSON.stringify(BLANK, null, 2)}\n`);
    return file;
  }

  /**
   * Records a start page, which only the frozen counterfeit needs; the tests themselves don't.
   * @param {{address: string, start: string}} server `start`: the file
   */
  async #recordStartPage({ address, start }) {
    if (await this.#store.folder.status(start)) return;
    const page = await startPage(address).catch(() => undefined);
    if (page) await this.#store.write(start, `${JSON.stringify(page, null, 2)}\n`);
  }

  /**
   * @param {Ending} command
   * @returns {Promise<Decision>}
   */
  async #stop({ command, effect }) {
    await this.#callOff();
    await this.#processes.stopAll();
    const processes = this.#processes.takeEnds();
    const evidence = command === "tear_down" ? await gather(this.#store.folder, this.#redact) : [];
    return { event: "torn_down", effect, processes, evidence };
  }

  /**
   * Runs an action that can be aborted.
   * @template T
   * @param {AbortSignal} signal
   * @param {(stopping: AbortSignal) => Promise<T>} action
   * @returns {Promise<T>}
   */
  async #calledOff(signal, action) {
    const controller = new AbortController();
    const abort = () => controller.abort();
    signal.addEventListener("abort", abort);
    if (signal.aborted) abort();
    const doing = action(controller.signal);
    this.#underWay.set(doing, controller);
    try {
      return await doing;
    } finally {
      this.#underWay.delete(doing);
      signal.removeEventListener("abort", abort);
    }
  }

  /** Aborts everything under way, and waits until nothing of it is left. */
  async #callOff() {
    for (const controller of this.#underWay.values()) controller.abort();
    await Promise.allSettled([...this.#underWay.keys()]);
  }
}

/**
 * A door of the live counterfeit for each lie.
 * @param {import("../core/types.js").ValidationLie[]} lies
 * @param {import("../core/types.js").ValidationLive} live
 */
async function doorsOf(lies, live) {
  /** @type {Door[]} */
  const doors = [];
  for (const lie of new Set(lies)) {
    let port = await freePort();
    while (doors.some((door) => door.port === port)) port = await freePort();
    doors.push({ port, live: { ...live, lie } });
  }
  return doors;
}

/** The process that listens on a port, in words. @param {number} port */
function toldOf(port) {
  const { pid, command } = whoIs(holders(port)?.flat()[0]);
  return pid === null ? "the system doesn't show which process" : `process ${pid}, ${command}`;
}
