/**
 * For tests: a host made of a few lines of plain data, whose models answer as good ones would; and a run with two designers on
 * the real core and a real disk.
 */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { design, evaluations, phaseOf, writtenReview } from "../../../tests/provider/lab.mjs";
import { Core } from "../../core/design-lab.js";
import { Store } from "../store.js";

/** @typedef {import("../../host.js").Ask} Ask */

export const core = new Core();

const NOTHING = {
  cost: 0,
  tokens: { input: 0, output: 0, reasoning: 0, cache_read: 0, cache_write: 0 },
  cut_off: 0,
  host_retries: 0,
  requests: 1,
};

/** @param {Partial<import("../../host.js").Host>} [own] what this host does differently */
export function plainHost(own = {}) {
  let opened = 0;
  /** The events so far, in order. */
  const asked = /** @type {Ask[]} */ ([]);
  const aborted = /** @type {string[]} */ ([]);
  const shown = /** @type {{text: string, panel: unknown}[]} */ ([]);
  const notices = /** @type {string[]} */ ([]);
  /** Each session's conversation. @type {Map<string, {role: string, content: string, toolCalls: string[]}[]>} */
  const conversations = new Map();
  /** @type {import("../../host.js").Host} */
  const host = {
    openSession: async () => {
      opened += 1;
      return { session: `ses_${opened}` };
    },
    ask: async (ask) => answer(ask),
    recover: async (ask) => answer(ask),
    abort: async (session) => void aborted.push(session),
    discard: async () => {},
    report: async (text, panel) => void shown.push({ text, panel }),
    place: undefined,
    amend: async () => {},
    notify: (_, message) => void notices.push(message),
    models: async () => [],
    program: async () => ({ program: "opencode", version: null }),
    agents: async () => null,
    plugins: async () => [],
    ...own,
  };
  /** @param {Ask} ask */
  function answer(ask) {
    asked.push(ask);
    const messages = conversations.get(ask.session) ?? [];
    conversations.set(ask.session, messages);
    messages.push({ role: "user", content: ask.text, toolCalls: [] });
    const request = { messages, system: ask.system, model: ask.model, n: 0, user: ask.text, tools: [] };
    const text = written({ ...request, temperature: undefined });
    messages.push({ role: "assistant", content: text, toolCalls: [] });
    return { reply: { text, finish: "stop", model: ask.model, reads: null, ...NOTHING } };
  }
  return { host, asked, aborted, shown, notices };
}

/** @param {import("../../../tests/provider/lab.mjs").ModelRequest} request */
function written(request) {
  const phase = phaseOf(request);
  if (phase === "topic") return "one service";
  // The second design differs in substance: if reviewers' scores don't distinguish the designs, the reviewers are asked again.
  if (phase === "design")
    return JSON.stringify(
      request.model.endsWith("two") ? design({ open_questions: [], risks: [] }) : design(),
    );
  if (phase === "review") return writtenReview(request);
  return JSON.stringify(evaluations(request));
}

/** The first event of a run with two designers, whose calls run one at a time. */
export function opening() {
  const model = (/** @type {string} */ name) => ({ provider: "acme", model: name, context: 200_000 });
  const beginning = {
    package: "0.1.0",
    date: "2026-11-20",
    text: "Design it",
    attachments: [],
    sources: [{ origin: "project", file: "design-lab.json", text: '{ "concurrency": 1 }' }],
    files: [],
    available: { models: [model("one"), model("two")], current: null },
    outputs: { project: "/p", worktree: null, noted: [] },
  };
  const opened = core.begin(/** @type {any} */ (beginning));
  return { event: /** @type {const} */ ("opened"), ...opened };
}

/** A run that hasn't begun, in its own directory. */
export async function staged() {
  const output = await mkdtemp(path.join(tmpdir(), "design-lab rün #"));
  return { output, store: await Store.stage(output), handle: core.openRun() };
}

/** Waits, without a clock, for a condition that soon becomes true. @param {() => unknown} condition */
export async function until(condition) {
  while (!condition()) await new Promise(setImmediate);
}
