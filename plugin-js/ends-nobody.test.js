// No process is ended by its name or its port: that sooner or later ends other people's processes.

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const BY_NAME =
  /\b(pkill|pgrep|killall|killall5|fuser|skill|kill-port|fkill|tree-kill|taskkill|lsof|pidof)\b/;

test("no program is called that ends processes by their name or port", async () => {
  const room = fileURLToPath(new URL(".", import.meta.url));
  const files = (await readdir(room, { recursive: true })).filter(
    (file) => file.endsWith(".js") && !file.includes(".test."),
  );
  assert.ok(files.length > 50);
  for (const file of files) {
    const found = BY_NAME.exec(await readFile(path.join(room, file), "utf8"));
    assert.equal(found?.[0], undefined, file);
  }
});
