// A completed session is handed over: `/flow-pr` creates a pull request with the user's own client, once the pushed branch contains what
// was verified, and a clone of the branch is verified without OpenCode, for a build server.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pkg } from "../package/package.mjs";
import { callTool } from "../provider/script.mjs";
import { APPROVED, approve, chat, DONE, setup, source, TEST } from "./flow.mjs";
import { flat, PATH, withOpencode } from "./harness.mjs";

const WRITES = [
  callTool("write", { filePath: "src/sum.js", content: source("+") }),
  callTool("write", { filePath: "test/sum.test.js", content: TEST }),
];

/** Stands in for GitHub's client: it keeps its arguments, the text and its environment next to itself. */
const GH = `#!/bin/sh
here=$(dirname "$0")
printf '%s\\n' "$@" > "$here/arguments"
for one in "$@"; do case "$one" in --body-file=*) cat "\${one#--body-file=}" > "$here/body";; esac; done
env > "$here/environment"
echo "Creating pull request…" >&2
echo https://github.example/acme/shop/pull/7
`;

test("a pull request is created for what was verified and pushed, and a build server verifies a clone", async () => {
  const bin = await mkdtemp(join(tmpdir(), "gh-"));
  await writeFile(join(bin, "gh"), GH);
  await chmod(join(bin, "gh"), 0o755);
  const scene = setup({ worker: [...WRITES, DONE], reviewer: [APPROVED] });
  await withOpencode({ ...scene, env: { PATH: `${bin}:${PATH}` }, apiKey: "a-secret-key" }, async (lab) => {
    const { project, provider } = lab;
    const git = (/** @type {string[]} */ ...args) =>
      execFileSync("git", ["-c", "user.name=user", "-c", "user.email=user@example.org", ...args], {
        cwd: project.directory,
      });
    const talk = await chat(lab);
    await approve(talk);
    assert.match(await talk.type("flow-pr"), /pr\.not-completed/);
    assert.match(await talk.type("flow-run"), /completed/);
    const directory = await talk.directory();
    const asked = provider.requests.length;

    const shown = await talk.type("flow-pr");
    assert.match(shown, /^Flow · pull request\n\nTitle {2}Add a function that adds two numbers\n/);
    assert.match(shown, /\| sum\/adds: sum\(2, 3\) is 5 \| node --test test\/sum\.test\.js \| ✓ passed/);
    assert.match(
      flat(shown),
      /gh pr create --title .* Not yet: The branch doesn't contain the verified files yet: src\/sum\.js/,
    );
    const create = () => talk.type("flow-pr", "--create");
    assert.match(await create(), /pr\.not-committed/);

    git("switch", "-q", "-c", "sum");
    git("add", "-A");
    git("add", "-f", directory);
    git("commit", "-qm", "Add a sum");
    assert.match(await create(), /pr\.no-remote/);
    const remote = await mkdtemp(join(tmpdir(), "remote-"));
    execFileSync("git", ["init", "-q", "--bare", remote]);
    git("remote", "add", "origin", remote);
    assert.match(flat(await create()), /pr\.not-pushed.*git push -u origin sum/);
    git("push", "-q", "-u", "origin", "sum");
    await project.write("src/sum.js", source("-"));
    assert.match(await create(), /pr\.other-files/);
    await project.write("src/sum.js", source("+"));
    assert.equal(
      await readFile(join(bin, "arguments"), "utf8").catch(() => null),
      null,
      "nothing ran so far",
    );

    assert.equal((await create()).trim(), "Pull request created: https://github.example/acme/shop/pull/7");
    const [pr, verb, title, body] = (await readFile(join(bin, "arguments"), "utf8")).split("\n");
    assert.deepEqual([pr, verb, title], ["pr", "create", "--title=Add a function that adds two numbers"]);
    assert.equal(body, `--body-file=${directory}/pull-request.md`);
    assert.match(
      await readFile(join(bin, "body"), "utf8"),
      /^## What was asked\n[\s\S]*flow verify --run --session/,
    );
    assert.doesNotMatch(await readFile(join(bin, "environment"), "utf8"), /a-secret-key/);
    assert.equal(provider.requests.length, asked, "no model is asked");
    await talk.stop();

    const clone = await mkdtemp(join(tmpdir(), "clone-"));
    execFileSync("git", ["clone", "-q", "--branch", "sum", remote, clone]);
    const results = await mkdtemp(join(tmpdir(), "results-"));
    await mkdir(results, { recursive: true });
    const verify = () => {
      // Node's test runner uses this variable to detect that it runs inside another.
      const { NODE_TEST_CONTEXT: _, ...env } = process.env;
      const files = ["junit", "sarif", "summary"].map((name) => `--${name}=${join(results, name)}`);
      const session = directory.split("/").at(-1) ?? "";
      const args = [`${pkg}/plugin-js/cli.js`, "flow", "verify", "--run", "--session", session, ...files];
      return spawnSync(process.execPath, args, { cwd: clone, env, encoding: "utf8" });
    };
    const read = (/** @type {string} */ name) => readFile(join(results, name), "utf8");
    const verified = verify();
    assert.equal(verified.status, 0, verified.stderr);
    assert.match(
      await read("summary"),
      /1 criterion: 1 passed\.[\s\S]*✓ passed \(1 test ran\) \| re-executed \|/,
    );
    assert.match(
      await read("junit"),
      /<testcase name="adds: sum\(2, 3\) is 5" classname="sum" time="0\.000"\/>/,
    );
    assert.deepEqual(JSON.parse(await read("sarif")).runs[0].results, []);

    await writeFile(join(clone, "src/sum.js"), source("-"));
    assert.equal(verify().status, 1);
    assert.match(await read("junit"), /<failure message="The files differ [^"]*src\/sum\.js/);
    const [differs] = JSON.parse(await read("sarif")).runs[0].results;
    assert.equal(differs.locations[0].physicalLocation.artifactLocation.uri, "src/sum.js");
    assert.match(await read("summary"), /The verification failed/);
  });
});
