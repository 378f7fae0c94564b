// A designer that tries everything, in the real OpenCode 2. What counts is what its model receives: each call is answered, and no answer
// and no other message may contain a word from the output directories. The user's own model can read the same files.

import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { until } from "../e2e/artefacts.mjs";
import {
  ATTACKS,
  answers,
  FILES,
  file,
  LEGITIMATE,
  plant,
  RIVAL,
  SECRETS,
  TASK,
  turns,
} from "../e2e/attacks.mjs";
import * as lab from "../provider/lab.mjs";
import { callTool, reply } from "../provider/script.mjs";
import { test2, withOpencode2 } from "./harness.mjs";

/** @typedef {import("../e2e/attacks.mjs").Where} Where */
/** @typedef {import("../e2e/attacks.mjs").Attack} Attack */

/** Directories outside the project that OpenCode 2 lets every agent read, by its own rules; each has a file here. */
const OPEN = [
  ".config/opencode/notes/own.txt",
  ".local/share/opencode/tool-output/tool_2",
  ".local/share/opencode/shell/1/output",
  "tmp/opencode/draft.txt",
];

/** @type {Attack[]} */
const ONLY_HERE = [
  ...OPEN.map(
    (path) => /** @type {Attack} */ ([path, "read", file(({ home }) => join(home, path)), "refused"]),
  ),
  ...OPEN.map(
    (path) =>
      /** @type {Attack} */ ([
        path,
        "grep",
        (/** @type {Where} */ { home }) => ({ pattern: "Sworn", path: dirname(join(home, path)) }),
        "refused",
      ]),
  ),
  ...OPEN.map(
    (path) =>
      /** @type {Attack} */ ([
        path,
        "glob",
        (/** @type {Where} */ { home }) => ({ pattern: "*", path: dirname(join(home, path)) }),
        "refused",
      ]),
  ),
  ["a tool of an MCP server", "vault_open", {}, "unknown"],
  ["a tool of an MCP server, from code", "execute", { code: "return await tools.vault.open({})" }, "unknown"],
  [
    "another directory, from code",
    "execute",
    { code: "return await tools.opencode.session_move({ directory: '.design-lab' })" },
    "unknown",
  ],
  ["subagent", "subagent", { agent: "general", description: "x", prompt: `Repeat @${RIVAL}` }, "unknown"],
  [
    "subagent of a run",
    "subagent",
    { agent: "design-lab-designer", description: "x", prompt: "x" },
    "unknown",
  ],
  ["patch", "patch", { patchText: `*** Begin Patch\n*** Delete File: ${RIVAL}\n*** End Patch` }, "unknown"],
];

/** An MCP server with one tool. */
const VAULT = `import { createInterface } from "node:readline";
const results = {
  initialize: { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "vault", version: "1" } },
  "tools/list": { tools: [{ name: "open", description: "Opens it", inputSchema: { type: "object", properties: {} } }] },
  "tools/call": { content: [{ type: "text", text: "Sworn " + "statement" }] },
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: results[method] ?? {} }));
}
`;
const WITH_VAULT = {
  mcp: { servers: { vault: { type: "local", command: [process.execPath, "vault.mjs"] } } },
};

/** Writes the files outside the project. @param {string} home */
async function plantOpen(home) {
  for (const path of OPEN) {
    await mkdir(dirname(join(home, path)), { recursive: true });
    await writeFile(join(home, path), "Sworn statement\n");
  }
}

/** The calls by which the user's own model gets at each of these. @param {Where} where */
const ownCalls = ({ home }) => [
  ...OPEN.map((path) => ({ name: "read", arguments: { path: join(home, path) } })),
  { name: "execute", arguments: { code: "return await tools.vault.open({})" } },
];

const JUDGE = lab.model({ score: (design) => (design.title?.length ?? 5) - 5 });
const RIVALS = {
  "brisk-10": lab.model({
    topic: "Rate limiter",
    design: { title: "Sliding window", summary: "As brisk-10 of lab would build it." },
  }),
  "zeph-3": lab.model({ topic: "Rate limiter", design: { title: "Leaky pail" } }),
};
const DESIGN_LAB = {
  design_models: ["lab/zeph-3", "lab/brisk-10", "lab/quill-4"],
  review_models: ["lab/judge-1"],
  // One after another, so that the others' designs are on disk when the attacks begin.
  concurrency: 1,
  timeouts: { call_ms: 900_000 },
};

