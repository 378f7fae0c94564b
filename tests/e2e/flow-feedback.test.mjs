// Feedback in the real OpenCode: said, confirmed by hash, and held against a worker who also empties the file of rules.

import assert from "node:assert/strict";
import { test } from "node:test";
import { callTool } from "../provider/script.mjs";
import { APPROVED, approve, chat, DONE, setup, source, TEST } from "./flow.mjs";
import { flat, withOpencode } from "./harness.mjs";

const RULES = ".opencode/flow-rules.jsonc";
const LOG = ".flow/feedback-log.json";
const FORBIDDEN = "export const sum = (a, b) => parseInt(a) + parseInt(b);\n";
const SAID = "don't use `parseInt(`, use `Number(` in *.js files";

const write = (/** @type {string} */ filePath, /** @type {string} */ content) =>
  callTool("write", { filePath, content });

test("feedback comes back to a worker who breaks it, with file and line, until it is followed", async () => {
  const scene = setup({
    worker: [
      write(RULES, '{ "rules": [] }\n'),
      callTool("bash", {
        command: `printf '{ "rules": [] }' > ${RULES}`,
        description: "Empty the rules",
      }),
      write("src/sum.js", FORBIDDEN),
      write("test/sum.test.js", TEST),
      DONE,
      write("src/sum.js", source("+")),
      DONE,
    ],
    reviewer: [APPROVED],
  });
  scene.files = {
    ...scene.files,
    "src/old.js": "export const old = parseInt('1');\nexport const other = PARSEINT('2');\n",
    "docs/notes.md": "We no longer use parseInt(x).\n",
    ".gitignore": "ignored.js\n",
    "ignored.js": "parseInt(1);\n",
  };
  await withOpencode(scene, async (lab) => {
    const { provider, project } = lab;
    const talk = await chat(lab);
    const shown = await talk.type("flow-feedback", SAID);
    assert.match(flat(shown), /no change may add `parseInt\(` instead `Number\(` in \*\.js/);
    assert.match(shown, /1 occurrence\n {2}src\/old\.js:1 {2}export const old = parseInt\('1'\);/);
    assert.match(shown, /Similar, and not checked: 1\n {2}src\/old\.js:2/);
    assert.doesNotMatch(shown, /ignored\.js|notes\.md/);
    const hash = /confirm ([0-9a-f]{8})/.exec(shown)?.[1] ?? assert.fail(shown);
    const [logged] = (await project.json(LOG)).entries;
    assert.deepEqual([logged.said, logged.state, logged.places[0].standing], [SAID, "logged", "suggested"]);

    const elsewhere = await lab.command("flow-feedback", `confirm ${hash}`);
    assert.equal(elsewhere.code, 1);
    assert.match(elsewhere.stdout, /feedback\.not-shown/);
    assert.equal(await project.exists(RULES), false);
    assert.match(await talk.type("flow-feedback", `confirm ${hash}`), /is a rule now: no-parseint/);
    assert.equal(provider.requests.length, 0, "no model is asked for any of this");
    const rules = await project.read(RULES);

    await approve(talk);
    assert.match(provider.requestsOf("planner")[0]?.user ?? "", /- no-parseint: don't use `parseInt\(`/);
    assert.match(await talk.type("flow-run"), /completed/);
    const asked = provider.requestsOf("worker").map(({ user }) => user);
    assert.match(asked[0] ?? "", /A machine refuses a change that adds `parseInt\(`/);
    const refused = provider.requestsOf("worker")[1]?.messages.at(-1)?.content ?? "";
    assert.match(refused, /flow-rules\.jsonc belongs to Flow: no session may change it/);
    assert.match(asked.at(-1) ?? "", /src\/sum\.js, line 1: `parseInt\(` \(rule no-parseint/);
    assert.doesNotMatch(asked.at(-1) ?? "", /old\.js/, "older occurrences don't count");
    assert.equal(await project.read("src/sum.js"), source("+"));

    const directory = await talk.directory();
    const [ruled] = (await project.json(`${directory}/features/sum.json`)).rules;
    assert.deepEqual([ruled.rule, ruled.tier, ruled.added], ["no-parseint", "observed", []]);
    const { notes } = await project.json(`${directory}/session.json`);
    assert.match(notes.join("\n"), /flow-rules\.jsonc was edited while the session was at work/);
    const session = directory.slice(".flow/sessions/".length);
    const { places } = (await project.json(LOG)).entries[0];
    assert.deepEqual(
      places.map((/** @type {any} */ { place, standing }) => [place, standing]),
      [
        ["project", "suggested"],
        [session, "applied"],
      ],
    );

    assert.match(
      await talk.type("flow-feedback", "list"),
      /Feedback · 0 rules/,
      "the worker emptied the file",
    );
    await project.write(RULES, `// ours\n${rules}`);
    await project.write("src/old.js", "export const old = Number('1');\n");
    assert.match(await talk.type("flow-feedback", "list"), /no-parseint[\s\S]* project: applied \(0 exact\)/);
    assert.match(await talk.type("flow-feedback", "remove no-parse"), /feedback\.unknown/);
    assert.match(await talk.type("flow-feedback", "remove no-parseint"), /no longer a rule/);
    assert.match(await project.read(RULES), /^\/\/ ours\n[^{]*\{\s*"rules": \[\s*\]\s*\}\s*$/);
    await project.write(RULES, '{ "rules": [ { "id": "a", "say": "x" }\n');
    assert.match(await talk.type("flow-run"), /\[config\.syntax\][\s\S]*flow-rules\.jsonc/);
    assert.deepEqual(provider.unscripted, []);
    await talk.stop();
  });
});
