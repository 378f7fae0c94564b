// The reports in a real browser: the pages that `cargo test --test design_lab page::` and, for Flow and Validation,
// `cargo test --lib tests::page` left in target/tmp/pages.
//
// For each page: no script runs, no request is sent, the policy is never violated, axe finds nothing serious in light or
// dark mode, and nothing is wider than the window. `PICTURES=directory` saves a picture of every view.

import assert from "node:assert/strict";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import axe from "axe-core";
import { chromium } from "playwright-core";
import { findBrowser } from "../../plugin-js/validation/tools.js";
import { root } from "../package/package.mjs";

const PAGES = join(root, "target/tmp/pages");
const EXPECTED = [
  "eight",
  "failures",
  "flow-autonomous",
  "flow-blocked",
  "flow-complete",
  "flow-design",
  "flow-draft",
  "flow-hostile",
  "flow-reset",
  "flow-running",
  "form-hostile",
  "form-pairs",
  "form",
  "hostile",
  "long",
  "map",
  "merged",
  "one-reviewer",
  "pairwise",
  "recorded",
  "three",
  "ties",
  "two",
  "validation-compared",
  "validation-failed",
  "validation-hostile",
  "validation-stopped",
  "validation-validated",
];
const WIDTHS = [360, 1280, 1600];
const SCHEMES = /** @type {const} */ (["light", "dark"]);
const pictures = process.env.PICTURES;

/** @type {import("playwright-core").Browser} */
let browser;

before(async () => {
  if (pictures) await mkdir(pictures, { recursive: true });
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? findBrowser(process.env),
    // Chromium's sandbox refuses root, which containers run as. The pages are this project's own.
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  });
});

after(() => browser?.close());

/**
 * Opens a page and returns what it tried to do.
 * @param {string} name
 * @param {import("playwright-core").BrowserContextOptions} options
 */
async function open(name, options) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  /** @type {string[]} */
  const deeds = [];
  const url = pathToFileURL(join(PAGES, `${name}.html`)).href;
  // An embedded picture or video is not a network request.
  const isOwn = (/** @type {string} */ asked) =>
    asked === url || /^data:(?:image\/png|video\/webm);base64,/.test(asked);
  page.on("request", (request) => isOwn(request.url()) || deeds.push(`request: ${request.url()}`));
  page.on("console", (message) => deeds.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => deeds.push(`error: ${error}`));
  page.on("dialog", (dialog) => {
    deeds.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", (event) =>
      // biome-ignore lint/suspicious/noConsole: the test listens there
      console.log(`violation: ${event.violatedDirective} ${event.blockedURI}`),
    );
  });
  await page.goto(url);
  return { page, deeds, close: () => context.close() };
}

/** @param {import("playwright-core").Page} page */
const unfold = (page) =>
  page.evaluate(() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });

test("every case is there", async () => {
  assert.deepEqual(
    (await readdir(PAGES)).sort(),
    EXPECTED.map((name) => `${name}.html`),
  );
});

describe("each page", { concurrency: 2 }, () => {
  for (const name of EXPECTED) {
    test(`${name}: fits, does nothing, and can be read by anyone`, async () => {
      const { page, deeds, close } = await open(name, {});
      const excess = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        for (const colorScheme of pictures ? SCHEMES : []) {
          await page.emulateMedia({ colorScheme });
          const file = join(String(pictures), `${name}-${width}-${colorScheme}.png`);
          await page.screenshot({ path: file, fullPage: true });
        }
        assert.ok((await excess()) <= 0, `${width} px: the page is ${await excess()} px too wide`);
      }
      await unfold(page);
      await page.setViewportSize({ width: 360, height: 900 });
      assert.ok((await excess()) <= 0, `unfolded, the page is ${await excess()} px too wide`);
      await hasOrder(page);
      // The page's policy doesn't apply to Playwright's own evaluation.
      await page.evaluate(axe.source);
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme });
        assert.deepEqual(await keptOut(page, colorScheme), [], colorScheme);
      }
      assert.deepEqual(deeds, []);
      await close();
    });
  }
});

/**
 * Checks that headings go down one level at a time, and that every table names its columns.
 * @param {import("playwright-core").Page} page
 */
async function hasOrder(page) {
  const levels = await page.$$eval("h1, h2, h3, h4", (all) => all.map((one) => Number(one.tagName[1])));
  assert.equal(levels.filter((level) => level === 1).length, 1);
  for (const [index, level] of levels.entries()) {
    const before = levels[index - 1] ?? 0;
    assert.ok(level - before <= 1, `h${before} then h${level}`);
  }
  assert.equal(await page.locator("table:not(:has(thead th[scope=col]))").count(), 0);
}

/**
 * Returns the accessibility violations of a page, in axe-core's words.
 * @param {import("playwright-core").Page} page
 * @param {string} colorScheme
 * @returns {Promise<string[]>}
 */
