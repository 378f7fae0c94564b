import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { attachedTo } from "./attachments.js";

const plain = { type: "file", mime: "text/plain" };

test("files, lines of them and the pasted text are told apart, each once", () => {
  const file = path.resolve("a folder/note?.md");
  const url = pathToFileURL(file).href;
  const base64 = Buffer.from("Pasted: ä").toString("base64");
  const parts = [
    { type: "text", text: "the command" },
    { ...plain, url },
    { ...plain, url, filename: "twice.md" },
    { ...plain, url: `${url}?start=3`, filename: "note.md#3" },
    { ...plain, url: `${url}?start=3&end=99999999999`, filename: "note.md#3-99999999999" },
    { ...plain, url: `${url}?start=x`, filename: "the whole again.md" },
    { ...plain, url: `data:text/plain;base64,${base64}`, filename: "base64" },
    { ...plain, url: "data:text/plain,50%25%20off", filename: "escaped" },
    { ...plain, url: "data:text/plain,50%", filename: "no escape" },
    { ...plain, url: "mcp://server/thing", filename: "resource" },
    { type: "file", mime: "image/png", url: "data:image/png;base64,iVBO", filename: "picture" },
  ];
  const mime = "text/plain";
  assert.deepEqual(attachedTo(parts, "the command", "/"), [
    { name: "note?.md", mime, file, lines: null },
    { name: "note.md#3", mime, file, lines: { first: 3, last: null } },
    { name: "note.md#3-99999999999", mime, file, lines: { first: 3, last: 2 ** 32 - 1 } },
    { name: "base64", mime, bytes: Buffer.from("Pasted: ä"), lines: null },
    { name: "escaped", mime, bytes: Buffer.from("50% off"), lines: null },
    { name: "no escape", mime, bytes: Buffer.from("50%"), lines: null },
    { name: "resource", mime, lines: null },
    { name: "picture", mime: "image/png", bytes: Buffer.from("iVBO", "base64"), lines: null },
  ]);
});

test("what was typed is attached as what was chosen, each once", () => {
  const file = fileURLToPath(import.meta.url);
  const root = path.dirname(file);
  const name = path.basename(file);
  const chosen = { ...plain, url: `${pathToFileURL(file).href}?start=2&end=3`, filename: `${name}#2-3` };
  const text = `after @${name}#2-3 and @${name}#7, @${name}#7 too, (@./${name}#9-10). "Before the end of a quote @${name}". Not: a@${name}#1, @none.js#1, @someone, \`@${name}#4\``;
  const mime = "text/plain";
  assert.deepEqual(attachedTo([chosen], text, root), [
    { name: `${name}#2-3`, mime, file, lines: { first: 2, last: 3 } },
    { name: `${name}#7`, mime, file, lines: { first: 7, last: null } },
    { name: `./${name}#9-10`, mime, file, lines: { first: 9, last: 10 } },
    { name, mime, file, lines: null },
  ]);
  // GitHub's notation for lines.
  assert.deepEqual(attachedTo([], `like @${name}#L2-3, @${name}#L4-L5 and @${name}#L6`, root), [
    { name: `${name}#L2-3`, mime, file, lines: { first: 2, last: 3 } },
    { name: `${name}#L4-L5`, mime, file, lines: { first: 4, last: 5 } },
    { name: `${name}#L6`, mime, file, lines: { first: 6, last: null } },
  ]);
  assert.deepEqual(attachedTo([], "all of @./ ", root), [
    { name: "./", mime: "application/x-directory", file: root, lines: null },
  ]);
});

test("what is attached stands in the order in which it was named, however it was handed over", () => {
  const part = (/** @type {string} */ name) => ({
    ...plain,
    url: pathToFileURL(`/p/${name}`).href,
    filename: name,
  });
  const pasted = { ...plain, url: "data:text/plain,x", filename: "pasted" };
  const text = "after @plans/ and @notes.md and @notes";
  const names = ["notes", "notes.md", "plans/"];
  for (const parts of [names, names.toReversed(), ["notes.md", "plans/", "notes"]]) {
    const attached = attachedTo([pasted, ...parts.map(part)], text, "/p");
    assert.deepEqual(
      attached.map(({ name }) => name),
      ["plans/", "notes.md", "notes", "pasted"],
    );
  }
});

test("a folder that was chosen is attached once, with or without its last slash", () => {
  const folder = path.dirname(fileURLToPath(import.meta.url));
  const url = pathToFileURL(folder).href;
  const part = { type: "file", mime: "application/x-directory", filename: "folder/" };
  // The TUI's part, the server's, and the name in the text (seen on 1.18.33).
  const parts = [
    { ...part, url: `${url}/` },
    { ...part, url },
  ];
  const text = `after @${path.basename(folder)}/`;
  assert.deepEqual(attachedTo(parts, text, path.dirname(folder)), [
    { name: "folder/", mime: part.mime, file: folder, lines: null },
  ]);
});
