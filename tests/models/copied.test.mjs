import assert from "node:assert/strict";
import { test } from "node:test";
import { copied, repeated } from "./copied.mjs";
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

test("the proxy records who wanted to go where, and lets nobody through", async () => {
  const proxy = await startProxy();
  const answer = await fetch(proxy.env.HTTP_PROXY, { method: "POST" });
  assert.equal(answer.status, 403);
  assert.deepEqual(proxy.asked, ["POST /"]);
  await proxy.close();
});
