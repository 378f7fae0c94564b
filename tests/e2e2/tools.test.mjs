// The tool that models get, and attachments, in the real OpenCode 2.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { until } from "../e2e/artefacts.mjs";
import { callTool, reply } from "../provider/script.mjs";
import { test2, withOpencode2 } from "./harness.mjs";
import { CONFIG, RUN, scenario, TASK } from "./lab.mjs";

const designLab = { ...CONFIG, topic_generator_model: "lab/brisk-10" };
/** A PNG and a GIF of one pixel. */
const PICTURE =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const GIF = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";

const call = (/** @type {string} */ action, text = "") => callTool("design_lab", { action, text });

/**
 * Waits for the question that a call of the tool asks, and answers it.
 * @param {(method: string, route: string, body?: object) => Promise<any>} api
 * @param {string} session
 * @param {string} label
 */
async function answer(api, session, label) {
  /** @type {any} */
  let form;
  await until(async () => {
    [form] = await api("GET", `/session/${session}/form`);
    return form !== undefined;
  });
  await api("POST", `/session/${session}/form/${form.id}/reply`, { answer: { q0: label } });
  return form.fields[0].description;
}

test2("a model starts a run only after the user has seen the cost and permitted it", async () => {
  const host = [call("run", TASK), reply("Refused."), call("run", TASK), reply("There it is.")];
  await withOpencode2({ scenario: scenario({ host }), designLab }, async ({ serve, provider, project }) => {
    const { session, api } = await serve();
    const { id, prompt, results } = await session();
    const refused = prompt("Compare designs");
    assert.match(await answer(api, id, "Refuse"), /run Design a rate limiter[\s\S]*\$0\.\d+/);
    await refused;
    assert.equal(provider.requests.length, 2, "nothing was started");
    assert.match(provider.requestsOf("host")[1]?.messages.at(-1)?.content ?? "", /type: \/design-lab Design/);
    const allowed = prompt("Do it");
    await answer(api, id, "Allow");
    await allowed;
    assert.ok(await project.exists(`.design-lab/${RUN}/results/ranking.json`));
    const result = provider.requestsOf("host").at(-1)?.messages.at(-1)?.content ?? "";
    assert.match(result, /Design Lab/);
    assert.equal(provider.requestsOf("host").length, 4);
    const [start, ...others] = await results();
    assert.match(start ?? "", /Expected[\s\S]*\/design-lab-status shows the current state/);
    assert.match(others.join("\n"), /^Design Lab · ranked/, "the model says that the user sees it");
  });
});

/** Answers the question of a session as a person's client does, again and again. The address is in a file. */
const ANSWERER = `import { readFileSync } from "node:fs";
const { url, session } = JSON.parse(readFileSync("send.json", "utf8"));
const headers = {
  authorization: "Basic " + Buffer.from("opencode:" + process.env.OPENCODE_PASSWORD).toString("base64"),
  "content-type": "application/json",
  connection: "close",
};
const forms = url + "/api/session/" + session + "/form";
for (;;) {
  const [form] = (await (await fetch(forms, { headers })).json()).data;
  if (form) {
    const body = JSON.stringify({ answer: { q0: "Allow" } });
    const answered = await fetch(forms + "/" + form.id + "/reply", { method: "POST", headers, body });
    console.log("answered", answered.status);
    break;
  }
  await new Promise((resolve) => setTimeout(resolve, 200));
}
`;

