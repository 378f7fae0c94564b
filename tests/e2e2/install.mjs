// Installs the OpenCode 2 on which these tests run, below target/: `node tests/e2e2/install.mjs`. It is no dependency of the project,
// because it has 200 MB and only these tests need it.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const VERSION = "2.0.15";
/** Builds without the newest instructions of processors, so that they run everywhere. */
const PACKAGES = new Map([["linux-x64", "@opencode/cli-linux-x64-baseline"]]);

const place = resolve(fileURLToPath(import.meta.url), `../../../target/opencode-${VERSION}`);

/** The program, which may not be installed. */
export const OPENCODE2 = process.env.OPENCODE2 ?? join(place, "package/bin/opencode");

export const isInstalled = existsSync(OPENCODE2);

/** Downloads the package with npm and unpacks it. Installs nothing else and runs no script. */
function install() {
  const name = PACKAGES.get(`${process.platform}-${process.arch}`);
  if (name === undefined)
    throw new Error(`OpenCode ${VERSION} isn't known for ${process.platform}-${process.arch}`);
  const fresh = `${place}.new`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  const how = { cwd: fresh, encoding: /** @type {const} */ ("utf8") };
  const [packed] = JSON.parse(execFileSync("npm", ["pack", "--json", `${name}@${VERSION}`], how));
  execFileSync("tar", ["-xzf", packed.filename], how);
  rmSync(join(fresh, packed.filename));
  rmSync(place, { recursive: true, force: true });
  renameSync(fresh, place);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href && !isInstalled) {
  install();
  process.stdout.write(`${OPENCODE2}\n`);
}
