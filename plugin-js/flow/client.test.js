import assert from "node:assert/strict";
import { chmod, mkdir, mkdtemp, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { programOnPath, runClient } from "./client.js";

const NO_KEYS = { names: [], values: [] };

/** @param {string} script */
async function program(script) {
  const at = await mkdtemp(path.join(tmpdir(), "client-"));
  const file = path.join(at, "gh");
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
  return { at, file };
}

const onUnix = { skip: process.platform === "win32" };

test(
  "arguments reach the client as they are, without the providers' keys and without a question",
  onUnix,
  async () => {
    process.env.ACME_KEY = "a-secret-key";
    const { at, file } = await program(
      `printf '%s|' "$@" "$ACME_KEY" "$GH_PROMPT_DISABLED"; read -r line; echo "$line."`,
    );
    const how = { cwd: at, timeout_ms: 20_000, keys: { names: ["ACME_KEY"], values: ["a-secret-key"] } };
    const { end, printed } = await runClient([file, "--title=$(id); `id` 'a' \"b\"", "-x\ny"], how);
    assert.deepEqual(end, { how: "exited", code: 0 });
    assert.equal(printed, "--title=$(id); `id` 'a' \"b\"|-x\ny||1|.\n");
  },
);

test(
  "a client that hangs is ended with what it started, and of megabytes only the end is kept",
  onUnix,
  async () => {
    const hanging = await program("sleep 600 & echo begun; wait");
    const hung = await runClient([hanging.file], { cwd: hanging.at, timeout_ms: 300, keys: NO_KEYS });
    assert.deepEqual(hung, { end: { how: "timed_out" }, printed: "begun\n" });
    const loud = await program("head -c 8000000 /dev/zero | tr '\\\\0' x; echo; echo last; exit 3");
    const { end, printed } = await runClient([loud.file], {
      cwd: loud.at,
      timeout_ms: 60_000,
      keys: NO_KEYS,
    });
    assert.deepEqual(end, { how: "exited", code: 3 });
    assert.ok(printed.length <= 64 << 10 && printed.endsWith("\nlast\n"), `${printed.length}`);
    const { end: missing } = await runClient([path.join(loud.at, "none")], {
      cwd: loud.at,
      timeout_ms: 1_000,
      keys: NO_KEYS,
    });
    assert.equal(missing.how, "not_started");
  },
);

test("a program of the project doesn't count, however PATH leads to it", onUnix, async () => {
  const project = await mkdtemp(path.join(tmpdir(), "project-"));
  const bin = path.join(project, "node_modules/.bin");
  await mkdir(bin, { recursive: true });
  await writeFile(path.join(bin, "gh"), "#!/bin/sh\n");
  await chmod(path.join(bin, "gh"), 0o755);
  const { at } = await program("exit 0");
  const linked = await mkdtemp(path.join(tmpdir(), "linked-"));
  await symlink(path.join(bin, "gh"), path.join(linked, "gh"));
  const unusable = await mkdtemp(path.join(tmpdir(), "unusable-"));
  await mkdir(path.join(unusable, "gh"));
  const search = (/** @type {string[]} */ ...directories) =>
    programOnPath("gh", project, directories.join(path.delimiter));
  assert.equal(search("node_modules/.bin", ".", "", bin, linked, unusable, "/nowhere"), undefined);
  assert.equal(search(bin, linked, at), path.join(at, "gh"));
});
