// Tests in a real browser, against a real application and against its counterfeits.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { DECEIVING, honest, KINDS, OWN, ofKind, START } from "../../tests/validation/suites.mjs";
import { marked } from "../kernel/proc.js";
import { selfSigned } from "./certificate.js";
import { markOf } from "./processes.js";
import { readRun } from "./report.js";
import { each, PORT, ROOT, run, server } from "./test/run.js";
import { concluded } from "./test/verdict.js";
import { findTools } from "./tools.js";

const APPS = fileURLToPath(new URL("../../tests/validation/app/", import.meta.url));
const NOTHING = { browser: null, directory: null };

const app = (program = "server") =>
  server({
    name: program,
    command: [process.execPath, path.join(APPS, `${program}.mjs`)],
    ready: { url: "/", status: 200, port: false, log: null },
  });

const fileOf = (/** @type {string} */ suite) => `tests/${suite}.spec.ts`;

/**
 * @param {import("./test/run.js").Run} run
 * @param {Record<string, string>} suites files of tests, by name
 * @param {(keyof typeof KINDS)[]} kinds kinds of applications that run in addition to the first, with their tests
 */
async function started(run, suites, kinds = []) {
  const { servers } = await run.start(app(), ...kinds.map(app));
  const [base_url, ...urls] = each(servers, "url");
  const ofKinds = kinds.map((kind, index) => [kind, ofKind(urls[index], KINDS[kind])]);
  const texts = { ...suites, ...Object.fromEntries(ofKinds) };
  for (const [suite, text] of Object.entries(texts)) run.write(fileOf(suite), text);
  /** @param {string} against */
  const against = (against, wanted = {}) =>
    run.test(base_url, { against, others: urls, files: Object.keys(texts).map(fileOf), ...wanted });
  return { base_url, urls, against };
}

/** The project's files and directories, except those of the run. @param {string} project */
function besideTheRun(project) {
  const all = readdirSync(project, { recursive: true });
  return all.filter((file) => !`${file}`.startsWith("out")).sort();
}

/** The project's own tests, next to its Playwright, with a server that must not start. @param {string} project */
function ownTests(project) {
  const begun = path.join(project, "begun");
  const files = {
    ...OWN,
    "playwright.config.ts": `export default { testDir: "e2e", webServer: { command: "touch ${begun}", url: "http://127.0.0.1:1" } };\n`,
  };
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(project, file)), { recursive: true });
    writeFileSync(path.join(project, file), text);
  }
  mkdirSync(path.join(project, "node_modules"));
  symlinkSync(path.join(ROOT, "node_modules/@playwright"), path.join(project, "node_modules/@playwright"));
  return { begun, held: besideTheRun(project) };
}