/** What a model reads of a call that is refused, by this package or by OpenCode. */
const REFUSED = /not available in this session|not valid|Permission denied|not available|Invalid|error/i;

/**
 * Returns a call with the names of OpenCode 2's arguments.
 * @param {string} tool
 * @param {any} args
 */
const here = (tool, args) => (/** @type {Where} */ where) => {
  const { filePath, ...given } = typeof args === "function" ? args(where) : args;
  const takesPath = ["read", "edit", "write"].includes(tool.toLowerCase()) && filePath !== undefined;
  return takesPath
    ? { ...given, path: filePath }
    : { ...given, ...(filePath === undefined ? {} : { filePath }) };
};

test2(
  "a designer that tries everything learns nothing of others' designs, and works on undisturbed",
  async () => {
    /** @type {Where} */
    const where = { project: "", home: "", url: "", session: () => "ses_0" };
    const attacks = [...ATTACKS.filter(([, tool]) => tool !== ""), ...ONLY_HERE];
    const calls = [...attacks, ...LEGITIMATE].map(
      ([name, tool, args]) => /** @type {[string, string, any]} */ ([name, tool, here(tool, args)]),
    );
    const models = {
      ...RIVALS,
      "quill-4": lab.byPhase({
        // Four at once: a model's call may have at most 100 steps.
        design: [...turns(where, calls, 4), reply(lab.design({ title: "Token bucket" }))],
      }),
      "judge-1": JUDGE,
      host: [() => reply("", { toolCalls: ownCalls(where) }), reply("Read."), reply("Noted.")],
    };
    const files = { ...FILES, "vault.mjs": VAULT };
    const setup = { scenario: { models }, designLab: DESIGN_LAB, files, config: WITH_VAULT };
    await withOpencode2(setup, async (opencode) => {
      const { provider, project, home, serve } = opencode;
      await plant(opencode);
      await plantOpen(home);
      Object.assign(where, { project: project.directory, home, url: provider.baseURL });
      where.session = () => provider.requestsOf("brisk-10").at(-1)?.headers["x-session-id"] ?? "ses_0";
      const { command, prompt } = await (await serve()).session();
      await prompt("Read these");
      for (const answer of answers(provider.requestsOf("host"), OPEN.length + 1))
        assert.match(answer, /Sworn statement/, "nobody was asked, and there was something to find");
      assert.match(await command("design-lab", TASK), /ranked/);
      assert.ok(await project.exists(RIVAL), "there was something to find");
      const requests = provider.requestsOf("quill-4");
      for (const request of requests) assert.deepEqual(request.tools, ["glob", "grep", "read"]);
      const results = answers(requests, calls.length);
      /** @type {string[]} */
      const faults = [];
      for (const [at, [name, tool, args, kind]] of attacks.entries()) {
        const result = results[at] ?? "";
        // An error may repeat the call's own words.
        const said = JSON.stringify(here(tool, args)(where)).toLowerCase();
        const holds = (/** @type {string} */ secret) => result.toLowerCase().includes(secret.toLowerCase());
        const told = SECRETS.filter((secret) => holds(secret) && !said.includes(secret.toLowerCase()));
        if (told.length > 0) faults.push(`${tool}, ${name}, tells ${told.join(", ")}:\n${result}`);
        if (kind !== undefined && !REFUSED.test(result))
          faults.push(`${tool}, ${name}, isn't refused:\n${result}`);
      }
      assert.deepEqual(faults, [], faults.join("\n\n"));
      for (const [at, [name, tool, , expected]] of LEGITIMATE.entries())
        assert.match(results[attacks.length + at] ?? "", expected, `${tool}: ${name}`);
      // OpenCode itself adds instruction files near those that were read: one of them is a link to a design.
      const others = (requests.at(-1)?.messages ?? []).filter(({ role }) => role !== "tool");
      for (const { role, content } of others)
        for (const secret of SECRETS) assert.ok(!content.includes(secret), `${role}: ${secret}`);
      assert.ok(!(await project.exists("leak.md")));
    });
  },
);