async function keptOut(page, colorScheme) {
  // In dark mode, a page differs only in its colours.
  const rules = colorScheme === "dark" ? { runOnly: ["color-contrast"] } : {};
  const { violations } = await page.evaluate((options) => /** @type {any} */ (globalThis).axe.run(options), {
    ...rules,
    resultTypes: ["violations"],
    selectors: false,
    preload: false,
  });
  return violations
    .filter((/** @type {any} */ one) => ["serious", "critical"].includes(one.impact))
    .map((/** @type {any} */ one) => `${one.id}: ${one.nodes[0].html} ${one.nodes[0].failureSummary}`);
}

for (const name of ["three", "flow-complete", "validation-validated"]) {
  test(`${name}: the policy allows the style sheets and nothing else`, async () => {
    const { page, deeds, close } = await open(name, {});
    const rules = await page.evaluate(() =>
      Array.from(document.styleSheets, (sheet) => sheet.cssRules.length),
    );
    assert.equal(rules.length, 2, "the hashes of the style sheets in the policy are right");
    assert.ok(rules.every((count) => count > 0));
    await page.evaluate(() => {
      document.body.insertAdjacentHTML("beforeend", '<img src="x.png"><p style="color:red"></p>');
      const script = document.createElement("script");
      script.textContent = "document.title = 'ran'";
      document.body.append(script);
    });
    await page.waitForFunction(() => document.images.length > 0);
    assert.notEqual(await page.title(), "ran");
    for (const directive of ["img-src", "style-src-attr", "script-src-elem"]) {
      assert.ok(
        deeds.some((deed) => deed.includes(directive)),
        `${directive}: ${deeds.join("\n")}`,
      );
    }
    await close();
  });
}

for (const name of ["hostile", "flow-hostile", "form-hostile", "validation-hostile"]) {
  test(`${name}: hostile text is shown as text, hidden characters by their numbers`, async () => {
    const { page, close } = await open(name, {});
    await unfold(page);
    const text = (await page.textContent("main")) ?? "";
    for (const part of [
      "<script>document.title='owned'</script>",
      "[U+202E]txt.exe",
      "javascript:alert(1)",
    ]) {
      assert.ok(text.includes(part), part);
    }
    // A form has exactly one script, which its policy names.
    assert.equal(await page.locator("script").count(), name === "form-hostile" ? 1 : 0);
    assert.equal(await page.locator("iframe, object, form, [onerror], [onclick]").count(), 0);
    assert.equal(await page.locator('img:not([src^="data:image/png;base64,"])').count(), 0);
    const links = await page.$$eval("a", (all) => all.map((link) => link.getAttribute("href") ?? ""));
    const foreign = links.filter(
      (link) => !/^(#|evidence\/[a-z0-9-]+\.log$|playwright\/[\w%./-]+$)/.test(link),
    );
    assert.deepEqual(foreign, []);
    assert.notEqual(await page.title(), "owned");
    await close();
  });
}

test("the dimensions of the heat map are a key press away", async () => {
  const { page, close } = await open("three", {});
  await page.locator("input[name=grid]").first().focus();
  assert.deepEqual(await page.locator(".heat:visible caption b").allInnerTexts(), ["overall"]);
  await page.keyboard.press("ArrowRight");
  assert.deepEqual(await page.locator(".heat:visible caption b").allInnerTexts(), ["clarity"]);
  await close();
});

test("designs can be put aside, so that two of many stand side by side", async () => {
  const { page, close } = await open("eight", {});
  const columns = page.locator(".glance thead th:visible");
  assert.equal(await columns.count(), 1 + 8);
  for (const index of [3, 4, 5, 6, 7, 8]) await page.locator(`.show-${index}`).uncheck();
  assert.equal(await columns.count(), 1 + 2);
  assert.equal(await page.locator(".columns article:visible").count(), 2);
  await close();
});

test("printed, everything is there that is folded on the screen", async () => {
  const { page, close } = await open("three", {});
  const dimension = page.locator(".heat caption b", { hasText: "feasibility" });
  assert.equal(await dimension.isVisible(), false);
  await page.emulateMedia({ media: "print" });
  assert.equal(await dimension.isVisible(), true);
  assert.equal(await page.getByText("Clocks differ by less than 50 ms").first().isVisible(), true);
  assert.equal(await page.locator("nav").isVisible(), false);
  await close();
});

test("each row of a session's page says how much it carries, and what is folded is printed", async () => {
  const { page, close } = await open("flow-blocked", {});
  assert.equal(await page.locator(".row:not(:has(> .tier))").count(), 0);
  const earlier = page.locator(".chain details .row").first();
  assert.equal(await earlier.isVisible(), false);
  await page.emulateMedia({ media: "print" });
  assert.equal(await earlier.isVisible(), true);
  await close();
});

test("the pictures of a validation are seen, and each row says how much it carries", async () => {
  const { page, close } = await open("validation-validated", {});
  const widths = await page.$$eval("img", (all) => all.map((one) => /** @type {any} */ (one).naturalWidth));
  assert.deepEqual(widths, [1, 1]);
  assert.equal(await page.locator(".row:not(:has(> .tier))").count(), 0);
  await close();
});

test("the page needs no network and says so to no one: it holds no address", async () => {
  for (const name of ["three", "flow-complete"]) {
    assert.doesNotMatch(await readFile(join(PAGES, `${name}.html`), "utf8"), /https?:\/\//);
  }
});

/** Presses Tab until the next input has the focus. @param {import("playwright-core").Page} page */
async function tabOn(page) {
  do await page.keyboard.press("Tab");
  while (
    !(await page.evaluate(() => document.activeElement?.matches("[data-value], textarea:not([readonly])")))
  );
}

/** @param {import("playwright-core").Page} page */
async function downloaded(page) {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.locator("#download").press("Enter"),
  ]);
  assert.equal(download.suggestedFilename(), "ada.csv");
  return readFile(await download.path(), "utf8");
}

