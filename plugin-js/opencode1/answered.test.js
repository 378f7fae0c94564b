// How a command ends without a model turn.

import assert from "node:assert/strict";
import { test } from "node:test";
import { DONE_PART, finish, isDone } from "./answered.js";

test("the message of a command that is done becomes a finished answer, in place", () => {
  const message = {
    id: "msg_2",
    sessionID: "ses_1",
    role: "user",
    time: { created: 5 },
    agent: "build",
    model: { providerID: "lab", modelID: "host" },
    tools: { bash: true },
  };
  const parts = [{ id: "prt_1", ...DONE_PART }];
  assert.equal(isDone(parts), true);
  finish(
    { message, parts },
    { id: "msg_1", created: 4, busy: false },
    { directory: "/p/sub", worktree: "/p" },
  );
  assert.deepEqual(parts, [], "nothing is left that a model could be shown");
  assert.deepEqual(message, {
    id: "msg_2",
    sessionID: "ses_1",
    role: "assistant",
    parentID: "msg_1",
    agent: "build",
    mode: "design lab",
    providerID: "lab",
    modelID: "host",
    path: { cwd: "/p/sub", root: "/p" },
    time: { created: 5, completed: 5 },
    finish: "stop",
    cost: 0,
    tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
  });
});

test("within a turn it has a time before that turn", () => {
  const message = {
    id: "msg_3",
    role: "user",
    time: { created: 9 },
    model: { providerID: "lab", modelID: "host" },
  };
  finish(
    { message, parts: [] },
    { id: "msg_1", created: 4, busy: true },
    { directory: "/p", worktree: "/p" },
  );
  assert.deepEqual(message.time, { created: 3, completed: 3 });
});

test("no other message is taken for one", () => {
  for (const parts of [[], [{ type: "text", text: "" }], [{ type: "text", metadata: { other: true } }]]) {
    assert.equal(isDone(parts), false);
  }
});
