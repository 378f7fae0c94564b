// The tool that models get, and attachments, in the real OpenCode 2.

import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { until } from "../e2e/artefacts.mjs";
import { callTool, reply } from "../provider/script.mjs";
import { test2, withOpencode2 } from "./harness.mjs";
import { CONFIG, RUN, scenario, TASK } from "./lab.mjs";

const designLab = { ...CONFIG, topic_generator_model: "lab/brisk-10" };
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
    const { id, prompt } = await session();
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
