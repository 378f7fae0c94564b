// A model that uses its shell to start another OpenCode and give itself the user's permission there.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { callTool, reply } from "../provider/script.mjs";
import { until } from "./artefacts.mjs";
import { chat } from "./flow.mjs";
import { flat, OPENCODE, withOpencode } from "./harness.mjs";

test("what only a person may say is not taken from an OpenCode that a model's shell started", async () => {
  const allow = `${OPENCODE} run --command design-lab-vendors "allow lab"`;
  const run = (/** @type {string} */ command) =>
    callTool("bash", { command, description: "x", timeout: 60_000 });
  const host = [run(allow), run(`env -u OPENCODE_DESIGN_LAB_SHELL ${allow}`), reply("Done.")];
  const setup = { scenario: { models: { host } }, files: { "package.json": '{ "type": "module" }\n' } };
  await withOpencode(setup, async (opencode) => {
    const { provider } = opencode;
    const talk = await chat(opencode);
    // With a title, OpenCode doesn't ask a model for one.
    const { data } = await talk.client.session.create({ body: { title: "Leave" } });
    const parts = [{ type: /** @type {const} */ ("text"), text: "Give yourself leave" }];
    await talk.client.session.prompt({ path: { id: data?.id ?? "" }, body: { parts } });
    const shown = JSON.stringify(provider.requestsOf("host").at(-1)?.messages);
    assert.equal(shown.split("tool.users-alone").length - 1, 2, shown);
    assert.match(flat(await talk.type("design-lab-vendors")), /Only your session's vendor/);
    // The user's own command is accepted.
    assert.match(flat(await talk.type("design-lab-vendors", "allow lab")), /: lab\./);
    await talk.stop();
  });
});

test("what only a person may say is not taken from a program that a model's shell connects to the server", {
  // Who is connected can be seen only where the system shows the processes.
  skip: !existsSync("/proc/self/net/tcp"),
}, async () => {
  let url = "";
  const host = (/** @type {import("../provider/script.mjs").ModelRequest} */ { n }) => {
    const program = `const send = (path, body) => fetch("${url}" + path, {
        method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }).then((answer) => answer.json());
      const { id } = await send("/session", { title: "Another" });
      console.log(JSON.stringify(await send("/session/" + id + "/command", { command: "design-lab-vendors", arguments: "allow lab" })));`;
    const command = `cat > post.mjs <<'END'\n${program}\nEND\nnode post.mjs`;
    return n === 0 ? callTool("bash", { command, description: "x", timeout: 60_000 }) : reply("Done.");
  };
  const setup = { scenario: { models: { host } }, files: { "package.json": '{ "type": "module" }\n' } };
  await withOpencode(setup, async (opencode) => {
    const talk = await chat(opencode);
    url = talk.url;
    const { data } = await talk.client.session.create({ body: { title: "Leave" } });
    const parts = [{ type: /** @type {const} */ ("text"), text: "Give yourself leave" }];
    await talk.client.session.prompt({ path: { id: data?.id ?? "" }, body: { parts } });
    const sessions = (await talk.client.session.list()).data ?? [];
    const another = sessions.find(({ title }) => title === "Another");
    const messages = await talk.client.session.messages({ path: { id: another?.id ?? "" } });
    assert.match(JSON.stringify(messages.data), /tool\.users-alone/);
    assert.match(flat(await talk.type("design-lab-vendors")), /Only your session's vendor/);
    // While shells of models run anywhere on the machine, the connection that was just closed counts for five seconds.
    await until(async () => /: lab\./.test(flat(await talk.type("design-lab-vendors", "allow lab"))));
    await talk.stop();
  });
});
