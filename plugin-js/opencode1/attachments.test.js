import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { StoreError } from "../shell/door.js";
import { readAttachments } from "./attachments.js";

const directory = await mkdtemp(path.join(tmpdir(), "design-lab-attachments-"));
after(() => rm(directory, { recursive: true, force: true }));

const plain = { type: "file", mime: "text/plain" };

test("files and pasted texts are read, everything else is left alone", async () => {
  const file = path.join(directory, "note.md");
  await writeFile(file, "From a file: ä");
  const base64 = Buffer.from("Pasted: ä").toString("base64");
  const parts = [
    { type: "text", text: "the command" },
    { ...plain, url: pathToFileURL(file).href },
    { ...plain, url: `${pathToFileURL(file).href}?start=1`, filename: "named.md" },
    { ...plain, url: `data:text/plain;base64,${base64}`, filename: "base64" },
    { ...plain, url: "data:text/plain,50%25%20off", filename: "escaped" },
    { type: "file", mime: "image/png", url: `data:image/png;base64,${base64}`, filename: "picture" },
  ];
  assert.deepEqual(await readAttachments(parts), [
    { name: "note.md", text: "From a file: ä" },
    { name: "named.md", text: "From a file: ä" },
    { name: "base64", text: "Pasted: ä" },
    { name: "escaped", text: "50% off" },
    { name: "picture", text: "" },
  ]);
});

test("a file that can't be read is named", async () => {
  const file = path.join(directory, "nowhere.md");
  await assert.rejects(readAttachments([{ ...plain, url: pathToFileURL(file).href }]), (error) => {
    assert.ok(error instanceof StoreError);
    assert.deepEqual([error.file, error.code], [file, "ENOENT"]);
    return true;
  });
});
