// The rest of the demo's story, written by hand: the winning design is built, after a first round that fails and a second that tests
// too little, and the result is validated in a browser. The application is a page that sends requests, and an API that answers all of
// them: the limit is missing.

import assert from "node:assert/strict";
import { inParts } from "./parts.mjs";
import { callTool, reading, reply } from "./script.mjs";

/** @typedef {import("./script.mjs").ModelRequest} ModelRequest */

const SERVER = `import { createServer } from "node:http";
import { Limiter } from "./src/limiter.js";

const PAGE = \`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Orders</title><link rel="icon" href="data:,">
</head>
<body>
<h1>Orders</h1>
<button type="button">Send a request</button>
<p role="status">Nothing was sent yet.</p>
<script>
  const key = String(Math.random());
  document.querySelector("button").addEventListener("click", async () => {
    const answer = await fetch("/api/orders", { headers: { "X-Api-Key": key } });
    const { left, wait_s } = await answer.json();
    document.querySelector("p").textContent =
      answer.status === 429 ? "Refused: wait " + wait_s + " s." : "Answered: " + left + " left.";
  });
</script>
</body>
</html>
\`;

const limiter = new Limiter(3);

createServer((request, response) => {
  if (request.url !== "/api/orders") return response.setHeader("Content-Type", "text/html; charset=utf-8").end(PAGE);
  const { allowed, left, wait_s } = limiter.take(request.headers["x-api-key"] ?? "");
  response.writeHead(allowed ? 200 : 429, { "Content-Type": "application/json", ...(allowed ? {} : { "Retry-After": wait_s }) });
  response.end(JSON.stringify({ left, wait_s }));
}).listen(Number(process.env.PORT), "127.0.0.1");
`;

const UNLIMITED = `// TODO: every request is allowed.
export class Limiter {
  constructor(burst) {
    this.burst = burst;
  }

  take() {
    return { allowed: true, left: this.burst, wait_s: 0 };
  }
}
`;

/** @param {string} taken how many tokens a request takes */
const limited = (
  taken,
) => `// A bucket of tokens for each key: it holds \`burst\`, and one more comes every minute.
const PER_MS = 60_000;

export class Limiter {
  #buckets = new Map();

  constructor(burst, now = Date.now) {
    this.burst = burst;
    this.now = now;
  }

  take(key) {
    const now = this.now();
    const { level, at } = this.#buckets.get(key) ?? { level: this.burst, at: now };
    const filled = Math.min(this.burst, level + (now - at) / PER_MS);
    const allowed = filled >= 1;
    const rest = allowed ? filled - ${taken} : filled;
    this.#buckets.set(key, { level: rest, at: now });
    return { allowed, left: Math.floor(rest), wait_s: Math.ceil(((1 - Math.min(rest, 1)) * PER_MS) / 1000) };
  }
}
`;

const UNIT = `import assert from "node:assert/strict";
import { test } from "node:test";
import { Limiter } from "../src/limiter.js";

test("beyond the burst a key is refused until its bucket has filled", () => {
  let now = 0;
  const limiter = new Limiter(2, () => now);
  const allowed = () => limiter.take("a").allowed;
  assert.deepEqual([allowed(), allowed(), allowed()], [true, true, false]);
  assert.equal(limiter.take("b").allowed, true);
  now = 60_000;
  assert.equal(allowed(), true);
});
`;

const FIGURES = `
test("a key learns what is left and how long to wait", () => {
  let now = 0;
  const limiter = new Limiter(3, () => now);
  const take = () => Object.values(limiter.take("a"));
  assert.deepEqual([take(), take(), take()], [[true, 2, 0], [true, 1, 0], [true, 0, 60]]);
  assert.deepEqual(take(), [false, 0, 60]);
  now = 30_000;
  assert.deepEqual(take(), [false, 0, 30]);
  now = 60_000;
  assert.deepEqual(take(), [true, 0, 60]);
  now = 3_600_000;
  assert.deepEqual(take(), [true, 2, 0]);
});
`;

const EXAM = `import assert from "node:assert/strict";
import { test } from "node:test";
import { Limiter } from "../src/limiter.js";

test("keys share nothing, and time that runs backwards gives no tokens", () => {
  let now = 120_000;
  const limiter = new Limiter(1, () => now);
  assert.deepEqual([limiter.take("a").allowed, limiter.take("b").allowed], [true, true]);
  assert.deepEqual(limiter.take("a"), { allowed: false, left: 0, wait_s: 60 });
  now = 60_000;
  assert.equal(limiter.take("b").allowed, false);
});
`;

const ACCEPTANCE = [
  {
    id: "refuses",
    text: "The fourth request in a row is refused, and the refusal states how long to wait.",
    verified_by: "unit",
  },
  { id: "tells", text: "Each answer states how many requests are left.", verified_by: "unit" },
];

