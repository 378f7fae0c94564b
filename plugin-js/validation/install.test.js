// The real npm installs Playwright Test from the test's own registry: completely, without touching the project's files, or not at all.

import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { packInstalled, startRegistry } from "../../tests/e2e/registry.mjs";
import { DesignLabError } from "../core/load.js";
import { ValidationCore } from "../core/validation.js";
import { init } from "./init.js";
import { install } from "./install.js";
import { ROOT } from "./test/run.js";
import { findAxe, findInstall, findTools, isInstalled } from "./tools.js";

const core = new ValidationCore();
const keys = { names: [], values: [] };
const settings = { browser: null, directory: null };
const PLACE = ".opencode/validation";

/** @type {string} */
let scratch;
/** One with the packages, and one without any. @type {Record<"full" | "empty", Awaited<ReturnType<typeof startRegistry>>>} */
let registries;

before(async () => {
  scratch = await mkdtemp(path.join(tmpdir(), "validation-install-"));
  const { devDependencies } = JSON.parse(await readFile(path.join(ROOT, "package.json"), "utf8"));
  const version = devDependencies["@playwright/test"];
  // Minimal packages, with a script that must not run.
  const script = { postinstall: "touch ran" };
  const packages = [
    { name: "@playwright/test", version, dependencies: { playwright: version }, scripts: script },
    { name: "playwright", version, dependencies: { "playwright-core": version } },
    { name: "playwright-core", version },
    { name: "fast-check", version: devDependencies["fast-check"], dependencies: { "pure-rand": "8.4.2" } },
    { name: "pure-rand", version: "8.4.2" },
  ];
  const packed = [];
  for (const [index, manifest] of packages.entries()) {
    const files = { "package.json": JSON.stringify(manifest), "cli.js": "", "index.js": "" };
    packed.push(await packInstalled(await directoryOf(`package-${index}`, files)));
  }
  registries = { full: await startRegistry(packed), empty: await startRegistry([]) };
});

after(async () => {
  for (const registry of Object.values(registries)) await registry.close();
  await rm(scratch, { recursive: true });
});

/** @param {string} name @param {Record<string, string>} files */
async function directoryOf(name, files) {
  const directory = path.join(scratch, name);
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(directory, file)), { recursive: true });
    await writeFile(path.join(directory, file), text);
  }
  return directory;
}

let projects = 0;

/** @param {keyof typeof registries} registry @param {Record<string, string>} [files] */
function projectOf(registry, files = {}) {
  projects += 1;
  const npmrc = `registry=${registries[registry].url}/\ncache=${path.join(scratch, "cache")}\nfetch-retries=0\n`;
  return directoryOf(`project-${projects}`, { ".npmrc": npmrc, ...files });
}

/** npm's task. */
const wanted = () =>
  core.install({ own: false, installed: null, fast_check: null, stands: null }) ??
  assert.fail("there is nothing to do");

const below = async (/** @type {string} */ project) =>
  (await readdir(path.join(project, ".opencode"))).sort();

test("it is installed beside nothing of the project's, by the project's settings of npm, and found from then on", async () => {
  const manifest = '{ "name": "shop", "workspaces": [".opencode/*", "**"] }';
  const project = await projectOf("full", {
    "package.json": manifest,
    "node_modules/axe-core/package.json": "{}",
    "node_modules/axe-core/axe.min.js": "",
  });
  const found = () => findInstall({ project, settings });
  assert.deepEqual(found(), { own: false, installed: null, fast_check: null, stands: null });
  assert.match(
    await init({ core, project, text: "", keys }),
    /Problem {2}Playwright Test[\s\S]*`\/validate-init --install`/,
  );
  const text = await readFile(path.join(project, `${PLACE}.jsonc`), "utf8");

  const shown = await init({ core, project, text: "--install", keys });
  assert.match(
    shown,
    /was not changed[\s\S]*Install {2}Playwright Test \d+\.\d+\.\d+, with\s+fast-check \d+\.\d+\.\d+,\s+is\s+now\s+in\s+\.opencode\/validation/,
  );
  assert.equal(await readFile(path.join(project, `${PLACE}.jsonc`), "utf8"), text);
  assert.deepEqual(await below(project), ["validation", "validation.jsonc"]);
  const held = [".gitignore", ".ignore", "node_modules", "package-lock.json", "package.json"];
  assert.deepEqual((await readdir(path.join(project, PLACE))).sort(), held, "and no key of the project's");
  assert.match(await readFile(path.join(project, PLACE, ".gitignore"), "utf8"), /^\*$/m);
  const package_ = path.join(project, PLACE, "node_modules/@playwright/test");
  assert.deepEqual((await readdir(package_)).sort(), ["cli.js", "index.js", "package.json"], "no script ran");
  assert.equal(await readFile(path.join(project, "package.json"), "utf8"), manifest);

  const where = { project, settings };
  const environment = { PATH: path.dirname(process.execPath), HOME: scratch };
  const tools = /** @type {any} */ (
    findTools({ project, settings: { ...settings, browser: process.execPath }, environment })
  );
  assert.deepEqual([tools.cli, tools.directory], [path.join(package_, "cli.js"), PLACE]);
  const noBrowser = findTools({ project, settings: { ...settings, browser: "none-such" }, environment });
  assert.deepEqual(noBrowser, { obstacle: "no_browser", directory: PLACE });
  assert.ok(isInstalled(where) && findAxe(where), "axe-core is the project's");
  assert.equal(tools.fastCheck.version, found().fast_check, "fast-check is found beside it");
  assert.match(
    await init({ core, project, text: "--install", keys }),
    /Install {2}Nothing to do: [\s\S]* already/,
  );

  await directoryOf(path.basename(project), {
    "node_modules/@playwright/test/package.json": "{}",
  });
  assert.equal(isInstalled(where), false, "the project's own goes before it");
  assert.match(
    await init({ core, project, text: "--install", keys }),
    /Install {2}Nothing to do: the project has its own/,
  );
});

