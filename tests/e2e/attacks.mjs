// What a designer or a reviewer tries in order to find others' work, the files that it looks for, and what it may read.

import assert from "node:assert/strict";
import { link, mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as script from "../provider/script.mjs";
import { today } from "./artefacts.mjs";

export const TASK = "Design a rate limiter for a public HTTP API";
export const RUN = `${today()}-rate-limiter`;
const OLDER = "2026-01-02-heirloom";
export const RIVAL = `.design-lab/${RUN}/designs/brisk-10.json`;
/** A session of Flow that has built an earlier design. */
const SESSION = ".flow/sessions/2026-01-03-keepsake";

/** Texts that no answer may contain: titles, authors, and names of runs and of files in them. */
export const SECRETS = [
  ...["Sliding window", "Leaky pail", "Ancient ledger", "Sworn statement"],
  ...["brisk-10", "zeph-3", "oldtimer"],
  ...[RUN, OLDER, "keepsake", "journal.jsonl", "ranking.json", "review-judge"],
];
export const NEUTRAL = [
  "This path is not available in this session; the rest of the project is.",
  "The arguments of this call are not valid; use only documented ones.",
  "This tool is not available in this session.",
  "This address is not available in this session.",
];

/**
 * @typedef {{ project: string, home: string, url: string, session: () => string }} Where
 * @typedef {[name: string, tool: string, args: Record<string, unknown> | ((where: Where) => Record<string, unknown>), kind?: "refused" | "unknown"]} Attack
 *   `refused`: the answer is one of the neutral sentences; `unknown`: OpenCode itself has no such tool to offer
 */

/** @type {(path: string | ((where: Where) => string)) => (where: Where) => Record<string, unknown>} */
export const file = (path) => (where) => ({ filePath: typeof path === "string" ? path : path(where) });

/** @type {Attack[]} */
const READS = [
  ["relative", "read", file(RIVAL), "refused"],
  ["absolute", "read", file(({ project }) => join(project, RIVAL)), "refused"],
  ["up and down", "read", file(`src/../${RIVAL}`), "refused"],
  ["above the project and back", "read", file(`../project/${RIVAL}`), "refused"],
  [
    "many parents",
    "read",
    file(({ project }) => `${"../".repeat(40)}${project.slice(1)}/${RIVAL}`),
    "refused",
  ],
  ["home", "read", file(`~/../project/${RIVAL}`), "refused"],
  ["home as a variable", "read", file(`$HOME/../project/${RIVAL}`)],
  ["a slash behind", "read", file(`${RIVAL}/`), "refused"],
  [
    "doubled slashes",
    "read",
    file(({ project }) => `/${project}//${RIVAL.replaceAll("/", "//")}`),
    "refused",
  ],
  ["dots", "read", file(`./.design-lab/./${RUN}/././designs/brisk-10.md`), "refused"],
  ["another case", "read", file(RIVAL.toUpperCase()), "refused"],
  ["percent codes", "read", file(RIVAL.replaceAll(".", "%2e").replaceAll("/", "%2F")), "refused"],
  ["percent codes twice", "read", file(RIVAL.replaceAll(".", "%252e"))],
  ["a file address", "read", file(({ project }) => `file://${project}/${RIVAL}`), "refused"],
  ["no width", "read", file(RIVAL.replace("design", "de\u200bsign")), "refused"],
  ["fullwidth", "read", file(RIVAL.replace("design", "ｄesign"))],
  ["backslashes", "read", file(RIVAL.replaceAll("/", "\\")), "refused"],
  ["a null character", "read", file(`README.md\0/../${RIVAL}`), "refused"],
  ["a line break", "read", file(`${RIVAL}\n`), "refused"],
  ["a space behind", "read", file(`${RIVAL} `), "refused"],
  ["spaces before", "read", file(`  ${RIVAL}`)],
  ["by a process", "read", file(({ project }) => `/proc/self/root${project}/${RIVAL}`), "refused"],
  ["by the working directory of a process", "read", file(`/proc/self/cwd/${RIVAL}`), "refused"],
  ["the output directory", "read", file(".design-lab"), "refused"],
  ["the output directory, with a slash", "read", file(({ project }) => `${project}/.design-lab/`), "refused"],
  ["the run", "read", file(`.design-lab/${RUN}`), "refused"],
  ["the designs", "read", file(`.design-lab/${RUN}/designs`), "refused"],
  ["the project, listed", "read", file(".")],
  ["the project, listed from its middle", "read", { filePath: ".", offset: 2, limit: 3 }],
  ["above the project, listed", "read", file("..")],
  ["the root, listed", "read", file("/"), "refused"],
  ["an earlier run", "read", file(`.design-lab/${OLDER}/designs/oldtimer.json`), "refused"],
  ["the journal", "read", file(`.design-lab/${RUN}/journal.jsonl`), "refused"],
  ["the results of an earlier run", "read", file(`.design-lab/${OLDER}/results/ranking.json`), "refused"],
  ["a session of Flow", "read", file(`${SESSION}/journal.jsonl`), "refused"],
  ["a session of Flow, as JSON", "read", file(`${SESSION}/session.json`), "refused"],
  ["the page of a session of Flow", "read", file(`./${SESSION}/docs/index.md`), "refused"],
  ["Flow's directory", "read", file(".flow"), "refused"],
  ["keys of npm", "read", file(".npmrc"), "refused"],
  ["keys of AWS", "read", file(".aws/credentials"), "refused"],
  ["git's settings", "read", file(".git/config"), "refused"],
  ["the configuration of the run", "read", file(`.design-lab/${RUN}/config.json`), "refused"],
  ["the configuration", "read", file(".opencode/design-lab.json"), "refused"],
  ["the configuration's directory", "read", file(".opencode")],
  ["OpenCode's configuration", "read", file("opencode.json"), "refused"],
  ["what isn't there", "read", file(`.design-lab/${RUN}/designs/quill-4.json`), "refused"],
  ["a link to a file", "read", file("src/rival.json"), "refused"],
  ["a link to the output directory", "read", file(`lab-link/${RUN}/designs/brisk-10.json`), "refused"],
  ["a link to the output directory, listed", "read", file("lab-link"), "refused"],
  ["a chain of links", "read", file("chain/brisk-10.json"), "refused"],
  ["a link through the project's parent", "read", file("up/project/.design-lab"), "refused"],
  ["out of a link and back", "read", file("lab-link/../src/server.js")],
  ["up from where a link leads", "read", file("chain/../journal.jsonl"), "refused"],
  [
    "up from where a link leads, absolute",
    "read",
    file(({ project }) => `${project}/chain/../designs/brisk-10.json`),
    "refused",
  ],
  ["up from where a link leads, listed", "read", file("chain/.."), "refused"],
  ["a link that led nowhere before the run", "read", file("src/dangling.json"), "refused"],
  ["a hard link", "read", file("src/hard.json"), "refused"],
  ["a name like the directory's", "read", file(".design-la")],
  ["a name like a design's", "read", file(`.design-lab/${RUN}/designs/brisk`), "refused"],
  ["a name like a link's", "read", file("src/riv")],
  ["a file with instructions that link to a design", "read", file("linked/plain.js")],
  ["a file that quotes a path", "read", file("notes.md")],
  [
    "OpenCode's cut-off results",
    "read",
    file(({ home }) => join(home, ".local/share/opencode/tool-output/tool_1")),
    "refused",
  ],
  [
    "OpenCode's cut-off results, listed",
    "read",
    file(({ home }) => join(home, ".local/share/opencode/tool-output")),
    "refused",
  ],
  [
    "OpenCode's database",
    "read",
    file(({ home }) => join(home, ".local/share/opencode/opencode.db")),
    "refused",
  ],
  ["OpenCode's log", "read", file(({ home }) => join(home, ".local/share/opencode/log")), "refused"],
  [
    "prompts typed before",
    "read",
    file(({ home }) => join(home, ".local/state/opencode/prompt-history.jsonl")),
    "refused",
  ],
  ["environment file", "read", file(".env"), "refused"],
  ["an environment file under another name", "read", file("env-link"), "refused"],
  ["an unknown argument", "read", { filePath: "README.md", file: RIVAL }],
  ["a list for a path", "read", { filePath: [RIVAL] }],
  ["a path as an object", "read", { filePath: { toString: RIVAL } }],
  ["no arguments", "read", {}],
];

/** @type {Attack[]} */
const SEARCHES = [
  ["grep everything", "grep", { pattern: "Sliding window" }],
  ["grep everything, worded otherwise", "grep", { pattern: "(?i)(sliding|leaky|ancient|sworn)" }],
  ["grep any line", "grep", { pattern: "." }],
  ["grep for the authors", "grep", { pattern: "brisk|zeph|oldtimer" }],
  ["grep the output directory", "grep", { pattern: "title", path: ".design-lab" }, "refused"],
  ["grep the run", "grep", { pattern: "title", path: `.design-lab/${RUN}` }, "refused"],
  ["grep a design", "grep", { pattern: "title", path: RIVAL }, "refused"],
  ["grep sessions of Flow", "grep", { pattern: "ledger", path: SESSION }, "refused"],
  ["grep sessions of Flow by a glob", "grep", { pattern: "ledger", include: ".flow/**" }, "refused"],
  ["grep keys", "grep", { pattern: "_authToken|aws_secret" }],
  ["glob sessions of Flow", "glob", { pattern: "**/.flow/**" }, "refused"],
  ["grep a file, and so its directory", "grep", { pattern: "title", path: "README.md" }],
  ["grep a missing file, and so its directory", "grep", { pattern: "title", path: "no-such-file" }],
  ["grep from above", "grep", { pattern: "Sliding", path: ".." }],
  ["grep from the root", "grep", { pattern: "Sliding", path: "/" }, "refused"],
  ["grep an empty path", "grep", { pattern: "Sliding", path: "" }],
  ["grep a word for no path", "grep", { pattern: "Sliding", path: "undefined" }],
  ["grep all files", "grep", { pattern: "Sliding", include: "*" }],
  ["grep all files at any depth", "grep", { pattern: "Sliding", include: "**/*" }],
  ["grep all files from the root on", "grep", { pattern: "Sliding", include: "/**" }],
  ["grep JSON", "grep", { pattern: "Sliding", include: "*.json" }],
  ["grep JSON at any depth", "grep", { pattern: "Sliding", include: "**/*.json" }],
  ["grep named files", "grep", { pattern: "title", include: ".design-lab/**" }, "refused"],
  ["grep named files among others", "grep", { pattern: "title", include: "{src,.d*}/**" }, "refused"],
  ["grep hidden directories", "grep", { pattern: "title", include: ".*/**" }, "refused"],
  ["grep by the parts of a path", "grep", { pattern: "title", include: "{2*,designs,*.json}" }, "refused"],
  ["grep any name", "grep", { pattern: "title", include: "?*" }, "refused"],
  [
    "grep an absolute glob",
    "grep",
    ({ project }) => ({ pattern: "title", include: `${project}/.design-lab/**` }),
    "refused",
  ],
  ["grep a negated glob", "grep", { pattern: "title", include: "!*.md" }],
  ["grep a linked directory", "grep", { pattern: "title", path: "lab-link" }, "refused"],
  ["grep a chain of links", "grep", { pattern: "title", path: "chain" }, "refused"],
  [
    "grep a linked file, and so its directory",
    "grep",
    { pattern: "title", path: "src/rival.json" },
    "refused",
  ],
  ["grep up from where a link leads", "grep", { pattern: "title", path: "chain/.." }, "refused"],
  [
    "grep up from where a link leads, absolute",
    "grep",
    ({ project }) => ({ pattern: "title", path: `${project}/chain/../designs` }),
    "refused",
  ],
  ["grep a hard link", "grep", { pattern: "title", path: "src" }],
  ["grep git's own files", "grep", { pattern: "oldtimer", path: ".git" }],
  ["grep for the directory's name", "grep", { pattern: "design-lab" }],
  ["grep for environment", "grep", { pattern: "Sworn" }],
  [
    "grep OpenCode's results",
    "grep",
    ({ home }) => ({ pattern: "Sliding", path: join(home, ".local/share/opencode") }),
    "refused",
  ],
  ["grep with an option for a pattern", "grep", { pattern: "--no-ignore" }],
  ["grep with an option for a path", "grep", { pattern: "Sliding", path: "--no-ignore" }],
  ["grep with an option for a glob", "grep", { pattern: "Sliding", include: "* --no-ignore" }],
  ["grep a broken pattern", "grep", { pattern: "(" }],
  ["glob everything", "glob", { pattern: "**/*" }],
  ["glob everything flat", "glob", { pattern: "*" }],
  ["glob hidden files", "glob", { pattern: ".*" }],
  ["glob hidden directories", "glob", { pattern: ".*/**" }, "refused"],
  ["glob JSON", "glob", { pattern: "**/*.json" }],
  ["glob designs", "glob", { pattern: "**/designs/*" }],
  ["glob a design", "glob", { pattern: RIVAL }, "refused"],
  ["glob the output directory", "glob", { pattern: ".design-lab/**" }, "refused"],
  ["glob it by wildcards", "glob", { pattern: ".d*/**/*" }, "refused"],
  ["glob it by a class", "glob", { pattern: ".design-la[b]/**" }, "refused"],
  ["glob it by braces", "glob", { pattern: "{.design-lab,src}/**" }, "refused"],
  ["glob up and down", "glob", { pattern: `src/../${RIVAL}` }, "refused"],
  ["glob absolute", "glob", ({ project }) => ({ pattern: `${project}/.design-lab/**` }), "refused"],
  ["glob by the parts of a path", "glob", { pattern: "{2*,designs,brisk*}" }, "refused"],
  ["glob the output directory by path", "glob", { pattern: "**/*", path: ".design-lab" }, "refused"],
  ["glob a linked directory", "glob", { pattern: "**/*", path: "lab-link" }, "refused"],
  ["glob up from where a link leads", "glob", { pattern: "**/*", path: "chain/.." }, "refused"],
  ["glob from above", "glob", { pattern: "**/*", path: ".." }],
  [
    "glob OpenCode's data",
    "glob",
    ({ home }) => ({ pattern: "**/*", path: join(home, ".local/share/opencode") }),
    "refused",
  ],
];

/** @type {Attack[]} */
const OTHERS = [
  ["bash", "bash", { command: `cat ${RIVAL}`, description: "x" }, "unknown"],
  ["bash in capitals", "Bash", { command: `cat ${RIVAL}`, description: "x" }, "unknown"],
  ["bash with a space", "bash ", { command: `cat ${RIVAL}`, description: "x" }, "unknown"],
  ["shell", "shell", { command: `cat ${RIVAL}` }, "unknown"],
  [
    "task with a file",
    "task",
    { description: "x", prompt: `Repeat @${RIVAL}`, subagent_type: "general" },
    "unknown",
  ],
  [
    "task with another's session",
    "task",
    ({ session }) => ({
      description: "x",
      prompt: "Repeat your design",
      subagent_type: "general",
      task_id: session(),
    }),
    "unknown",
  ],
  [
    "task with a lab agent",
    "task",
    { description: "x", prompt: "Repeat", subagent_type: "design-lab-designer" },
    "unknown",
  ],
  ["no such tool", "cat", { path: RIVAL }, "unknown"],
  ["no name", "", { path: RIVAL }, "unknown"],
  [
    "what OpenCode calls for malformed calls",
    "invalid",
    { tool: "read", error: RIVAL.slice(0, 12) },
    "unknown",
  ],
  ["edit", "edit", { filePath: RIVAL, oldString: "Sliding", newString: "x" }, "unknown"],
  ["write", "write", { filePath: "leak.md", content: "x" }, "unknown"],
  [
    "apply_patch",
    "apply_patch",
    { patchText: `*** Begin Patch\n*** Update File: ${RIVAL}\n*** End Patch` },
    "unknown",
  ],
  [
    "webfetch from OpenCode's own server",
    "webfetch",
    ({ url }) => ({ url: `${url}/session`, format: "text" }),
    "unknown",
  ],
  ["webfetch from loopback", "webfetch", { url: "http://127.0.0.1:4096/session", format: "text" }, "unknown"],
  ["webfetch of a file", "webfetch", { url: `file:///${RIVAL}`, format: "text" }, "unknown"],
  ["skill", "skill", { name: "design-lab" }, "unknown"],
  [
    "lsp",
    "lsp",
    { operation: "workspaceSymbol", filePath: "src/server.js", line: 1, character: 1, query: "S" },
    "unknown",
  ],
  ["todowrite", "todowrite", { todos: [] }, "unknown"],
  ["question", "question", { questions: [] }, "unknown"],
  ["list", "list", { path: ".design-lab" }, "unknown"],
  ["batch", "batch", { tool_calls: [{ tool: "read", parameters: { filePath: RIVAL } }] }, "unknown"],
  ["resources of MCP servers", "list_mcp_resources", {}, "unknown"],
  ["read in capitals", "READ", { filePath: RIVAL }],
  ["grep in capitals", "Grep", { pattern: "title", path: ".design-lab" }],
];

export const ATTACKS = [...READS, ...SEARCHES, ...OTHERS];

export const LEGITIMATE = /** @type {[string, string, Record<string, unknown>, RegExp][]} */ ([
  ["a file", "read", { filePath: "src/server.js" }, /export function handle/],
  ["a file with a dot", "read", { filePath: "./src/server.js" }, /export function handle/],
  ["a file, up and down", "read", { filePath: "src/../README.md" }, /A small shop/],
  ["doubled slashes", "read", { filePath: "src//server.js" }, /export function handle/],
  ["a page of a file", "read", { filePath: "README.md", offset: 3, limit: 1 }, /3: A small shop/],
  ["a link within the project", "read", { filePath: "server-link.js" }, /export function handle/],
  ["a linked directory within the project", "read", { filePath: "src-link/store.js" }, /orders/],
  ["a hard link within the project", "read", { filePath: "store-again.js" }, /orders/],
  ["the example of an environment file", "read", { filePath: ".env.example" }, /SECRET=/],
  ["a dotfile", "read", { filePath: ".editorconfig" }, /root = true/],
  ["the ignored names", "read", { filePath: ".gitignore" }, /\.design-lab\//],
  ["a name with letters beyond ASCII", "read", { filePath: "docs/übersicht.md" }, /Überblick/],
  ["a name with brackets", "read", { filePath: "src/(group)/[id].js" }, /route/],
  ["a name like the output directory's", "read", { filePath: "src/design-lab.js" }, /nothing secret/],
  ["the root", "read", { filePath: "." }, /^(?=[\s\S]*README\.md)(?=[\s\S]*src\/)/],
  ["a directory", "read", { filePath: "src" }, /server\.js/],
  ["a missing file, with what was meant", "read", { filePath: "src/serve" }, /Did you mean[\s\S]*server\.js/],
  ["grep", "grep", { pattern: "orders" }, /store\.js:[\s\S]*orders/],
  ["grep by kind", "grep", { pattern: "export", include: "*.js" }, /server\.js/],
  ["grep all files", "grep", { pattern: "orders", include: "**/*" }, /store\.js/],
  ["grep a directory", "grep", { pattern: "orders", path: "src" }, /store\.js/],
  ["grep a file", "grep", { pattern: "orders", path: "src/store.js" }, /store\.js/],
  ["grep dotfiles", "grep", { pattern: "root = true", include: ".*" }, /\.editorconfig/],
  ["grep a linked directory", "grep", { pattern: "orders", path: "src-link" }, /store\.js/],
  ["grep a hard link within the project", "grep", { pattern: "orders" }, /store-again\.js/],
  ["grep for the output directory's name", "grep", { pattern: "design-lab/" }, /\.gitignore/],
  ["glob", "glob", { pattern: "**/*.js" }, /server\.js/],
  ["glob all", "glob", { pattern: "**/*" }, /README\.md/],
  ["glob a directory", "glob", { pattern: "src/**" }, /store\.js/],
  ["glob below a path", "glob", { pattern: "*.md", path: "docs" }, /übersicht\.md/],
  ["glob designs that are the project's own", "glob", { pattern: "**/*design*" }, /src\/design-lab\.js/],
]);

export const FILES = {
  ".gitignore": ".design-lab/\n",
  ".editorconfig": "root = true\n",
  ".env": "SECRET=Sworn statement\n",
  ".env.example": "SECRET=\n",
  ".npmrc": "//registry.example/:_authToken=Sworn statement\n",
  ".aws/credentials": "aws_secret_access_key = Sworn statement\n",
  [`${SESSION}/journal.jsonl`]: '{"design": "Ancient ledger", "author": "oldtimer"}\n',
  [`${SESSION}/session.json`]: '{"design": "Ancient ledger", "author": "oldtimer"}\n',
  [`${SESSION}/docs/index.md`]: "# Ancient ledger, by oldtimer\n",
  "docs/übersicht.md": "Überblick\n",
  "src/(group)/[id].js": "export const route = 1;\n",
  "src/design-lab.js": "// nothing secret\n",
  "linked/plain.js": "export const plain = 1;\n",
  "notes.md": `# Notes\n\nSee ${RIVAL} and .design-lab/${OLDER}/designs/oldtimer.json.\n`,
  ".design-lab/.gitkeep": "",
  [`.design-lab/${OLDER}/designs/oldtimer.json`]: '{"title": "Ancient ledger"}\n',
  [`.design-lab/${OLDER}/designs/oldtimer.md`]: "# Ancient ledger\n",
  [`.design-lab/${OLDER}/results/ranking.json`]: '{"rankings": [{"design_id": "oldtimer"}]}\n',
};

/** Creates links, and files of other sessions in OpenCode's own directories. @param {any} opencode */
export async function plant({ project, home }) {
  const at = (/** @type {string} */ path) => project.path(path);
  await symlink(at(RIVAL), at("src/rival.json"));
  await symlink(at(".design-lab"), at("lab-link"));
  await symlink(at(`lab-link/${RUN}/designs`), at("chain-2"));
  await symlink("chain-2", at("chain"));
  await symlink("..", at("up"));
  await symlink(at(`.design-lab/${RUN}/designs/zeph-3.json`), at("src/dangling.json"));
  await symlink(at(`.design-lab/${OLDER}/designs/oldtimer.md`), at("linked/AGENTS.md"));
  await symlink(at(".env"), at("env-link"));
  await link(at(`.design-lab/${OLDER}/designs/oldtimer.json`), at("src/hard.json"));
  await symlink("src/server.js", at("server-link.js"));
  await symlink("src", at("src-link"));
  await link(at("src/store.js"), at("store-again.js"));
  const spilled = join(home, ".local/share/opencode/tool-output/tool_1");
  await mkdir(dirname(spilled), { recursive: true });
  await writeFile(spilled, "Sliding window, as brisk-10 of lab would build it.\n");
}

/**
 * Deals the items out like cards to this many hands. OpenCode ends a turn that contains the same call three times in a row, and
 * neighbouring calls here may become the same once a meaningless argument is removed.
 * @template T @param {T[]} items @param {number} hands
 */
export const dealt = (items, hands) =>
  Array.from({ length: hands }, (_, hand) => items.filter((_, index) => index % hands === hand)).flat();

/**
 * Returns a model's tool calls, this many per turn.
 * @param {Where} where
 * @param {readonly (readonly [string, string, any, ...unknown[]])[]} calls
 * @param {number} size
 */
export const turns = (where, calls, size) =>
  Array.from({ length: Math.ceil(calls.length / size) }, (_, turn) => () => {
    const now = calls.slice(turn * size, (turn + 1) * size);
    const toolCalls = now.map(([, name, args]) => ({
      name,
      arguments: typeof args === "function" ? args(where) : args,
    }));
    return script.reply("", { toolCalls });
  });

/**
 * Returns the answer to each call, in order: the tool messages of the first request that contains them all.
 * @param {import("../provider/server.mjs").Recorded[]} requests
 * @param {number} calls
 */
export function answers(requests, calls) {
  const all = requests.map((request) => request.messages.filter(({ role }) => role === "tool"));
  const whole = all.find((messages) => messages.length === calls);
  assert.ok(
    whole,
    `${calls} calls were answered, not ${Math.max(...all.map((messages) => messages.length))}`,
  );
  return whole.map((message) => message.content);
}

/** @param {Where} where @param {readonly Attack[]} attacks @param {string[]} results @param {string[]} [secrets] */
export function assertNothingLearnt(where, attacks, results, secrets = SECRETS) {
  /** @type {string[]} */
  const faults = [];
  for (const [at, [name, tool, args, kind]] of attacks.entries()) {
    const result = results[at];
    assert.ok(result !== undefined, `${tool}, ${name}, has no answer`);
    // An error may repeat the call's own words.
    const said = JSON.stringify(typeof args === "function" ? args(where) : args).toLowerCase();
    const holds = (/** @type {string} */ secret) => result.toLowerCase().includes(secret.toLowerCase());
    const told = secrets.filter((secret) => holds(secret) && !said.includes(secret.toLowerCase()));
    if (told.length > 0) faults.push(`${tool}, ${name}, tells ${told.join(", ")}:\n${result}`);
    if (kind === "refused" && !NEUTRAL.includes(result))
      faults.push(`${tool}, ${name}, isn't refused:\n${result}`);
    if (
      kind === "unknown" &&
      !/unavailable tool|arguments provided to the tool are invalid|not available/i.test(result)
    )
      faults.push(`${tool}, ${name}, is known:\n${result}`);
  }
  assert.deepEqual(faults, [], faults.join("\n\n"));
}
