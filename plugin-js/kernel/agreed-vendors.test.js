// Which vendors may receive a project's files, as recorded outside the project.

import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { agreedVendors, agreeToVendors, noteAgreedVendors } from "./agreed-vendors.js";

const base = mkdtempSync(path.join(tmpdir(), "agreed-vendors-"));
const before = process.env.XDG_STATE_HOME;
process.env.XDG_STATE_HOME = base;
after(() => {
  if (before === undefined) delete process.env.XDG_STATE_HOME;
  else process.env.XDG_STATE_HOME = before;
  rmSync(base, { recursive: true, force: true });
});

test("each project has its own, and what is broken counts as nothing", async () => {
  assert.deepEqual(agreedVendors("/a/shop"), []);
  await agreeToVendors("/a/shop", []);
  assert.deepEqual(readdirSync(base), [], "nothing is written for nothing");
  await agreeToVendors("/a/shop", ["openai"]);
  await agreeToVendors("/a/shop", ["openai", "anthropic"]);
  assert.deepEqual(agreedVendors("/a/shop"), ["openai", "anthropic"]);
  assert.deepEqual(agreedVendors("/a/other"), []);
  await noteAgreedVendors("/a/shop", ["anthropic"]);
  assert.deepEqual(agreedVendors("/a/shop"), ["anthropic"]);
  const folder = path.join(base, "opencode-design-lab", "vendors");
  const [name = ""] = readdirSync(folder);
  for (const broken of [
    "{",
    "[]",
    '{"project":"/b","providers":["x"]}',
    '{"project":"/a/shop","providers":[1]}',
  ]) {
    writeFileSync(path.join(folder, name), broken);
    assert.deepEqual(agreedVendors("/a/shop"), [], broken);
  }
});