test("another version of ours is replaced, what isn't ours stays, and what was broken off long ago goes", async () => {
  const old = { "package.json": JSON.stringify({ version: "1.0.0" }), "cli.js": "" };
  const files = ["@playwright/test", "playwright", "playwright-core"].flatMap((name) =>
    Object.entries(old).map(([file, text]) => [`${PLACE}/node_modules/${name}/${file}`, text]),
  );
  const [[, ours = ""] = []] = wanted().files.filter(([name]) => name === "package.json");
  const project = await projectOf("full", {
    ...Object.fromEntries(files),
    [`${PLACE}/package.json`]: ours,
    [`${PLACE}-long/node_modules/file`]: "",
    [`${PLACE}-now/node_modules/file`]: "",
  });
  await utimes(path.join(project, `${PLACE}-long`), 0, 0);
  assert.equal(findInstall({ project, settings }).installed, "1.0.0");
  await init({ core, project, text: "--install", keys });
  assert.notEqual(findInstall({ project, settings }).installed, "1.0.0");
  assert.deepEqual(await below(project), ["validation", "validation-now", "validation.jsonc"]);

  const other = await projectOf("full", { [`${PLACE}/notes.md`]: "mine" });
  await assert.rejects(
    init({ core, project: other, text: "--install", keys }),
    isRefusal(/contains other files/),
  );
  assert.deepEqual(await below(other), ["validation"]);
});

const node = (/** @type {string} */ program) => [process.execPath, "-e", program];

for (const [how, change, message] of /** @type {[string, object, RegExp][]} */ ([
  ["a registry that has none", {}, /npm failed \(exit code 1\)\..*E404/],
  ["no npm", { command: ["npm-that-is-not-there"] }, /could not be started: ENOENT/],
  [
    "an npm that doesn't end",
    { command: node("setInterval(() => {}, 9e9)"), timeout_ms: 200 },
    /it took too long/,
  ],
  [
    "an npm that is killed",
    { command: node("process.kill(process.pid, 'SIGKILL')") },
    /ended by signal SIGKILL/,
  ],
  [
    "an npm that installs nothing",
    { command: node("console.log('added 0 packages')") },
    /incomplete\..*added 0 packages/,
  ],
])) {
  test(`after ${how} nothing is left`, async () => {
    const project = await projectOf("empty");
    await assert.rejects(install({ core, project, keys }, { ...wanted(), ...change }), isRefusal(message));
    assert.deepEqual(await below(project), []);
    const nothing = { own: false, installed: null, fast_check: null, stands: null };
    assert.deepEqual(findInstall({ project, settings }), nothing);
  });
}

test("what isn't the option is refused, and nothing is written", async () => {
  const project = await projectOf("full");
  for (const text of ["--instal", "now", "--install --force"])
    await assert.rejects(init({ core, project, text, keys }), DesignLabError);
  assert.deepEqual(await readdir(project), [".npmrc"]);
});

/** @param {RegExp} message */
const isRefusal = (message) => (/** @type {any} */ error) => {
  assert.ok(error instanceof DesignLabError, error);
  const [problem] = error.problems;
  assert.equal(problem?.code, "validation.not-installed");
  assert.match(`${problem?.message} ${problem?.found}`, message);
  return true;
};
