// The user's attachments to a command, in the real OpenCode: they become part of the task, or are refused before anything is paid.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { rm, symlink, writeFile } from "node:fs/promises";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { long } from "../long.mjs";
import * as lab from "../provider/lab.mjs";
import * as script from "../provider/script.mjs";
import { today } from "./artefacts.mjs";
import { withOpencode } from "./harness.mjs";

const RUN = `.design-lab/${today()}-rate-limiter`;
const MODELS = ["quill-4", "brisk-10", "judge-1", "jury-2"];
const PICTURE =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const setup = () => ({
  scenario: {
    models: {
      host: script.reply("The verdict is in."),
      ...Object.fromEntries(MODELS.map((name) => [name, lab.model({ topic: "Rate limiter" })])),
    },
  },
  designLab: {
    design_models: ["lab/quill-4", "lab/brisk-10"],
    review_models: ["lab/judge-1", "lab/jury-2"],
  },
  files: {
    "docs/traffic.md": "line one\nline two\nline three\nline four\n",
    "plans/b.md": "Plan B stands here.\n",
    "plans/deep/a.md": "Plan A stands here.\n",
    "plans/.env": "KEY=hidden-value\n",
    "plans/node_modules/x.js": "noise-of-a-tool\n",
    "notes.md": "Notes stand here.\n",
    "outside.txt": "x",
    "big.log": "x".repeat(600_000),
    "shot.png": "<svg>not really a picture</svg>",
    "raw.dat": "a\0b",
    ".gitignore": "*.log\n",
    ".aws/credentials": "aws_secret_access_key = hidden-value\n",
    ".flow/sessions/x/journal.jsonl": "An earlier design by claude.\n",
    ".flow/sessions/x/docs/index.md": "The page of a session.\n",
  },
});

/** @param {import("../provider/server.mjs").Provider} provider */
const paid = (provider) => provider.requests.filter(({ model }) => model !== "host").length;