const SPEC = `import { expect, test } from "./validation";

const soon = { timeout: 1_500 };

test("the fourth request in a row is refused", { tag: ["@C1", "@J1"] }, async ({ page }) => {
  await page.goto("/");
  const button = page.getByRole("button", { name: "Send a request" });
  for (const left of [2, 1, 0]) {
    await button.click();
    await expect(page.getByRole("status")).toHaveText(\`Answered: \${left} left.\`, soon);
  }
  await button.click();
  await expect(page.getByRole("status")).toHaveText(/^Refused: wait \\d+ s\\.$/, soon);
});

test("each answer states how many are left", { tag: ["@C2", "@J1"] }, async ({ page }) => {
  await page.goto("/");
  await page.getByRole("button", { name: "Send a request" }).click();
  await expect(page.getByRole("status")).toHaveText("Answered: 2 left.", soon);
});
`;

/**
 * The project at the start: the existing code, and how it is run.
 * @param {string} playwright where Playwright Test is installed
 * @param {object} further settings of Validation
 * @returns {Record<string, string>}
 */
export const files = (playwright, further) => ({
  "package.json": '{ "type": "module" }\n',
  "server.js": SERVER,
  "src/limiter.js": UNLIMITED,
  ".opencode/validation.jsonc": JSON.stringify({
    servers: [{ name: "orders", command: ["node", "server.js"], ready: { url: "/" }, allow: true }],
    models: { verifier: "lab/verifier", analyst: "lab/analyst", tester: "lab/tester" },
    playwright: { directory: playwright, browser: process.env.CHROMIUM ?? null },
    ...further,
  }),
});

/** The agents of Flow in OpenCode's configuration. */
export const config = {
  agent: Object.fromEntries(
    ["planner", "worker", "reviewer", "examiner"].map((role) => [`flow-${role}`, { model: `lab/${role}` }]),
  ),
};

/** Plans one feature: it covers the whole request, and the first part of the design. @param {ModelRequest} request */
function planner({ messages }) {
  const asked = messages.map(({ content }) => content).join("\n");
  const given = JSON.parse(/<given>\n([\s\S]*?)\n<\/given>/.exec(asked)?.[1] ?? assert.fail(asked));
  const [first, ...others] = given.components.map((/** @type {{id: string}} */ { id }) => id);
  return reply({
    features: [
      {
        id: "limiter",
        title: "A bucket for each key",
        summary: "`take(key)` in src/limiter.js refuses what goes beyond the burst, and tells what is left.",
        files: ["src/limiter.js", "test/limiter.test.js"],
        depends_on: [],
        implements: [...given.requirements.map((/** @type {{id: string}} */ { id }) => id), first],
        verification: [
          {
            id: "unit",
            command: ["node", "--test", "test/limiter.test.js"],
            scope: "targeted",
            timeout_ms: 60_000,
          },
          { id: "all", command: ["node", "--test"], scope: "broad", timeout_ms: 60_000 },
        ],
        acceptance: ACCEPTANCE,
      },
    ],
    left_out: others.map((/** @type {string} */ id) => ({
      id,
      why: "one process needs no store that several share",
    })),
    risks: given.concerns.map((/** @type {{id: string, text: string}} */ { id, text }) => ({
      concern: id,
      text,
      answer: "Accepted for a single process.",
    })),
  });
}

const write = (/** @type {string} */ filePath, /** @type {string} */ content) =>
  callTool("write", { filePath, content });
const done = reply({ outcome: "done", summary: "The limiter refuses, and its test passes." });

const thorough = reply({
  outcome: "done",
  summary:
    "A second test notices the faults: what is left, how long to wait, and that a bucket holds no more than the burst.",
});

/** @type {import("./server.mjs").Scenario["models"]} */
export const MODELS = {
  planner,
  // Its report of the first round is false: a request takes nothing from the bucket. After the second, its test still misses much.
  worker: [
    write("src/limiter.js", limited("0")),
    write("test/limiter.test.js", UNIT),
    done,
    write("src/limiter.js", limited("1")),
    done,
    write("test/limiter.test.js", UNIT + FIGURES),
    thorough,
  ],
  examiner: reading("src/limiter.js", [
    reply({
      tests: [
        {
          path: "test/exam.test.js",
          text: EXAM,
          check: "limiter/all",
          criteria: ACCEPTANCE.map(({ id }) => id),
        },
      ],
      left_out: "",
    }),
  ]),
  reviewer: reading(
    "src/limiter.js",
    inParts([
      reply({
        decision: "approved",
        criteria: ACCEPTANCE.map(({ id }) => ({ id, met: true, where: "src/limiter.js:17" })),
        findings: [],
      }),
    ]),
  ),
  verifier: reading(
    "src/limiter.js",
    inParts([
      reply({
        criteria: ["C1", "C2"].map((id) => ({ id, verdict: "met", file: "src/limiter.js", line: 17 })),
      }),
    ]),
  ),
  analyst: reading("src/limiter.js", [
    reply({
      journeys: [{ id: "J1", title: "Send requests", steps: ["Open the page", "Send a request"] }],
      gaps: [],
    }),
  ]),
  tester: [reply({ files: [{ path: "orders.spec.ts", text: SPEC }], untestable: [] })],
};