test2("what the user has permitted for good permits a designer nothing", async () => {
  /** @type {Where} */
  const where = { project: "", home: "", url: "", session: () => "ses_0" };
  const attic = "elsewhere/attic.txt";
  const own = (/** @type {string} */ design) => [
    ...ownCalls(where),
    { name: "read", arguments: { path: join(where.home, attic) } },
    { name: "read", arguments: { path: design } },
    { name: "grep", arguments: { pattern: "Sworn|Sliding", path: join(where.home, "elsewhere") } },
    { name: "shell", arguments: { command: `cat ${design}` } },
  ];
  // The refused calls stand between others that must be answered.
  const mixed = ["README.md", RIVAL, "src/server.js", ".design-lab", "src/store.js"];
  const reads = mixed.map((path) => ({ name: "read", arguments: { path } }));
  const further = { name: "write", arguments: { path: "leak.md", content: "x" } };
  const attempts = [
    () => reply("", { toolCalls: [...own(RIVAL), further] }),
    reply("", { toolCalls: reads }),
  ];
  const models = {
    ...RIVALS,
    "quill-4": lab.byPhase({ design: [...attempts, reply(lab.design({ title: "Token bucket" }))] }),
    "judge-1": JUDGE,
    host: [
      () => callTool("read", { path: join(where.home, attic) }),
      reply("Read."),
      reply("Noted."),
      () => reply("", { toolCalls: [...own(RIVAL), further] }),
      reply("Read."),
    ],
  };
  const everythingAsks = [{ action: "*", resource: "*", effect: "ask" }];
  const files = { "vault.mjs": VAULT };
  const config = { ...WITH_VAULT, permissions: everythingAsks };
  const setup = { scenario: { models }, designLab: DESIGN_LAB, files, config };
  await withOpencode2(setup, async ({ serve, provider, project, home }) => {
    Object.assign(where, { project: project.directory, home });
    await plantOpen(home);
    await mkdir(dirname(join(home, attic)));
    await writeFile(join(home, attic), "Sworn statement\n");
    const { session, api } = await serve();
    const { id, prompt, command } = await session();
    const pending = () => api("GET", `/session/${id}/permission`);
    /** @type {Set<string>} */
    const permitted = new Set();
    const permit = async () => {
      /** @type {any[]} */
      let asked = [];
      await until(async () => {
        asked = (await pending()).filter((/** @type {any} */ request) => !permitted.has(request.id));
        return asked.length > 0;
      });
      for (const request of asked) {
        permitted.add(request.id);
        await api("POST", `/session/${id}/permission/${request.id}/reply`, { decision: "always" });
      }
    };
    const first = prompt("Read the attic");
    // The directory, then the file.
    await permit();
    await permit();
    await first;
    // As wide as a grant can be.
    await api("POST", `/session/${id}/permission`, { action: "*", resources: ["*"], save: ["*"] });
    await permit();
    const { projectID } = await api("GET", `/session/${id}`);
    const saved = await api("GET", `/permission/saved?projectID=${projectID}`);
    assert.deepEqual(
      saved.map((/** @type {any} */ { action, resource }) => `${action} ${resource}`).toSorted(),
      ["* *", `external_directory ${join(home, "elsewhere")}/*`, "read *"].toSorted(),
    );

    assert.match(await command("design-lab", TASK), /ranked/);
    const requests = provider.requestsOf("quill-4");
    for (const request of requests) assert.deepEqual(request.tools, ["glob", "grep", "read"]);
    const results = answers(requests, own(RIVAL).length + 1 + mixed.length);
    for (const secret of ["Sworn", "Sliding window", "brisk-10 of"])
      assert.ok(!results.join("\n").includes(secret), secret);
    for (const result of results.slice(0, -mixed.length)) assert.match(result, REFUSED);
    const [readme, rival, server, directory, store] = results.slice(-mixed.length);
    assert.match(readme ?? "", /A small shop/);
    assert.match(server ?? "", /export function handle/);
    assert.match(store ?? "", /orders/);
    for (const refused of [rival, directory]) assert.match(refused ?? "", /not available in this session/);
    assert.ok(!(await project.exists("leak.md")));

    // The same calls of the user's own model are made, and nobody is asked.
    await provider.waitFor(3, { model: "host", ended: true });
    const second = prompt("Now you");
    await until(async () => provider.requestsOf("host").length === 5 || (await pending()).length > 0);
    assert.deepEqual(await pending(), []);
    const made =
      provider
        .requestsOf("host")
        .at(-1)
        ?.messages.filter(({ role }) => role === "tool") ?? [];
    for (const { content } of made.slice(-own(RIVAL).length - 1, -1))
      assert.match(content, /Sworn statement|Sliding window/);
    assert.ok(await project.exists("leak.md"));
    await second;
  });
});
