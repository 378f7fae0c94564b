// Compares extraction with the npm libraries that people use for it: which of the replies in
// `tests/extraction/*.txt` each one turns into the intended object, and how fast; then the cost of hostile text.
//
//   cargo xtask bench extraction
//
// The command builds a separate module that exports the core's extraction, because the shipped one doesn't need to.

import { readdirSync, readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { parse as bestEffort, disableErrorLogging } from "best-effort-json-parser";
import { jsonrepair } from "jsonrepair";
import { parse as partial } from "partial-json";
import { extract, initSync } from "../target/bench/core/core.js";
import { print, smoke } from "./table.mjs";

initSync({ module: readFileSync(new URL("../target/bench/core/core_bg.wasm", import.meta.url)) });
disableErrorLogging();

/** Each takes a reply and returns the object that it finds, or throws. */
const TOOLS = {
  "Design Lab": (text, finish = "unknown", keys = "") => {
    const found = JSON.parse(extract(text, finish, keys));
    if (found.ok === undefined) throw Object.assign(new Error(found.problems[0].message), found.problems[0]);
    return found.ok;
  },
  jsonrepair: (text) => JSON.parse(jsonrepair(text)),
  "jsonrepair, cut out": (text) => JSON.parse(jsonrepair(cutOut(text))),
  "partial-json": (text) => partial(text),
  "partial-json, cut out": (text) => partial(cutOut(text)),
  "best-effort": (text) => bestEffort(text),
  "best-effort, cut out": (text) => bestEffort(cutOut(text)),
};

/** The usual preprocessing for a library that accepts only JSON: the first code block, else from the first brace to the last. */
function cutOut(text) {
  const block = /```[^\n{]*\n?([\s\S]*?)```/.exec(text);
  if (block) return block[1];
  const first = text.indexOf("{");
  const last = text.lastIndexOf("}");
  return first >= 0 && last > first ? text.slice(first, last + 1) : text.slice(Math.max(first, 0));
}

function readCases() {
  const folder = new URL("../tests/extraction/", import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith(".txt"));
  return files.sort().flatMap((file) => {
    const blocks = `\n${readFileSync(new URL(file, folder), "utf8")}`.split("\n=== ").slice(1);
    return blocks.map((block) => {
      const head = block.slice(0, block.indexOf("\n")).split(" | ");
      const [reply, expectation] = split(block.slice(block.indexOf("\n") + 1), "\n--- ");
      const fields = Object.fromEntries(head.slice(1).map((field) => field.split(": ")));
      const [kind, ...rest] = expectation.trimEnd().split("\n");
      return {
        category: file.replace(".txt", ""),
        name: head[0],
        text: head.includes("encoded") ? JSON.parse(reply) : reply,
        finish: fields.finish ?? "unknown",
        keys: (fields.keys ?? "").replaceAll(",", ""),
        object: kind === "object" ? plain(JSON.parse(rest[0])) : undefined,
        error: kind.startsWith("error: ") ? kind.split(" ")[1] : undefined,
      };
    });
  });
}

/** @returns {[string, string]} */
function split(text, at) {
  const index = text.indexOf(at);
  return [text.slice(0, index), text.slice(index + at.length)];
}

/**
 * Whether a tool's result is right: the intended object, or no object if there is none. A list that contains only
 * the object counts as right, and so does any error if an error is expected.
 */
function isRight(tool, { text, finish, keys, object, error }) {
  let found;
  try {
    found = tool(text, finish, keys);
  } catch (problem) {
    return error !== undefined && (problem.code === undefined || problem.code === `extraction.${error}`);
  }
  found = plain(found ?? null);
  if (Array.isArray(found) && found.length === 1) found = found[0];
  const isObject = typeof found === "object" && found !== null && !Array.isArray(found);
  return error === undefined ? isDeepStrictEqual(found, object) : !isObject;
}

/** Converts a value to its JSON form: without undefined and negative zero. */
function plain(value) {
  return JSON.parse(JSON.stringify(value));
}

function recovery() {
  const cases = readCases();
  const categories = [...new Set(cases.map((it) => it.category))];
  const rows = [...categories, "all"].map((category) => {
    const chosen = cases.filter((it) => category === "all" || it.category === category);
    const right = Object.values(TOOLS).map((tool) => chosen.filter((it) => isRight(tool, it)).length);
    return [category, chosen.length, ...right];
  });
  print(["category", "replies", ...Object.keys(TOOLS)], rows);
}

/** Returns a design as models write them, about `bytes` long. */
function design(bytes) {
  const component = (n) => ({
    name: `Component ${n}`,
    description: `Takes orders from the queue and writes them to the "ledger"; see {docs/ledger.md}, part ${n}.`,
    responsibilities: ["validates every order", "retries with backoff", "reports lag"],
    dependencies: ["queue", "ledger"],
  });
  const whole = {
    title: "An order service that survives restarts",
    summary: "Orders go through a durable queue.\nWorkers are idempotent.",
    assumptions: ["at most 500 orders a second"],
    architecture_overview: "API → queue → workers → ledger",
    components: [],
    data_flow: "1. `POST /orders`\n2. enqueue\n3. work",
    tradeoffs: [
      { aspect: "queue", options: ["Kafka", "Postgres"], chosen: "Postgres", rationale: "one system" },
    ],
    risks: [{ risk: "lag", impact: "medium", mitigation: "alerts" }],
    open_questions: ["How long are orders kept?"],
  };
  while (JSON.stringify(whole, null, 2).length < bytes)
    whole.components.push(component(whole.components.length));
  return whole;
}

function speed() {
  const json = JSON.stringify(design(12_000), null, 2);
  const python = json
    .replaceAll('\\"', "”")
    .replaceAll("'", "’")
    .replaceAll('"', "'")
    .replaceAll("}\n", "},\n");
  const inputs = {
    "valid, 12 KB": json,
    ...(smoke ? {} : { "valid, 1 MB": JSON.stringify(design(1_000_000)) }),
    "in prose and a fence, 12 KB": `Here is {my} design:\n\n\`\`\`json\n${json}\n\`\`\`\n\nDone.`,
    "after 12 KB of reasoning": `<think>${"Maybe {a, b}? ".repeat(850)}</think>\n${json}`,
    "quotes and commas to repair": python,
    "inner quotes to repair": json.replaceAll('\\"', '"'),
  };
  const tools = Object.entries(TOOLS);
  const rows = Object.entries(inputs).map(([name, text]) => {
    const meant = TOOLS["Design Lab"](text);
    const speeds = [...tools.map(([, tool]) => tool), JSON.parse].map((it) =>
      megabytesPerSecond(it, text, meant),
    );
    const [ours, , peer] = speeds.map((speed) => Number(speed.replace(/[()]/g, "")));
    return [name, ...speeds, (ours / peer).toFixed(1)];
  });
  print(["MB/s", ...tools.map(([name]) => name), "JSON.parse", "× jsonrepair, cut out"], rows);
}

/**
 * Measures processor time, so that other load doesn't count; in brackets if the result differs from Design Lab's, a
 * dash if there is none.
 */
function megabytesPerSecond(tool, text, meant) {
  let isOther;
  try {
    isOther = !isDeepStrictEqual(plain(tool(text)), meant);
    for (let warmUp = 0; warmUp < (smoke ? 1 : 100_000); warmUp += text.length) tool(text);
  } catch {
    return "–";
  }
  const seconds = smoke ? 0 : 0.3;
  let calls = 0;
  let spent = 0;
  for (const start = process.cpuUsage(); calls === 0 || spent < seconds; calls++) {
    tool(text);
    const { user, system } = process.cpuUsage(start);
    spent = (user + system) / 1e6;
  }
  const speed = ((Buffer.byteLength(text) * calls) / 1e6 / spent).toFixed(0);
  return isOther ? `(${speed})` : speed;
}

/** Texts that make careless parsers quadratic or recursive. */
const HOSTILE = {
  "[": "[",
  '{"a":': '{"a":',
  '{"a":[': '{"a":[',
  '"': '"',
  "\\": "\\",
  "```": "```",
  '{"a': '{"a',
  '{"a":"b" ': '{"a":"b" ',
  '{"a":1}, "b":': '{"a":1}, "b":',
  "<think>{": "<think>{",
};

const HOSTILE_BYTES = smoke ? 300 : 300_000;

async function hostile() {
  const rows = [];
  for (const name of Object.keys(HOSTILE).slice(0, smoke ? 1 : undefined)) {
    const row = [`\`${name}\``];
    for (const tool of Object.keys(TOOLS).filter((it) => !it.includes(","))) {
      row.push(await inWorker({ name, tool }));
    }
    rows.push(row);
  }
  print([`${HOSTILE_BYTES} bytes of`, ...Object.keys(TOOLS).filter((it) => !it.includes(","))], rows);
}

/** Returns the milliseconds until an answer or an error; `> 20 s` if neither arrives. */
function inWorker(task) {
  return new Promise((resolve) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: task, argv: process.argv.slice(2) });
    const timer = setTimeout(() => {
      resolve("> 20 s");
      worker.terminate();
    }, 20_000);
    const settle = (answer) => {
      clearTimeout(timer);
      resolve(answer);
    };
    worker.once("message", settle);
    worker.once("error", () => settle("crash"));
  });
}