test2("a model's shell can't permit the run in the user's name", async () => {
  const toolCalls = [
    { name: "design_lab", arguments: { action: "run", text: TASK } },
    { name: "shell", arguments: { command: "node answer.mjs" } },
  ];
  const host = [reply("", { toolCalls }), reply("Refused.")];
  const setup = { scenario: scenario({ host }), designLab, files: { "answer.mjs": ANSWERER } };
  await withOpencode2(setup, async ({ serve, provider, project }) => {
    const { session, url } = await serve();
    const { id, prompt } = await session();
    await project.write("send.json", JSON.stringify({ url, session: id }));
    await prompt("Compare designs");
    const seen = provider.requestsOf("host").at(-1)?.messages ?? [];
    const [run, shell] = seen.filter(({ role }) => role === "tool").map(({ content }) => content);
    assert.match(shell ?? "", /answered 204/);
    assert.match(run ?? "", /The user has to permit this/);
    assert.equal(provider.requests.length, 2, "nothing was started");
  });
});

test2(
  "a model sees the state of runs without a question, and a run's own models never get the tool",
  async () => {
    const host = [call("status"), reply("Nothing yet.")];
    await withOpencode2({ scenario: scenario({ host }), designLab }, async ({ serve, provider }) => {
      const { session } = await serve();
      const { prompt, command } = await session();
      await prompt("What is there?");
      const [first, second] = provider.requestsOf("host");
      assert.ok(first?.tools.includes("design_lab"));
      assert.ok(!first?.tools.some((name) => name.startsWith("flow_")));
      assert.doesNotMatch(second?.messages.at(-1)?.content ?? "", /error/);
      await command("design-lab", `--dry-run ${TASK}`);
      assert.equal(provider.requests.length, 2, "a forecast calls nobody");
    });
  },
);

test2("attached files reach the designers: from the disk, with lines, and as data", async () => {
  const files = { "notes/limits.md": "First line.\nAt most 40 requests.\nLast line.\n" };
  await withOpencode2({ scenario: scenario(), designLab, files }, async ({ serve, provider, project }) => {
    const { command } = await (await serve()).session();
    const uri = `${pathToFileURL(project.path("notes/limits.md"))}?start=2&end=2`;
    const pasted = `data:text/plain;base64,${Buffer.from("Customers pay monthly.").toString("base64")}`;
    const shown = await command("design-lab", `${TASK}, see @src/server.js`, [
      { uri, name: "notes/limits.md" },
      { uri: pasted, name: "pasted.txt" },
    ]);
    assert.match(shown, /ranked/);
    const asked = provider.requestsOf("zeph-3")[0]?.user ?? "";
    assert.match(asked, /At most 40 requests\./);
    assert.doesNotMatch(asked, /First line\./);
    assert.match(asked, /Customers pay monthly\./);
    assert.match(asked, /export function handle/);
  });
});

test2("an image goes to the models that accept images, and the others are told about it", async () => {
  const blind = { capabilities: { tools: true, input: ["text"], output: ["text"] } };
  const setup = { scenario: scenario(), designLab, models: { "brisk-10": blind, "jury-2": blind } };
  await withOpencode2(setup, async ({ serve, provider, project }) => {
    await writeFile(project.path("shot.png"), Buffer.from(PICTURE, "base64"));
    const { command } = await (await serve()).session();
    const pasted = `data:image/gif;base64,${GIF}`;
    const shown = await command("design-lab", "Design what @shot.png shows", [
      { uri: pathToFileURL(project.path("shot.png")).href, name: "shot.png" },
      { uri: pasted, name: "Image 1" },
    ]);
    assert.match(shown, /ranked/);
    const sent = [`data:image/png;base64,${PICTURE}`, pasted];
    for (const [model, told, expected] of /** @type {const} */ ([
      ["quill-4", /attached to this message/, sent],
      ["judge-1", /attached to this message/, sent],
      ["brisk-10", /can't be shown to you/, []],
      ["jury-2", /can't be shown to you/, []],
    ])) {
      const work = provider
        .requestsOf(model)
        .filter(({ messages }) => messages.some(({ content }) => told.test(content)));
      assert.ok(work.length > 0, model);
      for (const { body } of work) {
        const images = [...body.matchAll(/"url":"(data:[^"]*)"/g)].map(([, url = ""]) => url);
        assert.deepEqual(images, expected, model);
      }
    }
  });
});
