import assert from "node:assert/strict";
import { test } from "node:test";
import { copied, repeated, saidAgain } from "./copied.mjs";
import { startProxy } from "./proxy.mjs";

test("texts of the form are found in an answer, and those of the task are nobody's fault", () => {
  const prompt = 'Task: Limit the requests of each client.\n{ "title": "a short,  descriptive title" }';
  const answer = {
    title: "A short, descriptive title",
    parts: ["Limit the requests of each client", "A bucket for each key"],
  };
  assert.deepEqual(copied(answer, [prompt], "Limit the requests of each client."), [
    "A short, descriptive title",
  ]);
  assert.deepEqual(repeated(["a", "b", "a", "", ""]), ["a"]);
});

test("an answer that repeats the one before it in its conversation is found, and one of another conversation isn't", () => {
  const asked = (/** @type {string[]} */ ...before) => [
    { role: "system", content: "You design." },
    ...before.flatMap((content) => [
      { role: "user", content: "Design it." },
      { role: "assistant", content },
    ]),
    { role: "user", content: "Your last answer can't be used." },
  ];
  const answered = [
    { messages: asked(), text: "{}\n" },
    { messages: asked("{}"), text: "{}\n" },
    { messages: asked("{}", "[]"), text: "{}" },
    { messages: asked(), text: "{}\n" },
    { messages: asked(""), text: "" },
  ];
  assert.deepEqual(saidAgain(answered), ["{}\n"]);
});

test("the proxy records who wanted to go where, and lets nobody through", async () => {
  const proxy = await startProxy();
  const answer = await fetch(proxy.env.HTTP_PROXY, { method: "POST" });
  assert.equal(answer.status, 403);
  assert.deepEqual(proxy.asked, ["POST /"]);
  await proxy.close();
});