test("files, lines of them, folders and pasted text are part of what every model is sent", {
  skip: long(
    "Decided in `src/design_lab/attachments.rs` and `plugin-js/design-lab/attachments.test.js`. `attachments.test.mjs` still attaches a whole project.",
  ),
}, async () => {
  await withOpencode(setup(), async ({ serve, project, provider }) => {
    await symlink("/etc", project.path("plans/etc"));
    const { client, stop } = await serve();
    const id = (await client.session.create({ body: {} })).data?.id ?? "";
    const url = `${pathToFileURL(project.path("docs/traffic.md")).href}?start=2&end=3`;
    const part = { type: /** @type {const} */ ("file"), mime: "text/plain" };
    const pasted = `data:text/plain;base64,${Buffer.from("Pasted words.").toString("base64")}`;
    await client.session.command({
      path: { id },
      // What the TUI sends: the server finds the folder and the file in the text, and lines come as a part.
      body: /** @type {any} */ ({
        command: "design-lab",
        arguments:
          "Design a rate limiter after @plans/ and @notes.md and @docs/traffic.md#2-3 and @docs/traffic.md#4 and @docs/traffic.md#L3-L4",
        parts: [
          { ...part, filename: "docs/traffic.md#2-3", url },
          { ...part, filename: "clipboard", url: pasted },
          { ...part, mime: "image/png", filename: "Image 1", url: `data:image/png;base64,${PICTURE}` },
        ],
      }),
    });
    const { problem_statement: task } = await project.json(`${RUN}/task.json`);
    assert.match(
      task,
      /## Attached: plans\/\n\nIts files:\n\n- b\.md \(20 bytes\)\n- deep\/a\.md \(20 bytes\)\n\n/,
    );
    assert.match(task, /### plans\/deep\/a\.md\n\nPlan A stands here\./);
    assert.match(task, /## Attached: notes\.md\n\nNotes stand here\./);
    assert.match(task, /## Attached: docs\/traffic\.md, lines 2 to 3\n\nline two\nline three(\n\n## |$)/);
    // GitHub's notation for lines.
    assert.match(task, /## Attached: docs\/traffic\.md, lines 3 to 4\n\nline three\nline four(\n\n## |$)/);
    // Typed, not selected from the list, so there is no part for it.
    assert.match(task, /## Attached: docs\/traffic\.md, from line 4\n\nline four(\n\n## |$)/);
    assert.match(task, /## Attached: clipboard\n\nPasted words\./);
    assert.match(task, /## Attached: Image 1\n\nAn image: PNG, 1 × 1 pixels, 70 bytes\.$/);
    assert.doesNotMatch(task, /hidden-value|noise-of-a-tool|etc|line one/);
    assert.equal(task.split("Notes stand here.").length, 2, "once");
    for (const name of ["quill-4", "judge-1"]) {
      assert.ok(provider.requestsOf(name).some(({ user }) => user.includes("Plan A stands here.")));
    }
    const { data } = await client.session.messages({ path: { id } });
    const shown = JSON.stringify(data);
    assert.match(shown, /Attached: plans\/ \(2 files, 40 bytes\)/);
    assert.match(
      shown.replace(/\\n|\s+/g, " "),
      /Image: Image 1 \(PNG, 70 bytes\)\. +OpenCode's +catalogue +lists +no +image +input +for +these +models/,
    );
    await stop();
  });
});

test("the whole project gives nothing of runs, of keys or of what git ignores, and says so", async () => {
  await withOpencode(setup(), async ({ command, project }) => {
    await project.write(".design-lab/2026-01-02-older/designs/a.md", "An earlier design by claude.\n");
    const ended = await command("design-lab", "Design a rate limiter after all of @./");
    const { problem_statement: task } = await project.json(`${RUN}/task.json`);
    assert.match(task, /Notes stand here\./);
    assert.doesNotMatch(task, /earlier design|page of a session|hidden-value|big\.log|journal|credentials/);
    assert.match(
      ended.stdout.replace(/\s+/g, " "),
      /without \d files of keys and \d entries ignored by git\. /,
    );
  });
});

test("what is no text, too large or a secret is refused before anything is paid", {
  skip: long(
    "Decided in `src/design_lab/attachments.rs` and `plugin-js/design-lab/attachments.test.js`. `attachments.test.mjs` still attaches a project with keys in it.",
  ),
}, async () => {
  await withOpencode(setup(), async ({ command, serve, project, provider }) => {
    await symlink("/etc/hostname", project.path("link.txt"));
    const { client, stop } = await serve();
    const vast = Buffer.from(PICTURE, "base64");
    vast.writeUInt32BE(100_000, 16);
    vast.writeUInt32BE(100_000, 20);
    /** @type {(mime: string, bytes: Buffer) => object} */
    const pasted = (mime, bytes) => ({
      type: "file",
      mime,
      filename: "clipboard",
      url: `data:${mime};base64,${bytes.toString("base64")}`,
    });
    /** @type {[string, object[], RegExp][]} */
    const cases = [
      [
        "like @shot.png",
        [],
        /shot\.png can't be sent as an image: models don't accept this format\. \[attachment\.not-an-image\]/,
      ],
      [
        "like [Image 1]",
        [pasted("image/png", vast)],
        /clipboard has too many pixels[\s\S]*100000 × 100000 pixels[\s\S]*at most 50 million/,
      ],
      [
        "like [Image 2]",
        [pasted("application/pdf", Buffer.from("%PDF-1.7"))],
        /it is a PDF, and this package can't read PDFs[\s\S]*pdftotext/,
      ],
      ["like @raw.dat", [], /raw\.dat can't be part of the task: it is not UTF-8 text/],
      ["like @big.log", [], /big\.log is too large[\s\S]*586 KB[\s\S]*256 KB/],
      ["like @plans/.env", [], /attachment\.secret/],
      ["like @.aws/credentials", [], /attachment\.secret/],
      ["like @.flow/sessions/x/journal.jsonl", [], /belongs to a run[\s\S]*attachment\.kept/],
      ["like @.flow/", [], /attachment\.kept/],
      ["like @link.txt", [], /attachment\.outside/],
    ];
    for (const [text, parts, expected] of cases) {
      const id = (await client.session.create({ body: {} })).data?.id ?? "";
      const body = /** @type {any} */ ({ command: "design-lab", arguments: `Design it ${text}`, parts });
      await client.session.command({ path: { id }, body });
      const { data } = await client.session.messages({ path: { id } });
      const texts = (data ?? []).flatMap(({ parts }) =>
        parts.map((one) => (one.type === "text" ? one.text : "")),
      );
      assert.match(
        texts.join("\n").replace(/\s+/g, " "),
        new RegExp(expected.source.replaceAll("[\\s\\S]*", ".*")),
        text,
      );
    }
    assert.equal(paid(provider), 0);
    assert.equal(await project.exists(".design-lab"), false);
    await stop();
    // `opencode run` puts it in quotes, and OpenCode treats the last quote as a part of the name.
    const ended = await command("design-lab", "Design it like @big.log");
    assert.match(ended.stdout, /big\.log is too large/);
    assert.equal(paid(provider), 0);
  });
});

test("an image goes to the models that take images, others are told, and after a kill the same bytes are sent", {
  skip: long(
    "Decided in `src/design_lab/workflow/tests/images.rs`, and `plugin-js/kernel/run.test.js` sends the bytes.",
  ),
}, async () => {
  const sees = { attachment: true, modalities: { input: ["text", "image"], output: ["text"] } };
  const designLab = {
    design_models: ["lab/quill-4", "lab/brisk-10"],
    review_models: ["lab/judge-1", "lab/jury-2"],
  };
  const models = { "quill-4": sees, "judge-1": sees };
  await withOpencode(
    { ...setup(), designLab, models },
    async ({ startCommand, command, project, provider }) => {
      const image = Buffer.from(PICTURE, "base64");
      await writeFile(project.path("shot.png"), image);
      provider.hold("judge-1");
      const running = startCommand("design-lab", "Design what @shot.png shows");
      await provider.waitFor(1, { model: "judge-1" });
      running.kill("SIGKILL");
      await running.ended;
      provider.release("judge-1");
      const name = `${createHash("sha256").update(image).digest("hex")}.png`;
      assert.deepEqual(await project.files(`${RUN}/attachments`), [name]);
      const before = provider.requestsOf("judge-1").length;
      await rm(project.path("shot.png"));
      const ended = await command("design-lab-resume");
      assert.equal(ended.code, 0, ended.stdout + ended.stderr);

      const url = `data:image/png;base64,${PICTURE}`;
      /** @type {(request: import("../provider/server.mjs").Recorded) => string[]} */
      const images = ({ body }) =>
        [...body.matchAll(/"image_url":\{"url":"([^"]*)"/g)].map(([, found = ""]) => found);
      for (const [model, told] of /** @type {const} */ ([
        ["quill-4", /attached to this message/],
        ["judge-1", /attached to this message/],
        ["brisk-10", /can't be shown to you/],
        ["jury-2", /can't be shown to you/],
      ])) {
        const work = provider
          .requestsOf(model)
          .filter(({ messages }) => messages.some(({ content }) => told.test(content)));
        assert.ok(work.length > 0, model);
        for (const request of work) {
          assert.deepEqual(images(request), model === "quill-4" || model === "judge-1" ? [url] : [], model);
          assert.doesNotMatch(request.body, /Cannot read|Inform the user/);
        }
      }
      const naming = provider.requests.filter((request) => lab.phaseOf(request) === "topic");
      assert.deepEqual(naming.flatMap(images), [], "who names the run isn't sent it");
      assert.ok(provider.requestsOf("judge-1").length > before);
      const results = (await project.read(`${RUN}/results/results.md`)).replace(/\s+/g, " ");
      assert.match(
        results,
        /Shown to quill-4, judge-1\. Not shown to brisk-10, jury-2: OpenCode's catalogue/,
      );
      assert.doesNotMatch(await project.read(`${RUN}/journal.jsonl`), new RegExp(PICTURE.slice(0, 40)));
    },
  );
});