test("a form is filled in by keyboard alone, kept in the page, and downloaded as the CSV that is read again", async () => {
  const { page, deeds, close } = await open("form", {});
  const left = () => page.locator("#left").textContent();
  assert.equal(await left(), "9 of 9 left");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), "To the form");
  await page.keyboard.press("Enter");
  for (const text of ["7,5", 'clear, "really"', "11", "12", "0.25", ""]) {
    await tabOn(page);
    await page.keyboard.type(text);
  }
  assert.equal(await left(), "7 of 9 left");
  const fault = page.locator("#pipit-feasibility-f");
  assert.equal(await fault.textContent(), "Write a number from 0 to 10.");
  assert.equal(await page.locator("#pipit-feasibility").getAttribute("aria-invalid"), "true");
  await page.locator("#download").press("Enter");
  assert.equal(await page.locator("#said").textContent(), "First correct the marked fields.");
  assert.equal(await page.evaluate(() => document.activeElement?.id), "pipit-feasibility");
  await page.keyboard.press("Control+A");
  await page.keyboard.type("9");
  assert.equal(
    await fault.textContent(),
    "Write a comment in words.",
    "12 beside 9 may be a decimal torn apart",
  );
  await page.locator("#pipit-feasibility-c").fill("over two\nlines");

  await page.reload();
  assert.equal(await left(), "6 of 9 left");
  await page.locator("#next").press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement?.id), "snipe-clarity");
  const rows = [
    "design,dimension,score,comment",
    'pipit,clarity,7.5,"clear, ""really"""',
    'pipit,feasibility,9,"over two lines"',
    "pipit,scalability,0.25,",
    ...["snipe", "larch"].flatMap((label) =>
      ["clarity", "feasibility", "scalability"].map((dimension) => `${label},${dimension},,`),
    ),
  ];
  assert.equal(await downloaded(page), rows.map((row) => `${row}\r\n`).join(""));
  assert.equal(await page.locator("#csv").inputValue(), `${rows.join("\n")}\n`, "a text area has no CR");

  page.removeAllListeners("dialog");
  page.once("dialog", (dialog) => dialog.accept());
  await page.locator("#forget").click();
  await page.reload();
  assert.equal(await left(), "9 of 9 left");
  assert.deepEqual(
    deeds.filter((deed) => !deed.startsWith("request: blob:")),
    [],
  );
  await close();
});

test("a form for pairs shows the two designs that are compared, and takes verdicts by arrow keys", async () => {
  const { page, close } = await open("form-pairs", { viewport: { width: 1280, height: 900 } });
  const shown = () => page.locator(".designs h2:visible bdi").allInnerTexts();
  assert.equal((await shown()).length, 3);
  await page.locator("input[name=p2]").first().focus();
  await page.keyboard.press("ArrowRight");
  assert.deepEqual((await shown()).sort(), ["larch", "pipit"]);
  await page.locator("#p2-c").fill("steadier");
  await page.locator("#all").click();
  assert.equal((await shown()).length, 3);
  await page.reload();
  assert.equal(await page.locator("#left").textContent(), "2 of 3 left");
  assert.match(
    await downloaded(page),
    /^pair,first,second,verdict,comment\r\n1,pipit,snipe,,\r\n2,larch,pipit,second,"steadier"\r\n/,
  );
  await close();
});

test("where a browser keeps nothing, a form says so", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.addInitScript(() =>
    Object.defineProperty(window, "localStorage", {
      get() {
        throw new Error("denied");
      },
    }),
  );
  await page.goto(pathToFileURL(join(PAGES, "form.html")).href);
  assert.equal(await page.locator("#unkept").isVisible(), true);
  await page.locator("#pipit-clarity").fill("3");
  assert.equal(await page.locator("#left").textContent(), "8 of 9 left");
  await context.close();
});
