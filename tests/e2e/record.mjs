// `cargo xtask record`: takes the pictures of the docs, in OpenCode's real terminal and in a browser: how the demo's design is chosen, the
// beginning of its report, and the panel while reviews are coming in.

import { readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { findBrowser } from "../../plugin-js/validation/tools.js";
import { today } from "./artefacts.mjs";
import { withOpencode } from "./harness.mjs";
import { svg } from "./recording.mjs";
import { setup } from "./story.mjs";

/** The whole result fits on one screen. */
const SIZE = { columns: 104, rows: 70 };
const WITH_SIDEBAR = { columns: 140, rows: 44 };
const TASK = "Design a rate limiter for our public HTTP API";
/** The limit that keeps the page fast for its readers. */
const MOST_BYTES = 1_000_000;

/** A readable name, because the terminal shows it. */
const directory = join(tmpdir(), "orders");
const package_ = process.env.PACKAGE;

/** @param {string} file @param {string | Buffer} content */
async function write(file, content) {
  const bytes = Buffer.byteLength(content);
  if (bytes > MOST_BYTES) throw new Error(`${file} would have ${bytes} bytes; at most ${MOST_BYTES}`);
  await writeFile(file, content);
  process.stdout.write(`${file}: ${bytes} bytes\n`);
}

/** Photographs a page. @param {string} url @param {{ width: number, height: number }} viewport */
async function photographed(url, viewport) {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? findBrowser(process.env),
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  });
  try {
    const page = await browser.newPage({ viewport, colorScheme: "light" });
    await page.goto(url);
    return await page.screenshot();
  } finally {
    await browser.close();
  }
}

/** @param {Parameters<Parameters<typeof withOpencode>[1]>[0]} lab */
async function choose({ tui, project }) {
  const terminal = await tui(SIZE);
  await terminal.waitFor(/Ask anything/);
  const recorded = terminal.record(150);
  await terminal.command("design-lab", TASK);
  await terminal.waitFor([/Design Lab · ranked/, /The report is in/], { timeoutMs: 180_000 });
  const title =
    "/design-lab in OpenCode: models write designs, others review them, and the chat shows the ranking. The models are scripted.";
  await write("docs/pictures/demo.svg", svg(await recorded.stop(), { ...SIZE, longest: 1200, title }));
  const report = project.path(`.design-lab/${today()}-public-api-rate-limiter/results/report.html`);
  await write(
    "docs/pictures/report.png",
    await photographed(pathToFileURL(report).href, { width: 1280, height: 860 }),
  );
}

/** @param {Parameters<Parameters<typeof withOpencode>[1]>[0]} lab */
async function watch({ tui, run, provider }) {
  await run(["plugin", "opencode-design-lab"]);
  provider.hold("slate");
  const terminal = await tui(WITH_SIDEBAR);
  await terminal.command("design-lab", TASK);
  // The toast above the chat is gone.
  await terminal.waitFor([/3\/3 reviewing +1 of 2 done/, /Leaderboard/], {
    without: [/models review them/],
    timeoutMs: 180_000,
  });
  const frames = await terminal.record(100).stop();
  const picture = svg(frames.slice(0, 1), { ...WITH_SIDEBAR, longest: 1, title: "The sidebar" });
  const file = join(directory, "sidebar.svg");
  await writeFile(file, picture);
  const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(await readFile(file, "utf8")) ?? [];
  const viewport = { width: Number(width), height: Number(height) };
  await write("docs/pictures/sidebar.png", await photographed(pathToFileURL(file).href, viewport));
  provider.release("slate");
}

const scene = { ...setup(), directory, package: package_ };
for (const [config, story] of /** @type {const} */ ([
  [{}, choose],
  [{ plugin: [] }, watch],
])) {
  await rm(directory, { recursive: true, force: true });
  await withOpencode({ ...scene, config: { ...scene.config, ...config } }, story);
}
await rm(directory, { recursive: true, force: true });