test("honest tests pass on the application and fail against what takes its place; what shows nothing is seen as that", async () => {
  const used = await run();
  const its = ownTests(used.directory);
  // One start of Playwright for all of them: most of the time goes into starting Playwright and browsers.
  const suites = await started(
    used,
    {
      honest: honest("wrong-redirect", "missing-validation", "lost-state", "broken-link"),
      hollow: DECEIVING,
      start: START,
    },
    ["single-page", "api"],
  );
  const names = ["notes › are counted", "hollow › with what parts titles (and more)"];
  const wanted = names.map((title) => ({ file: "e2e/deep/notes.spec.ts", title }));
  const own = { directory: "e2e", tests: wanted };
  // They take their own browser: one counterfeit is enough to show it.
  const against = (/** @type {string} */ against) =>
    suites.against(against, ["application", "blank"].includes(against) ? { own } : {});
  const listed = await used.perform({ command: "list_tests", files: [fileOf("honest")] });
  assert.deepEqual(listed.listed.tests?.[0], {
    file: fileOf("honest"),
    title: "a note that is added is in the list",
    tags: ["@C10"],
  });
  assert.equal(listed.listed.tests.length, 4);
  const { listed: theirs } = await used.perform({ command: "list_own_tests", directory: "e2e" });
  assert.deepEqual(each(theirs.tests, "file", "title", "tags"), [
    ["e2e/deep/notes.spec.ts", names[0], ["@notes", "@C3"]],
    ["e2e/deep/notes.spec.ts", "notes › are counted by nobody", ["@notes"]],
    ["e2e/deep/notes.spec.ts", names[1], []],
    ["e2e/other.spec.ts", names[0], []],
  ]);
  const { ran, duration_ms } = await against("application");
  assert.ok(duration_ms > 0);
  const of = (/** @type {any} */ { tests }, /** @type {string} */ suite) =>
    tests.filter((/** @type {any} */ { file }) => file === fileOf(suite));
  const passing = (/** @type {any} */ ran, /** @type {string} */ suite) =>
    each(of(ran, suite), "status", "title").flatMap(([status, title]) =>
      status === "passed" ? [title] : [],
    );

  const sound = of(ran, "honest");
  assert.deepEqual(each(sound, "status"), Array(4).fill("passed"), JSON.stringify(ran));
  assert.deepEqual(each(sound, "expects"), [2, 2, 1, 2]);
  const [first, second] = sound;
  assert.deepEqual(first.steps.slice(-2), ['Expect "toBe"', 'Expect "toBeVisible"']);
  assert.deepEqual(each(second.failed_requests, "method", "status"), [["POST", 422]]);
  assert.ok(second.console.some((/** @type {any} */ { level }) => level === "error"));
  for (const { name, path: file } of first.attachments)
    assert.ok(["trace", "screenshot"].includes(name) && existsSync(used.path(file)), file);

  const project = (/** @type {any} */ { tests }) =>
    tests.filter((/** @type {any} */ { whose }) => whose === "project");
  assert.deepEqual(each(project(ran), "file", "title", "status", "expects"), [
    ["e2e/deep/notes.spec.ts", names[0], "passed", 1],
    ["e2e/deep/notes.spec.ts", names[1], "passed", 1],
  ]);
  assert.deepEqual(each(sound, "whose"), Array(4).fill("written"));
  assert.deepEqual(project(ran)[0].visited, [`${suites.base_url}/`], "its pages are watched as well");
  assert.match(project(ran)[0].attachments[0].path, /^playwright\/application-1\/own-1\/artifacts\//);

  const counted = Object.fromEntries(
    each(of(ran, "hollow"), "title", "status", "expects", "caught").map(([title, ...counts]) => [
      title,
      counts,
    ]),
  );
  // Whether it ends before its page is closed depends on the browser: it proves nothing either way.
  const [status, begun, failed] = counted["never waited for"];
  delete counted["never waited for"];
  assert.deepEqual([status, begun], ["passed", failed]);
  assert.deepEqual(counted, {
    "no assertion": ["passed", 0, 0],
    tautology: ["passed", 1, 0],
    skipped: ["skipped", 0, 0],
    "to be fixed": ["skipped", 0, 0],
    caught: ["passed", 1, 1],
    "only a body": ["passed", 1, 0],
    "meant to fail": ["failed", 1, 0],
    "tried until it holds": ["passed", 1, 0],
  });

  // The content of the start page can be proven; that there is a start page proves nothing.
  const thatItIs = [
    "there is a heading",
    "there is a list of links",
    "the link exists, but nobody follows it",
  ];
  assert.deepEqual(passing(ran, "start"), ["its title", "its heading", ...thatItIs]);

  const { processes } = await used.stop();
  assert.deepEqual(each(processes, "end"), Array(3).fill("terminated"));
  /** @type {Record<string, any>} */
  const elsewhere = {};
  const anywhere = ["tautology", "tried until it holds"];
  const hollow = {
    nothing: anywhere,
    blank: [...anywhere, "caught", "never waited for", "only a body"],
    frozen: [...anywhere, "no assertion", "caught", "only a body", "never waited for"],
  };
  for (const [counterfeit, expected] of Object.entries(hollow)) {
    const { ran, message } = await against(counterfeit);
    assert.equal(message, undefined);
    elsewhere[counterfeit] = ran;
    const failed = each(of(ran, "honest"), "status").map((status) =>
      ["failed", "timed_out"].includes(status),
    );
    // The recorded page has its links, and each leads back to it.
    assert.deepEqual(failed, Array(4).fill(true), counterfeit);
    assert.deepEqual(passing(ran, "hollow").sort(), expected.sort(), counterfeit);
    const theirs = counterfeit === "blank" ? ["failed", "passed"] : [];
    assert.deepEqual(each(project(ran), "status"), theirs, counterfeit);
    assert.deepEqual(passing(ran, "start"), counterfeit === "frozen" ? thatItIs : [], counterfeit);
  }
  for (const [kind, tests] of Object.entries(KINDS)) {
    const criteria = tests.map(({ title }, index) => ({ id: `C${index + 1}`, text: title }));
    const verdicts = Object.fromEntries(tests.map(({ verdict }, index) => [`C${index + 1}`, verdict]));
    const its = Object.entries(elsewhere).map(([against, ran]) => [against, of(ran, kind)]);
    const expected = { outcome: "incomplete", verdicts };
    assert.deepEqual(concluded(criteria, of(ran, kind), Object.fromEntries(its)), expected, kind);
  }
  const { processes: ends, evidence } = await used.tearDown();
  assert.deepEqual(each(ends, "name", "end"), [
    ...["blank", "frozen"].flatMap((name) =>
      ["", ...suites.urls.map((url) => `-${new URL(url).port}`)].map((port) => [
        `counterfeit: ${name}${port}`,
        "terminated",
      ]),
    ),
  ]);
  const files = each(evidence, "path");
  for (const name of ["seen.json", "report.json", "junit.xml", "stdout.log"])
    assert.ok(files.includes(`playwright/application-1/${name}`), name);
  for (const { path: file, bytes, sha256 } of evidence) {
    const held = readFileSync(used.path(file));
    assert.deepEqual([held.length, createHash("sha256").update(held).digest("hex")], [bytes, sha256]);
  }
  assert.deepEqual(marked(`${markOf(used.store.folder)}-tests`), [], "no browser is left");
  assert.ok(!existsSync(its.begun), "the project's own configuration starts nothing");
  assert.deepEqual(besideTheRun(used.directory), its.held, "and nothing is written beside the run");
});

test("what answers for the application is seen, however a test says it", async () => {
  const used = await run();
  const page = "async ({ page })";
  const browser = "async ({ browser })";
  const spellings = [
    [page, 'await page.route("**/a", (route) => route.abort());', ["page.route(**/a)"]],
    [page, 'await page["ro" + "ute"](/b/, (route) => route.abort());', ["page.route(/b/)"]],
    [page, 'const { route } = page; await route.call(page, "c", (one) => one.abort());', ["page.route(c)"]],
    [page, 'await page.context().route("**/d", (route) => route.abort());', ["context.route(**/d)"]],
    [page, 'await page.mainFrame().setContent("<h1>Notes</h1>");', ["page.setContent(…)"]],
    [page, 'await page.setContent("<h1>Notes</h1>");', ["page.setContent(…)"]],
    [page, "await page.addInitScript(() => { globalThis.fetch = null; });", ["page.addInitScript(…)"]],
    [page, 'await page.routeWebSocket("/ws", () => {});', ["page.routeWebSocket(/ws)"]],
    [
      browser,
      'const mine = await browser.newContext(); await mine.route("e", (one) => one.abort());',
      ["context.route(e)"],
    ],
    [
      browser,
      'const mine = await browser.newPage(); await mine.route("f", (one) => one.abort()); await mine.close();',
      ["page.route(f)"],
    ],
    [
      page,
      'const popup = await page.context().newPage(); await popup.route("g", (one) => one.abort());',
      ["page.route(g)"],
    ],
    [page, 'await page.goto("about:blank");', []],
    [page, 'await page.addScriptTag({ content: "1" });', ["page.addScriptTag(…)"]],
    [page, 'await page.exposeFunction("load", () => 1);', ["page.exposeFunction(load)"]],
    [page, "await page.context().newCDPSession(page);", ["context.newCDPSession(…)"]],
  ];
  const opens = [
    [page, 'await page.goto("data:text/html,<h1>Notes</h1>");', "data:text/html,<h1>Notes</h1>"],
    [page, 'await page.goto("file:///nowhere").catch(() => {});', "file:///nowhere"],
    [page, 'await page.mainFrame().goto("http://127.0.0.1:1/x").catch(() => {});', "http://127.0.0.1:1/x"],
    [
      "async ({ request })",
      'await request.get("http://127.0.0.1:1/y").catch(() => {});',
      "http://127.0.0.1:1/y",
    ],
    [page, 'await page.request.post("http://127.0.0.1:1/z").catch(() => {});', "http://127.0.0.1:1/z"],
    [
      page,
      'await page.goto("/own").catch(() => {}); await page.request.get("own").catch(() => {});',
      undefined,
    ],
    [
      "async ({ playwright })",
      'const api = await playwright.request.newContext({ baseURL: "http://127.0.0.1:1" }); await api.get("/a").catch(() => {});',
      "http://127.0.0.1:1/a",
    ],
    [
      browser,
      'const mine = await browser.newContext({ baseURL: "http://127.0.0.1:1" }); await (await mine.newPage()).goto("/b").catch(() => {});',
      "http://127.0.0.1:1/b",
    ],
  ];
  const one = (/** @type {any[]} */ [given, body], /** @type {number} */ index) =>
    `test("${index}", ${given} => { ${body} });`;
  const all = [...spellings, ...opens];
  used.write(
    fileOf("app"),
    `import { expect, test } from "./validation";
${all.map(one).join("\n")}
test.describe("a page of all tests", () => {
  let shared;
  test.beforeAll(async ({ browser }) => {
    shared = await browser.newPage();
    await shared.route("shared", (route) => route.abort());
  });
  test("first", async () => {});
  test("second", async () => { await shared.close(); });
  test("third", async () => {});
});
`,
  );
  // What others left open says nothing about these tests.
  used.write(fileOf("other"), `import { test } from "./validation";\ntest("innocent", async () => {});\n`);
  const files = ["app", "other"].map(fileOf);
  const { ran } = await used.test("http://127.0.0.1:9", { files });
  const seen = Object.fromEntries(
    each(ran.tests, "title", "mocks", "opened", "status").map(([title, mocks = [], opened = [], status]) => [
      title,
      { mocks, opened, status },
    ]),
  );
  const passed = { mocks: [], opened: [], status: "passed" };
  for (const [index, [, body, mocks]] of spellings.entries())
    assert.deepEqual(seen[index], { ...passed, mocks }, `${body}`);
  for (const [index, [, body, address]] of opens.entries()) {
    const opened = address ? [address] : [];
    assert.deepEqual(seen[spellings.length + index], { ...passed, opened }, `${body}`);
  }
  const shared = ["first", "second", "third"].map((title) => seen[`a page of all tests › ${title}`].mocks);
  assert.deepEqual(shared, [["page.route(shared)"], ["page.route(shared)"], []]);
  assert.deepEqual(seen.innocent, passed);
});

test("code that a test runs in a page is seen, however a test says it", async () => {
  const used = await run();
  const write = "document.title = '42'";
  const handle = 'const body = await page.evaluateHandle("document.body");';
  const spellings = [
    [
      `await page.evaluate(() => { document.title = "42"; });`,
      /^\(\(\) => {\s+document\.title = "42";\s+}\)$/,
    ],
    [`await page.evaluate("${write}");`, write],
    [`await page["eval" + "uate"]("${write}");`, write],
    [`const { evaluate } = page; await evaluate.call(page, "${write}");`, write],
    [`await page.mainFrame().evaluate("${write}");`, write],
    [`await page.locator("body").evaluate((body) => body.remove());`, "(body => body.remove())"],
    [`await page.locator("body").evaluateAll((all) => all.length);`, "(all => all.length)"],
    [`await page.locator("body").evaluateHandle((body) => body.remove());`, "(body => body.remove())"],
    [`${handle} await body.evaluate((body) => body.remove());`, "document.body", "(body => body.remove())"],
    [
      `${handle} await body.$eval("p", (p) => p.remove()).catch(() => {});`,
      "document.body",
      "(p => p.remove())",
    ],
    [`await page.$eval("body", (body) => body.remove());`, "(body => body.remove())"],
    [`await page.$$eval("body", ([body]) => body.remove());`, "(([body]) => body.remove())"],
    [`await page.waitForFunction("${write}");`, write],
    [`await page.localStorage.setItem("a", "b").catch(() => {});`, "localStorage.setItem()"],
    [
      `let times = 0; const two = () => {}; two.toString = () => (times++ ? "() => { ${write}; }" : "() => 1"); await page.evaluate(two); expect(await page.title()).toBe("");`,
      "(() => 1)",
    ],
    [`await page.evaluate("${"x".repeat(2_100)}").catch(() => {});`, `${"x".repeat(2_000)}…`],
    [
      `for (let i = 0; i < 60; i++) await page.evaluate(\`\${i}\`);`,
      ...Array.from({ length: 49 }, (_, i) => `${i}`),
      "…",
    ],
    [`await page.getByText("x").count();`],
  ];
  const one = (/** @type {any[]} */ [body], /** @type {number} */ index) =>
    `test("${index}", async ({ page }) => { ${body} });`;
  used.write(
    fileOf("app"),
    `import { expect, test } from "./validation";
${spellings.map(one).join("\n")}
test.describe("a page of all tests", () => {
  let shared;
  test.beforeAll(async ({ browser }) => {
    shared = await browser.newPage();
    await (await shared.$("body")).evaluate("1");
  });
  test("first", async () => {});
  test("second", async () => {});
});
`,
  );
  const selector = `import { test } from "./validation";
test.describe("a selector", () => {
  test.beforeAll(async ({ playwright }) => {
    await playwright.selectors.register("all", "({ query: (root) => root })");
  });
  test("one", async () => {});
  test("two", async () => {});
});
`;
  used.write(fileOf("selector"), selector);
  const files = ["app", "selector"].map(fileOf);
  const { ran } = await used.test("http://127.0.0.1:9", { files });
  const seen = Object.fromEntries(
    each(ran.tests, "title", "evaluated", "error").map(([title, ...of]) => [title, of]),
  );
  for (const [index, [body, ...expected]] of spellings.entries()) {
    const [evaluated = [], error] = seen[index];
    assert.equal(error, "", `${body}`);
    assert.equal(evaluated.length, expected.length, `${body}: ${evaluated}`);
    for (const [at, code] of evaluated.entries())
      if (expected[at] instanceof RegExp) assert.match(code, expected[at]);
      else assert.equal(code, expected[at], `${body}`);
  }
  for (const title of ["first", "second"])
    assert.deepEqual(seen[`a page of all tests › ${title}`], [["1"], ""], title);
  for (const title of ["one", "two"])
    assert.deepEqual(seen[`a selector › ${title}`], [["selectors.register()"], ""], title);
});

test("what keeps a test from being watched is seen, and so is another way to the application", async () => {
  const used = await run();
  const proxy = '{ server: "http://127.0.0.1:9" }';
  const files = {
    fixture: `const mine = test.extend({ validationWatched: [async ({}, use) => { await use(); }, { auto: true }] });
mine("a", async ({ page }) => { await page.route("x", (route) => route.abort()); });`,
    group: `test.describe("b", () => { test.use({ proxy: ${proxy}, locale: "de" }); test("c", async () => {}); });`,
    file: `test.use({ launchOptions: { args: ["--no-sandbox", "--host-resolver-rules=MAP * 127.0.0.1:9"] } }); test("d", async () => {});`,
    options: `test.use({ contextOptions: { proxy: ${proxy} } }); test("o", async () => {});`,
    attach: `test("p", async ({ page }, info) => { info.attach = async () => {}; await page.route("x", (route) => route.abort()); });`,
    context: `test("e", async ({ browser }) => { await browser.newContext({ proxy: ${proxy} }); });`,
    launch: `test("f", async ({ playwright }) => { await playwright.chromium.connect("ws://127.0.0.1:9").catch(() => {}); });`,
    hook: `test.beforeAll(async ({ playwright }) => { await playwright.chromium.connect("ws://127.0.0.1:9").catch(() => {}); });
test("g", async () => {}); test("h", async () => {});`,
    innocent: `const mine = test.extend({ start: "/" }); mine.use({ locale: "de", contextOptions: { strictSelectors: true } }); mine("i", async ({ page, start }) => {});`,
  };
  for (const [name, text] of Object.entries(files))
    used.write(fileOf(name), `import { expect, test } from "./validation";\n${text}\n`);
  const { ran } = await used.test("http://127.0.0.1:9", { files: Object.keys(files).map(fileOf) });
  const seen = Object.fromEntries(each(ran.tests, "title", "mocks"));
  assert.deepEqual(seen, {
    a: ["test.use({ validationWatched })", "unwatched"],
    "b › c": ["test.use({ proxy })"],
    d: ["test.use({ launchOptions })"],
    e: ["newContext({ proxy })"],
    f: ["browserType.connect(…)"],
    g: ["browserType.connect(…)"],
    h: ["browserType.connect(…)"],
    i: undefined,
    o: ["test.use({ contextOptions })"],
    p: ["page.route(x)"],
  });
});

test("an action that fails within an assertion is no assertion that failed", async () => {
  const used = await run();
  const click = 'await page.getByRole("button").click({ timeout: 200 });';
  const soon = "{ timeout: 600 }";
  const bodies = {
    "toPass clicks": [`await expect(async () => { ${click} }).toPass(${soon});`, "call"],
    "poll clicks": [`await expect.poll(async () => { ${click} return 1; }, ${soon}).toBe(1);`, "call"],
    "poll waits": [
      `await expect.poll(() => page.getByRole("button").textContent(), ${soon}).toBe("x");`,
      "call",
    ],
    "toPass asserts": [
      `await expect(async () => { expect(await page.title()).toBe("x"); }).toPass(${soon});`,
      "expect",
    ],
    "poll asserts": [`await expect.poll(() => page.title(), ${soon}).toBe("x");`, "expect"],
  };
  const tests = Object.entries(bodies).map(
    ([title, [body]]) => `test("${title}", async ({ page }) => { ${body} });`,
  );
  used.write(fileOf("app"), `import { expect, test } from "./validation";\n${tests.join("\n")}\n`);
  const { ran } = await used.test("http://127.0.0.1:9", { against: "nothing" });
  for (const { title, trail } of ran.tests) {
    const { kind, error } = trail.find((/** @type {any} */ step) => step.error) ?? {};
    assert.equal(kind, bodies[/** @type {keyof typeof bodies} */ (title)][1], `${title}: ${error}`);
  }
});

test("a test sees no sign of ours that a counterfeit replaces the application", async () => {
  const used = await run();
  used.write(
    fileOf("app"),
    `import { expect, test } from "./validation";
test("same", async ({ page }, { expectedStatus, annotations, project }) => {
  const told = Object.keys(project.use).filter((name) => name.startsWith("validation"));
  expect([expectedStatus, annotations, told, process.env.VALIDATION_TESTS]).toEqual(["passed", [], [], undefined]);
});
test("falls", async () => { expect(1).toBe(2); });
`,
  );
  for (const against of ["application", "nothing"]) {
    const { ran } = await used.test("http://127.0.0.1:9", { against });
    assert.deepEqual(
      each(ran.tests, "status", "error").map(([status]) => status),
      ["passed", "failed"],
      JSON.stringify(ran),
    );
  }
});

test("behind a sign-in, what a test itself writes into the page makes no criterion met", async () => {
  const used = await run();
  const program = `
    const { createServer } = require("node:http");
    const start = '<form action="/in"><label>Name<input name="name"></label><button>Sign in</button></form>';
    const page = '<h1>Sums</h1><button onclick="add()">Add</button><output></output><div contenteditable></div><script>const add = async () => {' +
      ' document.querySelector("output").textContent = await (await fetch("/total")).text(); }</script>';
    const answer = (request, response) => {
      response.setHeader("content-type", "text/html");
      response.end(request.url === "/total" ? "Total 41" : request.url.startsWith("/in") ? page : start);
    };
    createServer(answer).listen(Number(process.env.PORT));
    createServer(answer).listen(0, "127.0.0.1");`;
  const { servers } = await used.start(
    server({ ready: { url: "/", status: 200, port: false, log: null } }, program),
  );
  const [{ url, port }] = servers;
  const output = (/** @type {number} */ total) =>
    `await expect(page.locator("output")).toHaveText("Total ${total}");`;
  const add = 'await page.getByRole("button").click();';
  const bodies = {
    honest: `${add} ${output(41)}`,
    reads: `${add} ${output(41)} expect(await page.evaluate(() => document.title)).toBe("");`,
    writes: `await page.locator("output").evaluate((el) => { el.textContent = "Total 42"; }); ${output(42)}`,
    types: `await page.goto("/in"); const note = page.locator("[contenteditable]"); await note.fill("Total 42"); await expect(note).toHaveText("Total 42");`,
    fetches: `await page.evaluate(() => { window.fetch = async () => new Response("Total 42"); }); ${add} ${output(42)}`,
  };
  const signsIn = `await page.goto("/"); await page.getByLabel("Name").fill("ann"); await page.getByRole("button").click(); await page.waitForURL("**/in*");`;
  const tests = Object.entries(bodies).map(
    ([title, body], at) =>
      `test("${title}", { tag: "@C${at + 1}" }, async ({ page }) => { ${title === "types" ? "" : signsIn} ${body} });`,
  );
  used.write(fileOf("app"), `import { expect, test } from "./validation";\n${tests.join("\n")}\n`);
  const { ran, noted } = await used.test(url);
  assert.deepEqual(each(ran.tests, "status"), Array(5).fill("passed"), JSON.stringify(ran));
  const live = { against: "live", live: { lie: "words", seed: 5 }, wait_ms: 2_000, assert_ms: 500 };
  const { ran: control } = await used.test(url, live);
  // An assertion of each fails there, because the page shows other words, whoever wrote them; what is typed stays.
  const fell = ["failed", "failed", "failed", "passed", "failed"];
  assert.deepEqual(each(control.tests, "status"), fell, JSON.stringify(control));
  // In one pass, each test may meet another lie: one whose writes are discarded sees the right words.
  const lies = Object.keys(bodies).map((title) => ({
    ...{ whose: "written", file: fileOf("app"), title },
    lie: { honest: "deaf", types: "names" }[title] ?? "words",
  }));
  const { ran: mixed, noted: notes } = await used.test(url, { ...live, pass: 0, lies });
  assert.deepEqual(each(mixed.tests, "status"), ["passed", ...fell.slice(1)], JSON.stringify(mixed));
  assert.deepEqual(notes.methods, ["GET"]);
  const criteria = Object.keys(bodies).map((text, at) => ({ id: `C${at + 1}`, text }));
  // No dead counterfeit lets them in.
  const trail = [{ kind: "call", title: "Fill", error: "TimeoutError" }];
  const stopped = ran.tests.map((/** @type {any} */ one) => ({ ...one, status: "failed", trail }));
  const dead = { nothing: stopped, blank: stopped, frozen: stopped };
  const { verdicts } = concluded(criteria, ran.tests, { ...dead, live: control.tests });
  assert.deepEqual(verdicts, { C1: "met", C2: "met", C3: "hollow", C4: "hollow", C5: "hollow" });

  // A command may open further ports: their answers are changed as well.
  assert.equal(noted.ports.length, 1);
  assert.notEqual(noted.ports[0], port);
  const { hosts } = JSON.parse(used.read("playwright/live-plan.json"));
  for (const one of [port, ...noted.ports]) assert.ok(hosts.includes(`127.0.0.1:${one}`), `${one}: ${hosts}`);
  await used.stop();
});

test("against a counterfeit, tests wait no longer than they may, except for an answer that is still to come", async () => {
  const used = await run();
  const program = `
    const page = '<h1>Sums</h1><ul></ul><script>fetch("/late").then(async (answer) => {' +
      ' document.querySelector("ul").innerHTML = await answer.text(); })</script>';
    require("node:http").createServer((request, response) => {
      response.setHeader("content-type", "text/html");
      if (request.url === "/late") setTimeout(() => response.end("<li>1<li>2"), 1_500);
      else response.end(page);
    }).listen(Number(process.env.PORT));`;
  const [{ url }] = (
    await used.start(server({ ready: { url: "/", status: 200, port: false, log: null } }, program))
  ).servers;
  const never = 'page.getByText("never")';
  const bodies = {
    late: 'await expect(page.getByRole("listitem")).toHaveCount(2, { timeout: 20_000 });',
    asserts: `await expect(${never}).toBeVisible({ timeout: 20_000 });`,
    polls: `await expect.poll(() => ${never}.count(), { timeout: 20_000 }).toBe(1);`,
    repeats: `await expect(async () => { await expect(${never}).toBeVisible(); }).toPass({ timeout: 20_000 });`,
    acts: `await ${never}.click({ timeout: 20_000 });`,
  };
  const tests = Object.entries(bodies).map(
    ([title, body]) => `test("${title}", async ({ page }) => { await page.goto("/"); ${body} });`,
  );
  used.write(fileOf("app"), `import { expect, test } from "./validation";\n${tests.join("\n")}\n`);
  const waits = Object.keys(bodies).map((title) => ({ title, wait_ms: 20_000, assert_ms: 50 }));
  Object.assign(waits.at(-1) ?? {}, { wait_ms: 500 });
  const live = { live: { lie: "words", seed: 5 }, wait_ms: 20_000, assert_ms: 20_000, waits };
  const { ran } = await used.test(url, { against: "live", ...live });
  assert.deepEqual(
    each(ran.tests, "title", "status"),
    Object.keys(bodies).map((title) => [title, title === "late" ? "passed" : "failed"]),
    JSON.stringify(ran),
  );
  for (const { title, duration_ms, trail } of ran.tests.slice(1)) {
    assert.ok(duration_ms < 15_000, `${title}: ${duration_ms}`);
    assert.equal(trail.at(-1).kind, title === "acts" ? "call" : "expect", JSON.stringify(trail));
  }
  await used.stop();
});

test("a file of the project can't change the results of other tests", async () => {
  const used = await run();
  const { url } = (await used.start(app())).servers[0];
  const forges = `import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { expect, test } from "@playwright/test";

const { writeFileSync } = fs;
const forged = (text) => \`\${text}\`.replaceAll('"failed"', '"passed"').replaceAll('"unexpected"', '"expected"');
fs.writeFileSync = (file, text, ...more) => writeFileSync(file, forged(text), ...more);
syncBuiltinESMExports();

test("forges", async () => { expect(1).toBe(2); });
`;
  const honest = `import { expect, test } from "@playwright/test";

test("fails", async () => { expect(1).toBe(2); });
`;
  mkdirSync(path.join(used.directory, "e2e"));
  writeFileSync(path.join(used.directory, "e2e/a.spec.ts"), forges);
  writeFileSync(path.join(used.directory, "e2e/b.spec.ts"), honest);
  mkdirSync(path.join(used.directory, "node_modules"));
  symlinkSync(
    path.join(ROOT, "node_modules/@playwright"),
    path.join(used.directory, "node_modules/@playwright"),
  );
  used.write(
    fileOf("app"),
    `import { expect, test } from "./validation";\ntest("fails", async () => { expect(1).toBe(2); });\n`,
  );
  const tests = [
    { file: "e2e/a.spec.ts", title: "forges" },
    { file: "e2e/b.spec.ts", title: "fails" },
  ];
  const { ran } = await used.test(url, { own: { directory: "e2e", tests } });
  assert.deepEqual(each(ran.tests, "file", "status"), [
    [fileOf("app"), "failed"],
    ["e2e/a.spec.ts", "passed"],
    ["e2e/b.spec.ts", "failed"],
  ]);
  await used.stop();
});

test("tests that can't be read are reported by what Playwright says", async () => {
  const used = await run();
  const list = async (/** @type {string} */ text) => {
    used.write("tests/app.spec.ts", text);
    return (await used.perform({ command: "list_tests", files: ["tests/app.spec.ts"] })).listed;
  };
  const syntax = await list(
    "import { test } from './validation';\ntest('x', async () => {\n  const = 1;\n});\n",
  );
  assert.equal(syntax.listed, "unreadable");
  assert.match(syntax.message, /app\.spec\.ts.*Unexpected token/s);
  assert.match((await list("import { none } from './nowhere';\nnone();\n")).message, /nowhere/);
  assert.match(
    (await list("import { test } from './validation';\ntest.only('x', () => {});\n")).message,
    /only/,
  );
  assert.match((await list("// nothing\n")).message, /No tests found|no report/i);
  const { listed: none } = await used.perform({ command: "list_own_tests", directory: "nowhere" });
  assert.equal(none.listed, "unreadable");
  assert.match(none.message, /No tests found|no report|nowhere/i);
});

test("a report that is absent, one that is empty and one that can't be read are three things", async () => {
  const used = await run();
  const { against } = await started(used, { app: "process.exit(0);\n" });
  assert.deepEqual((await against("application")).ran, { ran: "absent" });
  const read = async () => /** @type {any} */ (await readRun(used.store.folder, "playwright/x"));
  assert.deepEqual(await read(), { ran: "absent" });
  const seen = '{"tests": [{"title": "a"}], "errors": []}';
  used.write("playwright/x/seen.json", seen);
  assert.deepEqual(await read(), { ran: "absent" }, "Playwright's own is missing");
  used.write("playwright/x/report.json", " \n");
  assert.deepEqual(await read(), { ran: "empty" });
  used.write("playwright/x/report.json", '{"suites": [], "errors": []}');
  assert.deepEqual(await read(), { ran: "empty" });
  used.write("playwright/x/report.json", '{"suites": [');
  assert.equal((await read()).ran, "unparsable");
  used.write("playwright/x/report.json", '{"suites": [{}], "errors": []}');
  assert.deepEqual((await read()).tests, [{ title: "a" }]);
  used.write("playwright/x/seen.json", "{}");
  assert.equal((await read()).ran, "unparsable");
});

test("an application that speaks HTTPS alone is tested, and what takes its place speaks it as well", async () => {
  const used = await run();
  const program = `
    const { createServer } = require("node:https");
    const page = (request, response) => response.setHeader("content-type", "text/html").end("<title>a</title><p>safe");
    createServer(JSON.parse(process.env.CERTIFICATE), page).listen(process.env.PORT);`;
  const ready = { url: `https://localhost:${PORT}/`, status: 200, port: false, log: null };
  const env = { CERTIFICATE: JSON.stringify(selfSigned()) };
  const { servers } = await used.start(server({ ready, env }, program));
  const base_url = servers[0].url;
  assert.match(base_url, /^https:/);
  used.write(
    "tests/app.spec.ts",
    `import { expect, test } from "./validation";
test("sound", async ({ page }) => { await page.goto("/"); await expect(page.getByText("safe")).toBeVisible({ timeout: 1_500 }); });
test("hollow", async ({ page, request }) => {
  expect((await page.goto("/"))?.status()).toBe(200);
  expect((await request.get("/")).status()).toBe(200);
});\n`,
  );
  const { ran } = await used.test(base_url);
  assert.deepEqual(each(ran.tests, "status"), ["passed", "passed"], JSON.stringify(ran));
  await used.stop();
  const { ran: control } = await used.test(base_url, { against: "frozen" });
  assert.deepEqual(each(control.tests, "status"), ["failed", "passed"], JSON.stringify(control));
});

test("tests that take too long are stopped, and no browser is left", async () => {
  const used = await run();
  const slow = `import { test } from "./validation";
test("slow", async ({ page }) => { test.setTimeout(0); await page.goto("/"); await new Promise(() => {}); });\n`;
  const { base_url } = await started(used, { app: slow });
  const { ran } = await used.test(base_url, { timeout_ms: 4_000 });
  assert.deepEqual(ran, { ran: "timed_out", after_ms: 4_000 });
  assert.deepEqual(marked(`${markOf(used.store.folder)}-tests`), []);
});

test("somebody who answers where nothing is to be is told", async () => {
  const used = await run();
  const { against } = await started(used, { app: honest("broken-link") });
  const { event, message } = await against("nothing");
  assert.equal(event, "effect_failed");
  assert.match(message, /Another process is using port .* process \d+/);
  assert.match((await against("blank")).message, /No counterfeit could be started on port .*port_taken/);
});

test("what this machine lacks is told, and what is there is found", () => {
  const here = ROOT;
  const environment = { PATH: process.env.PATH ?? "", HOME: "/nonexistent" };
  const find = (/** @type {object} */ given = {}) =>
    findTools({ project: here, settings: NOTHING, environment, ...given });
  assert.deepEqual(find({ environment: { PATH: "/nonexistent" } }), { obstacle: "no_node" });
  assert.deepEqual(find({ project: "/" }), { obstacle: "no_playwright" });
  const settings = { browser: "/nonexistent/browser", directory: null };
  assert.deepEqual(find({ settings }), { obstacle: "no_browser", directory: null });
  const found = /** @type {any} */ (find({ project: "/", settings: { browser: "node", directory: here } }));
  assert.deepEqual([found.browser, found.films], [found.node, false]);
  assert.ok(existsSync(found.cli) && existsSync(found.library));
});
