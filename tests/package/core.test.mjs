// The wasm module is pure, small, and the same in every host.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import { pkg, publishedFiles, root } from "./package.mjs";

const execute = promisify(execFile);
const [zipped, pressed] = [promisify(gzip), promisify(brotliCompress)];
const wasm = await readFile(join(pkg, "core/core_bg.wasm"));

/** The imports that are needed to move values across the boundary. */
const PURE = ["Array", "BigInt", "Error", "Map", "Number", "Object", "Reflect", "String", "Uint8Array"];

test("the core reaches no clock, no environment, no console and no randomness", async () => {
  for (const { module, name } of WebAssembly.Module.imports(new WebAssembly.Module(wasm))) {
    assert.equal(module, "./core_bg.js", name);
  }
  const glue = await readFile(join(pkg, "core/core.js"), "utf8");
  const imports = /function __wbg_get_imports\(\) \{\n([\s\S]*?)\n\}\n/.exec(glue)?.[1] ?? "";
  assert.match(imports, /__wbindgen_init_externref_table/);
  const code = imports.replace(/\/\/.*$/gm, "");
  const globals =
    /\b([A-Z][a-z]\w*|crypto|console|fetch|globalThis|performance|process|require|self|setTimeout|window)\b/g;
  const effects = [...code.matchAll(globals)].map(([name]) => name).filter((name) => !PURE.includes(name));
  assert.deepEqual(effects, []);
});

test("every part keeps within its weight", async (t) => {
  const budget = await readFile(new URL("size.txt", import.meta.url), "utf8");
  const published = await Promise.all((await publishedFiles()).map((file) => readFile(join(pkg, file))));
  const lines = budget.split("\n").filter((line) => line && !line.startsWith("#"));
  // All at once, because compression takes a processor for seconds.
  const weighed = lines.map(async (line) => {
    const [part = "", ...most] = line.split(/\s+/);
    const bytes = part === "package" ? Buffer.concat(published) : await readFile(join(pkg, part));
    const small = await Promise.all([zipped(bytes, { level: 9 }), pressed(bytes)]);
    return { part, most, sizes: [bytes.length, ...small.map(({ length }) => length)] };
  });
  for (const { part, most, sizes } of await Promise.all(weighed)) {
    for (const [index, unit] of ["raw", "gzip", "brotli"].entries()) {
      t.diagnostic(`${part} ${unit}: ${sizes[index]} of ${most[index]} bytes`);
      assert.ok(
        (sizes[index] ?? 0) <= Number(most[index]),
        `${part} ${unit}: ${sizes[index]} > ${most[index]} bytes; tests/package/size.txt is raised by hand, on purpose`,
      );
    }
  }
});

let installed = "";

before(async () => {
  installed = await mkdtemp(join(tmpdir(), "design-lab-install-"));
  await writeFile(join(installed, "package.json"), '{"private":true,"type":"module"}');
  const packed = await execute("npm", ["pack", "--json", "--pack-destination", installed], { cwd: pkg });
  const tarball = join(installed, JSON.parse(packed.stdout)[0].filename);
  await execute("npm", ["install", "--offline", "--no-audit", "--no-fund", tarball], { cwd: installed });
  await writeFile(
    join(installed, "load.js"),
    'import plugin from "opencode-design-lab";\n' +
      'import server from "opencode-design-lab/server";\n' +
      "const { id, ...entries } = plugin;\n" +
      "const kinds = Object.fromEntries(Object.entries(entries).map(([name, value]) => [name, typeof value]));\n" +
      "process.stdout.write(JSON.stringify({ id, kinds, same: plugin === server }));\n",
  );
});

after(() => rm(installed, { recursive: true, force: true }));

for (const host of ["node", "bun"]) {
  test(`the installed package loads in ${host}, saying nothing`, async () => {
    const program = host === "node" ? process.execPath : join(root, "node_modules/.bin/bun");
    const { stdout, stderr } = await execute(program, ["load.js"], { cwd: installed });
    assert.equal(stderr, "");
    assert.deepEqual(JSON.parse(stdout), {
      id: "opencode-design-lab",
      kinds: { server: "function", setup: "function" },
      same: true,
    });
  });
}
