/**
 * For tests: the real core's conclusion if tests have these results against the application, and fail against every counterfeit unless
 * the caller states other results there. Which application a test opened isn't judged: several run at once, at their own addresses.
 */
import { ValidationCore } from "../../core/validation.js";

/**
 * @param {{id: string, text: string}[]} criteria
 * @param {any[]} seen their results
 * @param {Record<string, any[]>} [elsewhere] their results against each counterfeit
 * @returns {{outcome: string, verdicts: Record<string, string>}}
 */
export function concluded(criteria, seen, elsewhere = {}) {
  const tests = seen.map(({ opened: _, ...test }) => test);
  const core = new ValidationCore();
  const text = JSON.stringify({
    servers: [{ name: "web", command: ["node"], allow: true }],
    repeat: 1,
    criteria_per_call: 100,
  });
  const opening = core.begin({
    package: core.version,
    stamp: "20261122T223110Z",
    suffix: "a1b2",
    subject: {
      kind: "flow",
      subject: { title: "Notes", text: "", source: { source: "text" }, criteria },
    },
    scope: "full",
    available: { models: [], current: "lab/model", agreed: null },
    left: [],
    obstacle: null,
    fast_check: null,
    settings: core.settings("full", { origin: "project", file: "validation.jsonc", text }, []),
  });
  const failing = { kind: "expect", title: 'Expect "toBe"', error: "Error: it is something else" };
  const fallen = tests.map((test) => ({ ...test, status: "failed", trail: [failing] }));
  const suite = criteria.map(({ id }) => `test("x", { tag: "@${id}" }, async () => {});`).join("\n");
  /** @type {Record<string, object>} */
  const said = {
    "verify:1": { criteria: criteria.map(({ id }) => ({ id, verdict: "met", file: "a.js", line: 1 })) },
    "journeys:1": { journeys: [{ id: "J1", title: "Keep notes", steps: ["Add one"] }], gaps: [] },
    "tests:1": { files: [{ path: "app.spec.ts", text: suite }] },
  };
  /** What follows from a command. @param {any} command @returns {any} */
  const answer = ({ command, name, job, effect, against }) => {
    switch (command) {
      case "claim_directory":
        return { event: "directory_claimed", name };
      case "open_session":
        return { event: "session_opened", job, session: "ses" };
      case "ask":
        return { event: "answered", job, reply: { ...REPLY, text: JSON.stringify(said[job]) } };
      case "list_tests":
        return { event: "tests_listed", effect, listed: { listed: "tests", tests } };
      case "start_servers":
        return { event: "servers_started", effect, servers: [SERVER] };
      case "run_tests": {
        const ran = {
          ran: "report",
          tests: against === "application" ? tests : (elsewhere[against] ?? fallen),
        };
        return { event: "tests_ran", effect, ran, duration_ms: 1 };
      }
      case "stop_servers":
      case "tear_down":
        return { event: "torn_down", effect, processes: [], evidence: [] };
    }
  };

  const run = core.openRun();
  const events = /** @type {any[]} */ ([{ event: "opened", ...opening }]);
  for (let at = 1; events.length > 0; at += 1) {
    const commands = core.apply(run, core.seal(run, { at, ...events.shift() }));
    events.push(...commands.map(answer).filter((event) => event !== undefined));
  }
  const report = new Map(core.files(run)).get("FINAL-VALIDATION.json") ?? "";
  core.closeRun(run);
  const { outcome, criteria: judged } = JSON.parse(report);
  return {
    outcome,
    verdicts: Object.fromEntries(judged.map((/** @type {any} */ { id, verdict }) => [id, verdict])),
  };
}

const REPLY = {
  finish: "stop",
  model: "",
  cost: 0,
  tokens: { input: 0, output: 0, reasoning: 0, cache_read: 0, cache_write: 0 },
  cut_off: 0,
  host_retries: 0,
};

const SERVER = {
  name: "web",
  url: "http://127.0.0.1:4711",
  port: 4711,
  pid: 4711,
  listener: "group",
  ready_after_ms: 1,
};
