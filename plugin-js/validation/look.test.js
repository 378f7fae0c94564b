// Pages as a real browser shows them: their metadata, what axe-core finds on them, and which of them the tests visited.

import assert from "node:assert/strict";
import { test } from "node:test";
import { marked } from "../kernel/proc.js";
import { obstacleOf } from "./check.js";
import { markOf } from "./processes.js";
import { each, ROOT, run, server } from "./test/run.js";
import { findAxe } from "./tools.js";

const HEAD = `<meta name="description" content="kept"><link rel="canonical" href="/">`;

/** Pages by their paths; any other path is not found. One page blocks all scripts, and one has its own axe. */
const SITE = `
  const page = (head, body, lang = ' lang="en"') => '<!doctype html><html' + lang + '><head>' + head + '</head><body>' + body + '</body></html>';
  const pages = {
    "/": page('<title>Kept</title>${HEAD}', '<h1>Kept</h1><a href="/bare">bare</a>'),
    "/bare": page('<script>window.axe = { run: async () => ({ violations: [] }) };</script>', '<img src="data:,">', ''),
  };
  require("node:http").createServer((request, response) => {
    const body = pages[request.url];
    if (request.url === "/never") return;
    if (request.url === "/moved") return response.writeHead(302, { location: "/" }).end();
    const type = request.url === "/data" ? "application/json" : "text/html";
    const policy = request.url === "/" ? { "content-security-policy": "default-src 'none'" } : {};
    response.writeHead(body || request.url === "/data" ? 200 : 404, { "content-type": type, ...policy }).end(body ?? "{}");
  }).listen(Number(process.env.PORT));
`;

/** @param {import("./test/run.js").Run} used @param {string[]} paths @param {object} [further] */
async function looked(used, paths, further = {}) {
  const { servers } = await used.start(server({}, SITE));
  const pages = paths.map((path) => `${servers[0].url}${path}`);
  const command = { command: "look_at_pages", pages, a11y: true, page_ms: 60_000, timeout_ms: 300_000 };
  const { event, seen } = await used.perform({ ...command, ...further });
  assert.equal(event, "pages_seen");
  return { seen, url: servers[0].url };
}

test("a page says what it is, and what keeps people out of it is found", async () => {
  const used = await run();
  const { seen, url } = await looked(used, ["/", "/bare", "/moved", "/data", "/nowhere"]);
  assert.match(seen.axe, /^\d+\.\d+\.\d+$/);
  const [start, bare, moved, data, nowhere] = seen.pages;
  assert.deepEqual(start, {
    url: `${url}/`,
    at: `${url}/`,
    status: 200,
    is_html: true,
    title: "Kept",
    language: "en",
    description: "kept",
    canonical: `${url}/`,
    barriers: [],
    problem: null,
  });
  assert.deepEqual(
    [bare.title, bare.language, bare.description, bare.canonical, bare.problem],
    ["", "", null, null, null],
  );
  const rules = each(bare.barriers, "rule").sort();
  assert.deepEqual(rules, ["document-title", "html-has-lang", "image-alt"], "the page's own axe isn't asked");
  const image = bare.barriers.find((/** @type {any} */ { rule }) => rule === "image-alt");
  assert.deepEqual([image.impact, image.elements, image.example], ["critical", 1, "img"]);
  assert.deepEqual([moved.at, moved.status, moved.title], [`${url}/`, 200, "Kept"]);
  assert.deepEqual([data.is_html, data.status, nowhere.is_html, nowhere.status], [false, 200, true, 404]);
  const { evidence } = await used.tearDown();
  assert.ok(each(evidence, "path").includes("playwright/pages/seen.json"));
  assert.deepEqual(marked(`${markOf(used.store.folder)}-tests`), [], "no browser is left");
});

test("a page that never answers is told, and one that takes all the time leaves no report", async () => {
  const used = await run();
  const { seen } = await looked(used, ["/never", "/"], { page_ms: 2_000, a11y: false });
  assert.match(seen.pages[0].problem, /Timeout 2000ms/);
  assert.deepEqual([seen.pages[1].title, seen.axe], ["Kept", null]);
  const late = await looked(used, ["/never"], { timeout_ms: 3_000 });
  assert.deepEqual(late.seen, { looked: "unreadable", message: "the checks took too long" });
  assert.deepEqual(marked(`${markOf(used.store.folder)}-tests`), []);
});

test("the fixture tells where a test's pages went, whatever the test attaches", async () => {
  const used = await run();
  const { servers } = await used.start(server({}, SITE));
  used.write(
    "tests/app.spec.ts",
    `import { expect, test } from "./validation";
const nothing = '{"browser":"none","console":[],"failed_requests":[],"visited":[],"opened":[],"mocks":[],"evaluated":[],"rules":[]}';
const attach = (body) => test.info().attach("validation-page.json", { body });
test.afterAll(() => attach(nothing));
test.afterAll(() => attach("{"));
test.afterAll(() => attach(nothing.replace('"rules":[]', '"rules":[{"inputs":"many"}]')));
test("goes", async ({ page }) => {
  await attach(nothing);
  await page.addInitScript("1");
  await page.goto("/");
  await page.click("a");
  await expect(page).toHaveURL(/bare/);
});\n`,
  );
  const { ran } = await used.test(servers[0].url);
  assert.deepEqual(ran.tests[0].visited, [`${servers[0].url}/`, `${servers[0].url}/bare`]);
  assert.deepEqual(ran.tests[0].mocks, ["page.addInitScript(…)"]);
  assert.equal(ran.tests[0].rules, undefined);
});

test("axe-core is looked for where Playwright is, and missed only where it is wanted", () => {
  assert.match(findAxe({ project: ROOT, settings: { directory: null } }) ?? "", /axe-core.axe\.min\.js$/);
  assert.equal(findAxe({ project: "/", settings: { directory: null } }), undefined);
  const playwright = { browser: process.env.CHROMIUM ?? null, directory: ROOT };
  assert.equal(obstacleOf("/", { playwright, a11y: true }), null);
  const nothing = { browser: null, directory: null };
  assert.deepEqual(obstacleOf("/", { playwright: nothing, a11y: true }), { obstacle: "no_playwright" });
});