function answerTask({ name, tool }) {
  const text = HOSTILE[name].repeat(Math.floor(HOSTILE_BYTES / HOSTILE[name].length));
  const start = performance.now();
  let how = "";
  try {
    TOOLS[tool](text);
  } catch (error) {
    how = error instanceof RangeError ? " (stack overflow)" : "";
  }
  parentPort.postMessage(`${Math.round(performance.now() - start)} ms${how}`);
}

/**
 * Measures milliseconds of processor time for the rows of `tests/extraction/hostile.json`, for Design Lab only. A reply above 4 MiB
 * is refused unread.
 */
function bounds() {
  const units = JSON.parse(
    readFileSync(new URL("../tests/extraction/hostile.json", import.meta.url), "utf8"),
  );
  const sizes = smoke ? [0.001] : [1, 2, 4, 8];
  const slowest = units
    .map((unit) => ({ unit, time: processorTime(unit, sizes[0]) }))
    .sort((one, other) => other.time - one.time)
    .map(({ unit }) => unit);
  const chosen = new Set([
    ...slowest.slice(0, 8),
    slowest[slowest.length >> 1],
    ...["[", '{"a":', "`", "```", "\\", "<tool>", "{/*", '{"a":"\\"{\\\\\\"b\\\\\\":'],
  ]);
  const rows = [...chosen].map((unit) => [
    `\`\` ${JSON.stringify(unit).slice(1, -1)} \`\``,
    ...sizes.map((size) => processorTime(unit, size).toFixed(0)),
  ]);
  print(["repeated; the slowest eight, the median, and others", ...sizes.map((size) => `${size} MB`)], rows);
}

function processorTime(unit, megabytes) {
  const text = unit.repeat(Math.floor((megabytes * 1e6) / Buffer.byteLength(unit)));
  const before = process.cpuUsage();
  extract(text, "stop", "title summary");
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e3;
}

if (isMainThread) {
  recovery();
  speed();
  await hostile();
  bounds();
} else {
  answerTask(workerData);
}
