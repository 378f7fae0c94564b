// The user's own design, in the real OpenCode: one model and one file are enough for a run, and no model reads the file in it.

import assert from "node:assert/strict";
import { symlink } from "node:fs/promises";
import { test } from "node:test";
import { long } from "../long.mjs";
import * as lab from "../provider/lab.mjs";
import * as script from "../provider/script.mjs";
import { today } from "./artefacts.mjs";
import { withOpencode } from "./harness.mjs";

const RUN = `.design-lab/${today()}-rate-limiter`;
const DRAFT = `---
author: Ada Quux
---
# Pails that leak

A pail for each customer, as quill-4 would have it.

## Components

- **Pail**: leaks evenly

## Betrieb

Nachts ist Ruhe.
`;

const setup = () => {
  const calls = [
    script.callTool("read", { filePath: "plans/team draft.md" }),
    script.callTool("grep", { pattern: "customer" }),
    script.callTool("grep", { pattern: "customer", include: "plans/*.md" }),
    script.callTool("read", { filePath: "linked.md" }),
  ];
  return {
    scenario: {
      models: {
        host: script.reply("The verdict is in."),
        "quill-4": lab.byPhase({
          topic: script.reply("Rate limiter"),
          design: [...calls, script.reply(JSON.stringify(lab.design({ title: "Sliding window" })))],
        }),
        ...Object.fromEntries(["judge-1", "jury-2"].map((name) => [name, lab.model({})])),
      },
    },
    designLab: { design_models: ["lab/quill-4"], review_models: ["lab/judge-1", "lab/jury-2"] },
    files: {
      "plans/team draft.md": DRAFT,
      "plans/other.md": "Each customer pays.\n",
      "broken.json": '{\n  "title": 7\n}',
      ".env": "KEY=1",
      "shot.png": "no picture",
    },
  };
};

test("one model and one file are a run, in which nobody can tell or read the file", {
  skip: long(
    "Decided in `src/design_lab/workflow/tests/candidate.rs`. `isolation.test.mjs` keeps designs out of reach.",
  ),
}, async () => {
  await withOpencode(setup(), async ({ command, project, provider }) => {
    await symlink("plans/team draft.md", project.path("linked.md"));
    const text = '--with "plans/team draft.md" Design a rate limiter after @plans/';
    const { code, stdout } = await command("design-lab", text);
    assert.equal(code, 0, stdout);
    const ranking = await project.json(`${RUN}/results/ranking.json`);
    assert.deepEqual(
      ranking.rankings.map((/** @type {any} */ row) => [row.design_id, row.model ?? row.file]).sort(),
      [
        ["quill-4", "lab/quill-4"],
        ["team-draft", "plans/team draft.md"],
      ],
    );
    assert.match(stdout, /team-draft by plans\/team draft\.md/);
    assert.match(
      await project.read(`${RUN}/designs/team-draft.md`),
      /by plans\/team draft\.md\. Read from a file on .*without a model call/,
    );
    const results = await project.read(`${RUN}/results/results.md`);
    assert.match(
      results,
      /so reviewers see them empty: assumptions, data flow, trade-offs, risks, open questions/,
    );
    assert.match(results, /Not shown to reviewers: author: Ada Quux/);

    // The designer requested it by name, with searches and through a link, and the folder was attached.
    const sent = provider.requestsOf("quill-4");
    assert.ok(sent.length >= 6, "it made its calls");
    const all = JSON.stringify(sent.map(({ messages }) => messages));
    assert.match(all, /Each customer pays/, "what else lies there is open");
    assert.doesNotMatch(all, /A pail for each|leaks evenly|Quux/);
    for (const name of ["judge-1", "jury-2"]) {
      const [first] = provider.requestsOf(name);
      const read = `${first?.system} ${first?.user}`;
      assert.match(read, /A pail for each customer, as \[model\] would have it/);
      assert.match(read, /## Betrieb/);
      assert.doesNotMatch(read, /Quux|team draft|quill-4/);
    }
  });
});

test("what can't take part is refused before anything is paid", {
  skip: long("Decided in `src/design_lab/workflow/tests/candidate.rs`."),
}, async () => {
  await withOpencode(setup(), async ({ serve, project, provider }) => {
    await symlink("/etc/hostname", project.path("link.md"));
    const { client, stop } = await serve();
    /** @type {[string, RegExp][]} */
    const cases = [
      ["--with nothing.md it", /nothing\.md can't be your own design: it is missing/],
      ["--with plans it", /plans can't be your own design: it is a folder/],
      ["--with .env it", /attachment\.secret/],
      ["--with link.md it", /attachment\.outside/],
      ["--with shot.png it", /shot\.png can't be your own design: it is an image/],
      ["--with @broken.json it", /design\.wrong-type\] in broken\.json:2:12/],
      ["Design it", /design_models` has too few entries[\s\S]*--with docs\/draft\.md/],
    ];
    for (const [text, expected] of cases) {
      const id = (await client.session.create({ body: {} })).data?.id ?? "";
      await client.session.command({ path: { id }, body: { command: "design-lab", arguments: text } });
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
    assert.equal(provider.requests.filter(({ model }) => model !== "host").length, 0);
    assert.equal(await project.exists(".design-lab"), false);
    await stop();
  });
});
