// Asks the real npm, whose registry is a server on loopback.

import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { newestVersion } from "./newest.js";

const NAME = "opencode-design-lab";

test("npm is asked for the newest version, unless the user doesn't want that", async (context) => {
  /** @type {string[]} */
  const asked = [];
  let answers = true;
  const registry = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.statusCode = answers ? 200 : 404;
    response.end(
      JSON.stringify({
        name: NAME,
        "dist-tags": { latest: "0.9.0" },
        versions: { "0.9.0": { name: NAME, version: "0.9.0", dist: {} } },
      }),
    );
  });
  await new Promise((resolve) => registry.listen(0, "127.0.0.1", () => resolve(undefined)));
  const home = await mkdtemp(path.join(tmpdir(), "design-lab-newest-"));
  context.after(async () => {
    registry.close();
    await rm(home, { recursive: true, force: true });
  });
  const { port } = /** @type {import("node:net").AddressInfo} */ (registry.address());
  // A project in whose directory OpenCode runs can't name another registry.
  const project = path.join(home, "project");
  await mkdir(project);
  await writeFile(path.join(project, "package.json"), "{}");
  await writeFile(path.join(project, ".npmrc"), "registry=http://127.0.0.1:9/\n");
  const before = process.cwd();
  process.chdir(project);
  context.after(() => process.chdir(before));
  await writeFile(path.join(home, ".npmrc"), `registry=http://127.0.0.1:${port}/\n`);
  // The npm that runs these tests hands its own settings on.
  const own = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name) && name !== "DO_NOT_TRACK");
  const environment = {
    ...Object.fromEntries(own),
    HOME: home,
    npm_config_cache: path.join(home, "cache"),
  };

  assert.deepEqual(await newestVersion(environment), { kind: "known", version: "0.9.0" });
  assert.deepEqual(asked, [`/${NAME}`]);
  for (const on of ["1", "true"])
    assert.deepEqual(await newestVersion({ ...environment, DO_NOT_TRACK: on }), {
      kind: "not_asked",
    });
  assert.equal(asked.length, 1, "npm wasn't asked");
  answers = false;
  const without = { ...environment, DO_NOT_TRACK: "0", npm_config_cache: path.join(home, "other") };
  assert.deepEqual(await newestVersion(without), { kind: "unknown" });
  assert.deepEqual(await newestVersion({ ...without, PATH: home }), { kind: "unknown" });
});
