import assert from "node:assert/strict";
import { existsSync, statSync } from "node:fs";
import { link, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { Core } from "../core/design-lab.js";
import { Guard } from "./guard.js";

const TABLES = new URL("../../tests/design_lab/isolation/", import.meta.url);

/** The message that the model reads, by the rule that refuses a call. */
const MESSAGES = new Map([
  ["arguments", "The arguments of this call are not valid; use only documented ones."],
  ["tool", "This tool is not available in this session."],
  ["private-address", "This address is not available in this session."],
]);
const PATH = "This path is not available in this session; the rest of the project is.";

const core = new Core();
let base = "";
/** @type {any} */
let world;
/** @type {Guard} */
let guard;

/**
 * Reads a table, with its paths below one of our directories.
 * @param {string} name
 */
async function table(name) {
  const text = await readFile(new URL(name, TABLES), "utf8");
  return JSON.parse(text.replaceAll("/home/", `${base}/home/`));
}

/** Creates the world of the tables on a real disk. */
before(async () => {
  base = await realpath(await mkdtemp(path.join(tmpdir(), "design-lab-guard-")));
  world = await table("world.json");
  const place = async (/** @type {string} */ file, /** @type {() => Promise<void>} */ put) => {
    await mkdir(path.dirname(file), { recursive: true });
    await put();
  };
  for (const [file, text] of Object.entries(world.files)) await place(file, () => writeFile(file, text));
  for (const [file, target] of Object.entries(world.links)) await place(file, () => symlink(target, file));
  for (const [file, target] of Object.entries(world.hard_links)) await place(file, () => link(target, file));
  const isolation = {
    enforce_design_isolation: true,
    blocked_patterns: world.patterns,
    allowed_tools: world.allowed_tools,
  };
  const { project, worktree, outputs, former, host } = world;
  const real = { project: null, worktree: null };
  guard = new Guard(
    core,
    core.rules(isolation, { project, worktree, real, outputs, unguarded: [], former, host }),
  );
});

after(async () => {
  guard.close();
  await rm(base, { recursive: true, force: true });
});

/**
 * Returns the result of each call of a table: the message that refuses it, or none.
 * @param {string} name
 */
async function judge(name) {
  const cases = await table(name);
  // Names of other machines would cause name server queries.
  const absent = existsSync("/proc/self/root")
    ? /example\.com|internal|docs\.rs/
    : /example\.com|internal|docs\.rs|\/proc\//;
  const local = cases.filter((/** @type {any} */ { args }) => !absent.test(JSON.stringify(args)));
  const judged = [];
  for (const { name, tool, args, denied, unguarded } of local) {
    for (const output of world.outputs) {
      if (unguarded) await rm(path.join(output, ".rgignore"), { force: true });
      else await writeFile(path.join(output, ".rgignore"), "*\n");
    }
    const call = guard.before(tool, "call", args);
    judged.push({
      name,
      denied,
      message: await call.then(
        () => undefined,
        (error) => error.message,
      ),
    });
  }
  return judged;
}

test("what the table of attacks says holds on a real disk", async () => {
  const judged = await judge("attacks.json");
  const wrong = judged.filter(({ denied, message }) => message !== (MESSAGES.get(denied) ?? PATH));
  assert.deepEqual(wrong, []);
  assert.ok(judged.length > 140);
});

test("and so does the table of legitimate calls", async () => {
  const judged = await judge("legitimate.json");
  assert.deepEqual(
    judged.filter(({ message }) => message !== undefined),
    [],
  );
  assert.ok(judged.length > 30);
});

test("what was seen of an output directory is looked at again once it has changed", async (context) => {
  const [output] = world.outputs;
  await writeFile(path.join(output, ".rgignore"), "*\n");
  // All changes are long past now, so the contents are cached.
  context.mock.timers.enable({ apis: ["Date"], now: Date.now() + 60_000 });
  const search = (/** @type {string} */ include) => guard.before("grep", "call", { pattern: "x", include });
  const opensRun = "{2031*,designs,*.json}";
  await search(opensRun);
  await search(opensRun);
  const { ctimeMs } = statSync(output);
  for (let number = 1; statSync(output).ctimeMs === ctimeMs; number += 1) {
    await mkdir(path.join(output, `2031-01-01-run-${number}`));
  }
  await assert.rejects(search(opensRun), { message: PATH });
  await search("*.ts");
  await rm(path.join(output, ".rgignore"));
  await assert.rejects(search("*.ts"), { message: PATH });
  await writeFile(path.join(output, ".rgignore"), "*\n");
  await search("*.ts");
});
