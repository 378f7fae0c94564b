// `cargo xtask record`: records the demo's design choice in OpenCode's real terminal, as docs/pictures/demo.svg.

import { mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { withOpencode } from "./harness.mjs";
import { svg } from "./recording.mjs";
import { setup } from "./story.mjs";

const FILE = "docs/pictures/demo.svg";
/** The whole result fits on one screen. */
const SIZE = { columns: 104, rows: 70 };
const TASK = "Design a rate limiter for our public HTTP API";
/** The limit that keeps the page fast for its readers. */
const MOST_BYTES = 1_000_000;

/** A readable name, because the terminal shows it. */
const directory = join(tmpdir(), "orders");

await rm(directory, { recursive: true, force: true });
await withOpencode({ ...setup(), directory, package: process.env.PACKAGE }, async ({ tui }) => {
  const terminal = await tui(SIZE);
  await terminal.waitFor(/Ask anything/);
  const recorded = terminal.record(150);
  await terminal.command("design-lab", TASK);
  await terminal.waitFor([/Design Lab · ranked/, /The report is in/], { timeoutMs: 180_000 });
  const frames = await recorded.stop();
  const picture = svg(frames, {
    ...SIZE,
    longest: 1200,
    title:
      "/design-lab in OpenCode: models write designs, others review them, and the chat shows the ranking. The models are scripted.",
  });
  const bytes = Buffer.byteLength(picture);
  if (bytes > MOST_BYTES) throw new Error(`${FILE} would have ${bytes} bytes; at most ${MOST_BYTES}`);
  await mkdir(dirname(FILE), { recursive: true });
  await writeFile(FILE, picture);
  process.stdout.write(`${FILE}: ${frames.length} screens, ${bytes} bytes\n`);
});
await rm(directory, { recursive: true, force: true });
