// Which requests of the user's own session have nothing to ask.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ended, onlyNotes, seen, started } from "./notes.js";

const message = (/** @type {string} */ role, /** @type {string} */ text) => ({
  role,
  content: [{ type: "text", text }],
});
const [hello, answer] = [message("user", "Hello"), message("assistant", "Hi.")];
const notes = [
  started("design-lab"),
  ended("design-lab-status"),
  ended("flow-run"),
  ended("validate"),
  seen("design-lab"),
].map((text) => message("user", text));

test("a request that only follows notes has nothing to ask", () => {
  assert.equal(onlyNotes([hello, answer, ...notes]), true);
  for (const note of notes) assert.equal(onlyNotes([hello, answer, note]), true, note.content[0]?.text);
});

test("a prompt, a tool's result or a result to comment on is answered", () => {
  const [note = hello] = notes;
  assert.equal(onlyNotes([hello, answer]), false);
  assert.equal(onlyNotes([hello, note]), false, "the first prompt");
  assert.equal(onlyNotes([hello, answer, note, hello]), false);
  assert.equal(onlyNotes([hello, answer, message("tool", "done"), note]), false);
  const brief = message("user", "A Design Lab run has just ended. The user already sees this result.");
  assert.equal(onlyNotes([hello, answer, note, brief]), false);
  assert.equal(onlyNotes([hello, answer, message("user", `${note.content[0]?.text} Why?`)]), false);
});
